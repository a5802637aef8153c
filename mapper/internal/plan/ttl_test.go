package plan_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// written plans and returns the mutations of the copies, without those of the root, as text.
func written(t *testing.T, a *plan.Aggregate, c plan.Change) (out []string) {
	mutations, err := plan.Plan(a, c)
	require.NoError(t, err)
	for i := range mutations {
		if mutations[i].Table != a.Root {
			out = append(out, describe(&mutations[i]))
		}
	}
	return out
}

func linkWith(change func(*descriptor.Projection), copies ...*copyOf) *plan.Aggregate {
	a := descriptor.Aggregate{Root: shops}
	for _, c := range copies {
		p := c.projection()
		change(&p)
		a.Copies = append(a.Copies, p)
	}
	return plan.Link(a)
}

// A row that belongs to several sources is written by each of them and deleted by none.
func TestSharedRowsStay(t *testing.T) {
	a := linkWith(func(p *descriptor.Projection) { p.Shared = true }, familyOf("by_name", "city"), familyOf("by_tag"))
	old, new := ana(), ana()
	new.Name, new.Tags = p("Eva"), []string{"y", "z"}
	require.Equal(t, []string{"put by_name_0 Eva|r|1 city=Recife", "put by_tag_0 z|1|r"},
		written(t, a, plan.Change{Old: old.row(), New: new.row()}))
	require.Empty(t, written(t, a, plan.Change{Old: old.row()}))
}

// A row that expires is written as a whole if a value in it changes, and not at all otherwise.
func TestExpiringRowsAreWrittenWhole(t *testing.T) {
	copies := []*copyOf{familyOf("by_region", "name", "tags", "owner"), familyOf("by_item", "item_b"), familyOf("by_bucket", "city")}
	for _, c := range copies {
		c.table.TTL = 60
	}
	a := link(copies...)
	old, new := ana(), ana()
	new.Owner, new.Items = nil, []pair{new.Items[0], {p("i2"), p("green")}, new.Items[2]}
	require.Equal(t, []string{"put by_region_0 r|1 name=Ana tags=xy owner=-", "put by_item_0 i2|1|r item_b=green"},
		written(t, a, plan.Change{Old: old.row(), New: new.row()}), "the other items and the bucket stay as they are")

	mutations, err := plan.Plan(a, plan.Change{New: new.row(), TTL: 30})
	require.NoError(t, err)
	for _, m := range mutations {
		require.EqualValues(t, 30, m.TTL, "the shorter TTL is used")
	}
	mutations, err = plan.Plan(a, plan.Change{New: new.row(), TTL: 90})
	require.NoError(t, err)
	require.EqualValues(t, 90, mutations[0].TTL)
	require.EqualValues(t, 60, mutations[1].TTL)
}

// A write with a TTL sets it for all cells of the root and for every row of every copy.
func TestARenewedRootRenewsItsCopies(t *testing.T) {
	a := link(familyOf("by_region", "city", "owner"), familyOf("by_tag"))
	old, new := ana(), ana()
	new.City = nil
	mutations, err := plan.Plan(a, plan.Change{Old: old.row(), New: new.row(), TTL: 60})
	require.NoError(t, err)
	require.Equal(t, len(shops.Columns)-shops.Key, mutations[0].Write.Len(), "the root is written whole")
	require.Equal(t, []string{"put by_region_0 r|1 city=- owner=ob", "put by_tag_0 x|1|r", "put by_tag_0 y|1|r"},
		written(t, a, plan.Change{Old: old.row(), New: new.row(), TTL: 60}))
	require.Empty(t, written(t, a, plan.Change{Old: old.row(), New: old.row(), TTL: 60}), "what does not change is not written")
}

// A write to a row that can exist deletes absent values, except those that also belong to the other rows of the partition.
func TestWritingOverARow(t *testing.T) {
	table := *shops
	table.Columns = append([]descriptor.Column(nil), shops.Columns...)
	table.Columns[rCity].Kind = projection.Static
	a := plan.Link(descriptor.Aggregate{Root: &table})
	s := ana()
	s.Name, s.City = nil, nil
	mutations, err := plan.Plan(a, plan.Change{New: s.row(), Upsert: true})
	require.NoError(t, err)
	require.True(t, mutations[0].Write.Has(rName))
	require.False(t, mutations[0].Write.Has(rCity))
}

// One column is set in every copy without the rest of the row: of a UDT that is built from several columns only the field.
func TestSet(t *testing.T) {
	a := link(familyOf("by_region", "name", "parent", "city"), familyOf("by_name"))
	only := &shop{ID: "1", Region: "r", City: p("Olinda")}
	mutations, err := plan.PlanSet(a, only.row(), rCity)
	require.NoError(t, err)
	var got []string
	for i := range mutations {
		got = append(got, describe(&mutations[i]))
	}
	require.Equal(t, []string{"put shops 1|r city=Olinda", "update by_region_0 r|1 parent 2=Olinda", "put by_region_0 r|1 city=Olinda"}, got)
	_, err = plan.PlanSet(a, (&shop{City: p("Olinda")}).row(), rCity)
	require.EqualError(t, err, "plan: ID is empty, but is in the key")
}

// A static column is set for the partition, in the root and in a copy with the same partition.
func TestSetStatic(t *testing.T) {
	table := *shops
	table.Columns = append([]descriptor.Column(nil), shops.Columns...)
	table.Columns[rCity].Kind = projection.Static
	c := familyOf("items_in_order")
	copied := &descriptor.Table{Name: "copies", Partition: 1, Key: 2, InsertStatic: "insert static", Columns: []descriptor.Column{
		{Name: "id"}, {Name: "region", Kind: projection.ClusteringKey}, {Name: "city", Kind: projection.Static}}}
	a := plan.Link(descriptor.Aggregate{Root: &table, Copies: []descriptor.Projection{{Table: copied, Columns: []uint16{rID, rRegion, rCity}}, c.projection()}})
	row := (&shop{ID: "1", City: p("Olinda")}).row()
	row[rRegion] = nil
	mutations, err := plan.PlanSet(a, row, rCity)
	require.NoError(t, err)
	require.Len(t, mutations, 2)
	for _, m := range mutations {
		require.Equal(t, plan.PutStatic, m.Action)
		require.Equal(t, 1, m.KeyColumns())
	}
	require.Equal(t, "insert static", mutations[1].Statement())
	require.True(t, mutations[0].SamePartition(&mutations[1]))
}

// A row that appears deletes absent static values of its copy that its own root can have left there. Those of a static column of the
// root are deleted only if the write removes them, because they belong to all rows of the partition.
func TestStaticValuesOfARowThatAppears(t *testing.T) {
	table := *shops
	table.Columns = append([]descriptor.Column(nil), shops.Columns...)
	table.Columns[rCity].Kind = projection.Static
	root := func(t *descriptor.Table, partition int, is bool) *plan.Aggregate {
		copied := &descriptor.Table{Name: "copies", Partition: partition, Key: 3, Columns: []descriptor.Column{
			{Name: "id"}, {Name: "region", Kind: projection.ClusteringKey}, {Name: "name", Kind: projection.ClusteringKey}, {Name: "city", Kind: projection.Static}}}
		return plan.Link(descriptor.Aggregate{Root: t, Copies: []descriptor.Projection{{Table: copied, Columns: []uint16{rID, rRegion, rName, rCity}, Range: is}}})
	}
	of := func(name, city *string) cell.Row { return (&shop{ID: "1", Region: "r", Name: name, City: city}).row() }
	a, own, ranged := root(&table, 1, false), root(shops, 2, false), root(shops, 2, true)
	for name, c := range map[string]struct {
		of      *plan.Aggregate
		change  plan.Change
		deletes bool
	}{
		"moved, and removed":                   {a, plan.Change{Old: of(p("x"), p("c")), New: of(p("y"), nil)}, true},
		"moved":                                {a, plan.Change{Old: of(p("x"), nil), New: of(p("y"), nil)}, false},
		"inserted":                             {a, plan.Change{New: of(p("y"), nil)}, false},
		"imported":                             {a, plan.Change{New: of(p("y"), nil), Whole: true}, false},
		"imported over another row":            {a, plan.Change{Old: of(p("x"), p("c")), New: of(p("y"), nil), Whole: true}, false},
		"of one root, moved":                   {own, plan.Change{Old: of(p("x"), nil), New: of(p("y"), nil)}, true},
		"of one root, inserted after a delete": {own, plan.Change{New: of(p("y"), nil)}, true},
		"of one root, imported":                {own, plan.Change{New: of(p("y"), nil), Whole: true}, true},
		"of one root, deleted with their partition": {ranged, plan.Change{New: of(p("y"), nil)}, false},
		"of one root, in a range, appears":          {ranged, plan.Change{Old: of(nil, nil), New: of(p("y"), nil)}, true},
	} {
		mutations, err := plan.Plan(c.of, c.change)
		require.NoError(t, err, name)
		i := slices.IndexFunc(mutations, func(m plan.Mutation) bool { return m.Table.Name == "copies" && m.Action == plan.Put })
		require.Equal(t, c.deletes, mutations[i].Write.Has(3), name)
	}
}
