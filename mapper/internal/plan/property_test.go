package plan_test

import (
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// check runs a property 20 times as often as the flag -rapid.checks, to cover rare combinations.
func check(t *testing.T, property func(*rapid.T)) {
	for range 20 {
		rapid.Check(t, property)
	}
}

func letters() *rapid.Generator[string] { return rapid.SampledFrom([]string{"a", "b", "c"}) }

func nullable() *rapid.Generator[*string] { return rapid.Ptr(letters(), true) }

func pairs() *rapid.Generator[pair] {
	return rapid.Custom(func(t *rapid.T) pair { return pair{nullable().Draw(t, "a"), nullable().Draw(t, "b")} })
}

// draw draws a shop, or a variation of one with only some different fields.
func draw(t *rapid.T, from *shop) *shop {
	s := &shop{ID: "1", Region: "r"}
	keep := func() bool { return from != nil && rapid.IntRange(0, 2).Draw(t, "keep") > 0 }
	if from != nil {
		*s = *from
	}
	if !keep() {
		s.Name = nullable().Draw(t, "name")
	}
	if !keep() {
		s.City = nullable().Draw(t, "city")
	}
	if !keep() {
		s.Tags = rapid.SliceOfNDistinct(letters(), 0, 3, rapid.ID).Draw(t, "tags")
	}
	if !keep() {
		s.Labels = rapid.MapOfN(letters(), letters(), 0, 3).Draw(t, "labels")
	}
	if !keep() {
		s.Places = rapid.MapOfN(letters(), pairs(), 0, 3).Draw(t, "places")
	}
	if !keep() {
		s.Items = rapid.SliceOfN(pairs(), 0, 4).Draw(t, "items")
	}
	if !keep() {
		s.Owner = rapid.Ptr(rapid.Custom(func(t *rapid.T) owner {
			return owner{nullable().Draw(t, "a"), nullable().Draw(t, "b"), nullable().Draw(t, "c")}
		}), true).Draw(t, "owner")
	}
	if !keep() {
		s.Address = rapid.Ptr(pairs(), true).Draw(t, "address")
	}
	return s
}

// drawCopies draws copies of random families with random columns.
func drawCopies(t *rapid.T, from []family) (out []*copyOf, a *plan.Aggregate) {
	n := rapid.IntRange(1, 3).Draw(t, "copies")
	agg := descriptor.Aggregate{Root: shops}
	for i := range n {
		f := rapid.SampledFrom(from).Draw(t, "family")
		var chosen []columnOf
		for _, c := range slices.Concat(rootColumns, f.columns) {
			if rapid.IntRange(0, 2).Draw(t, "column") == 0 {
				chosen = append(chosen, c)
			}
		}
		c := newCopy(f, i, chosen)
		out = append(out, c)
		agg.Copies = append(agg.Copies, c.projection())
	}
	return out, plan.Link(agg)
}

func rowOf(s *shop) cell.Row {
	if s == nil {
		return nil
	}
	return s.row()
}

// writable reports whether every copy of a shop has a key, and no two different rows have the same key.
func writable(s *shop, copies []*copyOf) bool {
	for _, c := range copies {
		if _, ok := c.oracle(s); s != nil && !ok {
			return false
		}
	}
	return true
}

func expected(c *copyOf, s *shop) map[string]string {
	if s == nil {
		return map[string]string{}
	}
	rows, _ := c.oracle(s)
	return rows
}

// After any sequence of writes, every copy is the projection of the root.
func TestCopiesFollowTheRoot(t *testing.T) {
	check(t, func(t *rapid.T) {
		copies, a := drawCopies(t, families)
		s := newDatabase(copies)
		var now *shop
		for step := range rapid.IntRange(1, 6).Draw(t, "steps") {
			next := drawNext(t, now)
			mutations, err := plan.Plan(a, plan.Change{Old: rowOf(now), New: rowOf(next)})
			if next != nil && !writable(next, copies) {
				// A fault in an unchanged copy is not a fault of this write.
				if _, ok := errors.AsType[*plan.FaultError](err); ok {
					return
				}
			}
			require.NoError(t, err)
			at := int64(10 * (step + 1))
			if rapid.Bool().Draw(t, "backwards") {
				slices.Reverse(mutations)
			}
			s.apply(mutations, at)
			if rapid.Bool().Draw(t, "repeated") {
				s.apply(mutations, at+2) // a list written twice at the same timestamp would contain its elements twice
			}
			now = next
			verify(t, s, copies, now)
		}
	})
}

func drawNext(t *rapid.T, now *shop) *shop {
	if now != nil && rapid.IntRange(0, 5).Draw(t, "delete") == 0 {
		return nil
	}
	return draw(t, now)
}

func verify(t *rapid.T, s database, copies []*copyOf, now *shop) {
	require.True(t, equalShops(now, s.shop()), "the root")
	for _, c := range copies {
		require.Equal(t, expected(c, now), s.rows((*plan.Table)(c.table), c.chosen), c.name)
	}
}

// Two writers that start from the same state, without knowledge of each other, leave copies that are the projection of the
// resulting root, if the key cannot change and each cell derives from one cell.
func TestOverlappingWritersConverge(t *testing.T) {
	check(t, func(t *rapid.T) {
		copies, a := drawConverging(t)
		before := draw(t, nil)
		s := newDatabase(copies)
		apply := func(old, new *shop, at int64) bool {
			mutations, err := plan.Plan(a, plan.Change{Old: rowOf(old), New: rowOf(new)})
			if err != nil {
				return false
			}
			s.apply(mutations, at)
			return true
		}
		if !apply(nil, before, 10) || !apply(before, draw(t, before), 20) || !apply(before, draw(t, before), 22) {
			return
		}
		now := s.shop()
		for _, c := range copies {
			require.Equal(t, expected(c, now), s.rows((*plan.Table)(c.table), c.chosen), c.name)
		}
	})
}

// drawConverging draws copies whose cells each derive from one cell of the root.
func drawConverging(t *rapid.T) ([]*copyOf, *plan.Aggregate) {
	several := []string{"frozen_tags", "frozen_places", "frozen_owner", "frozen_parent", "living"}
	var copies []*copyOf
	agg := descriptor.Aggregate{Root: shops}
	for i, f := range families {
		if !f.steady {
			continue
		}
		from := f.columns
		if !f.own {
			from = rootColumns
		}
		var chosen []columnOf
		for _, c := range from {
			if !f.bare && !slices.Contains(several, c.name) && rapid.Bool().Draw(t, "column") {
				chosen = append(chosen, c)
			}
		}
		c := newCopy(f, i, chosen)
		copies = append(copies, c)
		agg.Copies = append(agg.Copies, c.projection())
	}
	return copies, plan.Link(agg)
}

// An update writes the units that differ, and in an existing row exactly the cells that derive from them.
func TestUpdatesAreMinimal(t *testing.T) {
	check(t, func(t *rapid.T) {
		copies, a := drawCopies(t, families)
		old := draw(t, nil)
		new := draw(t, old)
		if !writable(old, copies) || !writable(new, copies) {
			return
		}
		mutations, err := plan.Plan(a, plan.Change{Old: rowOf(old), New: rowOf(new)})
		require.NoError(t, err)
		units := changedUnits(old, new)
		if len(units) == 0 {
			require.Empty(t, mutations)
		}
		for _, c := range copies {
			for key, e := range staying(c, old, new) {
				requireExact(t, c, key, e, units, mutations)
			}
		}
	})
}

// changedUnits returns the names of the units that differ, from the Go values.
func changedUnits(old, new *shop) map[string]bool {
	units := map[string]bool{}
	note := func(unit, a, b string) {
		if a != b {
			units[unit] = true
		}
	}
	note("name", show(old.Name), show(new.Name))
	note("city", show(old.City), show(new.City))
	note("tags", showSet(old.Tags), showSet(new.Tags))
	note("labels", showMap(old.Labels, itself), showMap(new.Labels, itself))
	note("places", showMap(old.Places, place), showMap(new.Places, place))
	note("items", showItems(old.Items), showItems(new.Items))
	note("address", showPair(old.Address), showPair(new.Address))
	a, b := ownerFields(old.Owner), ownerFields(new.Owner)
	for i := range 3 {
		note("owner."+string(rune('0'+i)), a[i], b[i])
	}
	return units
}

// ownerFields returns a UDT's fields; those of a missing UDT differ from null and from all values.
func ownerFields(o *owner) [3]string {
	if showOwner(o) == null {
		return [3]string{"none", "none", "none"}
	}
	return [3]string{show(o.A), show(o.B), show(o.C)}
}

// staying returns the rows of a copy that exist before and after, and whether their element differs.
func staying(c *copyOf, old, new *shop) map[string]bool {
	was := map[string]element{}
	for _, e := range c.elements(old) {
		was[join(c.keyOf(old, e))] = e
	}
	out := map[string]bool{}
	for _, e := range c.elements(new) {
		if before, ok := was[join(c.keyOf(new, e))]; ok {
			out[join(c.keyOf(new, e))] = before.key != e.key || place(before.value) != place(e.value)
		}
	}
	return out
}

func join(key []string) string {
	var row cell.Row
	for _, k := range key {
		row = append(row, cell.Cell(k))
	}
	return keyOf(row)
}

// requireExact compares the columns that derive from whole units; table tests compare the others.
func requireExact(t *rapid.T, c *copyOf, key string, element bool, units map[string]bool, mutations []plan.Mutation) {
	units = maps.Clone(units)
	units["element"] = element
	for i, col := range c.chosen {
		if col.cells != projection.Single {
			continue
		}
		want := slices.ContainsFunc(col.from, func(unit string) bool { return units[unit] })
		require.Equal(t, want, writes(c, key, c.table.Key+i, mutations), "%s.%s in row %s", c.table.Name, col.name, key)
	}
}

// writes reports whether a Put of the row writes a column.
func writes(c *copyOf, key string, column int, mutations []plan.Mutation) bool {
	for i := range mutations {
		m := &mutations[i]
		if m.Table != (*plan.Table)(c.table) || m.Action != plan.Put {
			continue
		}
		var row cell.Row
		for k := range m.Table.Key {
			row = append(row, *m.Cell(k))
		}
		if keyOf(row) == key && m.Write.Has(column) {
			return true
		}
	}
	return false
}
