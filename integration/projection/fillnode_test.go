package projection_test

import (
	"flag"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/projection"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
	"github.com/cassaml/cassaml/mapper/gen"
)

var modelsToFill = flag.Int("projection-fills", 4, "the number of random models whose copies are filled on a node")

// The same on a real server: copies are filled from a root that was written without them, or without one of their columns.
func TestBackfillsOnANodeEqualTheProjection(t *testing.T) {
	cassandra.Requires(t, "5.0", "write times of columns that are not frozen")
	session := cassandra.Keyspace(t)
	from, tally := firstSeed(t), newTally()
	t.Run("models", func(t *testing.T) {
		for shard := range 4 {
			t.Run(fmt.Sprint(shard), func(t *testing.T) {
				t.Parallel()
				for i := shard; i < *modelsToFill; i += 4 {
					fillOnNode(t, session, rand.New(rand.NewPCG(from, uint64(7_000_000+i))), fmt.Sprintf("f%d_", i), tally)
				}
			})
		}
	})
	t.Log(tally)
	require.Equal(t, *modelsToFill, tally.n["cases"])
}

// fillOnNode runs a case of one model.
func fillOnNode(t *testing.T, session gocqlx.Session, r *rand.Rand, prefix string, tally *tally) {
	t.Helper()
	c := accepted(t, r, prefix, tally)
	for _, statement := range c.Schema.Statements() {
		require.NoError(t, session.ExecStmt(statement), statement)
	}
	require.NoError(t, session.AwaitSchemaAgreement(t.Context()))
	clock := &projection.Clock{}
	db, err := gen.Open(t.Context(), gocqldriver.New(session), mapper.Config{Logger: slog.New(slog.DiscardHandler), Now: clock.Now, MaxClockSkew: -1}, c.Descriptors())
	require.NoError(t, err)
	s := projection.NewSession(c, db, r)
	s.Clock = clock
	last := int64(0)
	at := func() int64 {
		last = max(time.Now().UnixMicro(), last+10)
		return last
	}
	if s.Before = c.Earlier(r); s.Before == nil || r.IntN(2) == 0 {
		s.Alone, s.Before = true, nil
	}
	for range 6 + r.IntN(10) {
		require.NoError(t, s.Step(t.Context(), at()), c.Source)
	}
	s.Fill(0)
	for _, table := range c.Copies {
		for range 2 {
			config := gen.FillConfig{PageSize: 1 + r.IntN(3)}
			require.NoError(t, gen.Fill(t.Context(), s.Copy(), table.Name, config, "", func(string) error { return nil }), c.Source)
			cells, err := nodeCells(t.Context(), session, table)
			require.NoError(t, err)
			if s.Before != nil {
				require.Empty(t, strings.Join(s.World.CompareValues(table, cells), "\n"), "%s\n%s", s.Last, c.Source)
				continue
			}
			require.Empty(t, strings.Join(s.World.Compare(table, cells, slack), "\n"), "%s\n%s", s.Last, c.Source)
		}
	}
	tally.add("rows written again", s.World.Returns)
	tally.count(c, s)
}
