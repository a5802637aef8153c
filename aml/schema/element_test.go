package schema_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/internal/source"
	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

const elementModel = "package shop\n\nimport \"github.com/cassaml/cassaml/aml\"\n" + `
type Place struct { City, Street string }

type Car struct {
	aml.Entity
	Serial int32 "aml:\"serial,identifier\""
	Plate  string "aml:\"plate\""
}

type Seal struct { Color, Mark string }

type Item struct {
	aml.Aggregate "aml:\"items\""

	ID     int32             "aml:\"id,identifier\""
	Name   string            "aml:\"name\""
	Shown  bool              "aml:\"shown\""
	Free   []string          "aml:\"free,unique\""
	Some   []string          "aml:\"some,unique,min=1,max=9\""
	Needed map[string]string "aml:\"needed,required\""
	Cars   map[string]Car    "aml:\"cars,composition\""
	Rows   []string          "aml:\"rows,unique\""
	Dist   []string          "aml:\"dist,unique\""
	Cond   []string          "aml:\"cond,unique\""
	Places map[string]Place  "aml:\"places,composition\""
	Seals  []Seal            "aml:\"seals,composition,unique\""
	Whole  []string          "aml:\"whole,unique\""
}

type Named struct {
	aml.Aggregate "aml:\"named,redundant=Item.Rows\""
	Row  string "aml:\"row,identifier,from=Item.Rows.$value\""
	ID   int32  "aml:\"id,discriminator,from=Item.ID\""
	Name string "aml:\"name,from=Item.Name\""
}

type Distinct struct {
	aml.Aggregate "aml:\"dists,redundant=Item.Dist,distinct\""
	Row string "aml:\"row,identifier,from=Item.Dist.$value\""
}

type Conditional struct {
	aml.Aggregate "aml:\"conds,redundant=Item.Cond,when=Item.Shown\""
	Row string "aml:\"row,identifier,from=Item.Cond.$value\""
	ID  int32  "aml:\"id,discriminator,from=Item.ID\""
}

type City struct {
	aml.Aggregate "aml:\"cities,redundant=Item.Places\""
	City  string "aml:\"city,identifier,from=Item.Places.City\""
	ID    int32  "aml:\"id,discriminator,from=Item.ID\""
	Label string "aml:\"label,discriminator,from=Item.Places.$key\""
}

type Color struct {
	aml.Aggregate "aml:\"colors,redundant=Item.Seals,shared\""
	Color string "aml:\"color,identifier,from=Item.Seals.Color\""
}

type ByName struct {
	aml.Aggregate "aml:\"by_name,redundant=Item\""
	Name  string   "aml:\"name,identifier\""
	ID    int32    "aml:\"id,discriminator\""
	Whole []string "aml:\"whole,unique\""
}
`

// Each column of a set or a map has the reasons why an element cannot be added and removed without a read.
func TestElements(t *testing.T) {
	imports := source.NewImporter()
	p, err := load.Source(imports.Fset, "example.com/shop", map[string][]byte{"model.go": []byte(elementModel)}, imports)
	require.NoError(t, err)
	m, faults := model.Build(p)
	require.False(t, model.Refused(faults), faults)
	root := schema.Of(m).Stored[0]
	got := map[string][2]string{}
	for _, c := range root.Columns {
		if c.HasElements() {
			got[c.Name] = [2]string{root.Addable(c), root.Removable(c)}
		}
	}
	both := func(why string) [2]string { return [2]string{why, why} }
	require.Equal(t, map[string][2]string{
		"free":   {},
		"some":   {"max= limits the number of its elements, and the number of the others is unknown", "min= requires elements, and the number of the others is unknown"},
		"needed": {"", "it is required, and the element can be the last one"},
		"cars":   {"an element has an identity, and those of the others are unknown", ""},
		"rows":   {"column name of named also derives from Name", ""},
		"dist":   both("the rows of dists are distinct, and other rows can have the same key"),
		"cond":   both("not every element has a row of conds"),
		"places": both("the key of a row of cities depends on more than the key of the element"),
		"seals":  both("two elements can share a row of colors"),
		"whole":  both("the rows of by_name also depend on Name"),
	}, got)
}
