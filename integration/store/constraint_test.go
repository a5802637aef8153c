package store

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/workshop"
	"github.com/cassaml/cassaml/integration/network"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/integration/suite"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver"
)

// Invalid reads and writes return an error and change nothing.
func TestRefusals(t *testing.T) {
	t.Parallel()
	storetest.InOneKeyspace(t, []storetest.Test{
		{"constraints", testConstraints}, {"identifier", testIdentifierCannotChange}, {"keys", testInvalidKeys},
		{"not found", testNotFound}, {"error of the update function", testErrorOfUpdateFunction}, {"cancelled context", testCancelledContext},
		{"closed session", testClosedSession}, {"queries", testInvalidQueries},
		{"open", testOpenErrors},
	})
}

// Insert, Change and Update reject an invalid value with all of its faults, and write nothing.
func testConstraints(t *testing.T, session gocqlx.Session) {
	sent := &storetest.Requests{}
	store := storetest.OpenJobs(t, session, mapper.Config{Tracer: sent})
	storetest.InsertJobs(t, store, storetest.Brakes())
	sent.Drain()
	for _, c := range []struct {
		name   string
		change func(*workshop.Job)
		faults []mapper.Violation
	}{
		{"required", func(j *workshop.Job) {
			j.Title = ""
			j.Tools[1].Serial = ""
			j.Parts = map[string]workshop.Part{"disc": {}}
		}, []mapper.Violation{
			{Path: "Title", Problem: "is required"},
			{Path: "Tools[1].Serial", Problem: "is required"},
			{Path: `Parts["disc"].Maker`, Problem: "is required"},
			{Path: "Title", Problem: "is empty, but is in the key of jobs_by_title"},
			{Path: "Tools[1]", Problem: "implies a row of tools_by_serial whose key serial is empty"},
		}},
		{"a null in the key of a copy", func(j *workshop.Job) { j.Due = time.Time{} },
			[]mapper.Violation{{Path: "Due", Problem: "is null, but is in the key of jobs_by_due"}}},
		{"a null in the key of an element's copy", func(j *workshop.Job) { j.Tools[0].Bought = time.Time{} },
			[]mapper.Violation{{Path: "Tools[0]", Problem: "implies a row of tools_by_serial whose key bought is null"}}},
		{"an empty text as the only partition key of a copy", func(j *workshop.Job) {
			j.Tags = append(j.Tags, "")
			j.Parts = map[string]workshop.Part{"": {Maker: "Alfa"}}
		}, []mapper.Violation{
			{Path: `Parts[""]`, Problem: "implies a row of parts_by_number whose key number is empty"},
			{Path: `Tags[""]`, Problem: "implies a row of jobs_by_tag whose key tag is empty"},
		}},
		{"two elements with one key", func(j *workshop.Job) {
			j.Tools = append(j.Tools, workshop.Tool{Serial: "s1", Bought: storetest.Date(2020, 1, 2), Kind: "other"})
		}, []mapper.Violation{{Path: "Tools[2]", Problem: "and Tools[0] imply different rows of tools_by_serial with the key serial='s1', bought=2020-01-02"}}},
		{"invalid UTF-8", func(j *workshop.Job) { j.Notes = []string{"fine", "br\xffken"} },
			[]mapper.Violation{{Path: "Notes[1]", Problem: "is not valid UTF-8"}}},
		{"two equal elements of a set", func(j *workshop.Job) { j.Tags = []string{"a", "b", "a"} },
			[]mapper.Violation{{Path: "Tags", Problem: "holds two equal elements"}}},
		{"an invalid text and a missing required value", func(j *workshop.Job) { j.Title, j.Notes = "", []string{"\xff"} },
			[]mapper.Violation{{Path: "Title", Problem: "is required"}, {Path: "Notes[0]", Problem: "is not valid UTF-8"}}},
	} {
		bad := storetest.Changed(storetest.Brakes(), c.change)
		for op, write := range map[string]func() error{
			"Insert": func() error { return store.Jobs.Insert(t.Context(), bad) },
			"Change": func() error { return store.Jobs.Change(t.Context(), storetest.Brakes(), bad) },
			"Update": func() error {
				_, err := storetest.TryUpdateJob(t.Context(), store, bad, func(j *workshop.Job) { *j = *bad })
				return err
			},
		} {
			err := write()
			var constraint *mapper.ConstraintError
			require.ErrorAs(t, err, &constraint, "%s, %s", op, c.name)
			require.Equal(t, c.faults, constraint.Violations, "%s, %s", op, c.name)
			require.Equal(t, []string{op, "Job", "jobs"}, []string{constraint.Operation, constraint.Aggregate, constraint.Table}, c.name)
			require.ErrorContains(t, err, "mapper: "+op+" Job (jobs")
			require.Empty(t, sent.Writes(), "%s, %s", op, c.name)
		}
	}
	storetest.RequireTables(t, session, []*workshop.Job{storetest.Brakes()})
}

// The primary key of an aggregate cannot change.
func testIdentifierCannotChange(t *testing.T, session gocqlx.Session) {
	sent := &storetest.Requests{}
	store := storetest.OpenJobs(t, session, mapper.Config{Tracer: sent})
	storetest.InsertJobs(t, store, storetest.Brakes())
	sent.Drain()
	for _, change := range []func(*workshop.Job){
		func(j *workshop.Job) { j.Site = "Olinda" },
		func(j *workshop.Job) { j.Year++ },
		func(j *workshop.Job) { j.Opened = j.Opened.Add(time.Millisecond) },
		func(j *workshop.Job) { j.ID = storetest.JobID(2) },
	} {
		_, err := storetest.TryUpdateJob(t.Context(), store, storetest.Brakes(), change)
		require.EqualError(t, err, "mapper: Update Job (jobs "+storetest.BrakesKey+"): the primary key of an aggregate cannot change: insert the value under its new key and delete the old one")
		err = store.Jobs.Change(t.Context(), storetest.Brakes(), storetest.Changed(storetest.Brakes(), change))
		require.EqualError(t, err, "mapper: Change Job (jobs "+storetest.BrakesKey+"): the primary key of an aggregate cannot change: insert the value under its new key and delete the old one")
	}
	require.Empty(t, sent.Writes())
	storetest.RequireTables(t, session, []*workshop.Job{storetest.Brakes()})
}

// An invalid key is rejected before a request is sent.
func testInvalidKeys(t *testing.T, session gocqlx.Session) {
	sent := &storetest.Requests{}
	store := storetest.OpenJobs(t, session, mapper.Config{Tracer: sent})
	noTime := storetest.Changed(storetest.Brakes(), func(j *workshop.Job) { j.Opened = time.Time{} })
	noText := storetest.Changed(storetest.Brakes(), func(j *workshop.Job) { j.Site = "\xff" })
	_, byGet := storetest.GetJob(t.Context(), store, noTime)
	_, byUpdate := storetest.TryUpdateJob(t.Context(), store, noTime, func(*workshop.Job) {})
	_, notText := storetest.GetJob(t.Context(), store, noText)
	_, empty := store.JobsByTag.Get(t.Context(), "", "Recife", 2026, storetest.Brakes().Opened, storetest.JobID(1))
	for _, c := range []struct {
		err  error
		want mapper.Violation
	}{
		{byGet, mapper.Violation{Path: "Opened", Problem: "is null, but is in the key"}},
		{byUpdate, mapper.Violation{Path: "Opened", Problem: "is null, but is in the key"}},
		{storetest.DeleteJob(t.Context(), store, noTime), mapper.Violation{Path: "Opened", Problem: "is null, but is in the key"}},
		{store.Jobs.Insert(t.Context(), noTime), mapper.Violation{Path: "Opened", Problem: "is null, but is in the key"}},
		{notText, mapper.Violation{Path: "Site", Problem: "is not valid UTF-8"}},
		{empty, mapper.Violation{Path: "Tag", Problem: "is empty, but is in the key"}},
	} {
		var constraint *mapper.ConstraintError
		require.ErrorAs(t, c.err, &constraint)
		require.Contains(t, constraint.Violations, c.want)
	}
	require.Empty(t, sent.Drain())
}

func testNotFound(t *testing.T, session gocqlx.Session) {
	store := storetest.OpenJobs(t, session, mapper.Config{})
	missing := storetest.Changed(storetest.Brakes(), func(j *workshop.Job) { j.ID = storetest.JobID(2) })
	key := strings.TrimSuffix(storetest.BrakesKey, "1") + "2"
	_, err := storetest.GetJob(t.Context(), store, missing)
	require.ErrorIs(t, err, mapper.ErrNotFound)
	require.EqualError(t, err, "mapper: Get Job (jobs "+key+"): not found")
	_, err = storetest.TryUpdateJob(t.Context(), store, missing, func(*workshop.Job) { t.Error("there is nothing to update") })
	require.ErrorIs(t, err, mapper.ErrNotFound)
	require.EqualError(t, err, "mapper: Update Job (jobs "+key+"): not found")
	_, err = store.JobsByTag.Get(t.Context(), "night", "Recife", 2026, storetest.Brakes().Opened, missing.ID)
	require.ErrorIs(t, err, mapper.ErrNotFound)
	require.ErrorContains(t, err, "mapper: Get JobByTag (jobs_by_tag tag='night', site='Recife'")
	require.NoError(t, storetest.DeleteJob(t.Context(), store, missing))
	storetest.RequireTables(t, session, []*workshop.Job{storetest.Brakes()})
}

// An error of the function that changes a job is returned unchanged, and nothing is written.
func testErrorOfUpdateFunction(t *testing.T, session gocqlx.Session) {
	sent := &storetest.Requests{}
	store := storetest.OpenJobs(t, session, mapper.Config{Tracer: sent})
	storetest.InsertJobs(t, store, storetest.Brakes())
	sent.Drain()
	reason := errors.New("not today")
	_, err := store.Jobs.Update(t.Context(), "Recife", 2026, storetest.Brakes().Opened, storetest.JobID(1), func(j *workshop.Job) error {
		j.Title = "lamps"
		return reason
	})
	require.Equal(t, reason, err)
	require.Empty(t, sent.Writes())
	storetest.RequireTables(t, session, []*workshop.Job{storetest.Brakes()})
}

// After a context has ended every call returns its error, and nothing is written.
func testCancelledContext(t *testing.T, session gocqlx.Session) {
	sent := &storetest.Requests{}
	store := storetest.OpenJobs(t, session, mapper.Config{Tracer: sent})
	storetest.InsertJobs(t, store, storetest.Brakes())
	sent.Drain()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, byGet := storetest.GetJob(ctx, store, storetest.Brakes())
	_, byUpdate := storetest.TryUpdateJob(ctx, store, storetest.Brakes(), func(j *workshop.Job) { j.Title = "lamps" })
	for op, err := range map[string]error{
		"Get": byGet, "Update": byUpdate, "Delete": storetest.DeleteJob(ctx, store, storetest.Brakes()),
		"Insert": store.Jobs.Insert(ctx, storetest.Changed(storetest.Brakes(), func(j *workshop.Job) { j.ID = storetest.JobID(2) })),
		"Change": store.Jobs.Change(ctx, storetest.Brakes(), storetest.Changed(storetest.Brakes(), func(j *workshop.Job) { j.Title = "lamps" })),
	} {
		require.ErrorIs(t, err, context.Canceled, op)
		require.ErrorContains(t, err, "mapper: "+op+" Job (jobs site='Recife', year=2026")
		var unknown *mapper.UnknownOutcomeError
		require.NotErrorAs(t, err, &unknown, op)
	}
	require.Empty(t, sent.Writes())
	storetest.RequireTables(t, session, []*workshop.Job{storetest.Brakes()})
}

// The error of a closed session has a known outcome.
func testClosedSession(t *testing.T, session gocqlx.Session) {
	closed := network.Session(t, session, &network.Dialer{}, 0)
	store := storetest.OpenJobs(t, closed, mapper.Config{})
	suite.Close(closed.Session)
	err := store.Jobs.Insert(t.Context(), storetest.Brakes())
	require.True(t, driver.NotSent(err), "%v", err)
	var unknown *mapper.UnknownOutcomeError
	require.NotErrorAs(t, err, &unknown)
	_, err = storetest.GetJob(t.Context(), store, storetest.Brakes())
	require.True(t, driver.NotSent(err), "%v", err)
}
