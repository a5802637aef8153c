package store

import (
	"fmt"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/trace"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
	"github.com/cassaml/cassaml/mapper/memory"
)

// days has TTLs of a trace store that are longer than the defaults.
var days = map[string]time.Duration{"retention": 30 * 24 * time.Hour, "searchable": 20 * 24 * time.Hour}

// spanOf returns a span with some tags and logs.
func spanOf(id int64, tags, logs int) *trace.Span {
	s := &trace.Span{Trace: gocql.UUID{15: 7}, ID: id, Service: "shop", Operation: "buy", Tags: map[string]string{}}
	for i := range tags {
		s.Tags[fmt.Sprint("tag", i)] = "on"
	}
	for i := range logs {
		s.Logs = append(s.Logs, trace.Log{At: int64(i), Text: fmt.Sprint("line ", i)})
	}
	return s
}

// A TTL with a name is the default of the model, or that of the configuration. Open refuses unknown names.
func TestNamedTTL(t *testing.T) {
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	open := func(ttl map[string]time.Duration) (*trace.Store, error) {
		return trace.OpenBackend(t.Context(), memory.New(memory.Config{Now: func() time.Time { return now }}), mapper.Config{TTL: ttl})
	}
	for text, want := range map[string]map[string]time.Duration{
		"mapper: Config.TTL: the model has no ttl=$kept":                                                          {"kept": time.Hour},
		`mapper: Config.TTL["retention"] is 0s: use a whole number of seconds between 1 s and 20 years`:           {"retention": 0},
		`mapper: Config.TTL["retention"] is 1.5s: use a whole number of seconds between 1 s and 20 years`:         {"retention": 1500 * time.Millisecond},
		`mapper: Config.TTL["searchable"] is -1h0m0s: use a whole number of seconds between 1 s and 20 years`:     {"searchable": -time.Hour},
		`mapper: Config.TTL["searchable"] is 200000h0m0s: use a whole number of seconds between 1 s and 20 years`: {"searchable": 200000 * time.Hour},
	} {
		_, err := open(want)
		require.EqualError(t, err, text)
	}
	defaults, err := open(nil)
	require.NoError(t, err)
	given, err := open(days)
	require.NoError(t, err)
	for _, s := range []*trace.Store{defaults, given} {
		require.NoError(t, s.Spans.Insert(t.Context(), spanOf(1, 1, 0)))
	}
	rows := func(s *trace.Store) string {
		return fmt.Sprint(len(collected(t, s.SpansByTag.Of("tag0", "on").All(t.Context()))), len(collected(t, s.SpansByService.Of("shop").All(t.Context()))))
	}
	require.Equal(t, "1 1, 1 1", rows(defaults)+", "+rows(given))
	now = now.Add(25 * time.Hour)
	require.Equal(t, "0 1, 1 1", rows(defaults)+", "+rows(given), "the default of the tags has passed")
	now = now.Add(25 * time.Hour)
	require.Equal(t, "0 0, 1 1", rows(defaults)+", "+rows(given), "that of the spans, too")
	now = now.Add(18 * 24 * time.Hour)
	require.Equal(t, "0 1", rows(given))
	now = now.Add(10 * 24 * time.Hour)
	require.Equal(t, "0 0", rows(given))
}

// remaining returns the remaining TTL of a column of the only row of a table, in whole days, rounded up.
func remaining(t *testing.T, session gocqlx.Session, table, column string) int {
	t.Helper()
	var seconds int
	require.NoError(t, session.Session.Query("SELECT TTL("+column+") FROM "+table).Scan(&seconds))
	return (seconds + 86399) / 86400
}

// On a node a backfill writes the rows of copies with the TTL that it is given, like a store.
func TestNamedTTLOnANode(t *testing.T) {
	t.Parallel()
	session := storetest.SharedTables(t, trace.Schema)
	config := mapper.Config{TTL: days}
	s, err := trace.Open(t.Context(), session, config)
	require.NoError(t, err)
	require.NoError(t, s.Spans.Insert(t.Context(), spanOf(1, 1, 1)))
	require.Equal(t, 30, remaining(t, session, "spans", "service"))
	require.Equal(t, 30, remaining(t, session, "spans_by_service", "logs"))

	require.NoError(t, session.ExecStmt("TRUNCATE spans_by_service"))
	fill := trace.Backfills(config)["spans_by_service"]
	require.NoError(t, fill(t.Context(), gocqldriver.New(session), "", func(string) error { return nil }))
	require.Equal(t, 30, remaining(t, session, "spans_by_service", "logs"))
}
