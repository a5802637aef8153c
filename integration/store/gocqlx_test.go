package store

import (
	"sort"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
	"github.com/scylladb/gocqlx/v2/qb"
	"github.com/scylladb/gocqlx/v2/table"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/workshop"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
)

// The generated metadata works with gocqlx on the session of the store, for queries that a store does not have.
func testMetadataWorksWithGocqlx(t *testing.T, session gocqlx.Session) {
	store := storetest.OpenJobs(t, session, mapper.Config{})
	storetest.InsertJobs(t, store, append(storetest.Shelf(), storetest.Brakes())...)
	type job struct {
		Site, Title string
		Year        int16
		Opened      time.Time
		ID          gocql.UUID `db:"id"`
		Hours       float64
		Tags        []string
	}
	want := job{Site: "Recife", Title: "brakes", Year: 2026, Opened: storetest.Brakes().Opened, ID: storetest.JobID(1), Hours: 2.5, Tags: []string{"night", "urgent"}}

	jobs, got := table.New(workshop.JobsMetadata), want
	got.Title, got.Hours, got.Tags = "", 0, nil
	require.NoError(t, jobs.GetQuery(store.Session(), "site", "year", "opened", "id", "title", "hours", "tags").BindStruct(got).GetRelease(&got))
	require.Equal(t, want, got)

	var since []job
	q := qb.Select(workshop.JobsMetadata.Name).Columns("site", "year", "opened", "id", "title", "hours", "tags").
		Where(qb.Eq("site"), qb.Eq("year"), qb.Gt("opened")).Query(store.Session())
	require.NoError(t, q.BindMap(qb.M{"site": "Recife", "year": 2026, "opened": storetest.Opened(2)}).SelectRelease(&since))
	require.Equal(t, []job{want}, since)

	var tools []struct{ Serial, Kind string }
	q = qb.Select(workshop.ToolsBySerialMetadata.Name).Columns("serial", "kind").Where(qb.Eq(workshop.ToolsBySerialMetadata.PartKey[0])).Query(store.Session())
	require.NoError(t, q.Bind("s2").SelectRelease(&tools))
	require.Len(t, tools, 1)
	require.Equal(t, "saw", tools[0].Kind)
}

// The structs of the model work with gocqlx: a field whose column gocqlx would name differently has the tag db, and fields
// of user-defined types have the tag cql of the driver. Each reads what the other writes.
func testStructsWorkWithGocqlx(t *testing.T, session gocqlx.Session) {
	store := storetest.OpenJobs(t, session, mapper.Config{})
	storetest.InsertJobs(t, store, storetest.Brakes())
	own := store.Session()
	jobs := table.New(workshop.JobsMetadata)

	var got workshop.Job
	require.NoError(t, own.Query(jobs.Get()).BindStruct(storetest.Brakes()).GetRelease(&got))
	sort.Strings(got.Tags)
	require.Equal(t, storetest.Brakes(), &got)

	other := storetest.Changed(storetest.Brakes(), func(j *workshop.Job) { j.ID, j.Title, j.Tools = storetest.JobID(2), "lights", j.Tools[:1] })
	require.NoError(t, own.Query(jobs.Insert()).BindStruct(other).ExecRelease())
	read, err := storetest.GetJob(t.Context(), store, other)
	require.NoError(t, err)
	require.Equal(t, other, read)

	var copies []workshop.ToolBySerial
	tools := table.New(workshop.ToolsBySerialMetadata)
	require.NoError(t, own.Query(tools.Select("serial", "bought", "kind")).Bind("s1").SelectRelease(&copies))
	require.Len(t, copies, 1)
	require.Equal(t, workshop.ToolBySerial{Serial: "s1", Bought: storetest.Date(2020, 1, 2), Kind: "jack"}, copies[0])
}

// The metadata has the columns and keys of the generated schema.
func testMetadataIsTheSchema(t *testing.T, session gocqlx.Session) {
	for _, m := range []table.Metadata{workshop.JobsMetadata, workshop.JobsByTitleMetadata, workshop.JobsByDueMetadata, workshop.ToolsBySerialMetadata,
		workshop.PartsByNumberMetadata, workshop.JobsByTagMetadata, workshop.SamplesMetadata} {
		columns, keys := map[string]string{}, map[string]string{}
		for i, c := range m.PartKey {
			keys[c] = "partition_key" + string(rune('0'+i))
		}
		for i, c := range m.SortKey {
			keys[c] = "clustering" + string(rune('0'+i))
		}
		it := session.Session.Query("SELECT column_name, kind, position FROM system_schema.columns WHERE keyspace_name = ? AND table_name = ?",
			session.Query("", nil).Keyspace(), m.Name).Iter()
		var name, kind string
		for position := 0; it.Scan(&name, &kind, &position); {
			columns[name] = kind
			if position >= 0 {
				columns[name] += string(rune('0' + position))
			}
		}
		require.NoError(t, it.Close())
		require.Len(t, m.Columns, len(columns), m.Name)
		for _, c := range m.Columns {
			want := keys[c]
			if want == "" {
				want = "regular"
			}
			require.Equal(t, want, columns[c], "%s.%s", m.Name, c)
		}
	}
}
