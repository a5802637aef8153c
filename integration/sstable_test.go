package integration

import (
	"encoding/json"
	"testing"

	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/jobmodel"
	"github.com/cassaml/cassaml/mapper"
)

// An insert leaves on disk no tombstone but the one that Cassandra itself writes before each collection or UDT that is not
// frozen and is assigned whole. So does a Put of what is not there, in all tables of the aggregate.
func TestDeletionsOnDisk(t *testing.T) {
	t.Parallel()
	session := ownJobKeyspace(t)
	store := openJobs(t, session, mapper.Config{})
	full := brakes()
	put := with(full, func(j *jobmodel.Job) { j.ID, j.Title = jobID(2), "put" })
	bare := &jobmodel.Job{Site: full.Site, Year: full.Year, Opened: full.Opened, ID: jobID(3), Due: full.Due, Title: "lamps", Tags: []string{"night"}}
	insert(t, store, full, bare)
	require.NoError(t, store.Jobs.Put(t.Context(), put))
	require.NoError(t, store.Jobs.Put(t.Context(), with(bare, func(j *jobmodel.Job) { j.ID, j.Title = jobID(4), "fans" })))

	whole := []string{"notes", "parts", "tags", "tools", "worker"}
	require.Equal(t, map[string]deletions{
		jobID(1).String(): {complex: whole}, jobID(2).String(): {complex: whole},
		jobID(3).String(): {complex: []string{"tags"}}, jobID(4).String(): {complex: []string{"tags"}},
	}, deletionsIn(t, session, "jobs"))
	copied := []string{"parts", "tags", "worker"} // its notes are frozen
	require.Equal(t, map[string]deletions{
		jobID(1).String(): {complex: copied}, jobID(2).String(): {complex: copied},
		jobID(3).String(): {complex: []string{"tags"}}, jobID(4).String(): {complex: []string{"tags"}},
	}, deletionsIn(t, session, "jobs_by_title"))
	require.Equal(t, map[string]deletions{"2020-01-02": {complex: []string{"holder"}}, "2021-01-02": {complex: []string{"holder"}}},
		deletionsIn(t, session, "tools_by_serial"))
}

// deletions are those of a row: cells, collections and UDTs that are deleted whole before they are written, the row itself.
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
