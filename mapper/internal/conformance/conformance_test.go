// Package conformance tests that the memory backend behaves like Cassandra. It sends random writes, often at equal or older
// timestamps, to both and compares every cell: its value, its WRITETIME, its TTL and its row. [Check] writes to separate
// tables, [CheckOrder] compares how values of each type are sorted, and a [Pair] compares the reads of a generated store.
package conformance

import (
	"errors"
	"flag"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/models/workshop"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/integration/suite"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

func TestMain(m *testing.M) { suite.Main(m) }

var (
	conformanceSeed      = flag.Uint64("conformance.seed", 1, "the seed of the random writes; 0 chooses one")
	conformanceSequences = flag.Int("conformance.sequences", 60, "the number of sequences of random writes")
)

// The memory backend merges writes as a real node does, also at equal and older timestamps.
func TestMemoryConforms(t *testing.T) {
	t.Parallel()
	cassandra.Requires(t, "5.0", "write times of columns that are not frozen")
	session := cassandra.Keyspace(t)
	storetest.Execute(t, session, Schema)
	seed := *conformanceSeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	n := *conformanceSequences
	r, err := Check(t.Context(), session.Session, seed, n)
	require.NoError(t, err)
	t.Log(r)
	require.Empty(t, r.Differences)
	require.Equal(t, n, r.Sequences)
	require.Greater(t, r.Ties, 2*n)
	require.Greater(t, r.Older, 5*n)
	require.Greater(t, r.Expiring, n)
	require.Greater(t, r.Ranges, n/2)
	require.Greater(t, r.Rows, n)
	require.Greater(t, r.Stamped, n)
	require.Greater(t, r.Statics, n/20)
}

// The memory backend sorts values of every type as a real node does: clustering keys, elements of sets and keys of maps.
func TestMemorySorts(t *testing.T) {
	t.Parallel()
	session := cassandra.Keyspace(t)
	storetest.Execute(t, session, Schema+OrderSchema())
	r, err := CheckOrder(t.Context(), session.Session, rand.Uint64(), 100)
	require.NoError(t, err)
	t.Log(r)
	require.Empty(t, r.Differences)
	require.Equal(t, 100, r.Rows)
}

// A generated store writes and reads the same on both: first a random chain of writes, each of which is read back; then the
// writes of two clients that have no common clock and whose clocks differ.
func TestMemoryServesAGeneratedStore(t *testing.T) {
	t.Parallel()
	session := storetest.JobKeyspace(t)
	pair := NewPair(session.Session, memory.Config{})
	store, err := workshop.OpenBackend(t.Context(), pair)
	require.NoError(t, err)
	c := storetest.NewChain(t, store)
	for i := range 60 {
		c.Step(i)
		readTables(t, store, c.Present())
	}
	slow, err := workshop.OpenBackend(t.Context(), pair, mapper.Config{Now: func() time.Time { return time.Now().Add(-time.Minute) }})
	require.NoError(t, err)
	clients := []*storetest.Chain{storetest.NewChain(t, store), storetest.NewChain(t, slow)}
	for range 60 {
		n, client := c.IntN(len(c.Jobs)), clients[c.IntN(2)]
		var broken *mapper.ConstraintError // from a row whose title is hidden by a delete, but not its other cells, which have an older clock
		if err := client.Write(n, storetest.ChainKey(n)); err != nil && !errors.As(err, &broken) {
			require.ErrorIs(t, err, mapper.ErrNotFound, "seed %d", c.Seed)
		}
	}
	r, err := pair.Compare(t.Context())
	require.NoError(t, err)
	t.Log(r)
	require.Empty(t, r.Differences, "seed %d", c.Seed)
	require.Positive(t, r.Rows)
}

// readTables reads partitions of every table, in both directions and in parts.
func readTables(t *testing.T, store *workshop.Store, jobs []*workshop.Job) {
	t.Helper()
	drain := func(err error) { require.NoError(t, err) }
	for _, j := range jobs {
		of := store.Jobs.Of(j.Site, j.Year)
		for _, err := range of.OpenedFrom(j.Opened).Limit(2).All(t.Context()) {
			drain(err)
		}
		for _, err := range of.Opened(j.Opened).IDTo(j.ID).Reverse().PageSize(1).All(t.Context()) {
			drain(err)
		}
		for _, err := range store.JobsByTitle.Of(j.Title).Reverse().All(t.Context()) {
			drain(err)
		}
		for _, err := range store.JobsByDue.Of(j.Site, j.Year).DueBefore(j.Due).All(t.Context()) {
			drain(err)
		}
	}
}
