package integration

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"
	"gopkg.in/inf.v0"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/jobmodel"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/migrate"
)

// jobKeyspace returns a session in a keyspace that has the tables of package jobmodel, and no rows. The test does not
// change them.
func jobKeyspace(t *testing.T) gocqlx.Session {
	t.Helper()
	return sharedTables(t, "jobmodel")
}

// ownJobKeyspace returns a session in a keyspace of the test's own that has the tables of package jobmodel.
func ownJobKeyspace(t *testing.T) gocqlx.Session {
	t.Helper()
	return modelTables(t, "jobmodel")
}

// sharedTables returns a session in a keyspace that has the tables of a model, and no rows. The test does not change them.
func sharedTables(t *testing.T, dir string) gocqlx.Session {
	t.Helper()
	return cassandra.Tables(t, statements(t, schemaFile(t, dir))...)
}

// modelTables returns a session in a keyspace of the test's own that has the tables of a model.
func modelTables(t *testing.T, dir string) gocqlx.Session {
	t.Helper()
	session := cassandra.Keyspace(t)
	execute(t, session, schemaFile(t, dir))
	return session
}

// schemaFile returns the schema.cql of a model.
func schemaFile(t *testing.T, dir string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "schema.cql"))
	require.NoError(t, err)
	return string(text)
}

// statements returns the statements of a text.
func statements(t *testing.T, text string) (out []string) {
	t.Helper()
	split, err := migrate.Split(text)
	require.NoError(t, err)
	for _, s := range split {
		out = append(out, s.Text)
	}
	return out
}

// keyspaceTest is a test that leaves a keyspace as those after it can use it.
type keyspaceTest struct {
	name string
	run  func(*testing.T, gocqlx.Session)
}

// inOneKeyspace runs tests one after the other in one keyspace, because making its tables takes longer than most tests.
func inOneKeyspace(t *testing.T, tests []keyspaceTest) {
	t.Helper()
	inKeyspace(t, jobKeyspace(t), tests)
}

func inKeyspace(t *testing.T, session gocqlx.Session, tests []keyspaceTest) {
	t.Helper()
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { test.run(t, session) })
	}
}

// execute carries out the statements of a text.
func execute(t *testing.T, session gocqlx.Session, text string) {
	t.Helper()
	for _, s := range statements(t, text) {
		require.NoError(t, session.ExecStmt(s), s)
	}
}

func openJobs(t *testing.T, session gocqlx.Session, config mapper.Config) *jobmodel.Store {
	t.Helper()
	store, err := jobmodel.Open(t.Context(), session, config)
	require.NoError(t, err)
	return store
}

// requests is a tracer that keeps what a store sends.
type requests struct {
	mu      sync.Mutex
	sent    []mapper.Request
	results []mapper.Result
}

func (r *requests) Start(ctx context.Context, q mapper.Request) context.Context {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sent = append(r.sent, q)
	return ctx
}

func (r *requests) End(_ context.Context, result mapper.Result) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.results = append(r.results, result)
}

// take returns what was sent since the last call.
func (r *requests) take() []mapper.Request {
	r.mu.Lock()
	defer r.mu.Unlock()
	sent := r.sent
	r.sent, r.results = nil, nil
	return sent
}

// writes are the requests of them that write.
func (r *requests) writes() []mapper.Request {
	return slices.DeleteFunc(r.take(), func(q mapper.Request) bool { return q.Timestamp == 0 })
}

func jobID(last byte) gocql.UUID {
	return gocql.UUID{0x0f, 0x3c, 0x5d, 0x1e, 0x5a, 0x7b, 0x4c, 0x7d, 0x9e, 0x0f, 15: last}
}

func day(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// brakes is a job with a value in every field, and in every element.
func brakes() *jobmodel.Job {
	return &jobmodel.Job{
		Site: "Recife", Year: 2026, Opened: time.Date(2026, 3, 1, 9, 30, 0, 125e6, time.UTC), ID: jobID(1),
		Title: "brakes", Due: day(2026, 3, 9), Hours: 2.5, Budget: inf.NewDec(-12345, 2), Level: new(int32(3)),
		Sketch: []byte{0xca, 0xfe}, Worker: &jobmodel.Person{Name: "Rui", Phone: new("555"), Born: day(1969, 7, 20)},
		Place:  jobmodel.Place{Street: "Rua da Aurora", Door: new(int32(7)), Codes: []string{"a", "b"}},
		Tools:  []jobmodel.Tool{{Serial: "s1", Bought: day(2020, 1, 2), Kind: "jack"}, {Serial: "s2", Bought: day(2021, 1, 2), Kind: "saw"}},
		Parts:  map[string]jobmodel.Part{"disc": {Maker: "Alfa", Price: new(int64(100))}, "pad": {Maker: "Beta"}},
		Tags:   []string{"night", "urgent"},
		Notes:  []string{"noise", "left", "noise"},
		Shifts: map[string][]int8{"mon": {1, -2}, "tue": {}},
	}
}

func insert(t *testing.T, store *jobmodel.Store, jobs ...*jobmodel.Job) {
	t.Helper()
	for _, j := range jobs {
		require.NoError(t, store.Jobs.Insert(t.Context(), j))
	}
}

func update(t *testing.T, store *jobmodel.Store, j *jobmodel.Job, change func(*jobmodel.Job)) *jobmodel.Job {
	t.Helper()
	got, err := tryUpdate(t.Context(), store, j, change)
	require.NoError(t, err)
	return got
}

func tryUpdate(ctx context.Context, store *jobmodel.Store, j *jobmodel.Job, change func(*jobmodel.Job)) (*jobmodel.Job, error) {
	return store.Jobs.Update(ctx, j.Site, j.Year, j.Opened, j.ID, func(j *jobmodel.Job) error { change(j); return nil })
}

func remove(ctx context.Context, store *jobmodel.Store, j *jobmodel.Job) error {
	return store.Jobs.Delete(ctx, j.Site, j.Year, j.Opened, j.ID)
}

func get(ctx context.Context, store *jobmodel.Store, j *jobmodel.Job) (*jobmodel.Job, error) {
	return store.Jobs.Get(ctx, j.Site, j.Year, j.Opened, j.ID)
}

// with returns a copy of a job after a change. What the copy's pointers point to is the original's.
func with(j *jobmodel.Job, change func(*jobmodel.Job)) *jobmodel.Job {
	c := *j
	c.Tools, c.Tags, c.Notes = slices.Clone(j.Tools), slices.Clone(j.Tags), slices.Clone(j.Notes)
	c.Parts, c.Shifts = maps.Clone(j.Parts), maps.Clone(j.Shifts)
	if change != nil {
		change(&c)
	}
	return &c
}

// brakesKey is how messages name the job.
const brakesKey = "site='Recife', year=2026, opened=2026-03-01T09:30:00.125Z, id=0f3c5d1e-5a7b-4c7d-9e0f-000000000001"

var timeUUID = gocql.UUIDFromTime(time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC))
