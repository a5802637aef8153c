// Package foreign uses named types and value objects of its own and of other packages. Two of the packages have the same name,
// and one has the name of a package that the generated file needs.
package foreign

import (
	"github.com/cassaml/cassaml/aml"
	"github.com/cassaml/cassaml/codegen/testdata/golden/foreign/d"
	"github.com/cassaml/cassaml/codegen/testdata/golden/foreign/gen"
	"github.com/cassaml/cassaml/codegen/testdata/golden/foreign/geo"
	other "github.com/cassaml/cassaml/codegen/testdata/golden/foreign/store/geo"
	"github.com/gocql/gocql"
)

// Shop has the types in every position.
type Shop struct {
	aml.Aggregate `aml:"shops"`

	Kind         geo.Kind                      `aml:",identifier"`
	ID           gocql.UUID                    `aml:",identifier"`
	String       Name                          `aml:",identifier"`
	Type         d.Level                       `aml:",discriminator,desc"`
	Where        geo.Point                     `aml:",composition,final,discriminator"`
	Home         *other.Point                  `aml:"home,composition"`
	Kinds        []geo.Kind                    `aml:",type=ascii,index"`
	Others       Kinds                         `aml:"others"`
	Unique       Kinds                         `aml:",unique"`
	Levels       map[Name]*d.Level             `aml:"-"`
	Ranks        map[Name]d.Level              `aml:"ranks"`
	GeoKinds     map[GeoKind]struct{}          `aml:"geo_kinds"`
	Deep         map[geo.Kind]map[Name]GeoKind `aml:"deep"`
	Default      *geo.Kind                     `aml:"default,index"`
	Points       map[string]geo.Point          `aml:",composition"`
	Set          map[other.Point]struct{}      `aml:",composition"`
	Routes       [][]geo.Point                 `aml:",composition"`
	Size         gen.Size                      `aml:",composition"`
	Alias        Alias
	CheckGenSize gen.Size `aml:",composition"`
	Base
}

type (
	// Name is a type of this package.
	Name string
	// Kinds is a named list.
	Kinds []geo.Kind
	// GeoKind would have the same function names as geo.Kind.
	GeoKind int32
	// Alias is an alias of a type of another package.
	Alias = geo.Kind
)

// Base is embedded.
type Base struct {
	Owner Owner  `aml:",composition"`
	Note  string `aml:",required"`
	geo.Audit
}

// Owner has a mandatory field.
type Owner struct {
	ID    gocql.UUID        `aml:",required"`
	Homes map[string][]Home `aml:",composition"`
	Trips map[Home]struct{} `aml:",composition"`
}

// Home has a mandatory field.
type Home struct {
	Street string `aml:",required"`
}

// Sign is a view with inherited columns.
type Sign struct {
	aml.Aggregate `aml:",of=Shop"`

	Type    d.Level
	Default geo.Kind
	Home    other.Point `aml:",composition"`
	Board
}

// Board is embedded in a view.
type Board struct {
	Note string
}
