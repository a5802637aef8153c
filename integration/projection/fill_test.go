package projection_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/projection"
	"github.com/cassaml/cassaml/mapper/gen"
	"github.com/cassaml/cassaml/mapper/memory"
)

const fillsOfModel = 5

// filling is a case: a root is written without its copies, which are then filled.
type filling struct {
	t       *testing.T
	c       *projection.Compiled
	r       *rand.Rand
	now     time.Time
	backend *memory.Backend
	s       *projection.Session
}

func newFilling(t *testing.T, c *projection.Compiled, r *rand.Rand) *filling {
	t.Helper()
	f := &filling{t: t, c: c, r: r, now: time.Unix(1_800_000_000, 0)}
	f.backend = memory.New(memory.Config{Now: func() time.Time { return f.now }})
	db, err := gen.OpenBackend(t.Context(), f.backend, c.Descriptors())
	require.NoError(t, err)
	f.s = projection.NewSession(c, db, r)
	f.s.Alone = true
	return f
}

// step makes one write.
func (f *filling) step() {
	f.t.Helper()
	f.now = f.now.Add(10 * time.Microsecond)
	require.NoError(f.t, f.s.Step(f.t.Context(), f.now.UnixMicro()), f.c.Source)
}

var errStopped = errors.New("stopped")

// fill fills a copy, in several runs: a run that is stopped after a page is continued from the last checkpoint.
func (f *filling) fill(table *projection.Table) {
	f.t.Helper()
	checkpoint := ""
	for stops := f.r.IntN(4); ; stops-- {
		pages := 1 + f.r.IntN(2)
		err := gen.Fill(f.t.Context(), f.s.Copy(), table.Name, gen.FillConfig{PageSize: 1 + f.r.IntN(3), Parallel: 1}, checkpoint, func(m string) error {
			if pages--; pages < 0 && stops > 0 {
				return errStopped // and the page is repeated
			}
			checkpoint = m
			return nil
		})
		if !errors.Is(err, errStopped) {
			require.NoError(f.t, err, f.c.Source)
			return
		}
	}
}

func (f *filling) cells(table *projection.Table) []projection.Cell {
	f.t.Helper()
	cells, err := cellsOf(f.backend, f.now)(table)
	require.NoError(f.t, err)
	return cells
}

// A backfill writes all rows of every copy, each cell at the write time of its source. A backfill in several runs has the
// same result, and a repeated backfill changes nothing.
func TestBackfillsEqualTheProjection(t *testing.T) {
	from, tally := firstSeed(t), newTally()
	for i := range *fillCases / fillsOfModel {
		r := rand.New(rand.NewPCG(from, uint64(4_000_000+i)))
		c := accepted(t, r, "", tally)
		for range fillsOfModel {
			f := newFilling(t, c, r)
			if r.IntN(10) == 0 && c.Expires() {
				f.s.TTL = 200
			}
			for range 3 + r.IntN(8) {
				if r.IntN(10) == 0 {
					f.now = f.now.Add(7 * time.Second) // every row that expires has a TTL of at least 3 s
				}
				f.step()
			}
			f.s.World.Expire(f.now.Unix())
			f.s.Fill(f.now.Unix())
			for _, table := range c.Copies {
				f.fill(table)
				once := f.cells(table)
				require.Empty(t, strings.Join(f.s.World.Compare(table, once, 3), "\n"), "%s\n%s", f.s.Last, c.Source)
				f.fill(table)
				require.Equal(t, once, f.cells(table), c.Source)
			}
			tally.count(c, f.s)
		}
	}
	tally.add("writes: Refused", tally.n["cases"]) // by the test, not by the mapper
	tally.require(t)
}

// If programs write between each read and each write of a backfill, without overlaps, the copies equal the projection when
// the backfill ends.
func TestBackfillsWithConcurrentWriters(t *testing.T) {
	from, tally := firstSeed(t), newTally()
	for i := range *fillCases / fillsOfModel {
		r := rand.New(rand.NewPCG(from, uint64(5_000_000+i)))
		c := accepted(t, r, "", tally)
		for range fillsOfModel {
			f := newFilling(t, c, r)
			for range 3 + r.IntN(8) {
				f.step()
			}
			f.s.WriteCopies()
			busy := false
			f.backend.Intercept(func(q memory.Request) memory.Outcome {
				if !busy {
					busy = true
					for range r.IntN(3) {
						f.step()
						tally.add("writes between", 1)
					}
					busy = false
				}
				return memory.Done
			})
			for _, table := range c.Copies {
				f.fill(table)
			}
			f.backend.Intercept(nil)
			f.s.Fill(f.now.Unix())
			for _, table := range c.Copies {
				require.Empty(t, strings.Join(f.s.World.CompareValues(table, f.cells(table)), "\n"), "%s\n%s", f.s.Last, c.Source)
			}
			tally.count(c, f.s)
		}
	}
	t.Log(tally)
	require.Greater(t, tally.n["writes between"], 3*tally.n["cases"])
}

// A column that is added to copies of an earlier release is filled in all rows, also in rows that were deleted and written
// again.
func TestBackfillsOfAnAddedColumn(t *testing.T) {
	from, tally := firstSeed(t), newTally()
	for i := range *fillCases / 4 / fillsOfModel {
		r := rand.New(rand.NewPCG(from, uint64(8_000_000+i)))
		c := accepted(t, r, "", tally)
		for range fillsOfModel {
			f := newFilling(t, c, r)
			if f.s.Alone, f.s.Before = false, c.Earlier(r); f.s.Before == nil {
				break
			}
			_, err := gen.OpenBackend(t.Context(), f.backend, f.s.Before.Descriptors)
			require.NoError(t, err)
			for range 6 + r.IntN(12) {
				f.step()
			}
			f.s.World.Expire(f.now.Unix())
			f.s.Fill(f.now.Unix())
			for _, table := range c.Copies {
				f.fill(table)
				require.Empty(t, strings.Join(f.s.World.CompareValues(table, f.cells(table)), "\n"), "%s\n%s", f.s.Last, c.Source)
			}
			tally.add("rows written again", f.s.World.Returns)
			tally.count(c, f.s)
		}
	}
	t.Log(tally)
	require.Greater(t, tally.n["rows written again"], tally.n["cases"]/4)
}

// If the model has no warning, a backfill that runs while two writers overlap leaves the copies equal to the projection of
// the merged root, for each order of the writers and for writes before the read and before the write of a page.
func TestBackfillsConvergeWhereTheModelDoesNotWarn(t *testing.T) {
	from, tally := firstSeed(t), newTally()
	for i := range *overlapModels {
		r := rand.New(rand.NewPCG(from, uint64(6_000_000+i)))
		c := accepted(t, r, "", tally)
		for range 20 {
			fillConverges(t, c, r, tally)
		}
	}
	t.Log(tally)
	require.Greater(t, tally.n["copies compared"], 5**overlapModels)
	require.Greater(t, tally.n["loops compared"], *overlapModels/10)
}

func fillConverges(t *testing.T, c *projection.Compiled, r *rand.Rand, tally *tally) {
	t.Helper()
	d := projection.Drawer{Rand: r, C: c}
	base := d.Instance(nil)
	one, other := d.Variation(base), d.Variation(base)
	if w := projection.NewWorld(c); w.Problem(base)+w.Problem(one)+w.Problem(other) != "" {
		return
	}
	for _, table := range c.Copies {
		redundancy := table.Aggregate.Redundancy
		if !c.Converges(table) || redundancy.Shared {
			continue
		}
		for _, writers := range [][]func(*overlap){{early(base, one), late(base, other)}, {late(base, other), early(base, one)}} {
			o := newOverlap(t, c)
			alone := c.OpenAlone(o.dbAt(0))
			require.NoError(t, gen.Insert(t.Context(), alone, &projection.Instance{Row: base}))
			o.fillAmong(table, writers, r.IntN(3))
			want, problem := o.projected(table, o.root(base))
			if problem != "" {
				tally.add("merged into an invalid instance", 1)
				continue
			}
			timed := func(instance projection.Record) bool { return hasRegularCell(o.c.RootRow(instance)) }
			if table.TTL > 0 && !(timed(base) && timed(one) && timed(other) && timed(o.root(base))) {
				continue // the backfill skips rows without a write time
			}
			if tally.add("copies compared", 1); redundancy.Path != nil {
				tally.add("loops compared", 1)
			}
			require.Equal(t, want, o.held(table), "%s\nbase %v\none %v\nother %v\n%s", table.Name, base, one, other, c.Source)
		}
	}
}

func hasRegularCell(r projection.Row) bool {
	for at := range r.Cells {
		if !at.Static {
			return true
		}
	}
	return false
}

func early(base, v projection.Record) func(*overlap) {
	return func(o *overlap) { o.change(10, base, v) }
}

func late(base, v projection.Record) func(*overlap) {
	return func(o *overlap) { o.change(12, base, v) }
}

// fillAmong fills a copy: some of the writers run before it, the next one before its first write, the others after it.
func (o *overlap) fillAmong(table *projection.Table, writers []func(*overlap), before int) {
	o.t.Helper()
	for _, w := range writers[:before] {
		w(o)
	}
	writers = writers[before:]
	busy := false
	o.backend.Intercept(func(q memory.Request) memory.Outcome {
		if q.Write && !busy && len(writers) > 0 {
			busy = true
			writers[0](o)
			writers, busy = writers[1:], false
		}
		return memory.Done
	})
	err := gen.Fill(o.t.Context(), o.c.Open(o.db), table.Name, gen.FillConfig{Parallel: 1}, "", func(string) error { return nil })
	require.NoError(o.t, err)
	o.backend.Intercept(nil)
	for _, w := range writers {
		w(o)
	}
}
