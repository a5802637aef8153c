package faults

import (
	"testing"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen/testdata/golden/counters"
	"github.com/cassaml/cassaml/integration/network"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver"
)

const visitsSchema = `CREATE TABLE visits (page text PRIMARY KEY, number counter);
	CREATE TABLE ratings (video_id uuid, day date, delta int, total counter static, number counter, "sum of stars" counter,
	PRIMARY KEY (video_id, day, delta)) WITH CLUSTERING ORDER BY (day DESC, delta ASC);`

// An Add is sent once, also by a session that repeats all statements. If its answer does not arrive, its outcome is unknown, and it
// cannot be repeated. A Delete is repeated.
func TestAddIsSentOnce(t *testing.T) {
	t.Parallel()
	session := storetest.SharedTables(t, visitsSchema)
	storetest.InKeyspace(t, session, []storetest.Test{
		{"time-out", func(t *testing.T, s gocqlx.Session) { sentOnce(t, s, 0, network.WriteTimeout("COUNTER")) }},
		{"overloaded", func(t *testing.T, s gocqlx.Session) { sentOnce(t, s, 0, network.Overloaded()) }},
		{"no answer", func(t *testing.T, s gocqlx.Session) { sentOnce(t, s, 2*time.Second, network.Lost) }},
		{"unavailable", refusedAdd},
		{"delete", repeatedDelete},
	})
}

// lossyCounters is a store of counters whose driver repeats all statements, on a connection on which answers can be lost.
func lossyCounters(t *testing.T, session gocqlx.Session, timeout time.Duration) (*counters.Store, *network.Dialer, *storetest.Requests) {
	t.Helper()
	n, sent := &network.Dialer{}, &storetest.Requests{}
	repeats := func(c *gocql.ClusterConfig) {
		c.RetryPolicy, c.DefaultIdempotence = &gocql.SimpleRetryPolicy{NumRetries: 3}, true
	}
	store, err := counters.Open(t.Context(), network.Session(t, session, n, timeout, repeats), mapper.Config{Tracer: sent})
	require.NoError(t, err)
	sent.Drain()
	return store, n, sent
}

func requireVisits(t *testing.T, session gocqlx.Session, page string, want int64) {
	t.Helper()
	var number int64
	require.NoError(t, session.Session.Query("SELECT number FROM visits WHERE page = ?", page).Scan(&number))
	require.Equal(t, want, number)
}

func sentOnce(t *testing.T, session gocqlx.Session, timeout time.Duration, answer network.Answer) {
	store, n, sent := lossyCounters(t, session, timeout)
	require.NoError(t, store.Visits.Add(t.Context(), t.Name(), counters.VisitsDelta{Number: 2}))
	sent.Drain()
	n.Every(answer)
	err := store.Visits.Add(t.Context(), t.Name(), counters.VisitsDelta{Number: 5})
	n.Every(nil)
	var unknown *mapper.UnknownOutcomeError
	require.ErrorAs(t, err, &unknown)
	require.False(t, unknown.Repeatable)
	require.False(t, mapper.SafeToRepeat(err))
	require.Equal(t, []string{"Visits", "visits", "page='" + t.Name() + "'"}, []string{unknown.Aggregate, unknown.Table, unknown.Key})
	require.Len(t, sent.Drain(), 1)
	requireVisits(t, session, t.Name(), 7) // in this test the write was executed
}

func refusedAdd(t *testing.T, session gocqlx.Session) {
	store, n, sent := lossyCounters(t, session, 0)
	n.Every(network.Unavailable())
	err := store.Visits.Add(t.Context(), t.Name(), counters.VisitsDelta{Number: 5})
	n.Every(nil)
	requireCode(t, driver.CodeUnavailable, err)
	require.False(t, mapper.OutcomeUnknown(err))
	require.Len(t, sent.Drain(), 1)
}

func repeatedDelete(t *testing.T, session gocqlx.Session) {
	store, n, sent := lossyCounters(t, session, 0)
	require.NoError(t, store.Visits.Add(t.Context(), t.Name(), counters.VisitsDelta{Number: 2}))
	sent.Drain()
	n.Next(network.Written, network.WriteTimeout("COUNTER"), network.WriteTimeout("COUNTER"))
	require.NoError(t, store.Visits.Delete(t.Context(), t.Name()))
	require.Len(t, sent.Drain(), 3)
	n.Every(network.WriteTimeout("COUNTER"))
	err := store.Visits.Delete(t.Context(), t.Name())
	n.Every(nil)
	require.True(t, mapper.OutcomeUnknown(err))
	require.True(t, mapper.SafeToRepeat(err))
	require.Len(t, sent.Drain(), 4)
	_, err = store.Visits.Get(t.Context(), t.Name())
	require.ErrorIs(t, err, mapper.ErrNotFound)
}
