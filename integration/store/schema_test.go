package store

import (
	"bytes"
	"log/slog"
	"testing"

	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/models/workshop"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
	"github.com/cassaml/cassaml/migrate/catalog"
)

// Open reports all differences of a keyspace from the schema in one error.
func TestSchemaError(t *testing.T) {
	t.Parallel()
	session := storetest.OwnJobKeyspace(t)
	storetest.Execute(t, session, `
		DROP TABLE jobs_by_due;
		DROP TABLE jobs_by_tag;
		CREATE TABLE jobs_by_tag (tag text, site text, year smallint, opened timestamp, id uuid, title text,
			PRIMARY KEY ((tag, site), year, opened, id)) WITH CLUSTERING ORDER BY (year DESC, opened ASC, id ASC);
		ALTER TABLE samples DROP blob;
		ALTER TABLE samples DROP boolean;
		ALTER TABLE samples DROP text;
		ALTER TABLE samples DROP inet;
		ALTER TABLE samples ADD (text blob, inet blob);
		DROP TABLE tools_by_serial;
		CREATE TABLE tools_by_serial (serial text, bought date, kind text STATIC, holder int, tool frozen<tool>, extra int,
			PRIMARY KEY (serial, bought, extra)) WITH CLUSTERING ORDER BY (bought DESC, extra ASC);
		DROP TYPE holder;
		ALTER TYPE part RENAME maker TO vendor`)
	_, err := workshop.Open(t.Context(), session, mapper.Config{})
	var faults *mapper.SchemaError
	require.ErrorAs(t, err, &faults)
	keyspace := session.Query("", nil).Keyspace()
	require.Equal(t, keyspace, faults.Keyspace)
	require.ElementsMatch(t, []mapper.SchemaFault{
		{Type: "holder"},
		{Type: "part", Column: "maker", Want: "maker text", Have: "vendor text"},
		{Table: "jobs_by_due"},
		{Table: "jobs_by_tag", Column: "site", Want: "text, clustering 0 asc", Have: "text, partition_key 1"},
		{Table: "jobs_by_tag", Column: "year", Want: "smallint, clustering 1 asc", Have: "smallint, clustering 0 desc"},
		{Table: "jobs_by_tag", Column: "opened", Want: "timestamp, clustering 2 asc", Have: "timestamp, clustering 1 asc"},
		{Table: "jobs_by_tag", Column: "id", Want: "uuid, clustering 3 asc", Have: "uuid, clustering 2 asc"},
		{Table: "samples", Column: "blob", Want: "blob"},
		{Table: "samples", Column: "boolean", Want: "boolean"},
		{Table: "samples", Column: "text", Want: "text", Have: "blob"},
		{Table: "samples", Column: "inet", Want: "inet", Have: "blob"},
		{Table: "tools_by_serial", Column: "kind", Want: "text", Have: "text, static"},
		{Table: "tools_by_serial", Column: "holder", Want: "holder", Have: "int"},
		{Table: "tools_by_serial", Column: "extra", Want: "outside the key", Have: "int, clustering 1 asc"},
	}, faults.Faults)
	requireInspected(t, session, faults.Faults)
	require.ErrorContains(t, err, "mapper: keyspace "+keyspace+": ")
	require.ErrorContains(t, err, "table jobs_by_due is missing; ")
	require.ErrorContains(t, err, "table samples.text is blob, not text; ")
}

// A missing field of a type is one of the faults.
func TestSchemaErrorOfAShortType(t *testing.T) {
	t.Parallel()
	storetest.Requires(t, workshop.Schema)
	session := cassandra.Keyspace(t)
	storetest.Execute(t, session, "CREATE TYPE person (name text, phone int)")
	_, err := workshop.Open(t.Context(), session, mapper.Config{})
	var faults *mapper.SchemaError
	require.ErrorAs(t, err, &faults)
	require.Equal(t, []mapper.SchemaFault{
		{Type: "person", Column: "phone", Want: "phone text", Have: "phone int"},
		{Type: "person", Column: "born", Want: "date"},
		{Type: "place"}, {Type: "tool"}, {Type: "part"}, {Type: "holder"},
		{Table: "jobs"}, {Table: "jobs_by_title"}, {Table: "jobs_by_due"}, {Table: "tools_by_serial"}, {Table: "parts_by_number"},
		{Table: "jobs_by_tag"}, {Table: "samples"},
	}, faults.Faults)
}

// Existing databases rarely freeze the collections in their types. Their values are the same.
func TestOpenAcceptsFieldsThatAreNotFrozen(t *testing.T) {
	t.Parallel()
	storetest.Requires(t, workshop.Schema)
	session := cassandra.Keyspace(t)
	storetest.Execute(t, session, "CREATE TYPE place (street text, door int, codes list<text>)")
	storetest.Execute(t, session, workshop.Schema)
	store := storetest.OpenJobs(t, session, mapper.Config{})
	storetest.InsertJobs(t, store, storetest.Brakes())
	storetest.UpdateJob(t, store, storetest.Brakes(), func(j *workshop.Job) { j.Place.Codes = append(j.Place.Codes, "more") })
	got, err := storetest.GetJob(t.Context(), store, storetest.Brakes())
	require.NoError(t, err)
	require.Equal(t, storetest.NewRow(storetest.Changed(storetest.Brakes(), func(j *workshop.Job) { j.Place.Codes = append(j.Place.Codes, "more") })), storetest.NewRow(got))
}

// Additional tables, types, columns and fields of a keyspace are accepted: an older program has to run concurrently with a
// newer one. Additional columns and fields of the model's own tables and types are logged in one line, other tables and
// types are not.
func TestExtraSchemaIsAccepted(t *testing.T) {
	t.Parallel()
	session := storetest.OwnJobKeyspace(t)
	storetest.Execute(t, session, `
		CREATE TABLE customers (id int PRIMARY KEY);
		CREATE TYPE address (street text);
		ALTER TABLE jobs ADD (price int, moves list<int>);
		ALTER TABLE jobs_by_tag ADD price int;
		ALTER TYPE person ADD mail text;
		ALTER TYPE tool ADD weight int;
		ALTER TYPE holder ADD mail text`)
	var log bytes.Buffer
	store := storetest.OpenJobs(t, session, mapper.Config{Logger: slog.New(slog.NewJSONHandler(&log, nil))})
	require.Equal(t, 1, bytes.Count(log.Bytes(), []byte("\n")), &log)
	require.Contains(t, log.String(), `"extra":"column jobs.moves, column jobs.price, column jobs_by_tag.price, `+
		`type holder.mail, type person.mail, type tool.weight"`)

	storetest.InsertJobs(t, store, storetest.Brakes())
	storetest.UpdateJob(t, store, storetest.Brakes(), func(j *workshop.Job) { j.Worker.Name = "Ana" })
	got, err := storetest.GetJob(t.Context(), store, storetest.Brakes())
	require.NoError(t, err)
	require.Equal(t, storetest.NewRow(storetest.Changed(storetest.Brakes(), func(j *workshop.Job) { j.Worker.Name = "Ana" })), storetest.NewRow(got))
}

// A session without a keyspace, or with a consistency below a quorum, cannot be opened.
func testOpenErrors(t *testing.T, session gocqlx.Session) {
	_, err := workshop.Open(t.Context(), session, mapper.Config{Consistency: mapper.LocalOne})
	require.ErrorContains(t, err, "mapper: consistency LOCAL_ONE can be less than a quorum")
	nowhere, err := cassandra.CreateSession(t.Context(), cassandra.Test(t).Cluster())
	require.NoError(t, err)
	defer nowhere.Close()
	session.Session = nowhere
	_, err = workshop.Open(t.Context(), session, mapper.Config{})
	require.EqualError(t, err, "mapper: the session has no keyspace: set Keyspace of the gocql.ClusterConfig")
}

// requireInspected compares the schema that a store reads from a keyspace with the one that migrations read: the two have
// separate readers.
func requireInspected(t *testing.T, session gocqlx.Session, faults []mapper.SchemaFault) {
	t.Helper()
	k, err := catalog.Inspect(t.Context(), gocqldriver.New(session), session.Query("", nil).Keyspace())
	require.NoError(t, err)
	compared := 0
	for _, f := range faults {
		if f.Table == "" || f.Column == "" || f.Have == "" {
			continue
		}
		c := catalog.Column(k.Table(f.Table), f.Column)
		require.NotNil(t, c, f.Column)
		kind := map[schema.Kind]string{schema.PartitionKey: "partition_key", schema.ClusteringKey: "clustering", schema.Static: "static"}[c.Kind]
		require.Contains(t, f.Have+",", c.Type.String()+",")
		require.Contains(t, f.Have, kind)
		compared++
	}
	require.Positive(t, compared)
}
