package store

import (
	"math"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
	"github.com/scylladb/gocqlx/v2/table"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/testdata/golden/counters"
	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

const countersModel = "../../codegen/testdata/golden/counters"

func countersSession(t *testing.T) gocqlx.Session {
	t.Helper()
	return storetest.SharedTables(t, schema.New(modelOf(t, countersModel)).CQL())
}

func film(last byte) gocql.UUID { return gocql.UUID{15: last} }

func day(n int) time.Time { return storetest.Date(2026, 5, n) }

// A store adds to counters, reads and deletes them, and sends what aml explain prints.
func TestCounters(t *testing.T) {
	t.Parallel()
	t.Run("memory", func(t *testing.T) {
		sent := &storetest.Requests{}
		store, err := counters.OpenBackend(t.Context(), memory.New(memory.Config{}), mapper.Config{Tracer: sent})
		require.NoError(t, err)
		testCounters(t, store, sent)
	})
	t.Run("node", func(t *testing.T) {
		sent, session := &storetest.Requests{}, countersSession(t)
		store, err := counters.Open(t.Context(), session, mapper.Config{Tracer: sent})
		require.NoError(t, err)
		testCounters(t, store, sent)
		untouched(t, session)
		metadata(t, session)
	})
}

func testCounters(t *testing.T, store *counters.Store, sent *storetest.Requests) {
	ctx, x := t.Context(), explained(t, countersModel, "ratings")
	_, err := store.Ratings.Get(ctx, film(1), day(1), 4)
	require.ErrorIs(t, err, mapper.ErrNotFound)
	sent.Drain()
	add := func(d, change int, delta counters.RatingsDelta) {
		t.Helper()
		require.NoError(t, store.Ratings.Add(ctx, film(1), day(d), int32(change), delta))
		requireCounted(t, "Add", operation(t, x, "Add").Requests[0].Writes[0].Statements[0].CQL, sent.Drain())
	}
	add(1, 4, counters.RatingsDelta{Total: 1, Number: 1, Sum: 5})
	add(1, 4, counters.RatingsDelta{Total: 1, Number: 1, Sum: -2})
	add(2, 4, counters.RatingsDelta{Number: 1, Sum: math.MaxInt64})
	add(2, 4, counters.RatingsDelta{Sum: 1})
	add(3, -1, counters.RatingsDelta{Total: 1})
	add(3, 7, counters.RatingsDelta{Number: 1})
	require.NoError(t, store.Ratings.Add(ctx, film(1), day(4), 1, counters.RatingsDelta{}))
	require.Empty(t, sent.Drain(), "nothing to add")

	want := []counters.Rating{
		{VideoID: film(1), Day: day(3), Delta: 7, Total: 3, Number: 1},
		{VideoID: film(1), Day: day(2), Delta: 4, Total: 3, Number: 1, Sum: math.MinInt64},
		{VideoID: film(1), Day: day(1), Delta: 4, Total: 3, Number: 2, Sum: 3},
	}
	require.Equal(t, want, ratings(t, store.Ratings.Of(film(1)).All(ctx)))
	require.Equal(t, want[1:2], ratings(t, store.Ratings.Of(film(1)).DayFrom(day(1)).DayTo(day(2)).Limit(1).All(ctx)))
	require.Equal(t, want[2:], ratings(t, store.Ratings.Of(film(1)).Day(day(1)).DeltaBefore(9).Reverse().All(ctx)))
	page, err := store.Ratings.Of(film(1)).PageSize(2).Page(ctx, "")
	require.NoError(t, err)
	require.Len(t, page.Items, 2)
	page, err = store.Ratings.Of(film(1)).PageSize(2).Page(ctx, page.Next)
	require.NoError(t, err)
	require.Equal(t, want[2], *page.Items[0])
	sum, err := store.RatingSum.Get(ctx, film(1), day(1), 4)
	require.NoError(t, err)
	require.Equal(t, counters.RatingSum{Day: day(1), Sum: 3}, *sum, "a view")

	sent.Drain()
	require.NoError(t, store.Ratings.Delete(ctx, film(1), day(3), 7))
	requireCounted(t, "Delete", operation(t, x, "Delete").Requests[0].Writes[0].Statements[0].CQL, sent.Drain())
	require.NoError(t, store.Ratings.Delete(ctx, film(1), day(3), 7), "it is deleted already")
	require.Equal(t, want[1:], ratings(t, store.Ratings.Of(film(1)).All(ctx)), "static counters stay")

	require.NoError(t, store.Visits.Add(ctx, "/", counters.VisitsDelta{Number: 2}))
	require.NoError(t, store.Visits.Add(ctx, "/", counters.VisitsDelta{Number: 1}))
	v, err := store.Visits.Get(ctx, "/")
	require.NoError(t, err)
	require.Equal(t, counters.Visits{Page: "/", Number: 3}, *v)
	refusedCounters(t, store, sent)
}

// requireCounted requires one request with one statement, without a timestamp.
func requireCounted(t *testing.T, op, cql string, sent []mapper.Request) {
	t.Helper()
	require.Len(t, sent, 1)
	require.Equal(t, op, sent[0].Op)
	require.Equal(t, "Rating", sent[0].Aggregate)
	require.Zero(t, sent[0].Timestamp)
	require.Equal(t, 1, sent[0].Attempt)
	require.Equal(t, mapper.NoBatch, sent[0].Batch)
	require.Equal(t, cql, sent[0].Statements[0].CQL)
}

func ratings(t *testing.T, rows func(func(*counters.Rating, error) bool)) (out []counters.Rating) {
	t.Helper()
	for r, err := range rows {
		require.NoError(t, err)
		out = append(out, *r)
	}
	return out
}

func refusedCounters(t *testing.T, store *counters.Store, sent *storetest.Requests) {
	ctx := t.Context()
	sent.Drain()
	for _, o := range []mapper.Options{{TTL: time.Hour}, {Timestamp: 1}} {
		const why = "mapper.Options.TTL and Options.Timestamp are not supported for counters"
		require.ErrorContains(t, store.With(o).Visits.Add(ctx, "/", counters.VisitsDelta{Number: 1}), why)
		require.ErrorContains(t, store.With(o).Visits.Delete(ctx, "/"), why)
	}
	var broken *mapper.ConstraintError
	require.ErrorAs(t, store.Visits.Add(ctx, "", counters.VisitsDelta{Number: 1}), &broken)
	require.Equal(t, []mapper.Violation{{Path: "Page", Problem: "is empty, but is in the key"}}, broken.Violations)
	require.ErrorAs(t, store.Visits.Delete(ctx, ""), &broken)
	require.Empty(t, sent.Drain())
}

// untouched requires that a counter that is not added to has no value.
func untouched(t *testing.T, session gocqlx.Session) {
	store, err := counters.Open(t.Context(), session, mapper.Config{})
	require.NoError(t, err)
	require.NoError(t, store.Ratings.Add(t.Context(), film(9), day(1), 1, counters.RatingsDelta{Number: 1}))
	var total, number, sum *int64
	q := session.Session.Query(`SELECT total, number, "sum of stars" FROM ratings WHERE video_id = ?`, film(9))
	require.NoError(t, q.Scan(&total, &number, &sum))
	require.Nil(t, total)
	require.Nil(t, sum)
	require.Equal(t, int64(1), *number)
}

// metadata requires that gocqlx reads with the generated metadata.
func metadata(t *testing.T, session gocqlx.Session) {
	stmt, _ := table.New(counters.VisitsMetadata).Get()
	var page string
	var number int64
	require.NoError(t, session.Session.Query(stmt, "/").Scan(&page, &number))
	require.Equal(t, int64(3), number)
}

// A store does not open on a table whose columns are not counters, or the reverse.
func TestOpenChecksCounters(t *testing.T) {
	t.Parallel()
	session := cassandra.Keyspace(t)
	storetest.Execute(t, session, `CREATE TABLE visits (page text PRIMARY KEY, number bigint);
		CREATE TABLE ratings (video_id uuid, day date, delta int, total counter static, number counter, "sum of stars" counter,
		PRIMARY KEY (video_id, day, delta)) WITH CLUSTERING ORDER BY (day DESC, delta ASC);`)
	_, err := counters.Open(t.Context(), session, mapper.Config{})
	var differs *mapper.SchemaError
	require.ErrorAs(t, err, &differs)
	require.Equal(t, []mapper.SchemaFault{{Table: "visits", Column: "number", Want: "counter", Have: "bigint"}}, differs.Faults)
}
