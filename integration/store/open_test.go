package store

import (
	"bytes"
	"errors"
	"log/slog"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/models/workshop"
	"github.com/cassaml/cassaml/integration/network"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/integration/suite"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
)

// Open rejects invalid sessions and schemas, and the store repeats some checks while it is open.
func TestOpen(t *testing.T) {
	t.Parallel()
	storetest.InKeyspace(t, storetest.OwnJobKeyspace(t), []storetest.Test{
		{"zero session", testOpenZeroSession}, {"protocol version 3", testOpenProtocol3}, {"wrong clock", testOpenWrongClock},
		{"clock becomes wrong", testClockBecomesWrong}, {"gc_grace_seconds", testOpenShortGrace}, {"default_time_to_live", testDefaultTTL},
		{"downgrading session", testDowngradingSession}, {"replaced table", testReplacedTable},
	})
}

func testOpenZeroSession(t *testing.T, _ gocqlx.Session) {
	const want = "mapper: the session is the zero value: create one with gocqlx.WrapSession"
	_, err := workshop.Open(t.Context(), gocqlx.Session{}, mapper.Config{})
	require.EqualError(t, err, want)
	for _, fill := range workshop.Backfills() {
		require.EqualError(t, fill(t.Context(), gocqldriver.New(gocqlx.Session{}), "", nil), want)
	}
}

// Version 3 of the protocol has no unset values: a write of one column would set all others to null.
func testOpenProtocol3(t *testing.T, session gocqlx.Session) {
	old := cassandra.SessionLike(t, session, func(c *gocql.ClusterConfig) { c.ProtoVersion = 3 })
	const want = "mapper: the session uses version 3 of the native protocol, in which a write cannot leave a column unset: " +
		"set ProtoVersion of the cluster's configuration to 4, or leave it 0"
	_, err := workshop.Open(t.Context(), old, mapper.Config{})
	require.EqualError(t, err, want)
	for _, fill := range workshop.Backfills() {
		require.EqualError(t, fill(t.Context(), gocqldriver.New(old), "", nil), want)
	}
	found := cassandra.SessionLike(t, session, func(c *gocql.ClusterConfig) { c.ProtoVersion = 0 })
	storetest.OpenJobs(t, found, mapper.Config{})
}

// movable is a clock that can be set.
type movable struct{ ahead atomic.Int64 }

func (m *movable) now() time.Time { return time.Now().Add(time.Duration(m.ahead.Load())) }

func (m *movable) set(ahead time.Duration) { m.ahead.Store(int64(ahead)) }

func testOpenWrongClock(t *testing.T, session gocqlx.Session) {
	var clock movable
	config := mapper.Config{Now: clock.now}
	for _, ahead := range []time.Duration{time.Hour, -time.Hour, 5 * time.Second, -5 * time.Second} {
		clock.set(ahead)
		_, err := workshop.Open(t.Context(), session, config)
		var wrong *mapper.ClockError
		require.ErrorAs(t, err, &wrong)
		require.InDelta(t, ahead, wrong.Skew, float64(3*time.Second), "half the round trip is the tolerance")
		require.Equal(t, time.Second, wrong.Limit)
		require.NotEmpty(t, wrong.Host)
	}
	storetest.OpenJobs(t, session, mapper.Config{Now: clock.now, MaxClockSkew: -1})
	storetest.OpenJobs(t, session, mapper.Config{Now: clock.now, MaxClockSkew: time.Hour})
	clock.set(0)
	storetest.OpenJobs(t, session, config)
}

// untilWrites writes until a function accepts the result. It has no time limit of its own: on a loaded machine a check of the
// clock can remain without an answer, and is repeated.
func untilWrites(t *testing.T, store *workshop.Store, end func(error) bool) {
	t.Helper()
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for !end(store.Samples.Insert(t.Context(), &workshop.Sample{ID: 1, Text: "a"})) {
		<-again.C
	}
}

func testClockBecomesWrong(t *testing.T, session gocqlx.Session) {
	var clock movable
	store := storetest.OpenJobs(t, session, mapper.Config{Now: clock.now})
	require.NoError(t, store.Samples.Insert(t.Context(), &workshop.Sample{ID: 1}))
	clock.set(-time.Hour)
	untilWrites(t, store, func(err error) bool {
		_, wrong := errors.AsType[*mapper.ClockError](err)
		require.True(t, wrong || err == nil, err)
		return wrong
	})
	_, err := store.Samples.Get(t.Context(), 1)
	require.NoError(t, err, "reads continue")
	clock.set(0)
	untilWrites(t, store, func(err error) bool { return err == nil })
	storetest.Execute(t, session, "TRUNCATE samples")
}

// A batch that is older than gc_grace_seconds is not replayed. Tables without copies are not written in batches.
func testOpenShortGrace(t *testing.T, session gocqlx.Session) {
	storetest.Execute(t, session, "ALTER TABLE samples WITH gc_grace_seconds = 0; ALTER TABLE jobs WITH gc_grace_seconds = 3599; ALTER TABLE jobs_by_tag WITH gc_grace_seconds = 3600")
	_, err := workshop.Open(t.Context(), session, mapper.Config{})
	require.EqualError(t, err, "mapper: keyspace "+session.Query("", nil).Keyspace()+
		": gc_grace_seconds of table jobs is 3599, not at least 3600: a batch that is older is not replayed")
	var schema *mapper.SchemaError
	require.ErrorAs(t, err, &schema)
	storetest.Execute(t, session, "ALTER TABLE jobs WITH gc_grace_seconds = 3600")
	storetest.OpenJobs(t, session, mapper.Config{})
}

// Without a TTL in the model nothing expires, even if the table has a default TTL: every INSERT and UPDATE binds its TTL.
func testDefaultTTL(t *testing.T, session gocqlx.Session) {
	storetest.Execute(t, session, "ALTER TABLE jobs WITH default_time_to_live = 1000; ALTER TABLE jobs_by_title WITH default_time_to_live = 1000")
	var log bytes.Buffer
	store := storetest.OpenJobs(t, session, mapper.Config{Logger: slog.New(slog.NewTextHandler(&log, nil))})
	require.Contains(t, log.String(), "default_time_to_live of table jobs is 1000, not 0, default_time_to_live of table jobs_by_title is 1000, not 0")
	storetest.InsertJobs(t, store, storetest.Brakes())
	storetest.UpdateJob(t, store, storetest.Brakes(), func(j *workshop.Job) {
		j.Hours, j.Worker.Born, j.Tags = 7, storetest.Date(1980, 1, 1), []string{"urgent", "paid"}
		j.Parts["pad"] = workshop.Part{Maker: "Beta"}
	})
	for table, columns := range map[string][]string{"jobs": {"title", "hours", "worker", "parts", "tags"}, "jobs_by_title": {"level", "worker", "parts", "tags"}} {
		for _, c := range columns {
			row := map[string]any{}
			require.NoError(t, session.Session.Query("SELECT TTL("+c+") AS left FROM "+table).MapScan(row))
			switch left := row["left"].(type) {
			case int:
				require.Zero(t, left, "%s.%s", table, c)
			case []int:
				require.NotEmpty(t, left)
				require.Zero(t, slices.Max(left), "%s.%s", table, c)
			default:
				t.Errorf("TTL(%s) is %T", c, left)
			}
		}
	}
	storetest.Execute(t, session, "ALTER TABLE jobs WITH default_time_to_live = 0; ALTER TABLE jobs_by_title WITH default_time_to_live = 0")
	require.NoError(t, storetest.DeleteJob(t.Context(), store, storetest.Brakes()))
}

// The retry policy of a session is not used: this one would repeat a read at ONE if the quorum does not answer.
func testDowngradingSession(t *testing.T, session gocqlx.Session) {
	var n network.Dialer
	policy := &countingPolicy{DowngradingConsistencyRetryPolicy: gocql.DowngradingConsistencyRetryPolicy{ConsistencyLevelsToTry: []gocql.Consistency{gocql.One}}}
	down := cassandra.SessionLike(t, session, func(c *gocql.ClusterConfig) { c.Dialer, c.RetryPolicy = &n, policy })
	store := storetest.OpenJobs(t, down, mapper.Config{})
	require.NoError(t, store.Samples.Insert(t.Context(), &workshop.Sample{ID: 1, Text: "a"}))
	_, err := store.Samples.Get(t.Context(), 1)
	require.NoError(t, err)
	n.Next(network.Rows, network.ReadTimeout())
	_, err = store.Samples.Get(t.Context(), 1)
	require.NoError(t, err, "the store repeats the read of one row")
	n.Next(network.Rows, network.ReadTimeout())
	_, err = store.JobsByTitle.Of("x").Page(t.Context(), "")
	code, _ := driver.Code(err)
	require.Equal(t, driver.CodeReadTimeout, code)
	n.Next(network.Rows, network.ReadTimeout())
	_, err = storetest.Failures(t, store.JobsByTitle.Of("x").All(t.Context()))
	code, _ = driver.Code(err)
	require.Equal(t, driver.CodeReadTimeout, code)
	require.Zero(t, policy.asked.Load(), "no request of a store uses the session's policy")
	storetest.Execute(t, session, "TRUNCATE samples")
}

// countingPolicy counts its calls.
type countingPolicy struct {
	gocql.DowngradingConsistencyRetryPolicy
	asked atomic.Int32
}

func (p *countingPolicy) GetRetryType(err error) gocql.RetryType {
	p.asked.Add(1)
	return p.DowngradingConsistencyRetryPolicy.GetRetryType(err)
}

// A table that was dropped and created again under an open store is not written. A jump of the clock causes the check.
func testReplacedTable(t *testing.T, session gocqlx.Session) {
	var clock movable
	store := storetest.OpenJobs(t, session, mapper.Config{Now: clock.now})
	storetest.Execute(t, session, "DROP TABLE jobs_by_tag; CREATE TABLE jobs_by_tag (tag text, site text, year smallint, opened timestamp, id uuid, title text, PRIMARY KEY (tag, site, year, opened, id))")
	clock.set(-5 * time.Second)
	untilWrites(t, store, func(error) bool {
		schema, replaced := errors.AsType[*mapper.SchemaError](store.Jobs.Insert(t.Context(), storetest.Brakes()))
		if replaced {
			require.ErrorContains(t, schema, "id of table jobs_by_tag is ")
			require.ErrorContains(t, schema, " as when the store was opened: open it again")
		}
		return replaced
	})
	require.NoError(t, storetest.OpenJobs(t, session, mapper.Config{}).Jobs.Insert(t.Context(), storetest.Brakes()))
}

func TestMain(m *testing.M) { suite.Main(m) }
