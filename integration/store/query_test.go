package store

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/workshop"
	"github.com/cassaml/cassaml/integration/network"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/gen"
)

// sift returns the identifiers of the jobs that keep selects, in the order of jobs_by_title.
func sift(jobs []*workshop.Job, keep func(*workshop.Job) bool) (ids []gocql.UUID) {
	jobs = slices.Clone(jobs)
	slices.SortFunc(jobs, func(a, b *workshop.Job) int {
		return cmp.Or(b.Opened.Compare(a.Opened), cmp.Compare(a.Site, b.Site), cmp.Compare(a.Year, b.Year), slices.Compare(a.ID[:], b.ID[:]))
	})
	for _, j := range jobs {
		if keep(j) {
			ids = append(ids, j.ID)
		}
	}
	return ids
}

func idsOf[T any](t *testing.T, rows iter.Seq2[*T, error], id func(*T) gocql.UUID) (ids []gocql.UUID) {
	t.Helper()
	for v, err := range rows {
		require.NoError(t, err)
		ids = append(ids, id(v))
	}
	return ids
}

// Reads return the rows of the tables, whether the store or another program wrote them.
func TestReads(t *testing.T) {
	t.Parallel()
	storetest.InOneKeyspace(t, []storetest.Test{
		{"copies", testCopiesAreRead}, {"absent values", testAbsentValuesAreRead}, {"queries", testQueries},
		{"queries of other tables", testQueriesOfOtherTables}, {"error of a page", testErrorOfAPage}, {"break", testBreakClosesAQuery},
		{"cancelled query", testCancelledQuery},
		{"gocqlx", testMetadataWorksWithGocqlx}, {"gocqlx and the same structs", testStructsWorkWithGocqlx}, {"metadata", testMetadataIsTheSchema},
	})
}

// Every restriction of a table returns the rows that a loop over the jobs finds, in both directions, with a limit, and
// across pages.
func testQueries(t *testing.T, session gocqlx.Session) {
	store := storetest.OpenJobs(t, session, mapper.Config{})
	jobs := storetest.Shelf()
	storetest.InsertJobs(t, store, jobs...)
	of := store.JobsByTitle.Of("shelf")
	middle, id := of.Opened(storetest.Opened(1)), storetest.JobID(13)
	site := middle.Site("Olinda")
	year := site.Year(2025)
	for name, c := range map[string]struct {
		query gen.Query[workshop.JobByTitle]
		keep  func(*workshop.Job) bool
	}{
		"all":                   {of.Query, func(*workshop.Job) bool { return true }},
		"of an empty partition": {store.JobsByTitle.Of("lamps").Query, func(*workshop.Job) bool { return false }},
		"opened =":              {middle.Query, func(j *workshop.Job) bool { return j.Opened.Equal(storetest.Opened(1)) }},
		"opened >=":             {of.OpenedFrom(storetest.Opened(1)).Query, func(j *workshop.Job) bool { return !j.Opened.Before(storetest.Opened(1)) }},
		"opened >":              {of.OpenedAfter(storetest.Opened(1)).Query, func(j *workshop.Job) bool { return j.Opened.After(storetest.Opened(1)) }},
		"opened <=":             {of.OpenedTo(storetest.Opened(1)), func(j *workshop.Job) bool { return !j.Opened.After(storetest.Opened(1)) }},
		"opened <":              {of.OpenedBefore(storetest.Opened(1)), func(j *workshop.Job) bool { return j.Opened.Before(storetest.Opened(1)) }},
		"opened >= <":           {of.OpenedFrom(storetest.Opened(0)).OpenedBefore(storetest.Opened(2)), func(j *workshop.Job) bool { return j.Opened.Before(storetest.Opened(2)) }},
		"opened > <=":           {of.OpenedAfter(storetest.Opened(0)).OpenedTo(storetest.Opened(2)), func(j *workshop.Job) bool { return j.Opened.After(storetest.Opened(0)) }},
		"opened empty":          {of.OpenedAfter(storetest.Opened(1)).OpenedBefore(storetest.Opened(1)), func(*workshop.Job) bool { return false }},
		"site =":                {site.Query, func(j *workshop.Job) bool { return j.Opened.Equal(storetest.Opened(1)) && j.Site == "Olinda" }},
		"site >":                {middle.SiteAfter("Olinda").Query, func(j *workshop.Job) bool { return j.Opened.Equal(storetest.Opened(1)) && j.Site > "Olinda" }},
		"site >= <":             {middle.SiteFrom("").SiteBefore("P"), func(j *workshop.Job) bool { return j.Opened.Equal(storetest.Opened(1)) && j.Site < "P" }},
		"year =": {year.Query, func(j *workshop.Job) bool {
			return j.Opened.Equal(storetest.Opened(1)) && j.Site == "Olinda" && j.Year == 2025
		}},
		"year <=": {site.YearTo(2025), func(j *workshop.Job) bool {
			return j.Opened.Equal(storetest.Opened(1)) && j.Site == "Olinda" && j.Year <= 2025
		}},
		"id =": {year.ID(id), func(j *workshop.Job) bool {
			return j.ID == id
		}},
		"id >=": {year.IDFrom(id).Query, func(j *workshop.Job) bool {
			return j.Opened.Equal(storetest.Opened(1)) && j.Site == "Olinda" && j.Year == 2025 && j.ID[15] >= id[15]
		}},
		"id <": {year.IDBefore(id), func(j *workshop.Job) bool {
			return j.Opened.Equal(storetest.Opened(1)) && j.Site == "Olinda" && j.Year == 2025 && j.ID[15] < id[15]
		}},
	} {
		want := sift(jobs, c.keep)
		got := func(q gen.Query[workshop.JobByTitle]) []gocql.UUID {
			return idsOf(t, q.All(t.Context()), func(j *workshop.JobByTitle) gocql.UUID { return j.ID })
		}
		backwards := slices.Clone(want)
		slices.Reverse(backwards)
		requireFirstJob(t, c.query.PageSize(2), want)
		requireFirstJob(t, c.query.Reverse(), backwards)
		require.Equal(t, want, got(c.query), name)
		require.Equal(t, want, got(c.query.PageSize(1)), name)
		require.Equal(t, want, got(c.query.PageSize(5)), name)
		require.Equal(t, want, got(c.query.Limit(0)), name)
		require.Equal(t, want[:min(3, len(want))], got(c.query.Limit(3)), name)
		require.Equal(t, want[:min(3, len(want))], got(c.query.Limit(3).PageSize(2)), name)
		require.Equal(t, backwards, got(c.query.Reverse()), name)
		require.Equal(t, backwards[:min(3, len(want))], got(c.query.Reverse().Limit(3).PageSize(1)), name)
	}
}

// requireFirstJob requires that First and Count of a query agree with its rows.
func requireFirstJob(t *testing.T, q gen.Query[workshop.JobByTitle], want []gocql.UUID) {
	t.Helper()
	n, err := q.Count(t.Context())
	require.NoError(t, err)
	require.Equal(t, len(want), n)
	n, err = q.Limit(3).Count(t.Context())
	require.NoError(t, err)
	require.Equal(t, min(3, len(want)), n)
	first, err := q.Limit(7).First(t.Context())
	if len(want) == 0 {
		require.ErrorIs(t, err, mapper.ErrNotFound)
		return
	}
	require.NoError(t, err)
	require.Equal(t, want[0], first.ID)
}

// A root, and a key of several columns, have the same queries as copies.
func testQueriesOfOtherTables(t *testing.T, session gocqlx.Session) {
	store := storetest.OpenJobs(t, session, mapper.Config{})
	jobs := append(storetest.Shelf(), storetest.Brakes())
	storetest.InsertJobs(t, store, jobs...)
	recife := func(j *workshop.Job) bool { return j.Site == "Recife" && j.Year == 2026 }
	require.Equal(t, sift(jobs, recife), idsOf(t, store.Jobs.Of("Recife", 2026).All(t.Context()), func(j *workshop.Job) gocql.UUID { return j.ID }))
	byDue := idsOf(t, store.JobsByDue.Of("Recife", 2026).Due(storetest.Date(2026, 1, 1)).OpenedFrom(storetest.Opened(1)).Limit(2).All(t.Context()),
		func(j *workshop.JobByDue) gocql.UUID { return j.ID })
	require.Equal(t, []gocql.UUID{storetest.JobID(10), storetest.JobID(22)}, byDue)
	parts := idsOf(t, store.PartsByNumber.Of("disc").Site("Recife").Year(2026).OpenedAfter(storetest.Opened(2)).All(t.Context()),
		func(p *workshop.PartByNumber) gocql.UUID { return p.ID })
	require.Equal(t, []gocql.UUID{storetest.JobID(1)}, parts)
}

// Reads of the copies of a job return the values that were written.
func testCopiesAreRead(t *testing.T, session gocqlx.Session) {
	store, ctx := storetest.OpenJobs(t, session, mapper.Config{}), t.Context()
	j := storetest.Brakes()
	storetest.InsertJobs(t, store, j)

	root, err := storetest.GetJob(ctx, store, j)
	require.NoError(t, err)
	require.Equal(t, j, root)
	byTitle, err := store.JobsByTitle.Get(ctx, j.Title, j.Opened, j.Site, j.Year, j.ID)
	require.NoError(t, err)
	require.Equal(t, &workshop.JobByTitle{Title: j.Title, Opened: j.Opened, Site: j.Site, Year: j.Year, ID: j.ID, Budget: j.Budget,
		Level: j.Level, Worker: j.Worker, Place: j.Place, Parts: j.Parts, Tags: j.Tags, Notes: j.Notes}, byTitle)
	byDue, err := store.JobsByDue.Get(ctx, j.Site, j.Year, j.Due, j.Opened, j.ID)
	require.NoError(t, err)
	require.Equal(t, &workshop.JobByDue{Site: j.Site, Year: j.Year, Due: j.Due, Opened: j.Opened, ID: j.ID, Phone: j.Worker.Phone, Born: j.Worker.Born}, byDue)
	tool, err := store.ToolsBySerial.Get(ctx, "s2", storetest.Date(2021, 1, 2))
	require.NoError(t, err)
	require.Equal(t, &workshop.ToolBySerial{Serial: "s2", Bought: storetest.Date(2021, 1, 2), Kind: "saw", Holder: workshop.Holder{
		Site: j.Site, Year: j.Year, Opened: j.Opened, ID: j.ID, Title: j.Title, Worker: j.Worker}}, tool)
	part, err := store.PartsByNumber.Get(ctx, "pad", j.Site, j.Year, j.Opened, j.ID)
	require.NoError(t, err)
	require.Equal(t, &workshop.PartByNumber{Number: "pad", Site: j.Site, Year: j.Year, Opened: j.Opened, ID: j.ID, Maker: "Beta", Hours: j.Hours}, part)
	tagged, err := store.JobsByTag.Get(ctx, "urgent", j.Site, j.Year, j.Opened, j.ID)
	require.NoError(t, err)
	require.Equal(t, &workshop.JobByTag{Tag: "urgent", Site: j.Site, Year: j.Year, Opened: j.Opened, ID: j.ID, Title: j.Title}, tagged)
}

// Absent values are read as nil, also empty values that Cassandra does not distinguish from null.
func testAbsentValuesAreRead(t *testing.T, session gocqlx.Session) {
	store := storetest.OpenJobs(t, session, mapper.Config{})
	bare := storetest.ChainKey(0)
	empty := storetest.Changed(bare, func(j *workshop.Job) {
		j.Tools, j.Parts, j.Tags, j.Notes = []workshop.Tool{}, map[string]workshop.Part{}, []string{}, []string{}
	})
	for _, j := range []*workshop.Job{bare, empty} {
		storetest.InsertJobs(t, store, j)
		got, err := storetest.GetJob(t.Context(), store, j)
		require.NoError(t, err)
		require.Equal(t, bare, got)
	}
	frozen := storetest.Changed(bare, func(j *workshop.Job) {
		j.Sketch, j.Shifts, j.Place.Codes = []byte{}, map[string][]int8{}, []string{}
	})
	storetest.InsertJobs(t, store, frozen)
	got, err := storetest.GetJob(t.Context(), store, frozen)
	require.NoError(t, err)
	require.Equal(t, frozen, got)
}

// A page that cannot be read ends the rows with one error.
func testErrorOfAPage(t *testing.T, session gocqlx.Session) {
	l := storetest.NewLossy(t, session, 0)
	storetest.InsertJobs(t, l.Store, storetest.Shelf()...)
	l.Drain()
	l.Network.Next(network.Rows, nil, network.Overloaded())
	n, err := storetest.Failures(t, l.Store.JobsByTitle.Of("shelf").PageSize(4).All(t.Context()))
	require.Equal(t, 4, n)
	code, _ := driver.Code(err)
	require.Equal(t, driver.CodeOverloaded, code)
	require.EqualError(t, err, "mapper: All JobByTitle (jobs_by_title title='shelf'): too much to do")
	require.Equal(t, 4, l.Results[0].Rows)
	code, _ = driver.Code(l.Results[0].Err)
	require.Equal(t, driver.CodeOverloaded, code)
}

// A break closes a query: no further page is requested, and the session can be used.
func testBreakClosesAQuery(t *testing.T, session gocqlx.Session) {
	l := storetest.NewLossy(t, session, 0)
	storetest.InsertJobs(t, l.Store, storetest.Shelf()...)
	l.Drain()
	before := l.Network.Count(network.Rows)
	for _, err := range l.Store.JobsByTitle.Of("shelf").PageSize(4).All(t.Context()) {
		require.NoError(t, err)
		break
	}
	require.Equal(t, before+1, l.Network.Count(network.Rows))
	require.Len(t, l.Results, 1)
	require.NoError(t, l.Results[0].Err)
	require.Equal(t, 1, l.Results[0].Rows)
	n, err := storetest.Failures(t, l.Store.JobsByTitle.Of("shelf").PageSize(4).All(t.Context()))
	require.NoError(t, err)
	require.Equal(t, 24, n)
	require.Len(t, l.Drain(), 2, "the pages of a query are one request to a tracer")
}

// A query whose context ends returns its error, before the first page or between two pages.
func testCancelledQuery(t *testing.T, session gocqlx.Session) {
	store := storetest.OpenJobs(t, session, mapper.Config{})
	storetest.InsertJobs(t, store, storetest.Shelf()...)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n := 0
	var failure error
	for _, err := range store.JobsByTitle.Of("shelf").PageSize(4).All(ctx) {
		cancel()
		require.NoError(t, failure, "an error is the last")
		if failure = err; err == nil {
			n++
		}
	}
	require.ErrorIs(t, failure, context.Canceled)
	require.Equal(t, 4, n)

	n, failure = storetest.Failures(t, store.JobsByTitle.Of("shelf").All(ctx))
	require.Zero(t, n)
	require.ErrorIs(t, failure, context.Canceled)
	require.ErrorContains(t, failure, "mapper: All JobByTitle (jobs_by_title title='shelf'): ")
}

// The sequence of an invalid restriction has one error, and nothing is sent.
func testInvalidQueries(t *testing.T, session gocqlx.Session) {
	sent := &storetest.Requests{}
	store := storetest.OpenJobs(t, session, mapper.Config{Tracer: sent})
	for _, c := range []struct {
		query gen.Query[workshop.JobByTitle]
		want  mapper.Violation
	}{
		{store.JobsByTitle.Of("").Query, mapper.Violation{Path: "Title", Problem: "is empty, but is in the key"}},
		{store.JobsByTitle.Of("\xff").Query, mapper.Violation{Path: "Title", Problem: "is not valid UTF-8"}},
		{store.JobsByTitle.Of("shelf").OpenedFrom(time.Time{}).Query, mapper.Violation{Path: "Opened", Problem: "is null, but is in the key"}},
		{store.JobsByTitle.Of("shelf").Opened(storetest.Opened(1)).SiteTo("\xff"), mapper.Violation{Path: "Site", Problem: "is not valid UTF-8"}},
	} {
		n, err := storetest.Failures(t, c.query.All(t.Context()))
		require.Zero(t, n)
		var constraint *mapper.ConstraintError
		require.ErrorAs(t, err, &constraint)
		require.Equal(t, []mapper.Violation{c.want}, constraint.Violations)
		require.Equal(t, []string{"JobByTitle", "jobs_by_title"}, []string{constraint.Aggregate, constraint.Table})
	}
	require.Empty(t, sent.Drain())
}
