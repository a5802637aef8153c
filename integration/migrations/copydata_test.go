package migrations

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
	"github.com/cassaml/cassaml/migrate/copydata"
)

// The copied row has a cell of every kind, with different write times and some with a TTL.
const everyCell = `
	CREATE TYPE home (street text, phones frozen<list<text>>, door int);
	CREATE TABLE old (org int, id int, country text STATIC, lines list<text> STATIC, name text, score int, tags set<text>, marks map<text, int>, notes list<text>,
		home home, away frozen<home>, shelf frozen<set<int>>, gone text, PRIMARY KEY (org, id));
	CREATE TABLE new (org int, id int, state text STATIC, lines list<text> STATIC, full_name text, points bigint, tags set<text>, marks map<text, int>, notes list<text>,
		home home, away frozen<home>, shelf set<int>, labels frozen<set<text>>, old_id int, PRIMARY KEY (org, id));
	INSERT INTO old (org, id, name, score) VALUES (1, 1, 'Ana', 7) USING TIMESTAMP 1000;
	UPDATE old USING TIMESTAMP 1100 AND TTL 100000 SET name = 'Ana B' WHERE org = 1 AND id = 1;
	UPDATE old USING TIMESTAMP 1200 SET country = 'BR', lines = ['x', 'y'] WHERE org = 1;
	UPDATE old USING TIMESTAMP 1300 SET tags = tags + {'b', 'a'} WHERE org = 1 AND id = 1;
	UPDATE old USING TIMESTAMP 1310 AND TTL 200000 SET tags = tags + {'c'}, marks['k'] = 1 WHERE org = 1 AND id = 1;
	UPDATE old USING TIMESTAMP 1320 SET marks['j'] = 2, home.door = 4, notes = ['n', 'n'] WHERE org = 1 AND id = 1;
	UPDATE old USING TIMESTAMP 1330 SET home.street = 'Rua', away = {street: 'Far', door: 1}, shelf = {3, 1}, gone = 'x' WHERE org = 1 AND id = 1;
	INSERT INTO old (org, id) VALUES (1, 2);
	UPDATE old USING TIMESTAMP 1400 SET country = 'PT' WHERE org = 2`

var copyOld = copydata.Rows{From: "old", To: "new", Columns: []copydata.Column{
	{From: "org", To: "org"},
	{From: "id", To: "id"},
	{From: "country", To: "state"},
	{From: "lines", To: "lines"},
	{From: "name", To: "full_name"},
	{From: "score", To: "points", Convert: copydata.Convert(func(n int32) (int64, error) { return 10 * int64(n), nil })},
	{From: "tags", To: "tags"},
	{From: "tags", To: "labels"},
	{From: "marks", To: "marks"},
	{From: "notes", To: "notes"},
	{From: "home", To: "home"},
	{From: "away", To: "away"},
	{From: "shelf", To: "shelf"},
	{From: "id", To: "old_id"},
}}

// Every cell is copied with its write time and its remaining TTL, and a second run changes nothing.
func TestRowsAreCopiedCellByCell(t *testing.T) {
	t.Parallel()
	cassandra.Requires(t, "5.0", "write times of columns that are not frozen")
	session := cassandra.Keyspace(t)
	execute(t, session, everyCell)
	for range 2 {
		require.NoError(t, copyOld.Run(t.Context(), gocqldriver.New(session)))
		require.Equal(t, []string{
			`1 1 "BR" ["x", "y"] "Ana B" 70 ["a", "b", "c"] {"j": 2, "k": 1} ["n", "n"] [1, 3] 1`,
			`1 2 "BR" ["x", "y"] null null null null null null 2`,
			`2 null "PT" null null null null null null null null`,
		}, selectAll(t, session, "SELECT org, id, state, lines, full_name, points, tags, marks, notes, shelf, old_id FROM new"))
		require.Equal(t, []string{`{"street": "Rua", "phones": null, "door": 4} {"street": "Far", "phones": null, "door": 1}`},
			selectAll(t, session, "SELECT home, away FROM new WHERE org = 1 AND id = 1"))
		require.Equal(t, []string{"1200 [1200, 1200] 1100 1000 [1300, 1300, 1310] [1320, 1310] [1320, 1320] 1330 1320 1330 [1330, 1330] 1330 1310 null"},
			selectAll(t, session, `SELECT WRITETIME(state), WRITETIME(lines), WRITETIME(full_name), WRITETIME(points), WRITETIME(tags), WRITETIME(marks), WRITETIME(notes),
				WRITETIME(home.street), WRITETIME(home.door), WRITETIME(away), WRITETIME(shelf), WRITETIME(old_id), WRITETIME(labels), TTL(labels) FROM new WHERE org = 1 AND id = 1`))
		require.Equal(t, []string{"1"}, selectAll(t, session, "SELECT WRITETIME(old_id) FROM new WHERE org = 1 AND id = 2"), "as long ago as can be")
		var name int
		var tags, marks []int
		require.NoError(t, session.Session.Query("SELECT TTL(full_name), TTL(tags), TTL(marks) FROM new WHERE org = 1 AND id = 1").Scan(&name, &tags, &marks))
		require.InDelta(t, 50000, name, 50000)
		require.Equal(t, []int{0, 0}, tags[:2])
		require.InDelta(t, 150000, tags[2], 50000)
		require.Zero(t, marks[0])
		require.InDelta(t, 150000, marks[1], 50000)
	}
}

// Values that a program has written to the new table are newer and are kept, deleted rows stay deleted, and a later run
// copies later writes to the old table.
func TestRowsAreCopiedWithConcurrentWriters(t *testing.T) {
	t.Parallel()
	cassandra.Requires(t, "5.0", "write times of columns that are not frozen")
	session := cassandra.Keyspace(t)
	execute(t, session, everyCell+`;
		UPDATE old USING TIMESTAMP 1500 SET name = 'Bia', tags = {'t'}, notes = ['old'] WHERE org = 3 AND id = 1;
		UPDATE new USING TIMESTAMP 2000 SET full_name = 'new', tags = tags + {'u'}, notes = ['new'] WHERE org = 3 AND id = 1;
		DELETE FROM new USING TIMESTAMP 2000 WHERE org = 1 AND id = 1;
		DELETE state FROM new USING TIMESTAMP 2000 WHERE org = 1`)
	require.NoError(t, copyOld.Run(t.Context(), gocqldriver.New(session)))
	state := func() []string {
		return selectAll(t, session, "SELECT id, state, full_name, points, tags, notes FROM new WHERE org IN (1, 3)")
	}
	require.Equal(t, []string{"2 null null null null null", `1 null "new" null ["t", "u"] ["new"]`}, state())

	execute(t, session, `UPDATE old USING TIMESTAMP 3000 SET name = 'later', score = 1 WHERE org = 3 AND id = 1;
		DELETE FROM old USING TIMESTAMP 3000 WHERE org = 1 AND id = 2`)
	require.NoError(t, copyOld.Run(t.Context(), gocqldriver.New(session)))
	require.Equal(t, []string{"2 null null null null null", `1 null "later" 10 ["t", "u"] ["new"]`}, state(), "deleted rows are not read")
}

// A row that cannot be copied ends the run. The next run continues after its work.
func TestRowsThatCannotBeCopied(t *testing.T) {
	t.Parallel()
	session := cassandra.Keyspace(t)
	execute(t, session, "CREATE TABLE people (id int PRIMARY KEY, email text, age text); CREATE TABLE by_email (email text PRIMARY KEY, id int, age int)")
	for i := range 700 {
		execute(t, session, fmt.Sprintf("INSERT INTO people (id, email, age) VALUES (%d, '%d@x', '%d')", i, i, i))
	}
	execute(t, session, "UPDATE people SET age = 'many' WHERE id = 350")
	years := func(convert func(string) (int32, error)) copydata.Rows {
		return copydata.Rows{From: "people", To: "by_email", Columns: []copydata.Column{{From: "email", To: "email"}, {From: "id", To: "id"}, {From: "age", To: "age", Convert: copydata.Convert(convert)}}}
	}
	errMany := errors.New("how many?")
	err := years(func(s string) (n int32, err error) {
		if _, err := fmt.Sscan(s, &n); err != nil {
			return 0, errMany
		}
		return n, nil
	}).Run(t.Context(), gocqldriver.New(session))
	require.ErrorIs(t, err, errMany)
	require.Regexp(t, `^copydata: copy people to by_email: a row of people where token\(id\) = -?\d+: column age: how many\?$`, err.Error())

	execute(t, session, "UPDATE people SET email = null WHERE id = 350")
	err = years(func(string) (int32, error) { return 1, nil }).Run(t.Context(), gocqldriver.New(session))
	require.ErrorContains(t, err, ": column email is null, but column email of the primary key cannot be null")

	execute(t, session, "DELETE FROM people WHERE id = 350")
	require.NoError(t, years(func(string) (int32, error) { return 1, nil }).Run(t.Context(), gocqldriver.New(session)))
	require.Len(t, selectAll(t, session, "SELECT email FROM by_email"), 699)

	ended, end := context.WithCancel(t.Context())
	end()
	require.ErrorIs(t, years(func(string) (int32, error) { return 1, nil }).Run(ended, gocqldriver.New(session)), context.Canceled)
}

// A column is copied to another column of its table without a change of other cells, and a counter to a number.
func TestColumnsAreCopied(t *testing.T) {
	t.Parallel()
	session := cassandra.Keyspace(t)
	execute(t, session, `CREATE TABLE c (id int PRIMARY KEY, name text, full_name text); UPDATE c USING TIMESTAMP 1000 SET name = 'Ana' WHERE id = 1;
		CREATE TABLE hits (page text PRIMARY KEY, n counter); UPDATE hits SET n = n + 3 WHERE page = 'a'; CREATE TABLE hits_2 (page text PRIMARY KEY, n bigint)`)
	require.NoError(t, copydata.Rows{From: "c", To: "c", Columns: []copydata.Column{{From: "name", To: "full_name"}}}.Run(t.Context(), gocqldriver.New(session)))
	require.Equal(t, []string{`1 "Ana" "Ana" 1000`}, selectAll(t, session, "SELECT id, name, full_name, WRITETIME(full_name) FROM c"))
	execute(t, session, "DELETE name, full_name FROM c WHERE id = 1")
	require.Empty(t, selectAll(t, session, "SELECT id FROM c"), "a row that UPDATE created disappears with its columns")

	count := copydata.Rows{From: "hits", To: "hits_2", Columns: []copydata.Column{{From: "page", To: "page"}, {From: "n", To: "n"}}}
	require.NoError(t, count.Run(t.Context(), gocqldriver.New(session)))
	execute(t, session, "UPDATE hits SET n = n + 2 WHERE page = 'a'")
	require.NoError(t, count.Run(t.Context(), gocqldriver.New(session)))
	require.Equal(t, []string{`"a" 5`}, selectAll(t, session, "SELECT page, n FROM hits_2"))
}

// A conversion to null writes nothing, so that it can be repeated with a correct conversion. A conversion that panics is an
// error of its row.
func TestConversionsToNull(t *testing.T) {
	t.Parallel()
	cassandra.Requires(t, "5.0", "write times of a set that is not frozen")
	session := cassandra.Keyspace(t)
	execute(t, session, `CREATE TABLE a (id int PRIMARY KEY, n text, wide set<int>); CREATE TABLE b (id int PRIMARY KEY, n int, wide set<int>);
		INSERT INTO a (id, n) VALUES (1, 'one') USING TIMESTAMP 1000; INSERT INTO b (id, n) VALUES (1, 5) USING TIMESTAMP 1000`)
	with := func(convert func(string) (*int32, error)) error {
		return copydata.Rows{From: "a", To: "b", Columns: []copydata.Column{{From: "id", To: "id"}, {From: "wide", To: "wide"}, {From: "n", To: "n", Convert: copydata.Convert(convert)}}}.Run(t.Context(), gocqldriver.New(session))
	}
	require.NoError(t, with(func(string) (*int32, error) { return nil, nil }))
	require.Equal(t, []string{"1 5"}, selectAll(t, session, "SELECT id, n FROM b"), "the existing value is kept")
	execute(t, session, "TRUNCATE b")
	require.NoError(t, with(func(string) (*int32, error) { return nil, nil }))
	require.Equal(t, []string{"1 null"}, selectAll(t, session, "SELECT id, n FROM b"))
	one := int32(1)
	require.NoError(t, with(func(string) (*int32, error) { return &one, nil }))
	require.Equal(t, []string{"1 1"}, selectAll(t, session, "SELECT id, n FROM b"))

	err := with(func(s string) (*int32, error) { panic("no " + s) })
	require.ErrorContains(t, err, "column n: panic: no one")
	require.Regexp(t, `^copydata: copy a to b: a row of a where token\(id\) = -?\d+: `, err.Error())
}

// A row can be larger than one request, and can have more write times than the statements of a batch.
func TestRowsLargerThanARequest(t *testing.T) {
	t.Parallel()
	cassandra.Requires(t, "5.0", "write times of a set that is not frozen")
	session := cassandra.Keyspace(t)
	execute(t, session, "CREATE TABLE a (id int PRIMARY KEY, x blob, y blob, z blob, s set<int>); CREATE TABLE b (id int PRIMARY KEY, x blob, y blob, z blob, s set<int>)")
	large := make([]byte, 6<<20)
	for i, column := range []string{"x", "y", "z"} {
		require.NoError(t, session.Session.Query("UPDATE a USING TIMESTAMP ? SET "+column+" = ? WHERE id = 1", 1000+i, large).Exec())
	}
	for i := range 250 {
		require.NoError(t, session.Session.Query("UPDATE a USING TIMESTAMP ? SET s = s + ? WHERE id = 1", 2000+i, []int{i}).Exec())
	}
	var columns []copydata.Column
	for _, name := range []string{"id", "x", "y", "z", "s"} {
		columns = append(columns, copydata.Column{From: name, To: name})
	}
	require.NoError(t, copydata.Rows{From: "a", To: "b", Columns: columns}.Run(t.Context(), gocqldriver.New(session)))
	const times = "SELECT WRITETIME(x), WRITETIME(y), WRITETIME(z), WRITETIME(s) FROM "
	require.Equal(t, selectAll(t, session, times+"a"), selectAll(t, session, times+"b"))
}

// The static values of a partition without rows are not copied if a partition of the new table is one row of the old.
func TestPartitionsWithoutRows(t *testing.T) {
	t.Parallel()
	session := cassandra.Keyspace(t)
	execute(t, session, `CREATE TABLE a (org int, id int, name text STATIC, v int, PRIMARY KEY (org, id)); CREATE TABLE b (id int, org int, name text STATIC, v int, PRIMARY KEY (id, org));
		UPDATE a SET name = 'empty' WHERE org = 1; INSERT INTO a (org, id, name, v) VALUES (2, 3, 'n', 4)`)
	require.NoError(t, copydata.Rows{From: "a", To: "b", Columns: []copydata.Column{{From: "id", To: "id"}, {From: "org", To: "org"}, {From: "name", To: "name"}, {From: "v", To: "v"}}}.Run(t.Context(), gocqldriver.New(session)))
	require.Equal(t, []string{`3 2 "n" 4`}, selectAll(t, session, "SELECT id, org, name, v FROM b"))
}

// An invalid copy is rejected with all of its faults before anything is read.
func TestInvalidCopies(t *testing.T) {
	t.Parallel()
	session := cassandra.Keyspace(t)
	execute(t, session, `CREATE TYPE twin (pair frozen<tuple<int, int>>); CREATE TABLE a (id int PRIMARY KEY, name text, pair tuple<int, int>, twin twin);
		CREATE TABLE b (id int PRIMARY KEY, name int, tags set<text>, pair tuple<int, int>, twin twin);
		CREATE TABLE n (id int PRIMARY KEY, c counter)`)
	err := copydata.Rows{From: "a", To: "b", Columns: []copydata.Column{
		{From: "name", To: "name"},
		{From: "nick", To: "name"},
		{From: "name", To: "nick"},
		{From: "pair", To: "name"},
		{From: "name", To: "pair", Convert: copydata.Convert(func(s string) ([]int, error) { return nil, nil })},
		{From: "twin", To: "twin"},
		{From: "name", To: "tags", Convert: copydata.Convert(func(s string) ([]string, error) { return nil, nil })},
	}}.Run(t.Context(), gocqldriver.New(session))
	require.EqualError(t, err, strings.Join([]string{
		"copydata: copy a to b: column name is text and column name is int: set Convert",
		"column name has two sources",
		"table b has no column nick",
		"column name has two sources",
		"column pair is a tuple, which the driver treats as several columns: copy it in a separate function",
		"field pair of column twin is a tuple, which the driver treats as several columns: copy it in a separate function",
		"column tags is set<text>, which has a cell for each element: Convert can only compute a single cell",
		"column id of the primary key of b has no source",
	}, "\n"))
	err = copydata.Rows{From: "a", To: "n", Columns: []copydata.Column{{From: "id", To: "id"}, {From: "id", To: "c"}}}.Run(t.Context(), gocqldriver.New(session))
	require.EqualError(t, err, "copydata: copy a to n: column c is a counter, which cannot be written with a write time, or repeatedly")
	require.EqualError(t, copydata.Rows{From: "a", To: "x"}.Run(t.Context(), gocqldriver.New(session)), "copydata: copy a to x: table x does not exist")
}

// selectAll returns the rows of a query, each as the values of its columns in JSON, in order.
func selectAll(t *testing.T, session gocqlx.Session, query string) []string {
	t.Helper()
	it := session.Session.Query(strings.Replace(query, "SELECT", "SELECT JSON", 1)).WithContext(t.Context()).Iter()
	var out []string
	var line string
	for it.Scan(&line) {
		out = append(out, strings.Join(valuesOf(t, line), " "))
	}
	require.NoError(t, it.Close())
	return out
}

// valuesOf returns the values of a JSON object, in order.
func valuesOf(t *testing.T, object string) []string {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(object))
	_, err := d.Token()
	require.NoError(t, err)
	var out []string
	for d.More() {
		_, err := d.Token()
		require.NoError(t, err)
		var value json.RawMessage
		require.NoError(t, d.Decode(&value))
		out = append(out, string(value))
	}
	return out
}
