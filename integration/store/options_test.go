package store

import (
	"testing"
	"time"

	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/workshop"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
)

func TestOptions(t *testing.T) {
	t.Parallel()
	storetest.InOneKeyspace(t, []storetest.Test{{"import", testImport}, {"TTL", testTTLOfOptions}})
}

// Import writes a value at its given time, once, and does not overwrite later writes and deletes.
func testImport(t *testing.T, session gocqlx.Session) {
	store := storetest.OpenJobs(t, session, mapper.Config{})
	start := time.Now().Add(-time.Hour).UnixMicro()
	imports := func(at int64, j *workshop.Job, want bool) {
		t.Helper()
		written, err := store.With(mapper.Options{Timestamp: at}).Jobs.Import(t.Context(), j)
		require.NoError(t, err)
		require.Equal(t, want, written)
	}
	imports(start, storetest.Brakes(), true)
	storetest.RequireTables(t, session, []*workshop.Job{storetest.Brakes()})
	for cell, at := range writeTimes(t, session) {
		require.Equal(t, start, at, cell)
	}
	imports(start, storetest.Brakes(), false)
	storetest.RequireTables(t, session, []*workshop.Job{storetest.Brakes()}, "imported twice")

	renamed := storetest.Changed(storetest.Brakes(), func(j *workshop.Job) { j.Title, j.Tags, j.Level = "lamps", nil, nil })
	imports(start+1_000_000, renamed, true)
	storetest.RequireTables(t, session, []*workshop.Job{renamed}, "a newer value over an older one")
	imports(start, storetest.Brakes(), false)
	storetest.RequireTables(t, session, []*workshop.Job{renamed}, "an older value over a newer one")

	live := storetest.UpdateJob(t, store, storetest.Brakes(), func(j *workshop.Job) { j.Title = "doors" })
	imports(start+2_000_000, storetest.Brakes(), false)
	storetest.RequireTables(t, session, []*workshop.Job{live}, "with a concurrent writer")

	require.NoError(t, storetest.DeleteJob(t.Context(), store, storetest.Brakes()))
	imports(start+3_000_000, storetest.Brakes(), false)
	storetest.RequireTables(t, session, nil, "deleted later")
}

// Values that are written with a TTL of the options expire in the root and in all copies. Values that are written without it
// do not.
func testTTLOfOptions(t *testing.T, session gocqlx.Session) {
	store := storetest.OpenJobs(t, session, mapper.Config{})
	require.NoError(t, store.With(mapper.Options{TTL: time.Hour}).Jobs.Insert(t.Context(), storetest.Brakes()))
	storetest.RequireTables(t, session, []*workshop.Job{storetest.Brakes()})
	cells := 0
	for table := range writtenColumns {
		for key, r := range snapshot(t, session, table).rows {
			for i, left := range r.Left {
				for _, seconds := range left {
					cells++
					require.Greater(t, seconds, 3000, "%s %s: column %d beyond the key", table, key, i)
					require.LessOrEqual(t, seconds, 3600, "%s %s: column %d beyond the key", table, key, i)
				}
			}
		}
	}
	require.Greater(t, cells, 20)

	storetest.UpdateJob(t, store, storetest.Brakes(), func(j *workshop.Job) { j.Level = new(int32(8)) })
	for _, table := range []string{"jobs", "jobs_by_title"} {
		for _, r := range snapshot(t, session, table).rows {
			var permanent int
			for i, left := range r.Left {
				if len(left) == 0 && r.Values[i] != "null" {
					permanent++
				}
			}
			require.Equal(t, 1, permanent, "%s: only the level", table)
		}
	}
}
