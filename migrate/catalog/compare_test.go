package catalog

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/migrate/folder"
)

// newKeyspace returns the keyspace that statements create.
func newKeyspace(t *testing.T, cql string) *Keyspace {
	t.Helper()
	files, err := folder.Read(fstest.MapFS{"0001_init.cql": {Data: []byte(cql)}})
	require.NoError(t, err)
	k, err := Replay(files)
	require.NoError(t, err)
	return k
}

func formatDifferences(in []Difference) []string {
	var out []string
	for _, d := range in {
		out = append(out, d.String())
	}
	return out
}

const wanted = `
	CREATE TYPE place (city text, codes frozen<set<int>>);
	CREATE TYPE address (street text, place frozen<place>);
	CREATE TABLE customers (country text, region text, joined int, id int, name text, vat text static, home frozen<address>, tags set<text>,
		PRIMARY KEY ((country, region), joined, id)) WITH CLUSTERING ORDER BY (joined DESC, id ASC) AND comment = 'x' AND gc_grace_seconds = 7200;
	CREATE INDEX by_name ON customers (name) USING 'sai' WITH OPTIONS = {'normalize': 'true', 'case_sensitive': 'false'};
	CREATE INDEX by_tag ON customers (tags) USING 'sai';`

// Each kind of difference between two keyspaces is one line, in a deterministic order.
func TestCompare(t *testing.T) {
	want := newKeyspace(t, wanted)
	require.Empty(t, Compare(want, newKeyspace(t, wanted)))
	have := newKeyspace(t, `
		CREATE TYPE other (a int);
		CREATE TYPE place (codes frozen<set<int>>, city ascii);
		CREATE TYPE address_ (a int);
		CREATE TABLE customers (region text, country text, id int, joined int, name text, vat text, home address_, tags list<text>, more int,
			PRIMARY KEY ((region, country), id, joined)) WITH gc_grace_seconds = 3600 AND default_time_to_live = 5;
		CREATE INDEX by_name ON customers (name) USING 'sai' WITH OPTIONS = {'normalize': 'true'};
		CREATE INDEX by_tag ON customers (tags);
		CREATE INDEX more_index ON customers (more) USING 'sai';
		CREATE TABLE logs (id int PRIMARY KEY);`)
	require.Equal(t, []string{
		"type place, field city: has ascii, field 2, not text, field 1",
		"type place, field codes: has frozen<set<int>>, field 1, not frozen<set<int>>, field 2",
		"type address: is missing",
		"type address_: exists, but should not",
		"type other: exists, but should not",
		"table customers, column country: has text, partition key 2 of 2, not text, partition key 1 of 2",
		"table customers, column region: has text, partition key 1 of 2, not text, partition key 2 of 2",
		"table customers, column joined: has int, clustering key 2 asc, not int, clustering key 1 desc",
		"table customers, column id: has int, clustering key 1 asc, not int, clustering key 2 asc",
		"table customers, column vat: has text, not text, static",
		"table customers, column home: has address_, not frozen<address>",
		"table customers, column tags: has list<text>, not set<text>",
		"table customers, column more: exists, but should not: int",
		"table customers, property comment: has the server's default, not 'x'",
		"table customers, property gc_grace_seconds: has 3600, not 7200",
		"table customers, property default_time_to_live: has 5, not the server's default",
		"table customers, index by_name: has on name with 'normalize': 'true', not on name with 'case_sensitive': 'false', 'normalize': 'true'",
		"table customers, index by_tag: has on values(tags) using legacy_local_table, not on values(tags)",
		"table customers, index more_index: exists, but should not: on more",
		"table logs: exists, but should not",
	}, formatDifferences(Compare(have, want)))
	require.Equal(t, "table logs: is missing", Compare(want, have)[len(Compare(want, have))-1].String())
}

// The order of columns outside the key, and of tables and types, does not matter.
func TestCompareIgnoresOrder(t *testing.T) {
	one := newKeyspace(t, "CREATE TYPE a (x int); CREATE TYPE b (x int); CREATE TABLE t (id int PRIMARY KEY, a text, b text); CREATE TABLE u (id int PRIMARY KEY)")
	other := newKeyspace(t, "CREATE TYPE b (x int); CREATE TYPE a (x int); CREATE TABLE u (id int PRIMARY KEY); CREATE TABLE t (b text, a text, id int PRIMARY KEY)")
	require.Empty(t, Compare(one, other))
}
