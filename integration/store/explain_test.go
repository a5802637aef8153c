package store

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"
	"gopkg.in/inf.v0"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/explain"
	"github.com/cassaml/cassaml/integration/models/workshop"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/internal/models"
	"github.com/cassaml/cassaml/mapper"
)

// loaded has the packages of all models that tests load, by folder. They are loaded together, because each load runs the go command.
var loaded struct {
	once sync.Once
	of   map[string]*model.Package
}

// modelOf returns the model of a folder.
func modelOf(t *testing.T, dir string) *model.Model {
	t.Helper()
	loaded.once.Do(func() {
		dirs := []string{
			"../models/auction", "../models/directory", "../models/hotel", "../models/invoice", "../models/lease", "../models/workshop", "../models/paper", "../models/part", "../models/repair", "../models/shelf", "../models/sorted", "../models/step", "../models/stock", "../models/ticket", "../models/trace",
			"../../examples/quickstart/shop", apacheModel, countersModel, hotelModel, reachModels + "jaeger", reachModels + "zipkin",
		}
		of := map[string]*model.Package{}
		for i, p := range models.Folders(t, dirs...) {
			of[dirs[i]] = p
		}
		loaded.of = of
	})
	require.Contains(t, loaded.of, dir)
	m, faults := model.Build(loaded.of[dir])
	require.False(t, model.Refused(faults), faults)
	return m
}

// explained has the explanation of one table of a model.
func explained(t *testing.T, dir, table string) *explain.Table {
	t.Helper()
	m := modelOf(t, dir)
	all := explain.New(m, schema.New(m)).Tables
	i := slices.IndexFunc(all, func(x *explain.Table) bool { return x.Name == table })
	require.GreaterOrEqual(t, i, 0)
	return all[i]
}

func operation(t *testing.T, x *explain.Table, name string) *explain.Operation {
	t.Helper()
	i := slices.IndexFunc(x.Operations, func(o *explain.Operation) bool { return o.Name == name })
	require.GreaterOrEqual(t, i, 0, name)
	return x.Operations[i]
}

// requireSent requires that the requests together have exactly the statements of the explanation, sent as explained: an
// optional statement was sent at least once and omitted at least once.
func requireSent(t *testing.T, want *explain.Request, sent ...mapper.Request) {
	t.Helper()
	require.NotEmpty(t, sent)
	seen := map[string]bool{}
	var batch, batchlog []bool
	for _, q := range sent {
		for _, s := range q.Statements {
			seen[s.CQL] = true
		}
		require.Equal(t, want.Read, q.Timestamp == 0)
		batch, batchlog = append(batch, q.Batch != mapper.NoBatch), append(batchlog, q.Batchlog)
		require.Equal(t, want.Unlogged && q.Batch != mapper.NoBatch, q.Batch == mapper.UnloggedBatch)
	}
	require.Equal(t, slices.Sorted(maps.Keys(texts(want))), slices.Sorted(maps.Keys(seen)))
	requireCertainty(t, want.Batch, batch, "batch")
	requireCertainty(t, want.Batchlog, batchlog, "batchlog")
}

// unchecked removes the checks of an operation from its requests, and counts them.
func unchecked(o *explain.Operation, sent []mapper.Request) (rest []mapper.Request, checks int) {
	rest = slices.DeleteFunc(slices.Clone(sent), func(q mapper.Request) bool {
		return slices.ContainsFunc(o.Checks, func(c *explain.Request) bool { return texts(c)[q.Statements[0].CQL] })
	})
	return rest, len(sent) - len(rest)
}

func texts(r *explain.Request) map[string]bool {
	out := map[string]bool{}
	for _, w := range r.Writes {
		for _, s := range w.Statements {
			out[s.CQL] = true
		}
	}
	return out
}

func requireCertainty(t *testing.T, want explain.Certainty, seen []bool, what string) {
	t.Helper()
	got := explain.Never
	if slices.Contains(seen, true) {
		got = explain.Always
		if slices.Contains(seen, false) {
			got = explain.Sometimes
		}
	}
	require.Equal(t, want, got, what)
}

// variation is a change of the fields of a job. Several are needed to see every statement.
type variation struct {
	base   func(*workshop.Job) // creates the job before the change; nil: brakes unchanged
	change func(*workshop.Job)
}

// person returns a person that differs from another.
func person(of *workshop.Person, change func(*workshop.Person)) *workshop.Person {
	p := *of
	change(&p)
	return &p
}

func bare(j *workshop.Job) { j.Tools, j.Parts, j.Tags = nil, nil, nil }

var variations = map[string][]variation{
	"Title":  {{nil, func(j *workshop.Job) { j.Title = "clutch" }}},
	"Due":    {{nil, func(j *workshop.Job) { j.Due = storetest.Date(2026, 4, 1) }}},
	"Hours":  {{nil, func(j *workshop.Job) { j.Hours++ }}, {bare, func(j *workshop.Job) { j.Hours++ }}},
	"Budget": {{nil, func(j *workshop.Job) { j.Budget = inf.NewDec(1, 0) }}},
	"Level":  {{nil, func(j *workshop.Job) { j.Level = nil }}},
	"Sketch": {{nil, func(j *workshop.Job) { j.Sketch = []byte{1} }}},
	"Worker": {{nil, func(j *workshop.Job) {
		j.Worker = &workshop.Person{Name: "Eva", Phone: j.Worker.Phone, Born: j.Worker.Born}
	}},
		{nil, func(j *workshop.Job) { j.Worker = nil }},
		{nil, func(j *workshop.Job) { j.Worker = person(j.Worker, func(p *workshop.Person) { p.Phone = nil }) }},
		{nil, func(j *workshop.Job) {
			j.Worker = person(j.Worker, func(p *workshop.Person) { p.Born = storetest.Date(1990, 1, 2) })
		}}},
	"Place": {{nil, func(j *workshop.Job) { j.Place.Street = "Rua do Sol" }}},
	"Tools": {{nil, func(j *workshop.Job) { j.Tools = j.Tools[:1] }}, {bare, func(j *workshop.Job) { j.Tools = storetest.Brakes().Tools[:1] }},
		{func(j *workshop.Job) { j.Tools = j.Tools[:1] }, func(j *workshop.Job) { j.Tools = nil }}}, // the tool that another job has claimed
	"Parts": {{nil, func(j *workshop.Job) { delete(j.Parts, "pad") }},
		{bare, func(j *workshop.Job) { j.Parts = map[string]workshop.Part{"disc": {Maker: "Alfa"}} }}},
	"Tags":   {{nil, func(j *workshop.Job) { j.Tags = j.Tags[:1] }}, {bare, func(j *workshop.Job) { j.Tags = []string{"new"} }}},
	"Notes":  {{nil, func(j *workshop.Job) { j.Notes = nil }}},
	"Shifts": {{nil, func(j *workshop.Job) { j.Shifts = nil }}},
}

// The store sends what aml explain prints for the jobs: for every operation and every field.
func TestExplain(t *testing.T) {
	t.Parallel()
	jobs := explained(t, "../models/workshop", "jobs")
	storetest.InOneKeyspace(t, []storetest.Test{
		{"operations", func(t *testing.T, s gocqlx.Session) { explainOperations(t, s, jobs) }},
		{"fields", func(t *testing.T, s gocqlx.Session) { explainFields(t, s, jobs) }},
		{"imports", func(t *testing.T, s gocqlx.Session) { explainImports(t, s, jobs) }},
		{"sets", func(t *testing.T, s gocqlx.Session) { explainSets(t, s, jobs) }},
		{"reads", explainReads},
		{"alone", explainAlone},
	})
}

func explainOperations(t *testing.T, session gocqlx.Session, x *explain.Table) {
	sent := &storetest.Requests{}
	store := storetest.OpenJobs(t, session, mapper.Config{Tracer: sent})
	insert, put, deleted := operation(t, x, "Insert"), operation(t, x, "Put"), operation(t, x, "Delete")

	require.NoError(t, store.Jobs.Insert(t.Context(), storetest.Brakes()))
	requireSent(t, insert.Requests[0], sent.Drain()...)

	require.NoError(t, store.Jobs.Put(t.Context(), storetest.Changed(storetest.Brakes(), func(j *workshop.Job) { j.Sketch = []byte{9} })))
	got := sent.Drain()
	require.Len(t, got, put.RoundTrips)
	require.True(t, put.ByField)
	requireSent(t, put.Requests[0], got[0])
	requireSent(t, fieldOf(t, x, "Sketch").Update, got[1])

	require.True(t, put.OrInsert)
	require.NoError(t, store.Jobs.Put(t.Context(), storetest.Changed(storetest.Brakes(), func(j *workshop.Job) {
		j.ID, j.Tools[0].Serial, j.Tools[1].Serial = storetest.JobID(2), "s3", "s4"
	})))
	requireSent(t, insert.Requests[0], sent.Drain()[1])

	for _, id := range []gocql.UUID{storetest.JobID(1), storetest.JobID(2)} {
		require.NoError(t, storetest.DeleteJob(t.Context(), store, storetest.Changed(storetest.Brakes(), func(j *workshop.Job) { j.ID = id })))
		got, checks := unchecked(deleted, sent.Drain())
		require.Equal(t, len(storetest.Brakes().Tools), checks, "a read for each removed row")
		require.Len(t, got, deleted.RoundTrips)
		requireSent(t, deleted.Requests[0], got[0])
		requireSent(t, deleted.Requests[1], got[1])
	}
}

// An import of a new row writes the same as Insert, an import over a row all its fields. An import of an older value deletes the
// rows of copies that do not follow from the row.
func explainImports(t *testing.T, session gocqlx.Session, x *explain.Table) {
	sent := &storetest.Requests{}
	store := storetest.OpenJobs(t, session, mapper.Config{Tracer: sent})
	o := operation(t, x, "Import")
	at := time.Now().UnixMicro()
	imported := func(after int64, change func(*workshop.Job)) []mapper.Request {
		t.Helper()
		sent.Drain()
		_, err := store.With(mapper.Options{Timestamp: at + after}).Jobs.Import(t.Context(), storetest.Changed(storetest.Brakes(), change))
		require.NoError(t, err)
		got, _ := unchecked(o, sent.Drain())
		requireSent(t, o.Requests[0], got[0])
		return got[1:]
	}
	got := imported(10, nil)
	require.Len(t, got, o.RoundTrips-1)
	requireSent(t, operation(t, x, "Insert").Requests[0], got[0])
	requireSent(t, o.After[0], got[1])

	require.True(t, o.ByField && o.EveryField && o.OrInsert)
	all := texts(operation(t, x, "Insert").Requests[0])
	for _, f := range x.Fields {
		maps.Copy(all, texts(f.Update))
	}
	got = imported(20, func(j *workshop.Job) { j.Due, j.Tags = storetest.Date(2026, 4, 1), nil })
	require.Len(t, got, o.RoundTrips-1)
	seen := map[string]bool{}
	for _, s := range got[0].Statements {
		require.True(t, all[s.CQL], s.CQL)
		seen[s.Table] = true
	}
	require.Len(t, seen, 1+len(x.Copies), "every table is written")

	require.Empty(t, imported(0, func(j *workshop.Job) { j.Due, j.Tags = storetest.Date(2026, 4, 1), nil }), "the row has all rows of the older value")
	left := imported(0, func(j *workshop.Job) {
		j.Title, j.Due, j.Tools[0].Serial, j.Parts = "lamps", storetest.Date(2026, 5, 1), "s9", map[string]workshop.Part{"bulb": {Maker: "Alfa"}}
	})
	left = append(left, imported(0, func(j *workshop.Job) { j.Title, j.Due, j.Tags = "lamps", storetest.Date(2026, 4, 1), nil })...)
	left = append(left, imported(0, func(j *workshop.Job) { j.Tags = nil })...)
	requireSent(t, o.After[1], left...)
	require.NoError(t, storetest.DeleteJob(t.Context(), store, storetest.Brakes()))
}

func fieldOf(t *testing.T, x *explain.Table, name string) *explain.Field {
	t.Helper()
	i := slices.IndexFunc(x.Fields, func(f *explain.Field) bool { return strings.Join(f.Attribute.Path, ".") == name })
	require.GreaterOrEqual(t, i, 0, name)
	return x.Fields[i]
}

func explainFields(t *testing.T, session gocqlx.Session, x *explain.Table) {
	var names []string
	for _, f := range x.Fields {
		names = append(names, f.Attribute.GoName())
	}
	require.ElementsMatch(t, slices.Collect(maps.Keys(variations)), names)
	sent := &storetest.Requests{}
	store := storetest.OpenJobs(t, session, mapper.Config{Tracer: sent})
	updated, changed := operation(t, x, "Update"), operation(t, x, "Change")
	other := storetest.Changed(storetest.Brakes(), func(j *workshop.Job) { bare(j); j.ID, j.Tools = storetest.JobID(2), storetest.Brakes().Tools[:1] })
	for _, f := range x.Fields {
		t.Run(f.Attribute.GoName(), func(t *testing.T) {
			var writes []mapper.Request
			for _, v := range variations[f.Attribute.GoName()] {
				before := storetest.Changed(storetest.Brakes(), v.base)
				require.NoError(t, store.Jobs.Insert(t.Context(), before))
				storetest.InsertJobs(t, store, other)
				sent.Drain()
				after := storetest.UpdateJob(t, store, before, v.change)
				got, _ := unchecked(updated, sent.Drain())
				require.Len(t, got, updated.RoundTrips)
				requireSent(t, updated.Requests[0], got[0])
				require.NoError(t, store.Jobs.Change(t.Context(), after, before))
				back, _ := unchecked(changed, sent.Drain())
				require.Len(t, back, changed.RoundTrips)
				writes = append(writes, got[1], back[0])
				require.NoError(t, storetest.DeleteJob(t.Context(), store, before))
				require.NoError(t, storetest.DeleteJob(t.Context(), store, other))
			}
			requireSent(t, f.Update, writes...)
		})
	}
}

func explainSets(t *testing.T, session gocqlx.Session, x *explain.Table) {
	sent := &storetest.Requests{}
	store := storetest.OpenJobs(t, session, mapper.Config{Tracer: sent})
	j := storetest.Brakes()
	methods := map[string]func() error{
		"SetSketch": func() error { return store.Jobs.SetSketch(t.Context(), j.Site, j.Year, j.Opened, j.ID, []byte{3}) },
		"SetShifts": func() error { return store.Jobs.SetShifts(t.Context(), j.Site, j.Year, j.Opened, j.ID, nil) },
	}
	found := 0
	for _, f := range x.Fields {
		require.Equal(t, f.NoSet == "", f.Set != nil)
		if f.Set == nil {
			continue
		}
		found++
		require.NoError(t, methods[f.Set.Name](), f.Set.Name)
		got := sent.Drain()
		require.Len(t, got, f.Set.RoundTrips)
		requireSent(t, f.Set.Requests[0], got...)
	}
	require.Len(t, methods, found)
	require.NoError(t, storetest.DeleteJob(t.Context(), store, j))
}

func explainReads(t *testing.T, session gocqlx.Session) {
	x := explained(t, "../models/workshop", "jobs_by_title")
	sent := &storetest.Requests{}
	store := storetest.OpenJobs(t, session, mapper.Config{Tracer: sent})
	j := storetest.Brakes()
	_, err := store.JobsByTitle.Get(t.Context(), j.Title, j.Opened, j.Site, j.Year, j.ID)
	require.ErrorIs(t, err, mapper.ErrNotFound)
	requireSent(t, operation(t, x, "Get").Requests[0], sent.Drain()...)
	for _, err := range store.JobsByTitle.Of(j.Title).All(t.Context()) {
		require.NoError(t, err)
	}
	requireSent(t, operation(t, x, "Of").Requests[0], sent.Drain()...)
	_, err = store.JobsByTitle.GetMany(t.Context(), []workshop.JobsByTitleKey{{Title: j.Title, Opened: j.Opened, Site: j.Site, Year: j.Year, ID: j.ID}, {Title: "x", Opened: j.Opened, Site: j.Site, Year: 1, ID: j.ID}})
	require.NoError(t, err)
	got := sent.Drain()
	require.Len(t, got, 2)
	requireSent(t, operation(t, x, "GetMany").Requests[0], got...)
	_, err = store.JobsByTitle.Of(j.Title).First(t.Context())
	require.ErrorIs(t, err, mapper.ErrNotFound)
	requireSent(t, operation(t, x, "Of.First").Requests[0], sent.Drain()...)
	_, err = store.JobsByTitle.Of(j.Title).Count(t.Context())
	require.NoError(t, err)
	requireSent(t, operation(t, x, "Of.Count").Requests[0], sent.Drain()...)
	explainEach(t, session, x)
}

// A query of two partitions sends one read for each. With a token, it reads the rows after the token in each.
func explainEach(t *testing.T, session gocqlx.Session, x *explain.Table) {
	sent := &storetest.Requests{}
	store := storetest.OpenJobs(t, session, mapper.Config{Tracer: sent})
	storetest.InsertJobs(t, store, storetest.Shelf()...)
	sent.Drain()
	of, each := store.JobsByTitle.OfEach([]string{"lamps", "shelf", "tables"}), operation(t, x, "OfEach")
	collected(t, of.Limit(2).All(t.Context()))
	got := sent.Drain()
	require.Len(t, got, 3)
	requireSent(t, each.Requests[0], got...)
	page, err := of.PageSize(2).Page(t.Context(), "")
	require.NoError(t, err)
	sent.Drain()
	_, err = of.PageSize(2).Page(t.Context(), page.Next)
	require.NoError(t, err)
	requireSent(t, each.Requests[1], sent.Drain()...)
}

// A root without copies sends one statement, and reads only to update.
func explainAlone(t *testing.T, session gocqlx.Session) {
	x := explained(t, "../models/workshop", "samples")
	sent := &storetest.Requests{}
	store := storetest.OpenJobs(t, session, mapper.Config{Tracer: sent})
	v := &workshop.Sample{ID: 77, TimeUUID: storetest.TimeUUID}
	for name, do := range map[string]func() error{
		"Insert": func() error { return store.Samples.Insert(t.Context(), v) },
		"Put":    func() error { return store.Samples.Put(t.Context(), v) },
		"Delete": func() error { return store.Samples.Delete(t.Context(), v.ID) },
	} {
		require.NoError(t, do())
		o, got := operation(t, x, name), sent.Drain()
		require.Len(t, got, o.RoundTrips, name)
		requireSent(t, o.Requests[0], got...)
	}
}

// A table explains which of the methods that compare all discriminators do not exist, and why.
func TestExplainKeyset(t *testing.T) {
	const sorted = "../models/sorted"
	require.Empty(t, explained(t, sorted, "ups").No)
	require.Equal(t, []explain.NoMethod{{
		Name: "Of(…).From, After, To, Before",
		Why:  "one, two, three have different orders, so the rows on one side of their values are not contiguous in a partition",
	}}, explained(t, sorted, "legs").No)
	trips := explained(t, sorted, "trips")
	require.Equal(t, []string{"After", "To", "Before"}, trips.KeysetMethods(0))
	require.Equal(t, []explain.NoMethod{{Name: "Of(…).From", Why: "a discriminator has a method with this name"}}, trips.No)
	i := slices.IndexFunc(trips.Operations, func(o *explain.Operation) bool { return o.Name == "Of.After" })
	require.Equal(t, "SELECT shelf, \"from\", until FROM trips WHERE shelf = ? AND (\"from\", until) > (?, ?)", trips.Operations[i].Requests[0].Writes[0].Statements[0].CQL)
}
