package projection_test

import (
	"flag"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/corpus"
	"github.com/cassaml/cassaml/integration/projection"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
	"github.com/cassaml/cassaml/mapper/gen"
	"github.com/cassaml/cassaml/mapper/memory"
)

var (
	saveCases  = flag.Int("projection-save-cases", 150, "the number of random sequences of saves of versioned roots with parts in memory")
	saveModels = flag.Int("projection-save-models", 1, "the number of random models whose versioned roots are saved on a node")
)

// After any sequence of saves of a versioned root and its part, in the root's table, the copies equal the projection of the root, the
// cells of root and part have the values and the write times of the last save that wrote them, and a read of both returns them.
// A save whose values are invalid, or one of whose parts does not have the state that it requires, changes nothing.
func TestSavesOfRandomModels(t *testing.T) {
	from, tally := firstSeed(t), newTally()
	r := rand.New(rand.NewPCG(from, 6_000_000))
	for tally.n["cases"] < *saveCases {
		c := drawn(t, r, "", tally, corpus.ProjectedVersioned)
		for range casesOfModel {
			saves(t, c, r, tally)
		}
	}
	t.Log(tally)
	for _, what := range []string{"Put", "InsertWith", "Update", "Change", "Delete", "DeleteAt", "Refused", "Refused part", "Deleted range"} {
		require.GreaterOrEqual(t, 40*tally.n["saves: "+what], tally.n["cases"], what)
	}
	require.Greater(t, tally.n["parts"], tally.n["cases"])
	require.Less(t, 10*tally.n["models rejected"], tally.n["cases"])
}

// saves runs one case in memory.
func saves(t *testing.T, c *projection.Compiled, r *rand.Rand, tally *tally) {
	t.Helper()
	now := time.Unix(1_800_000_000, 0)
	backend := memory.New(memory.Config{Now: func() time.Time { return now }})
	db, err := gen.OpenBackend(t.Context(), backend, c.Descriptors())
	require.NoError(t, err)
	s := projection.NewSaves(c, db, r)
	steps := []int64{}
	for step := range 6 + r.IntN(8) {
		now = now.Add(100 * time.Microsecond)
		steps = append(steps, now.UnixMicro())
		if err := s.Step(t.Context(), now.UnixMicro()); err != nil {
			t.Fatalf("step %d: %v\n%s", step, err, c.Source)
		}
		differences, err := s.Differences(now.Unix(), 0, ballots(cellsOf(backend, now), steps))
		require.NoError(t, err)
		if len(differences) > 0 {
			t.Fatalf("step %d: %s\n%s\n%s", step, s.Last, differences, c.Source)
		}
	}
	tally.saves(s)
}

// saves adds the saves of a case.
func (c *tally) saves(s *projection.Saves) {
	c.add("cases", 1)
	for op, n := range s.Done {
		c.add("saves: "+op, n)
	}
	_, parts := s.Aggregates()
	c.add("parts", parts)
}

// The same on a real server, which chooses the write times of the root and of the part.
func TestSavesOfRandomModelsOnANode(t *testing.T) {
	cassandra.Requires(t, "5.0", "write times of columns that are not frozen")
	session := cassandra.Keyspace(t)
	from, tally := firstSeed(t), newTally()
	for i := range *saveModels {
		r := rand.New(rand.NewPCG(from, uint64(7_000_000+i)))
		savesOnNode(t, session, drawn(t, r, fmt.Sprintf("s%d_", i), tally, corpus.ProjectedVersioned), r)
	}
}

// savesOnNode runs the saves of one model.
func savesOnNode(t *testing.T, session gocqlx.Session, c *projection.Compiled, r *rand.Rand) {
	t.Helper()
	for _, statement := range c.Schema.Statements() {
		require.NoError(t, session.ExecStmt(statement), statement)
	}
	require.NoError(t, session.AwaitSchemaAgreement(t.Context()))
	clock := &projection.Clock{}
	db, err := gen.Open(t.Context(), gocqldriver.New(session), mapper.Config{Logger: slog.New(slog.DiscardHandler), Now: clock.Now, MaxClockSkew: -1}, c.Descriptors())
	require.NoError(t, err)
	s := projection.NewSaves(c, db, r)
	s.Clock = clock
	steps := []int64{0}
	cells := func(x *projection.Table) ([]projection.Cell, error) { return nodeCells(t.Context(), session, x) }
	for range 40 {
		steps = append(steps, max(1000*time.Now().UnixMilli(), steps[len(steps)-1]+1000)) // the server's ballots count milliseconds
		require.NoError(t, s.Step(t.Context(), steps[len(steps)-1]), c.Source)
		differences, err := s.Differences(0, slack, ballots(cells, steps))
		require.NoError(t, err)
		require.Empty(t, differences, "%s\n%s", s.Last, c.Source)
	}
}

// ballots returns cells whose write times are those of their step: the conditional statements of a save have ballots shortly after the
// time at which it begins. steps are these times.
func ballots(cells func(*projection.Table) ([]projection.Cell, error), steps []int64) func(*projection.Table) ([]projection.Cell, error) {
	return func(t *projection.Table) ([]projection.Cell, error) {
		found, err := cells(t)
		for i := range found {
			if after, exact := slices.BinarySearch(steps, found[i].At); !exact && after > 0 {
				found[i].At = steps[after-1]
			}
		}
		return found, err
	}
}
