package store

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/workshop"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
)

// After every write of a random chain, every table equals the projection of the jobs. JOBS_SEED repeats a chain.
func TestRandomWrites(t *testing.T) {
	t.Parallel()
	session := storetest.JobKeyspace(t)
	c := storetest.NewChain(t, storetest.OpenJobs(t, session, mapper.Config{}))
	for i := 0; i < 150 || len(c.Ops) < 6; i++ { // until each operation has occurred
		c.Step(i)
		storetest.RequireTables(t, session, c.Present(), "seed %d, step %d, %s", c.Seed, i, c.Op)
	}
}

// Two writers that start from one value and overlap leave every copy equal to the projection of the resulting job, in each
// order of arrival and of timestamps, if no key changes, in every cell that derives from one cell of the job. The hours of
// the row of a part are an exception: they derive from the part and from the job.
func TestOverlappingWritersConverge(t *testing.T) {
	t.Parallel()
	session := storetest.JobKeyspace(t)
	now := time.UnixMicro(1_700_000_000_000_000)
	first := storetest.OpenJobs(t, session, mapper.Config{MaxClockSkew: -1, Now: func() time.Time { return now }})
	c := storetest.NewChain(t, first)
	base := storetest.Changed(storetest.Brakes(), func(j *workshop.Job) { j.Tools = nil })
	storetest.InsertJobs(t, first, base)
	change := func(j *workshop.Job) {
		for range 1 + c.IntN(6) {
			c.ChangeField(storetest.PickOne(c.Draw, 3, 4, 5, 7, 9, 12, 12, 12, 12, 14, 14, 15, 16), 0, j)
		}
	}
	for i := range 100 {
		now = now.Add(time.Second)
		times := []time.Time{now.Add(time.Millisecond), now.Add(2 * time.Millisecond)}
		c.Shuffle(2, func(a, b int) { times[a], times[b] = times[b], times[a] })
		for _, at := range times {
			store := storetest.OpenJobs(t, session, mapper.Config{MaxClockSkew: -1, Now: func() time.Time { return at }})
			require.NoError(t, store.Jobs.Change(t.Context(), base, storetest.Changed(base, change)))
		}
		merged, err := storetest.GetJob(t.Context(), first, base)
		require.NoError(t, err)
		want, got := storetest.Expected(t, []*workshop.Job{merged}), storetest.ReadTables(t, session)
		for _, side := range []storetest.Tables{want, got} {
			for _, r := range side["parts_by_number"] {
				delete(r, "hours")
			}
		}
		storetest.RequireSame(t, want, got, "seed %d, round %d", c.Seed, i)
		base = merged
	}
}
