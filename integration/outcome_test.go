package integration

import (
	"context"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/jobmodel"
	"github.com/cassaml/cassaml/mapper"
)

// lossy is a store of jobs whose server's answers may not arrive.
type lossy struct {
	*testing.T
	session gocqlx.Session // that hears everything
	store   *jobmodel.Store
	network network
	requests
}

func newLossy(t *testing.T, session gocqlx.Session, timeout time.Duration) *lossy {
	t.Helper()
	l := &lossy{T: t, session: session}
	l.store = openJobs(t, behind(t, session, &l.network, timeout), mapper.Config{Tracer: &l.requests})
	return l
}

// Whatever becomes of the answers to a write, the caller learns what is known of it, and the tables stay right.
func TestAnswersThatDoNotArrive(t *testing.T) {
	t.Parallel()
	inOneKeyspace(t, []keyspaceTest{
		{"time-out is repeated", testTimeoutIsRepeated}, {"lost acknowledgement is repeated", testLostAcknowledgementIsRepeated},
		{"unknown outcome", testUnknownOutcome}, {"nothing answers", testNothingAnswers}, {"unknown stays unknown", testUnknownStaysUnknown},
		{"refusal is not repeated", testRefusedWriteIsNotRepeated}, {"cancel after a time-out", testCancelAfterTimeout},
		{"random writes", testRandomTimeouts}, {"time of a call", testTimeOfACall},
	})
}

// operations are the ways to write a job that is brakes before; want is what it is then, nil for none.
var operations = []struct {
	name       string
	fresh      bool // it is not there before
	repeatable bool
	list       bool // it writes the list of the root that is not frozen
	run        func(context.Context, *jobmodel.Store) error
	want       *jobmodel.Job
}{
	{"Insert", true, true, true, func(ctx context.Context, s *jobmodel.Store) error { return s.Jobs.Insert(ctx, brakes()) }, brakes()},
	{"Update", false, false, true, func(ctx context.Context, s *jobmodel.Store) error {
		_, err := tryUpdate(ctx, s, brakes(), func(j *jobmodel.Job) { *j = *altered() })
		return err
	}, altered()},
	{"Change", false, true, true, func(ctx context.Context, s *jobmodel.Store) error {
		return s.Jobs.Change(ctx, brakes(), altered())
	}, altered()},
	{"Change without a list", false, true, false, func(ctx context.Context, s *jobmodel.Store) error {
		return s.Jobs.Change(ctx, brakes(), with(brakes(), retag))
	}, with(brakes(), retag)},
	{"Delete", false, true, false, func(ctx context.Context, s *jobmodel.Store) error { return remove(ctx, s, brakes()) }, nil},
}

// altered is brakes with other copies.
func altered() *jobmodel.Job {
	return with(brakes(), func(j *jobmodel.Job) {
		j.Title, j.Due = "lamps", day(2026, 4, 1)
		j.Notes = []string{"noise", "right"}
		j.Tools = j.Tools[1:]
		delete(j.Parts, "pad")
		retag(j)
	})
}

func retag(j *jobmodel.Job) { j.Tags = []string{"urgent", "paid"} }

// A write whose acknowledgement is a time-out is repeated with its own timestamp, one of a list a little later.
func testTimeoutIsRepeated(t *testing.T, session gocqlx.Session) {
	l := newLossy(t, session, 0)
	for _, op := range operations {
		l.prepare(op.fresh)
		l.network.next(written, writeTimeout("BATCH_LOG"), writeTimeout("BATCH"), overloaded())
		require.NoError(t, op.run(t.Context(), l.store), op.name)
		l.requireAttempts(op.name, 4, op.list)
		l.requireWritten(op.name, op.want)
	}
}

// The same when the acknowledgement does not arrive at all, and the driver gives up waiting.
func testLostAcknowledgementIsRepeated(t *testing.T, session gocqlx.Session) {
	l := newLossy(t, session, 2*time.Second)
	l.prepare(true)
	l.network.next(written, lost)
	insert(t, l.store, brakes())
	l.requireAttempts("Insert", 2, true)
	l.requireWritten("Insert", brakes())
}

// When no attempt is acknowledged, the error says so, and whether to call again.
func testUnknownOutcome(t *testing.T, session gocqlx.Session) {
	l := newLossy(t, session, 0)
	for _, op := range operations {
		l.prepare(op.fresh)
		l.network.every(writeTimeout("BATCH"))
		err := op.run(t.Context(), l.store)
		l.network.every(nil)
		var unknown *mapper.UnknownOutcomeError
		require.ErrorAs(t, err, &unknown, op.name)
		require.Equal(t, op.repeatable, unknown.Repeatable, op.name)
		require.Equal(t, []string{"Job", "jobs", brakesKey}, []string{unknown.Aggregate, unknown.Table, unknown.Key}, op.name)
		var timeout *gocql.RequestErrWriteTimeout
		require.ErrorAs(t, err, &timeout, op.name)
		require.Equal(t, "BATCH", timeout.WriteType)
		l.requireAttempts(op.name, 4, op.list)
		l.requireWritten(op.name, op.want) // it was carried out, as it happens
		if op.repeatable {
			require.NoError(t, op.run(t.Context(), l.store), op.name)
			l.requireWritten(op.name, op.want)
		}
	}
}

// The same when nothing ever arrives: the driver's time-out is in the error.
func testNothingAnswers(t *testing.T, session gocqlx.Session) {
	l := newLossy(t, session, 2*time.Second)
	l.prepare(true)
	l.network.every(lost)
	err := l.store.Jobs.Insert(t.Context(), brakes())
	l.network.every(nil)
	var unknown *mapper.UnknownOutcomeError
	require.ErrorAs(t, err, &unknown)
	require.ErrorIs(t, err, gocql.ErrTimeoutNoResponse)
	require.Contains(t, err.Error(), "Job (jobs "+brakesKey+"): outcome unknown, repeating the call is safe: ")
	l.requireAttempts("Insert", 4, true)
	l.requireWritten("Insert", brakes())
}

// After an attempt that may have been carried out, no later answer makes the outcome known.
func testUnknownStaysUnknown(t *testing.T, session gocqlx.Session) {
	l := newLossy(t, session, 0)
	l.prepare(true)
	l.network.next(written, writeTimeout("BATCH_LOG"), unavailable())
	err := l.store.Jobs.Insert(t.Context(), brakes())
	var unknown *mapper.UnknownOutcomeError
	require.ErrorAs(t, err, &unknown)
	var timeout *gocql.RequestErrWriteTimeout
	require.ErrorAs(t, err, &timeout)
	l.requireAttempts("Insert", 2, true)
}

// What the server refuses is neither repeated nor unknown.
func testRefusedWriteIsNotRepeated(t *testing.T, session gocqlx.Session) {
	l := newLossy(t, session, 0)
	l.prepare(true)
	l.network.next(written, unavailable())
	err := l.store.Jobs.Insert(t.Context(), brakes())
	var refusal *gocql.RequestErrUnavailable
	require.ErrorAs(t, err, &refusal)
	var unknown *mapper.UnknownOutcomeError
	require.NotErrorAs(t, err, &unknown)
	require.ErrorContains(t, err, "mapper: Insert Job (jobs "+brakesKey+"): ")
	l.requireAttempts("Insert", 1, true)
}

// A context that ends between two attempts ends the write; that it may have been carried out is still said.
func testCancelAfterTimeout(t *testing.T, session gocqlx.Session) {
	l := newLossy(t, session, 0)
	l.prepare(true)
	ctx, cancel := context.WithCancel(t.Context())
	store := openJobs(t, l.store.Session(), mapper.Config{Tracer: endFunc(cancel)})
	l.network.every(writeTimeout("BATCH"))
	err := store.Jobs.Insert(ctx, brakes())
	var unknown *mapper.UnknownOutcomeError
	require.ErrorAs(t, err, &unknown)
	l.requireWritten("Insert", brakes())
}

// endFunc is a tracer that is told of the end of a request.
type endFunc func()

func (f endFunc) Start(ctx context.Context, _ mapper.Request) context.Context { return ctx }
func (f endFunc) End(context.Context, mapper.Result)                          { f() }

// A call ends within its time, whatever the time-out of the driver: a write, a read by key, a page, and the wait for a page
// of All.
func testTimeOfACall(t *testing.T, session gocqlx.Session) {
	l := newLossy(t, session, 0)
	l.prepare(true)
	insert(t, l.store, shelf()...)
	ctx, short := t.Context(), l.store.With(mapper.Options{Timeout: 500 * time.Millisecond})
	l.network.every(lost)
	err := short.Jobs.Insert(ctx, brakes())
	l.network.every(nil)
	require.True(t, mapper.OutcomeUnknown(err), err)
	require.True(t, mapper.SafeToRepeat(err))
	require.ErrorIs(t, err, context.DeadlineExceeded)
	l.network.next(rows, lost)
	_, err = get(ctx, short, brakes())
	require.ErrorIs(t, err, context.DeadlineExceeded)
	l.network.next(rows, lost)
	_, err = short.JobsByTitle.Of("shelf").Page(ctx, "")
	require.ErrorIs(t, err, context.DeadlineExceeded)
	l.network.next(rows, nil, lost)
	n, err := failures(t, short.JobsByTitle.Of("shelf").PageSize(4).All(ctx))
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.Equal(t, 4, n)
	execute(t, l.session, "TRUNCATE jobs; TRUNCATE jobs_by_title; TRUNCATE jobs_by_due; TRUNCATE tools_by_serial; TRUNCATE parts_by_number; TRUNCATE jobs_by_tag")
}

// Copies of random writes stay right when acknowledgements are lost at random.
func testRandomTimeouts(t *testing.T, session gocqlx.Session) {
	l := newLossy(t, session, 0)
	l.prepare(true)
	c := newChain(t, l.store)
	for i := range 60 {
		l.network.next(written, pickOne(c.draw, nil, nil, writeTimeout("BATCH")))
		c.step(i)
		requireTables(t, l.session, c.present(), "seed %d, step %d, %s", c.seed, i, c.op)
	}
}

// prepare makes brakes the only job, or makes that there is none.
func (l *lossy) prepare(fresh bool) {
	l.Helper()
	require.NoError(l, remove(l.Context(), l.store, brakes()))
	if !fresh {
		insert(l.T, l.store, brakes())
	}
	l.take()
}

// requireAttempts requires a number of attempts of one write. Their timestamps are the same, except with a list.
func (l *lossy) requireAttempts(op string, n int, list bool) {
	l.Helper()
	writes := l.writes()
	require.Len(l, writes, n, op)
	for i, w := range writes {
		step := int64(0)
		if list {
			step = 2
		}
		require.Equal(l, i+1, w.Attempt, op)
		require.Equal(l, writes[0].Timestamp+int64(i)*step, w.Timestamp, "%s, attempt %d", op, w.Attempt)
		require.Equal(l, writes[0].Statements, w.Statements, op)
	}
}

func (l *lossy) requireWritten(op string, job *jobmodel.Job) {
	l.Helper()
	var jobs []*jobmodel.Job
	if job != nil {
		jobs = append(jobs, job)
	}
	requireTables(l.T, l.session, jobs, op)
}
