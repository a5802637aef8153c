package faults

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen/testdata/golden/counters"
	"github.com/cassaml/cassaml/integration/models/workshop"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
)

// writer makes one write at a time while nodes are killed.
type writer interface{ write(context.Context) }

// batchWriter writes batches of a job, a new sample and the deletion of an older sample.
type batchWriter struct {
	killWriter
	samples map[int32]bool // whether they exist, as of the acknowledged batches
	last    int32          // the last sample that an acknowledged batch has written; 0: none
	open    []openBatch
}

// openBatch is a batch whose outcome is unknown.
type openBatch struct {
	job          *workshop.Job
	added, freed int32 // the samples that it writes and deletes; freed is 0 if it deletes none
}

func newBatchWriter(store *workshop.Store, number int) *batchWriter {
	return &batchWriter{killWriter: killWriter{store: store, random: rand.New(rand.NewPCG(rand.Uint64(), 0)), number: number}, samples: map[int32]bool{}}
}

func (w *batchWriter) write(ctx context.Context) {
	x := openBatch{job: w.job(), added: int32(w.number*1_000_000 + w.made), freed: w.last}
	b := w.store.Batch()
	b.Samples.Put(&workshop.Sample{ID: x.added, TimeUUID: storetest.TimeUUID})
	b.Jobs.Insert(x.job)
	if x.freed != 0 {
		b.Samples.Delete(x.freed)
	}
	err := b.Run(ctx)
	var outcome *mapper.UnknownOutcomeError
	switch {
	case err == nil:
		w.acknowledged++
		w.jobs = append(w.jobs, x.job)
		w.samples[x.freed], w.samples[x.added], w.last = false, true, x.added
	case errors.As(err, &outcome):
		w.unknown = append(w.unknown, [2]*workshop.Job{nil, x.job})
		w.open, w.last = append(w.open, x), 0 // no later batch writes these samples
	}
}

// requireWhole requires that each batch is complete or absent. The function requireWhole compares the tables of jobs.
func (w *batchWriter) requireWhole(t *testing.T, got storetest.Tables) {
	t.Helper()
	for _, x := range w.open {
		done := whichever(t, [2]*workshop.Job{nil, x.job}, got) != nil
		w.samples[x.added] = done
		w.samples[x.freed] = !done
	}
	delete(w.samples, 0)
	for id, exists := range w.samples {
		_, err := w.store.Samples.Get(t.Context(), id)
		if errors.Is(err, mapper.ErrNotFound) {
			assert.False(t, exists, "a batch has not written sample %d", id)
			continue
		}
		require.NoError(t, err)
		assert.True(t, exists, "a batch has not deleted sample %d, or has written it without its job", id)
	}
}

// countWriter increments a counter by one, one call at a time.
type countWriter struct {
	store                          *counters.Store
	page                           string
	acknowledged, unknown, refused int64
	repeatable                     bool // an error reported that the call can be repeated
}

func (w *countWriter) write(ctx context.Context) {
	err := w.store.Visits.Add(ctx, w.page, counters.VisitsDelta{Number: 1})
	var outcome *mapper.UnknownOutcomeError
	switch {
	case err == nil:
		w.acknowledged++
	case errors.As(err, &outcome):
		w.unknown++
		w.repeatable = w.repeatable || outcome.Repeatable
	default:
		w.refused++
	}
}

// requireCounted requires that each acknowledged call was carried out once, each call of unknown outcome at most once, and no
// other call: an Add is never sent again by itself.
func (w *countWriter) requireCounted(t *testing.T, session gocqlx.Session) {
	t.Helper()
	var number int64
	err := session.Session.Query("SELECT number FROM visits WHERE page = ?", w.page).Consistency(gocql.All).Scan(&number)
	require.NoError(t, err)
	t.Logf("%s: %d increments, %d acknowledged, %d of unknown outcome, %d refused", w.page, number, w.acknowledged, w.unknown, w.refused)
	require.GreaterOrEqual(t, number, w.acknowledged)
	require.LessOrEqual(t, number, w.acknowledged+w.unknown)
	require.Positive(t, w.acknowledged)
	require.False(t, w.repeatable)
}

// besideJobs returns writers of batches and of counters, which run concurrently with those of jobs.
func besideJobs(t *testing.T, session gocqlx.Session, jobs *workshop.Store, number int) (batches []*batchWriter, counts []*countWriter) {
	t.Helper()
	storetest.Execute(t, session, visitsSchema)
	store, err := counters.Open(t.Context(), session, mapper.Config{})
	require.NoError(t, err)
	for i := range 3 {
		batches = append(batches, newBatchWriter(jobs, number+i))
		counts = append(counts, &countWriter{store: store, page: fmt.Sprint("page ", i)})
	}
	return batches, counts
}
