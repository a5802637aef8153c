package faults

import (
	"context"
	"testing"
	"time"

	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/workshop"
	"github.com/cassaml/cassaml/integration/network"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver"
)

// If answers to a write are lost or replaced, the error describes the outcome, and the tables stay consistent.
func TestAnswersThatDoNotArrive(t *testing.T) {
	t.Parallel()
	storetest.InOneKeyspace(t, []storetest.Test{
		{"time-out is repeated", testTimeoutIsRepeated}, {"lost acknowledgement is repeated", testLostAcknowledgementIsRepeated},
		{"unknown outcome", testUnknownOutcome}, {"no answers", testNoAnswers}, {"unknown stays unknown", testUnknownStaysUnknown},
		{"a rejected write is not repeated", testRefusedWriteIsNotRepeated}, {"cancel after a time-out", testCancelAfterTimeout},
		{"random writes", testRandomTimeouts}, {"time of a call", testTimeOfACall},
	})
}

// operations are the ways to write a job that is Brakes before. want is the job afterwards, nil for none.
var operations = []struct {
	name       string
	fresh      bool // it does not exist before
	repeatable bool
	list       bool // it writes the root's list that is not frozen
	run        func(context.Context, *workshop.Store) error
	want       *workshop.Job
}{
	{"Insert", true, true, true, func(ctx context.Context, s *workshop.Store) error { return s.Jobs.Insert(ctx, storetest.Brakes()) }, storetest.Brakes()},
	{"Update", false, false, true, func(ctx context.Context, s *workshop.Store) error {
		_, err := storetest.TryUpdateJob(ctx, s, storetest.Brakes(), func(j *workshop.Job) { *j = *altered() })
		return err
	}, altered()},
	{"Change", false, true, true, func(ctx context.Context, s *workshop.Store) error {
		return s.Jobs.Change(ctx, storetest.Brakes(), altered())
	}, altered()},
	{"Change without a list", false, true, false, func(ctx context.Context, s *workshop.Store) error {
		return s.Jobs.Change(ctx, storetest.Brakes(), storetest.Changed(storetest.Brakes(), retag))
	}, storetest.Changed(storetest.Brakes(), retag)},
	{"Delete", false, true, false, func(ctx context.Context, s *workshop.Store) error {
		return storetest.DeleteJob(ctx, s, storetest.Brakes())
	}, nil},
}

// altered returns Brakes with other copies.
func altered() *workshop.Job {
	return storetest.Changed(storetest.Brakes(), func(j *workshop.Job) {
		j.Title, j.Due = "lamps", storetest.Date(2026, 4, 1)
		j.Notes = []string{"noise", "right"}
		j.Tools = j.Tools[1:]
		delete(j.Parts, "pad")
		retag(j)
	})
}

func retag(j *workshop.Job) { j.Tags = []string{"urgent", "paid"} }

// A write whose acknowledgement is a time-out is repeated with the same timestamp. The timestamp of a write of a list is
// slightly later.
func testTimeoutIsRepeated(t *testing.T, session gocqlx.Session) {
	l := storetest.NewLossy(t, session, 0)
	for _, op := range operations {
		l.Prepare(op.fresh)
		l.Network.Next(network.Written, network.WriteTimeout("BATCH_LOG"), network.WriteTimeout("BATCH"), network.Overloaded())
		require.NoError(t, op.run(t.Context(), l.Store), op.name)
		l.RequireAttempts(op.name, 4, op.list)
		l.RequireWritten(op.name, op.want)
	}
}

// The same if the acknowledgement does not arrive before the time-out of the driver.
func testLostAcknowledgementIsRepeated(t *testing.T, session gocqlx.Session) {
	l := storetest.NewLossy(t, session, 2*time.Second)
	l.Prepare(true)
	l.Network.Next(network.Written, network.Lost)
	storetest.InsertJobs(t, l.Store, storetest.Brakes())
	l.RequireAttempts("Insert", 2, true)
	l.RequireWritten("Insert", storetest.Brakes())
}

// If no attempt is acknowledged, the error reports it, and whether the call can be repeated.
func testUnknownOutcome(t *testing.T, session gocqlx.Session) {
	l := storetest.NewLossy(t, session, 0)
	for _, op := range operations {
		l.Prepare(op.fresh)
		l.Network.Every(network.WriteTimeout("BATCH"))
		err := op.run(t.Context(), l.Store)
		l.Network.Every(nil)
		var unknown *mapper.UnknownOutcomeError
		require.ErrorAs(t, err, &unknown, op.name)
		require.Equal(t, op.repeatable, unknown.Repeatable, op.name)
		require.Equal(t, []string{"Job", "jobs", storetest.BrakesKey}, []string{unknown.Aggregate, unknown.Table, unknown.Key}, op.name)
		requireCode(t, driver.CodeWriteTimeout, err)
		l.RequireAttempts(op.name, 4, op.list)
		l.RequireWritten(op.name, op.want) // in this test the write was executed
		if op.repeatable {
			require.NoError(t, op.run(t.Context(), l.Store), op.name)
			l.RequireWritten(op.name, op.want)
		}
	}
}

// requireCode requires that an error contains a code of the server.
func requireCode(t *testing.T, want int, err error) {
	t.Helper()
	code, ok := driver.Code(err)
	require.True(t, ok, "%v", err)
	require.Equal(t, want, code)
}

// The same if no answer arrives: the error contains the time-out of the driver.
func testNoAnswers(t *testing.T, session gocqlx.Session) {
	l := storetest.NewLossy(t, session, 2*time.Second)
	l.Prepare(true)
	l.Network.Every(network.Lost)
	err := l.Store.Jobs.Insert(t.Context(), storetest.Brakes())
	l.Network.Every(nil)
	var unknown *mapper.UnknownOutcomeError
	require.ErrorAs(t, err, &unknown)
	var silent *driver.Error
	require.ErrorAs(t, err, &silent)
	require.Equal(t, driver.NoAnswer, silent.Class)
	require.Contains(t, err.Error(), "Job (jobs "+storetest.BrakesKey+"): outcome unknown, repeating the call is safe: ")
	l.RequireAttempts("Insert", 4, true)
	l.RequireWritten("Insert", storetest.Brakes())
}

// After an attempt with an unknown outcome, a later answer does not make the outcome known.
func testUnknownStaysUnknown(t *testing.T, session gocqlx.Session) {
	l := storetest.NewLossy(t, session, 0)
	l.Prepare(true)
	l.Network.Next(network.Written, network.WriteTimeout("BATCH_LOG"), network.Unavailable())
	err := l.Store.Jobs.Insert(t.Context(), storetest.Brakes())
	var unknown *mapper.UnknownOutcomeError
	require.ErrorAs(t, err, &unknown)
	requireCode(t, driver.CodeWriteTimeout, err)
	l.RequireAttempts("Insert", 2, true)
}

// A write that the server rejects is not repeated, and its outcome is known.
func testRefusedWriteIsNotRepeated(t *testing.T, session gocqlx.Session) {
	l := storetest.NewLossy(t, session, 0)
	l.Prepare(true)
	l.Network.Next(network.Written, network.Unavailable())
	err := l.Store.Jobs.Insert(t.Context(), storetest.Brakes())
	requireCode(t, driver.CodeUnavailable, err)
	var unknown *mapper.UnknownOutcomeError
	require.NotErrorAs(t, err, &unknown)
	require.ErrorContains(t, err, "mapper: Insert Job (jobs "+storetest.BrakesKey+"): ")
	l.RequireAttempts("Insert", 1, true)
}

// A context that ends between two attempts ends the write. The error still reports that the outcome is unknown.
func testCancelAfterTimeout(t *testing.T, session gocqlx.Session) {
	l := storetest.NewLossy(t, session, 0)
	l.Prepare(true)
	ctx, cancel := context.WithCancel(t.Context())
	store := storetest.OpenJobs(t, l.Store.Session(), mapper.Config{Tracer: endFunc(cancel)})
	l.Network.Every(network.WriteTimeout("BATCH"))
	err := store.Jobs.Insert(ctx, storetest.Brakes())
	var unknown *mapper.UnknownOutcomeError
	require.ErrorAs(t, err, &unknown)
	l.RequireWritten("Insert", storetest.Brakes())
}

// endFunc is a tracer that is called at the end of a request.
type endFunc func()

func (f endFunc) Start(ctx context.Context, _ mapper.Request) context.Context { return ctx }
func (f endFunc) End(context.Context, mapper.RequestResult)                   { f() }

// A call ends within its time-out, whatever the time-out of the driver: a write, a read by key, a page, and the wait for a
// page of All.
func testTimeOfACall(t *testing.T, session gocqlx.Session) {
	l := storetest.NewLossy(t, session, 0)
	l.Prepare(true)
	storetest.InsertJobs(t, l.Store, storetest.Shelf()...)
	ctx, short := t.Context(), l.Store.With(mapper.Options{Timeout: 2 * time.Second})
	l.Network.Every(network.Lost)
	err := short.Jobs.Insert(ctx, storetest.Brakes())
	l.Network.Every(nil)
	require.True(t, mapper.OutcomeUnknown(err), err)
	require.True(t, mapper.SafeToRepeat(err))
	require.ErrorIs(t, err, context.DeadlineExceeded)
	l.Network.Next(network.Rows, network.Lost)
	_, err = storetest.GetJob(ctx, short, storetest.Brakes())
	require.ErrorIs(t, err, context.DeadlineExceeded)
	l.Network.Next(network.Rows, network.Lost)
	_, err = short.JobsByTitle.Of("shelf").Page(ctx, "")
	require.ErrorIs(t, err, context.DeadlineExceeded)
	l.Network.Next(network.Rows, nil, network.Lost)
	n, err := storetest.Failures(t, short.JobsByTitle.Of("shelf").PageSize(4).All(ctx))
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.Equal(t, 4, n)
	storetest.Execute(t, l.Session, "TRUNCATE jobs; TRUNCATE jobs_by_title; TRUNCATE jobs_by_due; TRUNCATE tools_by_serial; TRUNCATE parts_by_number; TRUNCATE jobs_by_tag")
}

// Copies of random writes stay consistent when acknowledgements are lost at random.
func testRandomTimeouts(t *testing.T, session gocqlx.Session) {
	l := storetest.NewLossy(t, session, 0)
	l.Prepare(true)
	c := storetest.NewChain(t, l.Store)
	for i := range 60 {
		l.Network.Next(network.Written, storetest.PickOne(c.Draw, nil, nil, network.WriteTimeout("BATCH")))
		c.Step(i)
		storetest.RequireTables(t, l.Session, c.Present(), "seed %d, step %d, %s", c.Seed, i, c.Op)
	}
}
