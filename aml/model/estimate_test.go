package model_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/internal/source"
	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/aml/model"
)

// typed returns the type of a native CQL type.
func typed(cql string) *model.Type { return &model.Type{Kind: model.Scalar, CQL: cql} }

// column returns an attribute without a limit for its number of values.
func column(t *model.Type) *model.Attribute {
	return &model.Attribute{Type: t, Multiplicity: model.Multiplicity{Min: -1, Max: -1}}
}

// table returns an aggregate. Its first attributes are the partition key, the next ones the clustering key.
func table(rows, partition, clustering int, columns ...*model.Attribute) *model.Aggregate {
	a := &model.Aggregate{Attributes: columns, Identifier: columns[:partition], Rows: rows}
	for _, c := range columns[partition : partition+clustering] {
		a.Discriminators = append(a.Discriminators, &model.Discriminator{Attribute: c})
	}
	for _, c := range columns[:partition+clustering] {
		c.Key = true
	}
	return a
}

// One row: a uuid of 16 bytes, a text with an estimate of 32, a bool of 1; two cells of 8 bytes.
func TestEstimateOfOneRow(t *testing.T) {
	e := model.NewEstimate(table(0, 1, 0, column(typed("uuid")), column(typed("text")), column(typed("boolean"))))
	require.Equal(t, model.Estimate{Rows: 1, Cells: 2, Bytes: 16 + 32 + 1 + 2*8}, e)
	require.False(t, e.Large())
}

// A partition of a sensor: int and timestamp as keys, a static text, a double in each of 500 rows.
func TestEstimateOfPartition(t *testing.T) {
	unit := column(typed("text"))
	unit.Static = true
	e := model.NewEstimate(table(500, 1, 1, column(typed("int")), column(typed("timestamp")), unit, column(typed("double"))))
	require.Equal(t, model.Estimate{Rows: 500, Cells: 500 + 1, Bytes: 4 + 32 + 500*(8+8) + 8*501}, e)
}

// By default a partition with a clustering key has 1000 rows and a collection has 10 values.
func TestEstimateByDefault(t *testing.T) {
	list := column(&model.Type{Kind: model.List, Elem: typed("bigint")})
	e := model.NewEstimate(table(0, 1, 1, column(typed("int")), column(typed("int")), list))
	require.Equal(t, model.Estimate{Rows: 1000, Cells: 1000, Bytes: 4 + 1000*(4+10*8) + 8*1000}, e)
}

// Limits are used: a map of at most 3 entries, each a text and a struct of two ints and at most 2 dates; a tuple; a vector.
func TestEstimateOfTypes(t *testing.T) {
	dates := column(&model.Type{Kind: model.Set, Elem: typed("date")})
	dates.Multiplicity.Max = 2
	object := &model.Object{Attributes: []*model.Attribute{column(typed("int")), column(typed("int")), dates}}
	entries := column(&model.Type{Kind: model.MapType, Key: typed("text"), Elem: &model.Type{Kind: model.Composed, Object: object}})
	entries.Multiplicity.Max = 3
	tuple := column(&model.Type{Kind: model.Tuple, Members: []*model.Type{typed("tinyint"), typed("duration")}})
	vector := column(&model.Type{Kind: model.Vector, Elem: typed("float"), Size: 5})
	e := model.NewEstimate(table(0, 1, 0, column(typed("smallint")), entries, tuple, vector))
	require.Equal(t, model.Estimate{Rows: 1, Cells: 3, Bytes: 2 + 3*(32+(4+4+2*4)) + (1 + 16) + 5*4 + 3*8}, e)
}

// The columns of a root are counted once, in addition to the rows of a part in its table. The number of rows is that of the part, or
// else that of the root.
func TestEstimateOfPart(t *testing.T) {
	root := table(0, 1, 0, column(typed("uuid")), column(typed("text")))
	part := table(20, 1, 1, column(typed("uuid")), column(typed("int")), column(typed("bigint")))
	part.Root, part.InRootTable, root.Parts = root, true, []*model.Aggregate{part}
	require.Equal(t, model.Estimate{Rows: 20, Cells: 20 + 1, Bytes: 16 + 32 + 20*(4+8) + 8*21}, model.NewEstimate(root))
	part.Rows, root.Rows = 0, 7
	require.Equal(t, int64(7), model.NewEstimate(root).Rows)
	root.Rows = 0
	require.Equal(t, int64(1000), model.NewEstimate(root).Rows)
}

// A copy of a collection under its source's key has at most as many rows as the collection has elements.
func TestEstimateOfElements(t *testing.T) {
	id, phones := column(typed("int")), column(&model.Type{Kind: model.Set, Elem: typed("text")})
	phones.Multiplicity.Max = 4
	source := table(0, 1, 0, id, phones)
	path := &model.Path{Source: source, Steps: []*model.Attribute{phones}, Loop: 0}
	key, phone := column(typed("int")), column(typed("text"))
	key.Origin = &model.Origin{Path: &model.Path{Source: source, Steps: []*model.Attribute{id}, Loop: -1}}
	phone.Origin = &model.Origin{Path: path}
	a := table(0, 1, 1, key, phone)
	a.Redundancy = &model.Redundancy{Source: source, Path: path}
	require.Equal(t, model.Estimate{Rows: 4, Bytes: 4 + 4*32}, model.NewEstimate(a))
	a.Identifier, a.Discriminators = []*model.Attribute{phone}, []*model.Discriminator{{Attribute: key}}
	require.Equal(t, int64(1000), model.NewEstimate(a).Rows)
}

// Under the partition key of its source, a redundant table has the rows of the source's partition, times the elements of the
// collection. Under another key the number is unknown.
func TestEstimateUnderTheSourcesKey(t *testing.T) {
	const source = `
type Reading struct {
	aml.Aggregate %s

	Sensor string   ${aml:"sensor,identifier"}
	At     int64    ${aml:"at,discriminator"}
	Tags   []string ${aml:"tags,unique,max=4"}
	Level  int32    ${aml:"level"}
}

type ByLevel struct {
	aml.Aggregate ${aml:"by_level,redundant=Reading"}

	Sensor string ${aml:"sensor,identifier"}
	Level  int32  ${aml:"level,discriminator"}
	At     int64  ${aml:"at,discriminator"}
}

type ByTag struct {
	aml.Aggregate ${aml:"by_tag,redundant=Reading.Tags"}

	Sensor string ${aml:"sensor,identifier,from=Reading.Sensor"}
	Tag    string ${aml:"tag,discriminator,from=Reading.Tags.$value"}
	At     int64  ${aml:"at,discriminator,from=Reading.At"}
}

type TagsOfOne struct {
	aml.Aggregate ${aml:"tags_of_one,redundant=Reading.Tags"}

	Sensor string ${aml:"sensor,identifier,from=Reading.Sensor"}
	At     int64  ${aml:"at,identifier,from=Reading.At"}
	Tag    string ${aml:"tag,discriminator,from=Reading.Tags.$value"}
}

type Everywhere struct {
	aml.Aggregate ${aml:"everywhere,redundant=Reading"}

	Level  int32  ${aml:"level,identifier"}
	Sensor string ${aml:"sensor,discriminator"}
	At     int64  ${aml:"at,discriminator"}
}
`
	require.Equal(t, "readings 500, by_level 500, by_tag 2000, tags_of_one 4, everywhere 1000 assumed",
		rows(t, source, "${aml:\"readings,rows=500\"}"))
	require.Equal(t, "readings 1000 assumed, by_level 1000 assumed, by_tag 4000 assumed, tags_of_one 4, everywhere 1000 assumed",
		rows(t, source, "${aml:\"readings\"}"))
}

// Derived tables are also estimated. The holders of a target are known if its key is the partition key of the holder.
func TestEstimateOfDerivedTables(t *testing.T) {
	const text = `
type Shop struct {
	aml.Aggregate ${aml:"shops"}

	Country string ${aml:"country,identifier"}
	Number  int32  ${aml:"number,identifier"}
	Name    string ${aml:"name,unique"}
	Version int64  ${aml:"version,version"}
}

type Sale struct {
	aml.Aggregate ${aml:"sales,rows=70"}

	Country string ${aml:"country,identifier,association=Shop.Country,checked"}
	Number  int32  ${aml:"number,identifier,association=Shop.Number,checked"}
	At      int64  ${aml:"at,discriminator"}
	Shop    string ${aml:"shop,copy=Shop.Name"}
	Country2 string ${aml:"country2,association=Shop.Country,checked"}
	Number2  int32  ${aml:"number2,association=Shop.Number,checked"}
	Version int64  ${aml:"version,version"}
}
`
	require.Equal(t, "shops 1, shops__name_unique 1, sales 70, sales__sync 1, sales__country_refs 70, sales__country2_refs 1000 assumed, aml_outboxes 1000 assumed",
		rows(t, "%s"+text, ""))
	for _, e := range estimates(t, text) {
		switch e.Table {
		case "shops__name_unique": // a text of 32 bytes, the owner's key, two times
			require.Equal(t, model.Estimate{Rows: 1, Cells: 4, Bytes: 32 + (32 + 4) + 2*8 + 8*4}, e.Estimate)
		case "sales__sync": // the key and a version
			require.Equal(t, model.Estimate{Rows: 1, Cells: 1, Bytes: (32 + 4 + 8) + 8 + 8}, e.Estimate)
		case "sales__country_refs": // the target's key once, in each row the holder's and a version
			require.Equal(t, model.Estimate{Rows: 70, Cells: 70, Bytes: (32 + 4) + 4 + 70*((32+4+8)+8) + 8*70}, e.Estimate)
		case "aml_outboxes": // in each row the name of a table, the key of the target with the lengths of its values, and a version
			require.Equal(t, model.Estimate{Rows: 1000, Cells: 1000, Bytes: 4 + 1000*(32+(4+32+4+4)+8) + 8*1000}, e.Estimate)
		}
	}
}

// rows returns the tables of a model, each with the number of rows in a partition.
func rows(t *testing.T, text string, args ...any) string {
	var out []string
	for _, e := range estimates(t, fmt.Sprintf(text, args...)) {
		line := fmt.Sprint(e.Table, " ", e.Rows)
		if e.Assumed {
			line += " assumed"
		}
		out = append(out, line)
	}
	return strings.Join(out, ", ")
}

func estimates(t *testing.T, declarations string) []model.TableEstimate {
	text := "package shop\n\nimport \"github.com/cassaml/cassaml/aml\"\n" + regexp.MustCompile(`\$\{(.*?)\}`).ReplaceAllString(declarations, "`$1`")
	imports := source.NewImporter()
	p, err := load.Source(imports.Fset, "example.com/shop", map[string][]byte{"model.go": []byte(text)}, imports)
	require.NoError(t, err)
	m, faults := model.Build(p)
	require.False(t, model.Refused(faults), "%v", faults)
	return model.Estimates(m)
}

func TestLargeEstimate(t *testing.T) {
	require.False(t, model.Estimate{Rows: 100_000, Bytes: 100_000_000}.Large())
	require.True(t, model.Estimate{Rows: 100_001}.Large())
	require.True(t, model.Estimate{Bytes: 100_000_001}.Large())
	for bytes, want := range map[int64]string{0: "0 bytes", 999: "999 bytes", 1000: "1.0 kB", 1_550_000: "1.6 MB", 2_000_000_000: "2.0 GB"} {
		require.Equal(t, want, model.Estimate{Bytes: bytes}.Size())
	}
}
