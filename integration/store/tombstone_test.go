package store

import (
	"encoding/json"
	"testing"

	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/models/workshop"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
)

// An insert leaves no tombstone on disk, except the one that Cassandra itself writes before each collection or UDT that is
// not frozen and is assigned. A Put of an absent aggregate has the same property. Both hold in all tables of the aggregate;
// the test reads the tables of the two copies only with -all.
func TestDeletionsOnDisk(t *testing.T) {
	t.Parallel()
	session := storetest.OwnJobKeyspace(t)
	store := storetest.OpenJobs(t, session, mapper.Config{})
	full := storetest.Brakes()
	put := storetest.Changed(full, func(j *workshop.Job) { j.ID, j.Title = storetest.JobID(2), "put" })
	bare := &workshop.Job{Site: full.Site, Year: full.Year, Opened: full.Opened, ID: storetest.JobID(3), Due: full.Due, Title: "lamps", Tags: []string{"night"}}
	storetest.InsertJobs(t, store, full, bare)
	require.NoError(t, store.Jobs.Put(t.Context(), put))
	require.NoError(t, store.Jobs.Put(t.Context(), storetest.Changed(bare, func(j *workshop.Job) { j.ID, j.Title = storetest.JobID(4), "fans" })))

	whole := []string{"notes", "parts", "tags", "tools", "worker"}
	require.Equal(t, map[string]deletions{
		storetest.JobID(1).String(): {complex: whole}, storetest.JobID(2).String(): {complex: whole},
		storetest.JobID(3).String(): {complex: []string{"tags"}}, storetest.JobID(4).String(): {complex: []string{"tags"}},
	}, deletionsIn(t, session, "jobs"))
	if !*allTables { // each table needs a Java process that reads its files
		return
	}
	copied := []string{"parts", "tags", "worker"} // its notes are frozen
	require.Equal(t, map[string]deletions{
		storetest.JobID(1).String(): {complex: copied}, storetest.JobID(2).String(): {complex: copied},
		storetest.JobID(3).String(): {complex: []string{"tags"}}, storetest.JobID(4).String(): {complex: []string{"tags"}},
	}, deletionsIn(t, session, "jobs_by_title"))
	require.Equal(t, map[string]deletions{"2020-01-02": {complex: []string{"holder"}}, "2021-01-02": {complex: []string{"holder"}}},
		deletionsIn(t, session, "tools_by_serial"))
}

// deletions are the deletions of a row: cells, collections and UDTs that are deleted before they are written, and the row
// itself.
type deletions struct {
	cells, complex []string
	row            bool
}

// deletionsIn returns the deletions of a table on disk, by the last column of the clustering key of each row.
func deletionsIn(t *testing.T, session gocqlx.Session, table string) map[string]deletions {
	t.Helper()
	var partitions []struct {
		Partition struct {
			Deletion *json.RawMessage `json:"deletion_info"`
		}
		Rows []struct {
			Type       string
			Clustering []any
			Deletion   *json.RawMessage `json:"deletion_info"`
			Cells      []struct {
				Name     string
				Deletion *struct {
					Marked string `json:"marked_deleted"`
				} `json:"deletion_info"`
			}
		}
	}
	require.NoError(t, json.Unmarshal(cassandra.Dump(t, session, table), &partitions))
	out := map[string]deletions{}
	for _, p := range partitions {
		require.Nil(t, p.Partition.Deletion)
		for _, r := range p.Rows {
			require.Equal(t, "row", r.Type, "a range is deleted")
			d := deletions{row: r.Deletion != nil}
			for _, c := range r.Cells {
				switch {
				case c.Deletion == nil:
				case c.Deletion.Marked != "":
					d.complex = append(d.complex, c.Name)
				default:
					d.cells = append(d.cells, c.Name)
				}
			}
			key, ok := r.Clustering[len(r.Clustering)-1].(string)
			require.True(t, ok, "%v", r.Clustering)
			out[key] = d
		}
	}
	return out
}

// Columns that an insert omits leave no tombstone, and a change leaves one for each removed cell, as the server counts them
// when it reads. (The server counts 0 and 1 as one, and does not count the deletion before a collection that is assigned;
// TestDeletionsOnDisk does.)
func TestTombstones(t *testing.T) {
	t.Parallel()
	session := storetest.OwnJobKeyspace(t)
	store := storetest.OpenJobs(t, session, mapper.Config{})
	full := storetest.Brakes()
	bare := &workshop.Job{Site: full.Site, Year: full.Year, Opened: full.Opened, ID: storetest.JobID(2), Title: "lamps", Due: full.Due}
	storetest.InsertJobs(t, store, bare, full)
	for _, j := range []*workshop.Job{bare, full} {
		_, err := storetest.GetJob(t.Context(), store, j)
		require.NoError(t, err)
	}
	require.LessOrEqual(t, tombstonesPerRead(t, session, "jobs"), 1.0, "with ten absent columns, and with all")

	storetest.UpdateJob(t, store, full, func(j *workshop.Job) { j.Title, j.Hours = "brakes again", 4 })
	_, err := storetest.GetJob(t.Context(), store, full)
	require.NoError(t, err)
	require.LessOrEqual(t, tombstonesPerRead(t, session, "jobs"), 1.0, "overwritten cells leave no tombstone")

	storetest.UpdateJob(t, store, full, func(j *workshop.Job) { j.Level, j.Budget, j.Sketch = nil, nil, nil })
	_, err = storetest.GetJob(t.Context(), store, full)
	require.NoError(t, err)
	require.Equal(t, 3.0, tombstonesPerRead(t, session, "jobs"))
}

// tombstonesPerRead returns the greatest number of tombstones of one read of a table. It waits until the server has counted
// a read.
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
	if storetest.KeyspaceDropped(err) {
		return tombstonesPerRead(t, session, table)
	}
	require.NoError(t, err)
	require.Positive(t, most, "the server has not counted a read")
	return most
}
