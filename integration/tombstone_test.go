package integration

import (
	"testing"

	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/jobmodel"
	"github.com/cassaml/cassaml/mapper"
)

// What an insert leaves out leaves no tombstone, and a change leaves one for each cell that goes, as the server counts
// them when it reads. (It counts 0 and 1 as one, and the deletion before a collection that is written whole not at all: TestDeletionsOnDisk has it.)
func TestTombstones(t *testing.T) {
	t.Parallel()
	session := ownJobKeyspace(t)
	store := openJobs(t, session, mapper.Config{})
	full := brakes()
	bare := &jobmodel.Job{Site: full.Site, Year: full.Year, Opened: full.Opened, ID: jobID(2), Title: "lamps", Due: full.Due}
	insert(t, store, bare, full)
	for _, j := range []*jobmodel.Job{bare, full} {
		_, err := get(t.Context(), store, j)
		require.NoError(t, err)
	}
	require.LessOrEqual(t, tombstonesPerRead(t, session, "jobs"), 1.0, "ten absent columns, and all there")

	update(t, store, full, func(j *jobmodel.Job) { j.Title, j.Hours = "brakes again", 4 })
	_, err := get(t.Context(), store, full)
	require.NoError(t, err)
	require.LessOrEqual(t, tombstonesPerRead(t, session, "jobs"), 1.0, "what is overwritten leaves none")

	update(t, store, full, func(j *jobmodel.Job) { j.Level, j.Budget, j.Sketch = nil, nil, nil })
	_, err = get(t.Context(), store, full)
	require.NoError(t, err)
	require.Equal(t, 3.0, tombstonesPerRead(t, session, "jobs"))
}

// tombstonesPerRead returns the most tombstones that one read of a table has met, as soon as the server counts one.
func tombstonesPerRead(t *testing.T, session gocqlx.Session, table string) (most float64) {
	t.Helper()
	columns := session.Session.Query("SELECT * FROM " + table + " LIMIT 1").Iter()
	keyspace := columns.Columns()[0].Keyspace
	require.NoError(t, columns.Close())
	var name, of string
	it := session.Session.Query("SELECT keyspace_name, table_name, max FROM system_views.tombstones_per_read").Iter()
	for at := 0.0; it.Scan(&of, &name, &at); {
		if of == keyspace && name == table {
			most = at
		}
	}
	err := it.Close()
	if keyspaceDropped(err) {
		return tombstonesPerRead(t, session, table)
	}
	require.NoError(t, err)
	require.Positive(t, most, "the server has counted no read")
	return most
}
