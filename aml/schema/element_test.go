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
	Rows   []string          "aml:\"'rows',unique\""
	Dist   []string          "aml:\"dist,unique\""
	Cond   []string          "aml:\"cond,unique\""
	Places map[string]Place  "aml:\"places,composition\""
	Seals  []Seal            "aml:\"seals,composition,unique\""
	Whole  []string          "aml:\"whole,unique\""
	Either []string          "aml:\"either,unique,any=contact\""
	Or     *string           "aml:\"or_,any=contact\""
	List   []string          "aml:\"list\""
	Few    []string          "aml:\"few,max=3\""
	Parts  []Car             "aml:\"parts,composition\""
	Copied []string          "aml:\"copied\""
	Home   Place             "aml:\"home,composition\""
	Work   *Needy            "aml:\"work,composition\""
	Must   *Place            "aml:\"must,composition,required\""
	Plain  *Place            "aml:\"plain,composition\""
}

type Needy struct {
	City   string  "aml:\"city,required\""
	Street *string "aml:\"street\""
}

type Homes struct {
	aml.Aggregate "aml:\"homes,redundant=Item\""
	ID     int32    "aml:\"id,identifier,from=Item.ID\""
	City   string   "aml:\"city,from=Item.Home.City\""
	Home   Place    "aml:\"home,composition,from=Item.Home\""
	Copied []string "aml:\"copied,from=Item.Copied\""
	Plain  *Place   "aml:\"plain,composition,final,from=Item.Plain\""
}

type Streets struct {
	aml.Aggregate "aml:\"streets,redundant=Item\""
	Street string "aml:\"street,identifier,from=Item.Home.Street\""
	ID     int32  "aml:\"id,discriminator,from=Item.ID\""
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

// itemTable returns the table of the root of the model.
func itemTable(t *testing.T) *schema.Table {
	t.Helper()
	imports := source.NewImporter()
	p, err := load.Source(imports.Fset, "example.com/shop", map[string][]byte{"model.go": []byte(elementModel)}, imports)
	require.NoError(t, err)
	m, faults := model.Build(p)
	require.False(t, model.Refused(faults), faults)
	return schema.New(m).Stored[0]
}

// Each collection has the reasons why an element is added and removed after a read of the row, or not at all.
func TestElements(t *testing.T) {
	root := itemTable(t)
	text := func(w schema.Way) string {
		if w.No != "" {
			return "no: " + w.No
		}
		return w.Reads
	}
	got := map[string][2]string{}
	for _, c := range root.Columns {
		switch {
		case !c.HasElements():
		case c.IsList():
			got[c.Name] = [2]string{text(root.Extendable(c))}
		default:
			got[c.Name] = [2]string{text(root.Addable(c)), text(root.Removable(c))}
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
		"either": both("it belongs to the group contact, and its other fields are unknown"),
		"list":   {},
		"few":    {"max= limits the number of its elements, and the number of the others is unknown"},
		"parts":  {"an element has an identity, and those of the others are unknown"},
		"copied": {"no: the rows of homes derive from all elements"},
	}, got)
}

// Each field of a UDT has the reason why it cannot be set alone.
func TestMembers(t *testing.T) {
	root := itemTable(t)
	got := map[string]string{}
	for _, c := range root.Columns {
		for i, m := range c.Members() {
			got[c.SetMember(m)] = root.MemberSettable(c, i)
		}
	}
	require.Equal(t, map[string]string{
		"SetHomeCity":    "",
		"SetHomeStreet":  "it determines which rows streets has",
		"SetWorkCity":    "",
		"SetWorkStreet":  "Work can be nil, and its field City is required",
		"SetMustCity":    "Must is required, and all of its other fields can be absent",
		"SetMustStreet":  "Must is required, and all of its other fields can be absent",
		"SetPlainCity":   "column plain of homes also derives from Plain.Street",
		"SetPlainStreet": "column plain of homes also derives from Plain.City",
	}, got)
}
