package stock

import (
	_ "embed"
	"net"
	"time"

	"github.com/cassaml/cassaml/aml"
)

// Item is in the store of a hall, and has every kind of index.
type Item struct {
	aml.Aggregate `aml:"items"`

	Hall   string     `aml:"hall,identifier"`
	Row    int32      `aml:"row,identifier,index"`
	Place  int32      `aml:"place,discriminator"`
	Tier   int16      `aml:"tier,discriminator,desc,index"`
	Keeper string     `aml:"keeper,static,index"`
	Name   string     `aml:"name,index='case_sensitive=false'"`
	Note   string     `aml:"note,index='normalize=true, ascii=true'"`
	Code   *int64     `aml:"code,index"`
	Colors []string   `aml:"colors,unique,index,max=5"`
	Marks  []int32    `aml:"marks,index,max=5"`
	Shape  [3]float32 `aml:"shape,index"`
	Spot   [2]float32 `aml:"spot,index='similarity_function=euclidean'"`
	Value  [2]float32 `aml:"value,index='similarity_function=DOT_PRODUCT'"`
	From   net.IP     `aml:"'from',index"`
	Sender *Party     `aml:"sender,composition"`
	Seen   time.Time  `aml:"seen"`
}

// ItemByColor is an item for each of its colors. It is also found by its code.
//
//aml:ignore AML902 one clerk at a time changes an item
type ItemByColor struct {
	aml.Aggregate `aml:"items_by_color,redundant=Item.Colors"`

	Color string `aml:"color,identifier,from=Item.Colors.$value"`
	Hall  string `aml:"hall,discriminator,from=Item.Hall"`
	Row   int32  `aml:"row,discriminator,from=Item.Row"`
	Place int32  `aml:"place,discriminator,from=Item.Place"`
	Tier  int16  `aml:"tier,discriminator,from=Item.Tier"`

	Name  string     `aml:"name,from=Item.Name,index"`
	Code  *int64     `aml:"code,from=Item.Code,index"`
	Shape [3]float32 `aml:"shape,from=Item.Shape"`
}

// Tag is the label of an item. It has the column by which the rows are sorted, and not the rest of the key.
type Tag struct {
	aml.Aggregate `aml:",of=Item"`

	Tier   int16
	Name   string
	Keeper string
	Colors map[string]struct{}
	Sender *Party `aml:",composition"`
}

// ColorName is an item's name, by its color.
type ColorName struct {
	aml.Aggregate `aml:",of=ItemByColor"`

	Name string
}

// CrateWeight is a view of a root that has redundant tables.
type CrateWeight struct {
	aml.Aggregate `aml:",of=Crate"`

	Weight int32
}

// Guardian is a view of a table without discriminators.
type Guardian struct {
	aml.Aggregate `aml:",of=Guard"`

	Rank int32
}

// Schema is the CQL of the types and tables.
//
//go:embed schema.cql
var Schema string
