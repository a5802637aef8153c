package command

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/examples/quickstart/shop"
	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/models/part"
	"github.com/cassaml/cassaml/integration/models/trace"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/gen"
	"github.com/cassaml/cassaml/migrate/folder"
)

// garage is a keyspace with the tables of the quickstart, and the command in the folder of its model.
type garage struct {
	t       *testing.T
	session gocqlx.Session
	store   *shop.Store
	ana     *shop.Customer
	at      time.Time // the write time of her rows
}

// newGarage inserts a customer with two vehicles, an hour ago, so that reconcile compares her rows.
func newGarage(t *testing.T) *garage {
	t.Helper()
	text, err := os.ReadFile("../../examples/quickstart/shop/schema.cql")
	require.NoError(t, err)
	list, err := folder.Split(string(text))
	require.NoError(t, err)
	var statements []string
	for _, s := range list {
		statements = append(statements, s.Text)
	}
	g := &garage{t: t, session: cassandra.Tables(t, statements...), at: time.Now().Add(-time.Hour)}
	g.store, err = shop.Open(t.Context(), g.session, mapper.Config{})
	require.NoError(t, err)
	g.ana = &shop.Customer{ID: gocql.UUID{15: 1}, Name: "Ana", Vehicles: []shop.Vehicle{{Plate: "A", Color: "blue"}, {Plate: "B", Color: "red"}}}
	_, err = g.store.With(mapper.Options{Timestamp: g.at.UnixMicro()}).Customers.Import(t.Context(), g.ana)
	require.NoError(t, err)
	return g
}

// later executes a statement at a time after the write time of the rows, in which ? is that time.
func (g *garage) later(statement string) {
	g.t.Helper()
	at := strconv.FormatInt(g.at.Add(time.Second).UnixMicro(), 10)
	require.NoError(g.t, g.session.ExecStmt(strings.Replace(statement, "?", at, 1)))
}

// aml runs the command in the folder of the quickstart.
func (g *garage) aml(args ...string) (stdout, stderr string, code int) {
	g.t.Helper()
	return amlReconcile(g.t, g.session, "../../examples/quickstart/shop", args...)
}

// amlReconcile runs aml reconcile in the folder of a model, as amlOnServer does.
func amlReconcile(t *testing.T, session gocqlx.Session, dir string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	return amlOnServer(t, session, dir, "reconcile", args...)
}

// amlOnServer runs a command that builds a program in the folder of a model with the options of the server, and returns its output and its exit
// code. It leaves no temporary file.
func amlOnServer(t *testing.T, session gocqlx.Session, dir, name string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	keyspace := session.Session.Query("").Keyspace()
	c := exec.CommandContext(t.Context(), program(t, "codegen/cmd/aml"), append([]string{name, "-keyspace", keyspace}, args...)...)
	c.Dir = dir
	temporary := t.TempDir()
	c.Env = append(os.Environ(), "CASSANDRA_HOSTS="+strings.Join(cassandra.Test(t).Hosts(), ","), "TMPDIR="+temporary)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	if err := c.Run(); err != nil {
		require.IsType(t, &exec.ExitError{}, err)
	}
	left, err := os.ReadDir(temporary)
	require.NoError(t, err)
	require.Empty(t, left)
	return out.String(), errs.String(), c.ProcessState.ExitCode()
}

// vehicles returns the rows of the redundant table: its plates with colors.
func (g *garage) vehicles() map[string]string {
	g.t.Helper()
	out := map[string]string{}
	rows := g.session.Session.Query("SELECT plate, color FROM vehicles").Iter()
	for plate, color := "", ""; rows.Scan(&plate, &color); {
		out[plate] = color
	}
	require.NoError(g.t, rows.Close())
	return out
}

// A missing, a stale and an orphaned row are found by a dry run, which changes nothing, and then repaired.
func TestReconcileCommand(t *testing.T) {
	t.Parallel()
	cassandra.Requires(t, "5.0", "a model with columns that are not frozen")
	g := newGarage(t)
	g.later("DELETE FROM vehicles USING TIMESTAMP ? WHERE plate = 'A'")
	g.later("UPDATE vehicles USING TIMESTAMP ? SET color = 'grey' WHERE plate = 'B'")
	g.later("INSERT INTO vehicles (plate, color, owner) VALUES ('C', 'green', {id: 00000000-0000-0000-0000-000000000001, name: 'Ana'}) USING TIMESTAMP ?")
	drift := map[string]string{"B": "grey", "C": "green"}

	out, errs, code := g.aml("-dry-run")
	require.Equal(t, 3, code, errs)
	require.Equal(t, "drift is left: findings that were not repaired 3, rows that are left for a later run 0\n", errs)
	require.Contains(t, out, "vehicles plate='A' (Customer): missing")
	require.Contains(t, out, "vehicles plate='B' (Customer): stale")
	require.Contains(t, out, "vehicles plate='C' (Customer): orphan")
	require.Contains(t, out, "vehicles: missing 1, stale 1, orphan 1\n")
	require.Equal(t, drift, g.vehicles())

	out, errs, code = g.aml("-json", "-tables", "customers", "-parallel", "1", "-slices", "4", "-grace", "1m")
	require.Equal(t, 0, code, errs)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	require.Len(t, lines, 4)
	for _, l := range lines[:3] {
		require.Contains(t, l, `{"kind":"finding","drift":"`)
		require.Contains(t, l, `"repaired":true`)
	}
	var report struct {
		Kind     string
		Repaired int
		Clean    bool
	}
	require.NoError(t, json.Unmarshal([]byte(lines[3]), &report))
	require.Equal(t, "report", report.Kind)
	require.Equal(t, 3, report.Repaired)
	require.True(t, report.Clean)
	require.Equal(t, map[string]string{"A": "blue", "B": "red"}, g.vehicles())

	out, errs, code = g.aml()
	require.Equal(t, 0, code, errs)
	require.Contains(t, out, "findings 0, repaired 0, ")
}

// Processes with the same name of a run share it, and each prints the report of the whole run. A run that has ended is not repeated: its
// report has the times at which it was carried out.
func TestReconcileShared(t *testing.T) {
	t.Parallel()
	cassandra.Requires(t, "5.0", "a model with columns that are not frozen")
	g := newGarage(t)
	g.later("DELETE FROM vehicles USING TIMESTAMP ? WHERE plate = 'A'")
	const finding = "vehicles plate='A' (Customer): missing; repaired\n"
	first, errs, code := g.aml("-job", "nightly", "-slices", "4")
	require.Equal(t, 0, code, errs)
	require.Contains(t, first, finding+"vehicles: missing 1\n")
	again, errs, code := g.aml("-job", "nightly", "-slices", "4")
	require.Equal(t, 0, code, errs)
	require.Equal(t, strings.TrimPrefix(first, finding), again)
}

// The row and its redundant rows are written at a time after the given one. What a later deletion still hides is printed.
func TestReconcileRestamps(t *testing.T) {
	t.Parallel()
	cassandra.Requires(t, "5.0", "a model with columns that are not frozen")
	g := newGarage(t)
	above := time.Now().Add(-time.Minute)
	row := "customers WHERE id = " + g.ana.ID.String()
	out, errs, code := g.aml("-restamp", row, "-above", above.Format(time.RFC3339))
	require.Equal(t, 0, code, errs)
	require.Contains(t, out, row+": the row and its redundant rows were written again\nrows read ")
	for _, query := range []string{"SELECT WRITETIME(name) FROM customers", "SELECT WRITETIME(color) FROM vehicles WHERE plate = 'A'"} {
		var at int64
		require.NoError(t, g.session.Session.Query(query).Scan(&at))
		require.Greater(t, at, above.Truncate(time.Second).UnixMicro(), query)
	}
	deleted := strconv.FormatInt(time.Now().Add(time.Hour).UnixMicro(), 10)
	require.NoError(t, g.session.ExecStmt("DELETE FROM vehicles USING TIMESTAMP "+deleted+" WHERE plate = 'A'"))
	out, errs, code = g.aml("-restamp", row)
	require.Equal(t, 3, code, errs)
	require.Contains(t, out, "vehicles plate='A' (Customer): hidden; not repaired: missing, hidden by a deletion with a later timestamp: give a later time with -above\n")
}

// The row of a restamp must be one row. The command prints the error of the store.
func TestReconcileRestampsOneRow(t *testing.T) {
	t.Parallel()
	cassandra.Requires(t, "5.0", "a model with columns that are not frozen")
	g := newGarage(t)
	require.NoError(t, g.store.Customers.Insert(t.Context(), &shop.Customer{ID: gocql.UUID{15: 2}, Name: "Bia"}))
	const several = "token(id) >= -9223372036854775808"
	for condition, want := range map[string]string{
		"id = 00000000-0000-0000-0000-000000000009": "mapper: customers WHERE id = 00000000-0000-0000-0000-000000000009 selects no row",
		several: "mapper: customers WHERE " + several + " selects several rows: add columns of the primary key, so that it selects one",
		"id = 00000000-0000-0000-0000-000000000001 AND color=1": "mapper: customers WHERE id = 00000000-0000-0000-0000-000000000001 AND color=1: Undefined column name color in table ",
	} {
		_, err := gen.Restamp(t.Context(), g.store.Customers, condition, 0, nil)
		require.ErrorContains(t, err, want)
	}
	_, errs, code := g.aml("-restamp", "customers WHERE "+several)
	require.Equal(t, 1, code)
	require.Equal(t, "mapper: customers WHERE "+several+" selects several rows: add columns of the primary key, so that it selects one\n", errs)
}

// A refill removes rows of no root and writes missing ones, with the write times of their root.
func TestReconcileRefills(t *testing.T) {
	t.Parallel()
	cassandra.Requires(t, "5.0", "a model with columns that are not frozen")
	g := newGarage(t)
	g.later("DELETE FROM vehicles USING TIMESTAMP ? WHERE plate = 'A'")
	g.later("INSERT INTO vehicles (plate, color) VALUES ('C', 'green') USING TIMESTAMP ?")
	_, errs, code := g.aml("-refill", "vehicles")
	require.Equal(t, 1, code)
	require.Equal(t, "-refill vehicles empties the table, and there is no terminal to ask: add -yes\n", errs)
	require.Equal(t, map[string]string{"B": "red", "C": "green"}, g.vehicles())

	out, errs, code := g.aml("-refill", "vehicles", "-yes", "-json")
	require.Equal(t, 0, code, errs)
	require.JSONEq(t, `{"kind":"refill","table":"vehicles","root":"customers","rows":1}`, out)
	require.Equal(t, map[string]string{"A": "blue", "B": "red"}, g.vehicles())
	var at int64
	require.NoError(t, g.session.Session.Query("SELECT WRITETIME(color) FROM vehicles WHERE plate = 'A'").Scan(&at))
	require.Equal(t, g.at.UnixMicro(), at)
}

// A refill does not empty a table while a node has not built its index. A node records in system."IndexInfo" what it has built.
func TestRefillWaitsForIndexes(t *testing.T) {
	t.Parallel()
	cassandra.Requires(t, "5.0", "a model with columns that are not frozen")
	g := newGarage(t)
	g.later("DELETE FROM vehicles USING TIMESTAMP ? WHERE plate = 'A'")
	keyspace := g.session.Query("", nil).Keyspace()
	require.NoError(t, g.session.ExecStmt("CREATE INDEX vehicles_color ON vehicles (color) USING 'sai'"))
	answers := func() bool { return g.session.ExecStmt("SELECT plate FROM vehicles WHERE color = 'red'") == nil }
	require.Eventually(t, answers, time.Minute, 10*time.Millisecond)
	const built = `system."IndexInfo" WHERE table_name = ? AND index_name = 'vehicles_color'`
	require.NoError(t, g.session.Session.Query("DELETE FROM "+built, keyspace).Exec())

	out, errs, code := g.aml("-refill", "vehicles", "-yes", "-timeout", "3s")
	require.Equal(t, 1, code)
	require.Empty(t, out)
	require.Contains(t, errs, "wait up to 3s before vehicles is emptied, because TRUNCATE stops the build of an index: index vehicles_color on 127.0.0.1:")
	require.Contains(t, errs, "-refill: vehicles was not emptied: not built after 3s: index vehicles_color on 127.0.0.1:")
	require.Contains(t, errs, "allow a longer wait with -timeout, or, if an index is no longer being built, drop it and create it again")
	require.Equal(t, map[string]string{"B": "red"}, g.vehicles())

	require.NoError(t, g.session.Session.Query(`INSERT INTO system."IndexInfo" (table_name, index_name) VALUES (?, 'vehicles_color')`, keyspace).Exec())
	_, errs, code = g.aml("-refill", "vehicles", "-yes")
	require.Equal(t, 0, code, errs)
	require.Empty(t, errs)
	require.Equal(t, map[string]string{"A": "blue", "B": "red"}, g.vehicles())
}

// A missing row expires when its root does, whose TTL is that of the option.
func TestReconcileCommandWithTTL(t *testing.T) {
	t.Parallel()
	const dir = "../models/trace"
	session := storetest.SharedTables(t, trace.Schema)
	config := mapper.Config{TTL: map[string]time.Duration{"retention": 100 * time.Hour}}
	store, err := trace.Open(t.Context(), session, config)
	require.NoError(t, err)
	old := store.With(mapper.Options{Timestamp: time.Now().Add(-time.Hour).UnixMicro()})
	_, err = old.Spans.Import(t.Context(), &trace.Span{Trace: gocql.UUID{15: 1}, ID: 1, Service: "shop", Operation: "buy", Logs: []trace.Log{{At: 1, Text: "a"}}})
	require.NoError(t, err)
	require.NoError(t, session.ExecStmt("TRUNCATE logs_by_time"))

	out, errs, code := amlReconcile(t, session, dir, "-tables", "spans", "-ttl", "retention=100h,searchable=24h")
	require.Equal(t, 0, code, errs)
	require.Contains(t, out, "logs_by_time: missing 1\n")
	var left int
	require.NoError(t, session.Session.Query("SELECT TTL(text) FROM logs_by_time").Scan(&left))
	require.InDelta(t, (99 * time.Hour).Seconds(), left, time.Hour.Seconds()/2, "the default is 48 h")
}

// Parts without a root are printed, and so is drift that is left. A redundant table of a part in its root's table is filled from
// the part.
func TestReconcileCommandOfParts(t *testing.T) {
	t.Parallel()
	const dir = "../models/part"
	session := storetest.SharedTables(t, storetest.SchemaFile(t, dir))
	store, err := part.Open(t.Context(), session, mapper.Config{})
	require.NoError(t, err)
	old := store.With(mapper.Options{Timestamp: time.Now().Add(-time.Hour).UnixMicro()})
	_, err = old.Rounds.Import(t.Context(), &part.Round{Region: "north", GameID: gocql.UUID{15: 1}, Number: 7, Winner: "Ana"})
	require.NoError(t, err)
	_, err = old.Segment.Import(t.Context(), &part.Segment{RunID: gocql.UUID{15: 2}, Number: 1, Word: "to"})
	require.NoError(t, err)
	_, err = old.Guests.Import(t.Context(), &part.Guest{Region: "north", GameID: gocql.UUID{15: 1}, Seat: 1, Name: "Bia"})
	require.NoError(t, err)
	require.NoError(t, session.ExecStmt("TRUNCATE segments_by_word"))
	require.NoError(t, session.ExecStmt("TRUNCATE guests_by_name"))

	out, errs, code := amlReconcile(t, session, dir, "-refill", "segments_by_word", "-yes")
	require.Equal(t, 0, code, errs)
	require.Equal(t, "segments_by_word is filled: rows of Segment in runs that were read 1\n", out)
	out, errs, code = amlReconcile(t, session, dir, "-tables", "games,runs")
	require.Equal(t, 3, code, errs)
	require.Equal(t, "drift is left: findings that were not repaired 3, rows that are left for a later run 0\n", errs)
	require.Contains(t, out, "rounds region='north', game_id=00000000-0000-0000-0000-000000000001 (Round): missing root; not repaired: games has no such row: "+
		"insert it, or call Delete of Game, which deletes the rows of its parts\n")
	require.Contains(t, out, "runs id=00000000-0000-0000-0000-000000000002 (Segment): missing root; not repaired: runs has no such row: ")
	require.Contains(t, out, "(Guest): missing; repaired\n", "of a part of games")
	require.Contains(t, out, "guests: missing root 1\nguests_by_name: missing 1\nrounds: missing root 1\nruns: missing root 1\n")
}
