package store

import (
	"bytes"
	"strings"
	"testing"

	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/workshop"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
)

// Requests are as small as possible, and not larger than the limits of the server.
func TestBatches(t *testing.T) {
	t.Parallel()
	storetest.InOneKeyspace(t, []storetest.Test{
		{"limit", testBatchLimitOfTheServer}, {"batchlog", testBatchlogOfTheServer}, {"shapes", testShapesOfWrites},
		{"request", testLargestWriteOfTheServer},
	})
}

// Each write is one request: a single statement if one suffices, an unlogged batch of one mutation if all rows share a
// partition, otherwise a logged batch. Want is the kind of request and the tables that it writes, in order.
func testShapesOfWrites(t *testing.T, session gocqlx.Session) {
	sent := &storetest.Requests{}
	store := storetest.OpenJobs(t, session, mapper.Config{Tracer: sent})
	const everywhere = "jobs jobs_by_title jobs_by_due tools_by_serial tools_by_serial parts_by_number parts_by_number jobs_by_tag jobs_by_tag"
	job := storetest.Brakes()
	for _, c := range []struct {
		name string
		run  func() error
		want []string
	}{
		{"insert", func() error { return store.Jobs.Insert(t.Context(), job) }, []string{"logged, batchlog: " + everywhere}},
		{"get", func() error { _, err := storetest.GetJob(t.Context(), store, job); return err }, []string{"none: jobs"}},
		{"update without a change", change(t, store, func(*workshop.Job) {}), []string{"none: jobs"}},
		{"update of a field without copies", change(t, store, func(j *workshop.Job) { j.Sketch = nil }), []string{"none: jobs", "none: jobs"}},
		{"update of an element without rows", change(t, store, func(j *workshop.Job) { j.Shifts = nil }), []string{"none: jobs", "none: jobs"}},
		{"update of a copy in the partition of the job", change(t, store, func(j *workshop.Job) { j.Due = storetest.Date(2027, 1, 1) }),
			[]string{"none: jobs", "logged: jobs jobs_by_due jobs_by_due"}},
		{"update of one set element", change(t, store, func(j *workshop.Job) { j.Tags = []string{"night", "urgent", "paid"} }),
			[]string{"none: jobs", "logged, batchlog: jobs jobs_by_title jobs_by_tag"}},
		{"update of one map entry", change(t, store, func(j *workshop.Job) { j.Parts["pad"] = workshop.Part{Maker: "Zeta"} }),
			[]string{"none: jobs", "logged, batchlog: jobs jobs_by_title parts_by_number"}},
		{"update of a UDT's field", change(t, store, func(j *workshop.Job) { j.Worker.Name = "Ana" }),
			[]string{"none: jobs", "logged, batchlog: jobs jobs_by_title tools_by_serial tools_by_serial"}},
		{"update of another key", change(t, store, func(j *workshop.Job) { j.Title = "lamps" }),
			[]string{"none: jobs", "logged, batchlog: jobs jobs_by_title jobs_by_title tools_by_serial tools_by_serial jobs_by_tag jobs_by_tag jobs_by_tag"}},
		{"order of tools", change(t, store, func(j *workshop.Job) { j.Tools[0], j.Tools[1] = j.Tools[1], j.Tools[0] }),
			[]string{"none: jobs", "logged, batchlog: jobs tools_by_serial tools_by_serial"}},
		{"change without a difference", func() error { return store.Jobs.Change(t.Context(), job, storetest.Brakes()) }, nil},
		{"change", func() error {
			return store.Jobs.Change(t.Context(), job, storetest.Changed(job, func(j *workshop.Job) { j.Sketch = []byte{1} }))
		}, []string{"none: jobs"}},
		{"delete", func() error { return storetest.DeleteJob(t.Context(), store, job) },
			[]string{"none: jobs", "none: tools_by_serial", "none: tools_by_serial", "logged, batchlog: " + everywhere + " jobs_by_tag"}},
		{"delete of an absent job", func() error { return storetest.DeleteJob(t.Context(), store, job) }, []string{"none: jobs"}},
		{"insert without elements", func() error { return store.Jobs.Insert(t.Context(), storetest.ChainKey(0)) },
			[]string{"logged, batchlog: jobs jobs_by_title jobs_by_due"}},
		{"insert without copies", func() error {
			return store.Samples.Insert(t.Context(), &workshop.Sample{ID: 1, TimeUUID: storetest.TimeUUID})
		}, []string{"none: samples"}},
		{"delete without copies", func() error { return store.Samples.Delete(t.Context(), 1) }, []string{"none: samples"}},
	} {
		require.NoError(t, c.run(), c.name)
		var shapes []string
		for _, r := range sent.Drain() {
			shapes = append(shapes, shape(r))
			requireOneTimestamp(t, r)
		}
		require.Equal(t, c.want, shapes, c.name)
	}
}

func change(t *testing.T, store *workshop.Store, f func(*workshop.Job)) func() error {
	return func() error {
		_, err := storetest.TryUpdateJob(t.Context(), store, storetest.Brakes(), f)
		return err
	}
}

func shape(r mapper.Request) string {
	s := r.Batch.String()
	if r.Batchlog {
		s += ", batchlog"
	}
	for i := range r.Statements {
		if i == 0 {
			s += ":"
		}
		s += " " + r.Statements[i].Table
	}
	return s
}

// requireOneTimestamp requires that every statement binds its timestamp, because the batch has none.
func requireOneTimestamp(t *testing.T, r mapper.Request) {
	t.Helper()
	for _, s := range r.Statements {
		require.Equal(t, r.Timestamp != 0, strings.Contains(s.CQL, "USING TIMESTAMP ?"), s.CQL)
	}
}

// The batchlog of the server has the batches that the tracer reports as logged.
func testBatchlogOfTheServer(t *testing.T, session gocqlx.Session) {
	store := storetest.OpenJobs(t, session, mapper.Config{BatchLimit: 1 << 20})
	large := string(bytes.Repeat([]byte("x"), 60<<10)) // a batch of this size with several partitions would be rejected
	job := storetest.Changed(storetest.Brakes(), func(j *workshop.Job) { j.Tools, j.Parts, j.Tags = nil, nil, nil })
	storetest.InsertJobs(t, store, job)

	storetest.UpdateJob(t, store, job, func(j *workshop.Job) { j.Sketch, j.Due = []byte(large), storetest.Date(2027, 1, 1) })
	_, err := storetest.TryUpdateJob(t.Context(), store, job, func(j *workshop.Job) { j.Notes = []string{large} })
	require.ErrorContains(t, err, "Batch too large")
	require.NoError(t, store.Samples.Insert(t.Context(), &workshop.Sample{ID: 1, TimeUUID: storetest.TimeUUID, Text: large}))
}

// The server accepts a write of exactly the limit. A write with one more byte would be rejected, and is not sent.
func testBatchLimitOfTheServer(t *testing.T, session gocqlx.Session) {
	sent := &storetest.Requests{}
	store := storetest.OpenJobs(t, session, mapper.Config{Tracer: sent})
	storetest.InsertJobs(t, store, storetest.Brakes())
	small := 0
	for _, s := range sent.Drain()[0].Statements {
		small += s.Bytes
	}
	// Only the job has the sketch.
	sketched := func(bytes int) *workshop.Job {
		return storetest.Changed(storetest.Brakes(), func(j *workshop.Job) { j.Sketch = make([]byte, len(j.Sketch)+bytes-small) })
	}
	storetest.InsertJobs(t, store, sketched(mapper.DefaultBatchLimit))
	sent.Drain()

	other := storetest.Changed(sketched(mapper.DefaultBatchLimit+1), func(j *workshop.Job) { j.ID = storetest.JobID(2) })
	err := store.Jobs.Insert(t.Context(), other)
	require.Equal(t, &mapper.BatchTooLargeError{Operation: "Insert", Aggregate: "Job", Table: "jobs", Key: strings.TrimSuffix(storetest.BrakesKey, "1") + "2",
		Bytes: mapper.DefaultBatchLimit + 1, Limit: mapper.DefaultBatchLimit}, err)
	require.Empty(t, sent.Drain())
	err = storetest.OpenJobs(t, session, mapper.Config{BatchLimit: 1 << 20}).Jobs.Insert(t.Context(), other)
	require.ErrorContains(t, err, "Batch too large")
	storetest.RequireTables(t, session, []*workshop.Job{sketched(mapper.DefaultBatchLimit)})
}

// The server accepts the largest value that the store sends in one partition, although a statement has a length for every
// column that is not set, and a mutation has the name of every column that is set.
func testLargestWriteOfTheServer(t *testing.T, session gocqlx.Session) {
	store := storetest.OpenJobs(t, session, mapper.Config{})
	old := &workshop.Sample{ID: 1, TimeUUID: storetest.TimeUUID}
	require.NoError(t, store.Samples.Insert(t.Context(), old))
	change := func(blob int) error {
		v := *old
		v.Int, v.Blob = 1, make([]byte, blob)
		return store.Samples.Change(t.Context(), old, &v)
	}
	const limit = 16 << 20
	var large *mapper.BatchTooLargeError
	require.ErrorAs(t, change(limit), &large)
	largest := limit - (large.Bytes - large.Limit)
	require.Greater(t, largest, limit-1000)
	require.NoError(t, change(largest))
	require.Equal(t, &mapper.BatchTooLargeError{Operation: "Change", Aggregate: "Sample", Table: "samples", Key: "id=1", Bytes: limit + 1, Limit: limit}, change(largest+1))
	whole := *old
	whole.Blob = make([]byte, largest)
	require.ErrorAs(t, store.Samples.Insert(t.Context(), &whole), &large)
}
