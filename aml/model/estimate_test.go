package model_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/model"
)

// typed gives the type of a native CQL type.
func typed(cql string) *model.Type { return &model.Type{Kind: model.Scalar, CQL: cql} }

// column gives an attribute of which nothing bounds the number of values.
func column(t *model.Type) *model.Attribute {
	return &model.Attribute{Type: t, Multiplicity: model.Multiplicity{Min: -1, Max: -1}}
}

// table gives an aggregate of which the first attributes are the partition key, the next ones the clustering key.
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

// One row: a uuid of 16 bytes, a text taken for 32, a bool of 1; two cells of 8 bytes.
func TestEstimateOfOneRow(t *testing.T) {
	e := model.EstimateOf(table(0, 1, 0, column(typed("uuid")), column(typed("text")), column(typed("boolean"))))
	require.Equal(t, model.Estimate{Rows: 1, Cells: 2, Bytes: 16 + 32 + 1 + 2*8}, e)
	require.False(t, e.Large())
}

// A partition of a sensor: int and timestamp as keys, a static text, a double in each of 500 rows.
func TestEstimateOfPartition(t *testing.T) {
	unit := column(typed("text"))
	unit.Static = true
	e := model.EstimateOf(table(500, 1, 1, column(typed("int")), column(typed("timestamp")), unit, column(typed("double"))))
	require.Equal(t, model.Estimate{Rows: 500, Cells: 500 + 1, Bytes: 4 + 32 + 500*(8+8) + 8*501}, e)
}

// Where nothing is said a partition with a clustering key has 1000 rows and a collection 10 values.
func TestEstimateByDefault(t *testing.T) {
	list := column(&model.Type{Kind: model.List, Elem: typed("bigint")})
	e := model.EstimateOf(table(0, 1, 1, column(typed("int")), column(typed("int")), list))
	require.Equal(t, model.Estimate{Rows: 1000, Cells: 1000, Bytes: 4 + 1000*(4+10*8) + 8*1000}, e)
}

// Bounds count: a map of at most 3 entries, each a text and a struct of two ints and at most 2 dates; a tuple; a vector.
func TestEstimateOfTypes(t *testing.T) {
	dates := column(&model.Type{Kind: model.Set, Elem: typed("date")})
	dates.Multiplicity.Max = 2
	object := &model.Object{Attributes: []*model.Attribute{column(typed("int")), column(typed("int")), dates}}
	entries := column(&model.Type{Kind: model.MapType, Key: typed("text"), Elem: &model.Type{Kind: model.Composed, Object: object}})
	entries.Multiplicity.Max = 3
	tuple := column(&model.Type{Kind: model.Tuple, Members: []*model.Type{typed("tinyint"), typed("duration")}})
	vector := column(&model.Type{Kind: model.Vector, Elem: typed("float"), Size: 5})
	e := model.EstimateOf(table(0, 1, 0, column(typed("smallint")), entries, tuple, vector))
	require.Equal(t, model.Estimate{Rows: 1, Cells: 3, Bytes: 2 + 3*(32+(4+4+2*4)) + (1 + 16) + 5*4 + 3*8}, e)
}

// The columns of a root count once beside the rows of a part in its table; the rows are the part's, else what the root says.
func TestEstimateOfPart(t *testing.T) {
	root := table(0, 1, 0, column(typed("uuid")), column(typed("text")))
	part := table(20, 1, 1, column(typed("uuid")), column(typed("int")), column(typed("bigint")))
	part.Root, part.InRootTable, root.Parts = root, true, []*model.Aggregate{part}
	require.Equal(t, model.Estimate{Rows: 20, Cells: 20 + 1, Bytes: 16 + 32 + 20*(4+8) + 8*21}, model.EstimateOf(root))
	part.Rows, root.Rows = 0, 7
	require.Equal(t, int64(7), model.EstimateOf(root).Rows)
	root.Rows = 0
	require.Equal(t, int64(1000), model.EstimateOf(root).Rows)
}

// The rows of a collection under its source's key are as many as the collection may have.
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
	require.Equal(t, model.Estimate{Rows: 4, Bytes: 4 + 4*32}, model.EstimateOf(a))
	a.Identifier, a.Discriminators = []*model.Attribute{phone}, []*model.Discriminator{{Attribute: key}}
	require.Equal(t, int64(1000), model.EstimateOf(a).Rows)
}

func TestLargeEstimate(t *testing.T) {
	require.False(t, model.Estimate{Rows: 100_000, Bytes: 100_000_000}.Large())
	require.True(t, model.Estimate{Rows: 100_001}.Large())
	require.True(t, model.Estimate{Bytes: 100_000_001}.Large())
	for bytes, want := range map[int64]string{0: "0 bytes", 999: "999 bytes", 1000: "1.0 kB", 1_550_000: "1.6 MB", 2_000_000_000: "2.0 GB"} {
		require.Equal(t, want, model.Estimate{Bytes: bytes}.Size())
	}
}
