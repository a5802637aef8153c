package projection_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/integration/projection"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/gen"
	"github.com/cassaml/cassaml/mapper/memory"
)

// overlap is a database with overlapping writers: each starts from the same base.
type overlap struct {
	t       *testing.T
	c       *projection.Compiled
	db      *gen.DB
	backend *memory.Backend
	now     time.Time
}

const firstWrite = 1_800_000_000_000_000

func newOverlap(t *testing.T, c *projection.Compiled) *overlap {
	t.Helper()
	o := &overlap{t: t, c: c, now: time.UnixMicro(firstWrite)}
	o.backend = memory.New(memory.Config{Now: func() time.Time { return o.now }})
	var err error
	o.db, err = gen.OpenBackend(t.Context(), o.backend, c.Descriptors())
	require.NoError(t, err)
	return o
}

// at opens the root for a write at a number of microseconds after the first.
func (o *overlap) at(after int64) gen.Root[projection.Instance] {
	return o.c.Open(o.dbAt(after))
}

// dbAt opens the database for a client with a fixed clock, a number of microseconds after the first write.
func (o *overlap) dbAt(after int64) *gen.DB {
	db, err := gen.OpenBackend(o.t.Context(), o.backend, o.c.Descriptors(), mapper.Config{Now: func() time.Time { return time.UnixMicro(firstWrite + after) }})
	require.NoError(o.t, err)
	return db
}

func (o *overlap) insert(after int64, v projection.Record) {
	o.t.Helper()
	require.NoError(o.t, gen.Insert(o.t.Context(), o.at(after), &projection.Instance{Row: v}))
}

func (o *overlap) change(after int64, old, new projection.Record) {
	o.t.Helper()
	require.NoError(o.t, gen.Change(o.t.Context(), o.at(after), &projection.Instance{Row: old}, &projection.Instance{Row: new}), o.c.Source)
}

// root reads the resulting instance, or nil if there is none.
func (o *overlap) root(like projection.Record) projection.Record {
	o.t.Helper()
	v, err := gen.Get(o.t.Context(), o.at(1).Reader, o.c.Key(like))
	if err != nil {
		require.ErrorIs(o.t, err, mapper.ErrNotFound)
		return nil
	}
	return o.c.Stored(v.Row)
}

// held returns the rows of a table as text, without write times.
func (o *overlap) held(table *projection.Table) []string {
	o.t.Helper()
	cells, err := cellsOf(o.backend, o.now)(table)
	require.NoError(o.t, err)
	out := map[string]bool{}
	for _, c := range cells {
		if out["row "+c.Key] = true; c.Column != "" {
			out[cellText(c.Key, c.Place, c.Value)] = true
		}
	}
	return slices.Sorted(maps.Keys(out))
}

func cellText(key string, at projection.Place, value string) string {
	return fmt.Sprintf("row %s: %s[%s] = %x", key, at.Column, at.Path, value)
}

// projected returns the expected rows of a copy for an instance.
func (o *overlap) projected(table *projection.Table, of projection.Record) (out []string, problem string) {
	rows, problem := o.c.Rows(table, of)
	held := map[string]bool{}
	for _, r := range rows {
		held["row "+r.Key] = true
		for at, d := range r.Cells {
			key := r.Key
			if at.Static {
				key = r.Partition
			}
			held["row "+key], held[cellText(key, at, d.Value)] = true, true
		}
	}
	return slices.Sorted(maps.Keys(held)), problem
}

// If the model has no warning, the copies equal the projection of the merged root, in both orders of the writers.
func TestCopiesConvergeWhereTheModelDoesNotWarn(t *testing.T) {
	from, tally := firstSeed(t), newTally()
	for i := range *overlapModels {
		r := rand.New(rand.NewPCG(from, uint64(2_000_000+i)))
		c := accepted(t, r, "", tally)
		for range 20 {
			converges(t, c, r, tally)
			convergesWithDelete(t, c, r, tally)
		}
	}
	t.Log(tally)
	require.Greater(t, tally.n["copies compared"], 3**overlapModels)
	require.Greater(t, tally.n["copies compared with a delete"], 3**overlapModels)
	require.Greater(t, tally.n["loops compared"], *overlapModels/10)
}

func converges(t *testing.T, c *projection.Compiled, r *rand.Rand, tally *tally) {
	t.Helper()
	d := projection.Drawer{Rand: r, C: c}
	base := d.Instance(nil)
	one, other := d.Variation(base), d.Variation(base)
	w := projection.NewWorld(c)
	if w.Problem(base)+w.Problem(one)+w.Problem(other) != "" {
		return
	}
	for _, first := range []bool{true, false} {
		o := newOverlap(t, c)
		o.insert(0, base)
		if first {
			o.change(10, base, one)
		}
		o.change(12, base, other)
		if !first {
			o.change(10, base, one)
		}
		root := o.root(base)
		for _, table := range c.Copies {
			redundancy := table.Aggregate.Redundancy
			if !c.Converges(table) || redundancy.Shared {
				continue
			}
			want, problem := o.projected(table, root)
			if problem != "" {
				tally.add("merged into an invalid instance", 1)
				continue
			}
			if tally.add("copies compared", 1); redundancy.Path != nil {
				tally.add("loops compared", 1)
			}
			require.Equal(t, want, o.held(table), "%s\nbase %v\none %v\nother %v\nroot %v\n%s", table.Name, base, one, other, root, c.Source)
		}
	}
}

// convergesWithDelete compares the copies after a Delete and a change of the same row, in both orders and with both orders of their
// timestamps.
func convergesWithDelete(t *testing.T, c *projection.Compiled, r *rand.Rand, tally *tally) {
	t.Helper()
	d := projection.Drawer{Rand: r, C: c}
	base := d.Instance(nil)
	changed := d.Variation(base)
	static := func(x *schema.Column) bool { return x.Kind == schema.Static } // its value stays when the row is deleted
	if w := projection.NewWorld(c); w.Problem(base)+w.Problem(changed) != "" || slices.ContainsFunc(c.Root.Columns, static) {
		return
	}
	for _, deleted := range []int64{10, 12} {
		for _, first := range []bool{true, false} {
			o := newOverlap(t, c)
			o.insert(0, base)
			if first {
				require.NoError(t, gen.Delete(t.Context(), o.at(deleted), c.Key(base)))
			}
			o.change(22-deleted, base, changed)
			if !first {
				require.NoError(t, gen.Delete(t.Context(), o.at(deleted), c.Key(base)))
			}
			o.comparesAfterDelete(tally, base, deleted == 10, fmt.Sprintf("deleted at %d, first %v, base %v, changed %v", deleted, first, base, changed))
		}
	}
}

// comparesAfterDelete compares the copies of which the model does not warn with the root, which a Delete and a change left. If the change
// is later, the root has only the cells of the change: everything in the copies follows from it, but they lack what derives from other
// cells, and a copy without any of the changed cells lacks the row.
func (o *overlap) comparesAfterDelete(tally *tally, base projection.Record, partial bool, what string) {
	o.t.Helper()
	root := o.root(base)
	for _, table := range o.c.Copies {
		if o.c.Warning(table) != "" || table.Aggregate.Redundancy.Shared {
			continue
		}
		want, problem := []string(nil), ""
		if root != nil {
			want, problem = o.projected(table, root)
		}
		if problem != "" {
			tally.add("merged into an invalid instance", 1)
			continue
		}
		held := o.held(table)
		tally.add("copies compared with a delete", 1)
		if partial {
			require.Subset(o.t, want, held, "%s\n%s\nroot %v\n%s", table.Name, what, root, o.c.Source)
		} else {
			require.Empty(o.t, held, "%s\n%s\nroot %v\n%s", table.Name, what, root, o.c.Source)
		}
	}
}
