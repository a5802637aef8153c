package plan_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// stamped returns the rows of a table with their stamps.
func (d database) stamped(t *plan.Table) (rows []cell.Row) {
	for row, err := range d.Rows(context.Background(), store.Read{Table: t, Stamped: true}) {
		if err != nil {
			panic(err)
		}
		rows = append(rows, row)
	}
	return rows
}

// repair repairs one copy from the only row of the root, and returns the differences.
func (d database) repair(t require.TestingT, a *plan.Aggregate, c *plan.Projection, before int64) []plan.Finding {
	var root cell.Row
	var stamps *plan.Stamps
	var err error
	if s := d.shop(); s != nil {
		root = s.row()
		stamps, err = a.Stamps(d.stamped((*plan.Table)(shops))[0])
		require.NoError(t, err)
	}
	var there []plan.StampedRow
	for _, row := range d.stamped(c.Table) {
		s, err := c.Stamps(row)
		require.NoError(t, err)
		there = append(there, plan.StampedRow{Row: row[:len(c.Table.Columns)], Stamps: s})
	}
	found, err := (&plan.Schema{}).PlanRepair(a, c, root, stamps, there, plan.RepairOptions{Before: before, Now: before + 1})
	if _, ok := errors.AsType[*plan.FaultError](err); ok {
		return nil
	}
	require.NoError(t, err)
	if !c.Shared {
		require.Equal(t, len(found) == 0, d.sum(t, a, c, root) == 0, "rows with equal hashes do not differ")
	}
	for _, f := range found {
		for _, w := range f.Writes {
			d.apply([]plan.Mutation{w.Mutation}, w.At)
		}
	}
	return found
}

// sum returns the sum of the hashes of the rows that follow from a row of the root less that of the rows of a copy.
func (d database) sum(t require.TestingT, a *plan.Aggregate, c *plan.Projection, root cell.Row) (sum uint64) {
	h := (&plan.Schema{}).NewHasher(c.Table, []byte("seed"))
	rows, err := a.Valid(c, root)
	require.NoError(t, err)
	for _, row := range rows {
		sum += h.Hash(row).Row
	}
	for _, row := range d.stamped(c.Table) {
		sum -= h.Hash(row).Row
	}
	return sum
}

// After overlapping writes of which parts are lost, one repair makes every copy the projection of the root, if all writes are
// older than it, and another repair finds nothing.
func TestRepairMakesCopiesTheProjection(t *testing.T) {
	check(t, func(t *rapid.T) {
		copies, a := drawCopies(t, families)
		d := newDatabase(copies)
		var known []*shop
		for step := range rapid.IntRange(1, 5).Draw(t, "steps") {
			var old *shop
			if len(known) > 0 {
				old = rapid.SampledFrom(known).Draw(t, "old") // not the last state: another writer has changed it since
			}
			next := drawNext(t, old)
			mutations, err := plan.Plan(a, plan.Change{Old: rowOf(old), New: rowOf(next)})
			if err != nil {
				continue
			}
			for i := range mutations {
				if mutations[i].Table == (*plan.Table)(shops) || rapid.IntRange(0, 3).Draw(t, "lost") > 0 {
					d.apply(mutations[i:i+1], int64(10*(step+1)))
				}
			}
			known = append(known, next)
		}
		now := d.shop()
		if now != nil && !writable(now, copies) {
			return
		}
		for i := range a.Copies {
			d.repair(t, a, &a.Copies[i], 1000)
		}
		for i, c := range copies {
			require.Equal(t, expected(c, now), d.rows((*plan.Table)(c.table), c.chosen), c.name)
			require.Empty(t, d.repair(t, a, &a.Copies[i], 2000), c.name)
		}
	})
}

// A repair does not change what was written after the root was read, less the grace, in any order.
func TestRepairLosesAgainstLaterWrites(t *testing.T) {
	check(t, func(t *rapid.T) {
		copies, a := drawCopies(t, families)
		first, second := draw(t, nil), drawNext(t, nil)
		writes, err := plan.Plan(a, plan.Change{New: rowOf(first)})
		if err != nil {
			return
		}
		later, err := plan.Plan(a, plan.Change{Old: rowOf(first), New: rowOf(second)})
		if err != nil {
			return
		}
		d := newDatabase(copies)
		for i := range writes {
			if writes[i].Table == (*plan.Table)(shops) || rapid.Bool().Draw(t, "lost") {
				d.apply(writes[i:i+1], 10)
			}
		}
		landed := rapid.IntRange(0, len(later)).Draw(t, "landed")
		d.apply(later[:landed], 2000)
		for i := range a.Copies {
			d.repair(t, a, &a.Copies[i], 1000)
		}
		d.apply(later[landed:], 2000)
		for i := range a.Copies {
			d.repair(t, a, &a.Copies[i], 3000)
		}
		verify(t, d, copies, second)
	})
}

// tagged is a root with a set, and a copy with another key that has the set.
var (
	tagged = &descriptor.Table{Name: "tagged", Aggregate: "Tagged", Partition: 1, Key: 1, Insert: "insert", Columns: []descriptor.Column{{Name: "id", Type: "text"},
		{Name: "city", Kind: projection.Regular, Type: "text"}, {Name: "tags", Kind: projection.Regular, Type: "set<text>", Cells: projection.Set}}}
	taggedByCity = &descriptor.Table{Name: "by_city", Aggregate: "ByCity", Partition: 1, Key: 2, Insert: "insert", Delete: "delete", Columns: []descriptor.Column{{Name: "city", Type: "text"},
		{Name: "id", Kind: projection.ClusteringKey, Type: "text"}, {Name: "tags", Kind: projection.Regular, Type: "set<text>", Cells: projection.Set, Update: "update tags"}}}
	taggedCopies = plan.Link(descriptor.Aggregate{Root: tagged, Copies: []descriptor.Projection{{Table: taggedByCity, Columns: []uint16{1, 0, 2}}}})
)

// repairTagged plans the repair of the copy of the root (a, Recife, tags), whose values were written at 50 and 60, before 100.
func repairTagged(t *testing.T, city, tag int64, there ...cell.Row) []plan.Finding {
	c := &taggedCopies.Copies[0]
	set := setOf("x")
	stamps, err := taggedCopies.Stamps(cell.Row{cell.Cell("a"), cell.Cell("Recife"), set, plan.Bigint(city), times(tag), nil, times(0)})
	require.NoError(t, err)
	var rows []plan.StampedRow
	for _, row := range there {
		s, err := c.Stamps(row)
		require.NoError(t, err)
		rows = append(rows, plan.StampedRow{Row: row[:3], Stamps: s})
	}
	found, err := (&plan.Schema{}).PlanRepair(taggedCopies, c, cell.Row{cell.Cell("a"), cell.Cell("Recife"), set}, stamps, rows, plan.RepairOptions{Before: 100, Now: 200})
	require.NoError(t, err)
	return found
}

// times returns a list of one write time; 0 is null.
func times(at int64) cell.Cell {
	var v cell.Cell
	if at > 0 {
		v = plan.Bigint(at)
	}
	return cell.AppendValue(cell.AppendCount(nil, 1), v)
}

// copyOfTagged returns a row of the copy with one tag that was written at a time.
func copyOfTagged(city, tag string, at int64) cell.Row {
	return cell.Row{cell.Cell(city), cell.Cell("a"), setOf(tag), times(at), times(0)}
}

// A repair is written at the newest write time of its sources, and after the time that was given; a row that does not follow is
// deleted at that time; what is newer is left.
func TestRepairTimes(t *testing.T) {
	require.Empty(t, repairTagged(t, 50, 60, copyOfTagged("Recife", "x", 60)))
	missing := repairTagged(t, 50, 60)
	require.Equal(t, []int64{101}, atOf(missing))
	require.False(t, missing[0].Recent)
	missing = repairTagged(t, 50, 150)
	require.Equal(t, []int64{150}, atOf(missing))
	require.True(t, missing[0].Recent)
	require.Equal(t, []int64{170}, atOf(repairTagged(t, 170, 60)))

	stale := repairTagged(t, 50, 60, copyOfTagged("Recife", "y", 70))
	require.Equal(t, plan.OtherValue, stale[0].Kind)
	require.Equal(t, []int64{101, 101, 101}, atOf(stale), "x is added, y is removed, and the row gets a marker")
	newer := repairTagged(t, 50, 60, copyOfTagged("Recife", "y", 120))
	require.True(t, newer[0].Later, "y may have been added to the root since")
	require.Equal(t, []int64{101, 101}, atOf(newer))

	extra := repairTagged(t, 50, 60, copyOfTagged("Recife", "x", 60), copyOfTagged("Natal", "x", 60))
	require.Equal(t, plan.ExtraRow, extra[0].Kind)
	require.Equal(t, []int64{100}, atOf(extra))
	later := repairTagged(t, 50, 60, copyOfTagged("Recife", "x", 60), copyOfTagged("Natal", "x", 130))
	require.True(t, later[0].Later)
	require.Empty(t, atOf(later))
}

func atOf(found []plan.Finding) (at []int64) {
	for _, f := range found {
		for _, w := range f.Writes {
			at = append(at, w.At)
		}
	}
	return at
}

// A value that another program has encoded differently is not repaired.
func TestRepairComparesValues(t *testing.T) {
	root := &descriptor.Table{Name: "goods", Partition: 1, Key: 1, Columns: []descriptor.Column{{Name: "id", Type: "text"}, {Name: "price", Kind: projection.Regular, Type: "decimal"}}}
	copied := &descriptor.Table{Name: "copied", Partition: 1, Key: 1, Columns: []descriptor.Column{{Name: "id", Type: "text"}, {Name: "price", Kind: projection.Regular, Type: "decimal"}}}
	a := plan.Link(descriptor.Aggregate{Root: root, Copies: []descriptor.Projection{{Table: copied, Columns: []uint16{0, 1}}}})
	c := &a.Copies[0]
	one, oneToo := cell.Cell{0, 0, 0, 1, 10}, cell.Cell{0, 0, 0, 2, 100}
	read := func(price cell.Cell) cell.Row { return cell.Row{cell.Cell("a"), price, plan.Bigint(5), nil} }
	stamps, err := a.Stamps(read(one))
	require.NoError(t, err)
	there, err := c.Stamps(read(oneToo))
	require.NoError(t, err)
	found, err := (&plan.Schema{}).PlanRepair(a, c, read(one)[:2], stamps, []plan.StampedRow{{Row: read(oneToo)[:2], Stamps: there}}, plan.RepairOptions{Before: 100, Now: 200})
	require.NoError(t, err)
	require.Empty(t, found)
}

// Values are equal if readers see the same: sets and maps in any order, decimals with another scale, UDTs with fewer fields, and null
// as zero.
func TestSameValue(t *testing.T) {
	schema := &plan.Schema{Types: []*descriptor.Type{{Name: "place", Fields: []descriptor.Field{{Name: "city", Type: "text"}, {Name: "zip", Type: "int"}}}}}
	list := func(cells ...cell.Cell) cell.Cell {
		c := cell.Cell(cell.AppendCount(nil, len(cells)))
		for _, x := range cells {
			c = cell.AppendValue(c, x)
		}
		return c
	}
	tuple := func(cells ...cell.Cell) (c cell.Cell) {
		for _, x := range cells {
			c = cell.AppendValue(c, x)
		}
		return c
	}
	a, b, zip := cell.Cell("a"), cell.Cell("b"), cell.Cell{0, 0, 0, 7}
	for _, c := range []struct {
		cqlType       string
		read, encoded cell.Cell
		want          bool
	}{
		{"text", a, a, true},
		{"text", a, b, false},
		{"text", nil, cell.Cell{}, true},
		{"text", nil, a, false},
		{"decimal", cell.Cell{0, 0, 0, 1, 10}, cell.Cell{0, 0, 0, 2, 100}, true},
		{"frozen<set<text>>", list(b, a), list(a, b), true},
		{"frozen<set<text>>", list(a), list(a, b), false},
		{"frozen<list<text>>", list(b, a), list(a, b), false},
		{"frozen<place>", tuple(a), tuple(a, nil), true},
		{"frozen<place>", tuple(a), tuple(a, cell.Cell{0, 0, 0, 0}), true},
		{"frozen<place>", tuple(a), tuple(a, zip), false},
		{"frozen<place>", tuple(a, zip, b), tuple(a, zip), true},
		{"frozen<list<frozen<place>>>", list(tuple(a, zip, b)), list(tuple(a, zip)), true},
	} {
		table := &descriptor.Table{Columns: []descriptor.Column{{Name: "x", Type: c.cqlType}}}
		require.Equal(t, c.want, schema.SameValue((*plan.Table)(table), 0, c.read, c.encoded), "%s %q %q", c.cqlType, c.read, c.encoded)
		h := schema.NewHasher((*plan.Table)(table), nil)
		if h.Hash(cell.Row{c.read}) == h.Hash(cell.Row{c.encoded}) {
			require.True(t, c.want, "rows with equal hashes are equal")
		}
	}
}

// Values have the same hash in each form in which a program can write them. A hash depends on each value, and on where it ends.
func TestHasher(t *testing.T) {
	schema := &plan.Schema{Types: []*descriptor.Type{{Name: "place", Fields: []descriptor.Field{{Name: "city", Type: "text"}, {Name: "zip", Type: "int"}}}}}
	table := &descriptor.Table{Partition: 1, Key: 1, Columns: []descriptor.Column{{Name: "id", Type: "text"}, {Name: "tags", Type: "set<text>", Cells: projection.Set},
		{Name: "place", Type: "frozen<place>"}, {Name: "note", Type: "text"}}}
	ab, ba := cell.Cell("\x00\x00\x00\x02\x00\x00\x00\x01a\x00\x00\x00\x01b"), cell.Cell("\x00\x00\x00\x02\x00\x00\x00\x01b\x00\x00\x00\x01a")
	short, long := cell.Cell("\x00\x00\x00\x01c"), cell.Cell("\x00\x00\x00\x01c\xff\xff\xff\xff")
	h := schema.NewHasher((*plan.Table)(table), []byte("seed"))
	hash := func(row ...cell.Cell) plan.RowHash { return h.Hash(row) }
	id, note := cell.Cell("id"), cell.Cell("note")
	require.Equal(t, hash(id, ab, short, note), hash(id, ba, long, note))
	require.Equal(t, hash(id, cell.Cell{0, 0, 0, 0}, nil, note), hash(id, nil, nil, note), "a set without elements is null")
	all := map[plan.RowHash]bool{}
	for _, row := range []cell.Row{{id, ab, short, note}, {id, nil, short, note}, {id, ab, nil, note}, {id, ab, short, nil}, {id, ab, short, {}}, {note, ab, short, note}} {
		all[h.Hash(row)] = true
		require.Equal(t, h.Hash(row).Key == hash(id, nil, nil, nil).Key, string(row[0]) == "id")
	}
	require.Len(t, all, 6)
	other := schema.NewHasher((*plan.Table)(table), []byte("another"))
	require.NotEqual(t, other.Hash(cell.Row{id, ab, short, note}), hash(id, ab, short, note))
}
