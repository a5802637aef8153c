package gen_test

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/gen"
	"github.com/cassaml/cassaml/mapper/memory"
)

// Visits is what a table of counters has: Total is static.
type Visits struct {
	Site               string
	Day                int32
	Total, Views, Time int64
}

var visitsTable = &gen.Table{
	Name: "visits", Aggregate: "Visits", Partition: 1, Key: 2,
	Add:    "UPDATE visits SET total = total + ?, views = views + ?, time = time + ? WHERE site = ? AND day = ?",
	Delete: "DELETE FROM visits WHERE site = ? AND day = ?",
	Select: "SELECT site, day, total, views, time FROM visits", Get: "SELECT site, day, total, views, time FROM visits WHERE site = ? AND day = ?",
	Columns: []gen.Column{
		{Name: "site", CQL: "site", Field: "Site", Kind: gen.PartitionKey, Type: "text"},
		{Name: "day", CQL: "day", Field: "Day", Kind: gen.ClusteringKey, Type: "int"},
		{Name: "total", CQL: "total", Field: "Total", Kind: gen.Static, Type: "counter"},
		{Name: "views", CQL: "views", Field: "Views", Kind: gen.Regular, Type: "counter"},
		{Name: "time", CQL: "time", Field: "Time", Kind: gen.Regular, Type: "counter"},
	},
}

var visitsCodec = &gen.Codec[Visits]{Table: visitsTable, Decode: func(d *gen.Decoder, v *Visits) {
	v.Site, v.Day, v.Total, v.Views, v.Time = d.Text(), d.Int(), d.Bigint(), d.Bigint(), d.Bigint()
}}

// counting is a store of visits on a backend in memory.
type counting struct {
	*testing.T
	*memory.Backend
	db       *gen.DB
	requests []mapper.Request
}

func (c *counting) Start(ctx context.Context, r mapper.Request) context.Context {
	c.requests = append(c.requests, r)
	return ctx
}

func (c *counting) End(context.Context, mapper.RequestResult) {}

func newCounting(t *testing.T) *counting {
	c := &counting{T: t, Backend: memory.New(memory.Config{})}
	var err error
	c.db, err = gen.OpenBackend(t.Context(), c.Backend, &gen.Schema{Tables: []*gen.Table{visitsTable}}, mapper.Config{Tracer: c})
	require.NoError(t, err)
	return c
}

func visitsKey(site string, day int32) *gen.Encoder {
	k := gen.NewKey()
	k.Text(site)
	k.Int(day)
	return k
}

func (c *counting) with(o mapper.Options) gen.Counters[Visits] {
	return gen.NewCounters(c.db.With(o), visitsCodec)
}

func (c *counting) add(day int32, deltas ...int64) error {
	return gen.Add(c.Context(), c.with(mapper.Options{}), visitsKey("a", day), deltas...)
}

func (c *counting) requireRow(want Visits) {
	c.Helper()
	v, err := gen.Get(c.Context(), c.with(mapper.Options{}).Reader, visitsKey(want.Site, want.Day))
	require.NoError(c, err)
	require.Equal(c, want, *v)
}

// take returns the requests since the last call.
func (c *counting) take() []mapper.Request {
	sent := c.requests
	c.requests = nil
	return sent
}

// Counters grow by the deltas, those with 0 are not written, and a sum wraps around.
func TestAddToCounters(t *testing.T) {
	c := newCounting(t)
	require.NoError(t, c.add(1, 0, 1, math.MaxInt64))
	require.NoError(t, c.add(1, 0, 2, 1))
	require.NoError(t, c.add(2, 5, 0, -4))
	require.Len(t, c.take(), 3)
	c.requireRow(Visits{"a", 1, 5, 3, math.MinInt64})
	c.requireRow(Visits{"a", 2, 5, 0, -4})
	var columns []string
	cells, err := c.Cells("visits")
	require.NoError(t, err)
	for _, x := range cells {
		columns = append(columns, x.Key+" "+x.Column)
	}
	require.Equal(t, []string{"site='a' total", "site='a', day=1 views", "site='a', day=1 time", "site='a', day=2 time"}, columns)

	require.NoError(t, c.add(3, 7, 0, 0))
	_, err = gen.Get(t.Context(), c.with(mapper.Options{}).Reader, visitsKey("a", 3))
	require.ErrorIs(t, err, mapper.ErrNotFound, "a static counter makes no row")
	c.take()
	require.NoError(t, c.add(3, 0, 0, 0))
	require.Empty(t, c.take(), "nothing to add")
}

// A deletion leaves the static counters. The backend refuses to add to a deleted counter, unlike a server, which returns a sum that
// depends on its caches.
func TestDeleteCounters(t *testing.T) {
	c := newCounting(t)
	require.NoError(t, c.add(1, 1, 1, 0))
	require.NoError(t, c.add(2, 1, 1, 0))
	remove := func(day int32) {
		require.NoError(t, gen.DeleteCounters(t.Context(), c.with(mapper.Options{}), visitsKey("a", day)))
	}
	remove(1)
	remove(3)
	_, err := gen.Get(t.Context(), c.with(mapper.Options{}).Reader, visitsKey("a", 1))
	require.ErrorIs(t, err, mapper.ErrNotFound)
	c.requireRow(Visits{"a", 2, 2, 1, 0})
	require.ErrorContains(t, c.add(1, 0, 1, 0), "mapper: Add Visits (visits site='a', day=1): memory: views of table visits was deleted")
	require.NoError(t, c.add(1, 3, 0, 0), "the static counter was not deleted")
	require.NoError(t, c.add(3, 0, 1, 0), "there was no counter to delete")
	c.requireRow(Visits{"a", 3, 5, 1, 0})
}

// A write of counters with options that it cannot have, or with a key that Cassandra cannot store, sends nothing.
func TestRefusedCounters(t *testing.T) {
	c := newCounting(t)
	for _, o := range []mapper.Options{{TTL: time.Hour}, {Timestamp: 1}, {Serial: true}, {Verified: true}, {TTL: -1}} {
		require.ErrorContains(t, gen.Add(t.Context(), c.with(o), visitsKey("a", 1), 1, 1, 1), "mapper: Add Visits (visits")
		require.ErrorContains(t, gen.DeleteCounters(t.Context(), c.with(o), visitsKey("a", 1)), "mapper: Delete Visits (visits")
	}
	require.ErrorContains(t, gen.Add(t.Context(), c.with(mapper.Options{TTL: time.Hour}), visitsKey("a", 1), 1, 1, 1),
		"mapper.Options.TTL and Options.Timestamp are not supported for counters")
	for _, k := range []*gen.Encoder{visitsKey("", 1), visitsKey("\xff", 1)} {
		var broken *mapper.ConstraintError
		require.ErrorAs(t, gen.Add(t.Context(), c.with(mapper.Options{}), k, 0, 0, 0), &broken)
		require.Equal(t, "Site", broken.Violations[0].Path)
		require.ErrorAs(t, gen.DeleteCounters(t.Context(), c.with(mapper.Options{}), k), &broken)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, gen.Add(ctx, c.with(mapper.Options{}), visitsKey("a", 1), 1, 1, 1), context.Canceled)
	require.Empty(t, c.requests)
}

// An Add is sent once, unless it was certainly not sent. A Delete is repeated.
func TestUnknownOutcomeOfCounters(t *testing.T) {
	for _, test := range []struct {
		outcome      memory.Outcome
		adds, delete int // attempts
		unknown      bool
		views        int64
	}{
		{memory.LostAnswer, 1, 4, true, 2}, {memory.LostRequest, 1, 4, true, 1}, {memory.NotSent, 4, 4, false, 1}, {memory.Refused, 1, 1, false, 1},
	} {
		t.Run(test.outcome.String(), func(t *testing.T) {
			c := newCounting(t)
			require.NoError(t, c.add(1, 0, 1, 0))
			c.Intercept(func(memory.Request) memory.Outcome { return test.outcome })
			c.take()
			err := c.add(1, 0, 1, 0)
			require.Error(t, err)
			require.Equal(t, test.unknown, mapper.OutcomeUnknown(err))
			require.NotEqual(t, test.unknown, mapper.SafeToRepeat(err))
			sent := c.take()
			require.Len(t, sent, test.adds)
			require.Equal(t, mapper.Request{Op: "Add", Aggregate: "Visits", Consistency: sent[0].Consistency, Attempt: 1, Partitions: 1,
				Statements: []mapper.Statement{{CQL: visitsTable.Add, Table: "visits", Bytes: 82}}}, sent[0])
			c.Intercept(nil)
			c.requireRow(Visits{"a", 1, 0, test.views, 0})

			c.Intercept(func(memory.Request) memory.Outcome { return test.outcome })
			c.take()
			err = gen.DeleteCounters(t.Context(), c.with(mapper.Options{}), visitsKey("a", 1))
			require.Equal(t, test.unknown, mapper.OutcomeUnknown(err))
			require.True(t, mapper.SafeToRepeat(err))
			require.Len(t, c.take(), test.delete)
		})
	}
}
