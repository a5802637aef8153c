package store

import (
	"testing"
	"time"

	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/workshop"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

// One job at a time holds a tool. A job that releases a tool does not delete the row of a job that has claimed it before.
func TestDistinct(t *testing.T) {
	t.Parallel()
	t.Run("memory", func(t *testing.T) {
		store, err := workshop.OpenBackend(t.Context(), memory.New(memory.Config{}))
		require.NoError(t, err)
		distinctRows(t, store)
	})
	storetest.InOneKeyspace(t, []storetest.Test{
		{"rows", func(t *testing.T, s gocqlx.Session) { distinctRows(t, storetest.OpenJobs(t, s, mapper.Config{})) }},
		{"times", distinctTimes},
	})
}

var jack = workshop.Tool{Serial: "s1", Bought: storetest.Date(2020, 1, 2), Kind: "jack"}

// lent returns a job with tools only.
func lent(id byte, tools ...workshop.Tool) *workshop.Job {
	return &workshop.Job{Site: "Recife", Year: 2026, Opened: storetest.Brakes().Opened, ID: storetest.JobID(id), Title: string('a' + rune(id)), Tools: tools, Due: storetest.Date(2026, 3, 9)}
}

// holder returns the title of the job that has a tool, or "".
func holder(t *testing.T, store *workshop.Store, tool workshop.Tool) string {
	t.Helper()
	row, err := store.ToolsBySerial.Get(t.Context(), tool.Serial, tool.Bought)
	if err != nil {
		require.ErrorIs(t, err, mapper.ErrNotFound)
		return ""
	}
	return row.Holder.Title
}

// giveUp releases the tools of a job, by method.
var giveUp = map[string]func(*testing.T, *workshop.Store, *workshop.Job) error{
	"Update": func(t *testing.T, s *workshop.Store, j *workshop.Job) error {
		_, err := storetest.TryUpdateJob(t.Context(), s, j, func(j *workshop.Job) { j.Tools = nil })
		return err
	},
	"Change": func(t *testing.T, s *workshop.Store, j *workshop.Job) error {
		return s.Jobs.Change(t.Context(), j, storetest.Changed(j, func(j *workshop.Job) { j.Tools = nil }))
	},
	"Put": func(t *testing.T, s *workshop.Store, j *workshop.Job) error {
		return s.Jobs.Put(t.Context(), storetest.Changed(j, func(j *workshop.Job) { j.Tools = nil }))
	},
	"Delete": func(t *testing.T, s *workshop.Store, j *workshop.Job) error {
		return storetest.DeleteJob(t.Context(), s, j)
	},
}

func distinctRows(t *testing.T, store *workshop.Store) {
	saw := workshop.Tool{Serial: "s2", Bought: storetest.Date(2021, 1, 2), Kind: "saw"}
	for name, give := range giveUp {
		first, second := lent(1, jack, saw), lent(2)
		storetest.InsertJobs(t, store, first, second)
		second = storetest.UpdateJob(t, store, second, func(j *workshop.Job) { j.Tools = []workshop.Tool{jack} })
		require.NoError(t, give(t, store, first), name)
		require.Equal(t, second.Title, holder(t, store, jack), name)
		require.Empty(t, holder(t, store, saw), name)
		require.NoError(t, give(t, store, second), name)
		require.Empty(t, holder(t, store, jack), name)
		for _, j := range []*workshop.Job{first, second} {
			require.NoError(t, storetest.DeleteJob(t.Context(), store, j))
		}
	}
}

// A removed row is deleted above its write times, also if it is absent or has no holder.
func distinctTimes(t *testing.T, session gocqlx.Session) {
	store := storetest.OpenJobs(t, session, mapper.Config{})
	exec := func(cql, serial string, at time.Time) {
		require.NoError(t, session.Session.Query(cql, at.UnixMicro(), serial, jack.Bought).Exec())
	}
	const write = "UPDATE tools_by_serial USING TIMESTAMP ? SET kind = 'late' WHERE serial = ? AND bought = ?"
	id := byte(10)
	for name, give := range giveUp {
		ahead, absent, ownerless := jack, jack, jack
		ahead.Serial, absent.Serial, ownerless.Serial = name+" ahead", name+" absent", name+" ownerless"
		job := lent(id, absent, ownerless)
		storetest.InsertJobs(t, store, job)
		exec("DELETE FROM tools_by_serial USING TIMESTAMP ? WHERE serial = ? AND bought = ?", absent.Serial, time.Now())
		late := time.Now()
		exec("UPDATE tools_by_serial USING TIMESTAMP ? SET holder = null WHERE serial = ? AND bought = ?", ownerless.Serial, time.Now())
		require.NoError(t, give(t, store, job), name)
		exec(write, absent.Serial, late)

		job = lent(id+1, ahead)
		storetest.InsertJobs(t, store, job)
		hour := time.Now().Add(time.Hour)
		exec(write, ahead.Serial, hour)
		require.NoError(t, give(t, store, job), name)
		exec(write, ahead.Serial, hour)
		for _, tool := range []workshop.Tool{ahead, absent, ownerless} {
			_, err := store.ToolsBySerial.Get(t.Context(), tool.Serial, tool.Bought)
			require.ErrorIs(t, err, mapper.ErrNotFound, tool.Serial)
		}
		id += 2
	}
}
