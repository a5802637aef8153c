package plan_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/form"
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

func p(s string) *string { return &s }

// ana is a shop with all values.
func ana() *shop {
	return &shop{ID: "1", Region: "r", Name: p("Ana"), City: p("Recife"),
		Tags: []string{"x", "y"}, Labels: map[string]string{"k": "v"},
		Places: map[string]pair{"home": {p("h"), nil}, "work": {p("w"), p("2")}},
		Items:  []pair{{p("i1"), p("red")}, {p("i2"), p("blue")}, {p("i3"), nil}},
		Owner:  &owner{A: p("o"), B: p("b")}, Address: &pair{p("a1"), p("a2")}}
}

func column(name string) columnOf {
	for _, f := range append(families, family{columns: rootColumns}) {
		for _, c := range f.columns {
			if c.name == name {
				return c
			}
		}
	}
	return columnOf{}
}

func familyOf(name string, columns ...string) *copyOf {
	for _, f := range families {
		if f.name == name {
			var chosen []columnOf
			for _, c := range columns {
				chosen = append(chosen, column(c))
			}
			return newCopy(f, 0, chosen)
		}
	}
	return nil
}

func link(copies ...*copyOf) *plan.Aggregate {
	a := descriptor.Aggregate{Root: shops}
	for _, c := range copies {
		a.Copies = append(a.Copies, c.projection())
	}
	return plan.Link(a)
}

// describe returns a mutation as text: put shops 1|r name=Eva; delete by_name_0 Ana|r|1 -1.
func describe(m *plan.Mutation) string {
	var key cell.Row
	for i := range m.Table.Key {
		key = append(key, *m.Cell(i))
	}
	s := fmt.Sprintf("%v %s %s", m.Action, m.Table.Name, keyOf(key))
	switch m.Action {
	case plan.Put:
		for i := m.Table.Key; i < len(m.Table.Columns); i++ {
			if m.Write.Has(i) {
				s += " " + m.Table.Columns[i].Name + "=" + readable(*m.Cell(i))
			}
		}
	case plan.Update:
		s += " " + m.Table.Columns[m.Column].Name
		for i, v := range m.Values {
			if m.Write.Has(i) {
				s += fmt.Sprintf(" %d=%s", i, readable(v))
			}
		}
	}
	if m.Back > 0 {
		s += fmt.Sprintf(" -%d", m.Back)
	}
	return s
}

// readable returns the letters of a cell.
func readable(c cell.Cell) string {
	if c == nil {
		return null
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return -1
		}
		return r
	}, string(c))
}

func TestUpdate(t *testing.T) {
	for _, c := range []struct {
		name   string
		copies []*copyOf
		change func(*shop)
		want   []string
	}{
		{"nothing", []*copyOf{familyOf("by_name", "city")}, func(*shop) {}, nil},
		{"one cell", []*copyOf{familyOf("by_region", "name", "city"), familyOf("by_item", "item_b")},
			func(s *shop) { s.City = p("Olinda") },
			[]string{"put shops 1|r city=Olinda", "put by_region_0 r|1 city=Olinda"}},
		{"one cell, absent", []*copyOf{familyOf("by_region", "name", "city")}, func(s *shop) { s.City = nil },
			[]string{"put shops 1|r city=-", "put by_region_0 r|1 city=-"}},
		{"a list rewrites the rows of all its elements", []*copyOf{familyOf("by_item", "item_b", "name")},
			func(s *shop) { s.Items[1].B = p("green") },
			[]string{"put shops 1|r items=i1redi2greeni3", "put by_item_0 i1|1|r item_b=red", "put by_item_0 i2|1|r item_b=green", "put by_item_0 i3|1|r item_b=-"}},
		{"a list in another order keeps its order", []*copyOf{familyOf("by_item", "item_b")},
			func(s *shop) { slices.Reverse(s.Items) },
			[]string{"put shops 1|r items=i3i2bluei1red", "put by_item_0 i3|1|r item_b=-", "put by_item_0 i2|1|r item_b=blue", "put by_item_0 i1|1|r item_b=red"}},
		{"a list's element goes and one comes", []*copyOf{familyOf("by_item", "name", "parent")},
			func(s *shop) { s.Items = append(s.Items[1:], pair{p("i4"), nil}) },
			[]string{"put shops 1|r items=i2bluei3i4", "put by_item_0 i2|1|r", "put by_item_0 i3|1|r", "put by_item_0 i4|1|r name=Ana parent=1AnaRecife", "delete by_item_0 i1|1|r -1"}},
		{"the owner of the elements", []*copyOf{familyOf("by_item", "item_b", "parent")},
			func(s *shop) { s.Name = p("Eva") },
			[]string{"put shops 1|r name=Eva", "update by_item_0 i1|1|r parent 1=Eva", "update by_item_0 i2|1|r parent 1=Eva", "update by_item_0 i3|1|r parent 1=Eva"}},
		{"a map's entry rewrites its own row", []*copyOf{familyOf("by_place", "place_a", "place_b", "name")},
			func(s *shop) { s.Places["work"] = pair{p("w"), nil} },
			[]string{"update shops 1|r places 0=workw", "put by_place_0 1|r|work place_a=w place_b=-"}},
		{"a map's entries come and go", []*copyOf{familyOf("by_place", "place_a", "place_b")},
			func(s *shop) { delete(s.Places, "home"); s.Places["pub"] = pair{p("p"), nil} },
			[]string{"update shops 1|r places 0=pubp", "update shops 1|r places 1=home -1", "put by_place_0 1|r|pub place_a=p place_b=-", "delete by_place_0 1|r|home -1"}},
		{"a set", []*copyOf{familyOf("by_tag"), familyOf("by_region", "tags")}, func(s *shop) { s.Tags = []string{"y", "z"} },
			[]string{"update shops 1|r tags 0=z", "update shops 1|r tags 1=x -1", "put by_tag_0 z|1|r", "delete by_tag_0 x|1|r -1", "update by_region_0 r|1 tags 0=z", "update by_region_0 r|1 tags 1=x -1"}},
		{"a set that ends", nil, func(s *shop) { s.Tags = nil }, []string{"update shops 1|r tags 1=xy"}},
		{"one field of a UDT", []*copyOf{familyOf("by_region", "owner", "frozen_owner", "owner_b")}, func(s *shop) { s.Owner = &owner{A: p("o"), C: p("c")} },
			[]string{"update shops 1|r owner 1=- 2=c", "update by_region_0 r|1 owner 1=- 2=c", "put by_region_0 r|1 frozen_owner=oc owner_b=-"}},
		{"the last field of a UDT, empty where it was absent", []*copyOf{familyOf("by_region", "owner_b", "owner_c")}, func(s *shop) { s.Owner.C = p("") },
			[]string{"update shops 1|r owner 2=", "put by_region_0 r|1 owner_c="}},
		{"not the last field of a UDT", []*copyOf{familyOf("by_region", "owner_c")}, func(s *shop) { s.Owner.B = nil },
			[]string{"update shops 1|r owner 1=-"}},
		{"a clustering key moves", []*copyOf{familyOf("in_region_by_name", "city")}, func(s *shop) { s.Name = p("Eva") },
			[]string{"put shops 1|r name=Eva", "put in_region_by_name_0 r|Eva|1 city=Recife", "delete in_region_by_name_0 r|Ana|1 -1"}},
		{"a UDT that ends", []*copyOf{familyOf("by_region", "owner")}, func(s *shop) { s.Owner = nil },
			[]string{"put shops 1|r owner=-", "put by_region_0 r|1 owner=-"}},
		{"a key moves", []*copyOf{familyOf("by_name", "city", "labels")}, func(s *shop) { s.Name = p("Eva") },
			[]string{"put shops 1|r name=Eva", "put by_name_0 Eva|r|1 city=Recife labels=kv", "delete by_name_0 Ana|r|1 -1"}},
		{"a key moves that is a UDT's field", []*copyOf{familyOf("by_owner")}, func(s *shop) { s.Owner = &owner{A: p("q"), B: p("b")} },
			[]string{"update shops 1|r owner 0=q", "put by_owner_0 q|r|1", "delete by_owner_0 o|r|1 -1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			old, new := ana(), ana()
			c.change(new)
			mutations, err := plan.Plan(link(c.copies...), plan.Change{Old: old.row(), New: new.row()})
			require.NoError(t, err)
			var got []string
			for i := range mutations {
				got = append(got, describe(&mutations[i]))
			}
			require.Equal(t, c.want, got)
		})
	}
}

func TestInsertAndDelete(t *testing.T) {
	a := link(familyOf("by_name", "city"), familyOf("by_item", "item_b"))
	s := &shop{ID: "1", Region: "r", Name: p("Ana"), Items: []pair{{p("i1"), nil}, {p("i2"), p("x")}, {p("i1"), nil}}}
	inserted, err := plan.Plan(a, plan.Change{New: s.row()})
	require.NoError(t, err)
	deleted, err := plan.Plan(a, plan.Change{Old: s.row()})
	require.NoError(t, err)
	var got []string
	for _, m := range append(inserted, deleted...) {
		got = append(got, describe(&m))
	}
	require.Equal(t, []string{
		"put shops 1|r name=Ana items=i1i2xi1", "put by_name_0 Ana|r|1", "put by_item_0 i1|1|r", "put by_item_0 i2|1|r item_b=x",
		"delete shops 1|r", "delete by_name_0 Ana|r|1", "delete by_item_0 i1|1|r", "delete by_item_0 i2|1|r", "delete by_item_0 i1|1|r",
	}, got)
	nothing, err := plan.Plan(a, plan.Change{})
	require.NoError(t, err)
	require.Empty(t, nothing)
}

func TestFaultsAreListedTogether(t *testing.T) {
	a := link(familyOf("by_name"), familyOf("by_item", "item_b"), familyOf("by_owner"))
	s := &shop{ID: "", Region: "r", Items: []pair{{p("i"), p("1")}, {nil, nil}, {p(""), nil}, {p("i"), p("2")}}}
	_, err := plan.Plan(a, plan.Change{New: s.row()})
	var faults *plan.FaultError
	require.ErrorAs(t, err, &faults)
	var got []string
	for _, f := range faults.Faults {
		got = append(got, f.Table.Name+": "+f.Path+" "+f.Problem)
	}
	require.Equal(t, []string{
		"shops: ID is empty, but is in the key",
		"by_name_0: Name is null, but is in the key of by_name_0",
		"by_item_0: Items[1] implies a row of by_item_0 whose key k0 is null",
		"by_item_0: Items[2] implies a row of by_item_0 whose key k0 is empty",
		"by_item_0: Items[3] and Items[0] imply different rows of by_item_0 with the key k0='i', k1='', k2='r'",
		"by_owner_0: K0 is null, but is in the key of by_owner_0",
	}, got)
}

// Faults contain the keys of sets and maps, not their positions: their order differs from that of the Go value.
func TestFaultsNameElements(t *testing.T) {
	s := ana()
	s.Tags = []string{"x", ""}
	s.Places = map[string]pair{"home": {nil, nil}, "work": {p("w"), nil}}
	_, err := plan.Plan(link(familyOf("by_tag"), familyOf("by_place_city")), plan.Change{New: s.row()})
	require.EqualError(t, err, `plan: Tags[""] implies a row of by_tag_0 whose key k0 is empty`+
		`; Places["home"] implies a row of by_place_city_0 whose key k0 is null`)

	root := descriptor.Table{Name: "roots", Partition: 1, Key: 1, Columns: []descriptor.Column{{Name: "id", Type: "int"},
		{Name: "floors", Field: "Floors", Kind: projection.Regular, Type: "frozen<map<int, frozen<pair>>>"}}}
	a := plan.Link(descriptor.Aggregate{Root: &root, Copies: []descriptor.Projection{{
		Table: &descriptor.Table{Name: "ids", Partition: 1, Key: 1, Columns: []descriptor.Column{{Name: "id", Type: "int"}, {Name: "v", Kind: projection.Regular, Type: "text"}}},
		Ops:   []projection.Op{{Code: projection.Entry, Src: 1, Dst: 2}}, Columns: []uint16{0, 3}}}})
	var e cell.Encoder
	e.Int(1)
	cell.EncodeMap(&e, map[int32]string{7: "a", -1: "b"}, (*cell.Encoder).Int, (*cell.Encoder).Text)
	row, err := (*plan.Table)(&root).Row(&e, nil)
	require.NoError(t, err)
	_, err = plan.Plan(a, plan.Change{New: row})
	require.EqualError(t, err, "plan: Floors[-1] and Floors[7] imply different rows of ids with the key id=1")
}

func TestTheKeyCannotChange(t *testing.T) {
	other := ana()
	other.Region = "s"
	_, err := plan.Plan(link(), plan.Change{Old: ana().row(), New: other.row()})
	require.ErrorIs(t, err, plan.ErrKeyChanged)
}

// Hundreds of rows are matched with an index, which also finds two conflicting rows.
func TestManyElements(t *testing.T) {
	a := link(familyOf("by_item", "item_b"))
	old, new := ana(), ana()
	old.Items, new.Items = nil, nil
	for i := range 500 {
		old.Items = append(old.Items, pair{p(fmt.Sprint("i", i)), nil})
		new.Items = append(new.Items, pair{p(fmt.Sprint("i", 510-i)), nil})
	}
	mutations, err := plan.Plan(a, plan.Change{Old: old.row(), New: new.row()})
	require.NoError(t, err)
	count := map[plan.Action]int{}
	for _, m := range mutations {
		count[m.Action]++
	}
	require.Equal(t, map[plan.Action]int{plan.Put: 501, plan.Delete: 11}, count)
	new.Items = append(new.Items, pair{p("i100"), p("other")})
	_, err = plan.Plan(a, plan.Change{Old: old.row(), New: new.row()})
	require.ErrorContains(t, err, "Items[500] and Items[410] imply different rows")
}

// An old row without a key was not written either.
func TestAnOldRowWithoutKey(t *testing.T) {
	old, new := ana(), ana()
	old.Name = nil
	mutations, err := plan.Plan(link(familyOf("by_name", "city")), plan.Change{Old: old.row(), New: new.row()})
	require.NoError(t, err)
	require.Len(t, mutations, 2)
	require.Equal(t, "put by_name_0 Ana|r|1 city=Recife", describe(&mutations[1]))
}

func TestRowHasTheFormThatCassandraReturns(t *testing.T) {
	row := (&shop{ID: "1", Tags: []string{}, Places: map[string]pair{}, Items: []pair{}, Owner: &owner{}, Address: &pair{}}).row()
	for _, i := range []int{rTags, rPlaces, rItems, rOwner} {
		require.Nil(t, row[i], shops.Columns[i].Name)
	}
	require.NotNil(t, row[rAddress], "a frozen UDT of nulls is a value")
	var e cell.Encoder
	e.Int(1)
	_, err := (*plan.Table)(shops).Row(&e, nil)
	require.EqualError(t, err, "plan: codec of shops wrote the wrong number of values: want 10, got 1")
}

func TestMutationFacts(t *testing.T) {
	s := ana()
	mutations, err := plan.Plan(link(familyOf("by_name"), familyOf("by_place")), plan.Change{New: s.row()})
	require.NoError(t, err)
	require.True(t, mutations[0].WritesList())
	require.False(t, mutations[1].WritesList())
	require.False(t, mutations[0].SamePartition(&mutations[1]))
	require.True(t, mutations[0].SamePartition(&mutations[2]), "two tables, one partition key")
	require.Equal(t, "insert", mutations[0].Statement())
	s.Items = nil
	mutations, err = plan.Plan(link(), plan.Change{Old: ana().row(), New: s.row()})
	require.NoError(t, err)
	require.False(t, mutations[0].WritesList(), "deleting a list can be repeated")
}

// The sizes are those that Cassandra 5 counts: 29 for a partition of a table, 21 for a row, 20 for a cell, 12 for a column of
// several cells, 16 and 2 for the paths to a list's element and a UDT's field; the partition key is not counted.
func TestSize(t *testing.T) {
	a := link(familyOf("by_name"))
	mutations, err := plan.Plan(a, plan.Change{New: ana().row()})
	require.NoError(t, err)
	root := 29 + 21 + len("r") + 20 + len("Ana") + 20 + len("Recife") +
		12 + 2*20 + len("xy") + // tags
		12 + 20 + len("kv") + // labels
		12 + 2*20 + len("home") + 9 + len("work") + 10 + // places, whose values are UDTs with their lengths
		12 + 3*(20+16) + 13 + 14 + 10 + // items
		12 + 2*(20+2) + len("ob") + // owner, whose third field is absent
		20 + 12 // address
	require.Equal(t, root, mutations[0].Size())
	require.Equal(t, 29+21+len("r")+len("1"), mutations[1].Size())

	old, s := ana(), ana()
	old.Labels["l"] = "w"
	s.City, s.Items, s.Owner.A, s.Owner.B = nil, nil, nil, p("bb")
	s.Tags, s.Labels = []string{"y", "zz"}, map[string]string{"kk": "vv"}
	mutations, err = plan.Plan(a, plan.Change{Old: old.row(), New: s.row()})
	require.NoError(t, err)
	var sizes []int
	for i := range mutations {
		sizes = append(sizes, mutations[i].Size())
	}
	row := 29 + 21 + len("r")
	require.Equal(t, []int{
		row + 20 + 12,                   // city and items are deleted
		row + 12 + 20 + len("zz"),       // a tag is added
		row + 12 + 20 + len("x"),        // a tag is removed
		row + 12 + 20 + len("kkvv"),     // a label is added
		row + 12 + 2*20 + len("kl"),     // two labels are removed
		row + 12 + 2*(20+2) + len("bb"), // owner
	}, sizes)

	mutations, err = plan.Plan(a, plan.Change{Old: ana().row()})
	require.NoError(t, err)
	require.Equal(t, row, mutations[0].Size())
}

func TestPath(t *testing.T) {
	s := &plan.Schema{Types: []*descriptor.Type{
		{Name: "point", Of: "Point", Fields: []descriptor.Field{{Name: "x", Type: "int", Go: "X"}, {Name: "tags", Type: "frozen<map<int, frozen<list<frozen<tuple<int>>>>>>", Go: "Tags", Of: "Tag"}}}},
		Tuples: []*descriptor.Type{{Of: "Tag", Fields: []descriptor.Field{{Type: "int", Go: "ID"}}}}}
	table := &descriptor.Table{Name: "t", Columns: []descriptor.Column{
		{Field: "ID", Type: "int"}, {Field: "Points", Type: "map<frozen<tuple<int, text>>, frozen<point>>", Of: "Point"}}}
	require.Equal(t, `Points["home"].Tags[7][2].ID`, s.Path((*plan.Table)(table), []cell.Step{{Member: 1}, {Text: `["home"]`}, {Member: 1}, {Text: "[7]"}, {Text: "[2]"}, {Member: 0}}))
	require.Equal(t, "ID", s.Path((*plan.Table)(table), []cell.Step{{Member: 0}}))
	require.Equal(t, "ID.3", s.Path((*plan.Table)(table), []cell.Step{{Member: 0}, {Member: 3}}))
}

func Example() {
	customers := descriptor.Table{Name: "customers", Partition: 1, Key: 1, Columns: []descriptor.Column{
		{Name: "id", Type: "int"}, {Name: "name", Kind: projection.Regular, Type: "text"}}}
	byName := descriptor.Table{Name: "customers_by_name", Partition: 1, Key: 2, Columns: []descriptor.Column{
		{Name: "name", Type: "text"}, {Name: "id", Kind: projection.ClusteringKey, Type: "int"}}}
	a := plan.Link(descriptor.Aggregate{Root: &customers, Copies: []descriptor.Projection{{Table: &byName, Columns: []uint16{1, 0}}}})
	mutations, err := plan.Plan(a, plan.Change{Old: cell.Row{{0, 0, 0, 1}, cell.Cell("Ana")}, New: cell.Row{{0, 0, 0, 1}, cell.Cell("Eva")}})
	for i := range mutations {
		fmt.Println(mutations[i].Action, mutations[i].Table.Name, "back", mutations[i].Back)
	}
	fmt.Println(err)
	// Output:
	// put customers back 0
	// put customers_by_name back 0
	// delete customers_by_name back 1
	// <nil>
}

// A copy's key is canonical although the root's cell keeps its scale, and an equal value does not move the row. The stamps of
// elements that another program wrote in another encoding are canonical, too.
func TestKeysOfCopiesAreCanonical(t *testing.T) {
	decimal := form.Must("decimal")
	root := &descriptor.Table{Name: "goods", Partition: 1, Key: 1, Columns: []descriptor.Column{
		{Name: "id", Kind: projection.PartitionKey}, {Name: "price", Kind: projection.Regular, Type: "decimal"},
		{Name: "rates", Kind: projection.Regular, Type: "set<decimal>", Cells: projection.Set, Form: decimal},
	}}
	byPrice := &descriptor.Table{Name: "by_price", Partition: 1, Key: 2, Columns: []descriptor.Column{
		{Name: "price", Form: decimal}, {Name: "id", Kind: projection.ClusteringKey}, {Name: "exact", Kind: projection.Regular},
	}}
	a := plan.Link(descriptor.Aggregate{Root: root, Copies: []descriptor.Projection{{Table: byPrice, Columns: []uint16{1, 0, 1}}}})
	one, oneToo := cell.Cell{0, 0, 0, 1, 10}, cell.Cell{0, 0, 0, 2, 100}
	mutations, err := plan.Plan(a, plan.Change{New: cell.Row{{7}, one, nil}})
	require.NoError(t, err)
	require.Equal(t, []cell.Cell{{0, 0, 0, 0, 1}, {7}, one}, []cell.Cell{*mutations[1].Cell(0), *mutations[1].Cell(1), *mutations[1].Cell(2)})
	mutations, err = plan.Plan(a, plan.Change{Old: cell.Row{{7}, one, nil}, New: cell.Row{{7}, oneToo, nil}})
	require.NoError(t, err)
	require.Len(t, mutations, 2, "the row of the copy stays")
	require.Equal(t, plan.Put, mutations[1].Action)
	require.Equal(t, oneToo, *mutations[1].Cell(2))

	byRate := &descriptor.Table{Name: "by_rate", Partition: 1, Key: 2, Columns: []descriptor.Column{{Name: "rate", Form: decimal}, {Name: "id", Kind: projection.ClusteringKey}}}
	of := plan.Link(descriptor.Aggregate{Root: root, Copies: []descriptor.Projection{{Table: byRate, Ops: []projection.Op{{Code: projection.Each, Src: 2, Dst: 3}}, Columns: []uint16{3, 0}}}})
	list := func(cells ...cell.Cell) cell.Cell {
		c := cell.Cell(cell.AppendCount(nil, len(cells)))
		for _, x := range cells {
			c = cell.AppendValue(c, x)
		}
		return c
	}
	at := func(n byte) cell.Cell { return cell.Cell{0, 0, 0, 0, 0, 0, 0, n} }
	read := cell.Row{{7}, nil, list(oneToo, cell.Cell{0, 0, 0, 0, 2}), nil, list(at(5), at(9)), nil, list(nil, nil)}
	stamps, err := of.Stamps(read)
	require.NoError(t, err)
	fillings, err := plan.PlanBackfill(of, &of.Copies[0], cell.Row{{7}, nil, list(cell.Cell{0, 0, 0, 0, 1}, cell.Cell{0, 0, 0, 0, 2})}, stamps, 0)
	require.NoError(t, err)
	require.Equal(t, []int64{5, 9}, []int64{fillings[0].At, fillings[1].At})
}

// The owner of a row is found by its key, in any encoding of another program.
func TestOwnerOfAnotherEncoding(t *testing.T) {
	root := &descriptor.Table{Name: "goods", Partition: 1, Key: 1, Columns: []descriptor.Column{{Name: "price", Kind: projection.PartitionKey, Form: form.Must("decimal")}}}
	copied := &descriptor.Table{Name: "copied", Partition: 1, Key: 1, Columns: []descriptor.Column{{Name: "id"}, {Name: "price", Kind: projection.Regular}}}
	a := plan.Link(descriptor.Aggregate{Root: root, Copies: []descriptor.Projection{{Table: copied, Columns: []uint16{0, 0}, SourceKey: []projection.Place{{Column: 1, Field: -1}}}}})
	require.False(t, a.Copies[0].OwnedByOther(cell.Row{{0, 0, 0, 0, 1}}, cell.Row{{7}, {0, 0, 0, 1, 10}}))
	require.True(t, a.Copies[0].OwnedByOther(cell.Row{{0, 0, 0, 0, 1}}, cell.Row{{7}, {0, 0, 0, 1, 11}}))
}

// A change of exactly one column of one cell is an INSERT of the key and that column, in the root and in a copy. Larger changes
// and new rows have the INSERT of all columns.
func TestOneColumnHasItsOwnInsert(t *testing.T) {
	films := &descriptor.Table{Name: "films", Partition: 1, Key: 1, Insert: "INSERT INTO films (id, …", Select: "SELECT id, … FROM films", Columns: []descriptor.Column{
		{Name: "id", CQL: "id"}, {Name: "title", CQL: "title", Kind: projection.Regular}, {Name: "year", CQL: `"Year"`, Kind: projection.Regular},
		{Name: "cast", CQL: "cast", Kind: projection.Regular, Cells: projection.List, Type: "list<text>"}}}
	byTitle := &descriptor.Table{Name: "by_title", Partition: 1, Key: 2, Insert: "INSERT INTO by_title (title, …", Select: "SELECT title, … FROM by_title", Columns: []descriptor.Column{
		{Name: "title", CQL: "title"}, {Name: "id", CQL: "id", Kind: projection.ClusteringKey}, {Name: "year", CQL: `"Year"`, Kind: projection.Regular},
		{Name: "cast", CQL: "cast", Kind: projection.Regular}}}
	yearOf := &descriptor.Table{Name: "year_of", Partition: 1, Key: 1, Insert: "INSERT INTO year_of (id, …", Columns: []descriptor.Column{
		{Name: "id", CQL: "id"}, {Name: "year", CQL: `"Year"`, Kind: projection.Regular}}}
	a := plan.Link(descriptor.Aggregate{Root: films, Copies: []descriptor.Projection{
		{Table: byTitle, Columns: []uint16{1, 0, 2, 3}}, {Table: yearOf, Columns: []uint16{0, 2}}}})
	statements := func(old, new cell.Row, ttl int) (out []string) {
		mutations, err := plan.Plan(a, plan.Change{Old: old, New: new, TTL: ttl})
		require.NoError(t, err)
		for i := range mutations {
			out = append(out, mutations[i].Statement())
		}
		return out
	}
	film := cell.Row{{1}, cell.Cell("Alien"), {79}, setOf("Weaver")}
	with := func(title string, year byte, cast cell.Cell) cell.Row {
		return cell.Row{{1}, cell.Cell(title), {year}, cast}
	}
	whole := []string{films.Insert, byTitle.Insert, yearOf.Insert}

	year := []string{`INSERT INTO films (id, "Year") VALUES (?, ?) USING TIMESTAMP ? AND TTL ?`,
		`INSERT INTO by_title (title, id, "Year") VALUES (?, ?, ?) USING TIMESTAMP ? AND TTL ?`, yearOf.Insert}
	require.Equal(t, year, statements(film, with("Alien", 80, film[3]), 0))
	require.Equal(t, whole, statements(film, with("Alien", 80, nil), 0))
	require.Equal(t, whole, statements(nil, cell.Row{{1}, cell.Cell("Alien"), nil, nil}, 0)[:3], "a row that is new")
	require.Equal(t, whole, statements(film, with("Alien", 80, film[3]), 60), "a row that expires is written whole")
	require.Equal(t, []string{films.Insert, `INSERT INTO by_title (title, id, cast) VALUES (?, ?, ?) USING TIMESTAMP ? AND TTL ?`},
		statements(film, with("Alien", 79, nil), 0), "a list of several cells, and a frozen one")

	mutations, err := plan.PlanSet(a, cell.Row{{1}, nil, {80}, nil}, 2)
	require.NoError(t, err)
	require.Equal(t, year[0], mutations[0].Statement())
}
