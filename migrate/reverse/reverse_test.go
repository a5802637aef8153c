package reverse_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/migrate/catalog"
	"github.com/cassaml/cassaml/migrate/folder"
	"github.com/cassaml/cassaml/migrate/reverse"
)

func adopted(t *testing.T, cql string) *reverse.Model {
	t.Helper()
	files, err := folder.Read(fstest.MapFS{"0001_init.cql": {Data: []byte(cql)}})
	require.NoError(t, err)
	k, err := catalog.Replay(files)
	require.NoError(t, err)
	m, err := reverse.Adopt(k, reverse.Config{Package: "shop"})
	require.NoError(t, err)
	return m
}

// words normalizes white space.
func words(s string) string { return strings.Join(strings.Fields(s), " ") }

// Each CQL type has a Go type, and a tag if the Go type has another default.
func TestColumns(t *testing.T) {
	for of, want := range map[string]string{
		"text": "string `aml:\"c\"`", "ascii": "string `aml:\"c,type=ascii\"`", "date": "time.Time `aml:\"c,type=date\"`",
		"timeuuid": "gocql.UUID `aml:\"c,type=timeuuid\"`", "time": "time.Duration `aml:\"c,type=time\"`", "varint": "*big.Int `aml:\"c\"`",
		"list<int>": "[]int32 `aml:\"c\"`", "frozen<list<ascii>>": "[]string `aml:\"c,type=ascii,final\"`",
		"set<text>": "[]string `aml:\"c,unique\"`", "set<blob>": "[][]byte `aml:\"c,unique\"`", "frozen<set<u>>": "[]U `aml:\"c,composition,unique,final\"`",
		"list<frozen<set<text>>>": "[]map[string]struct{} `aml:\"c\"`", "list<frozen<set<blob>>>": "[][][]byte `aml:\"c,type=list<set<blob>>\"`",
		"map<text, int>": "map[string]int32 `aml:\"c\"`", "map<text, date>": "map[string]time.Time `aml:\"c,type=date\"`",
		"map<date, text>": "map[time.Time]string `aml:\"c,type=map<date, text>\"`", "frozen<map<text, u>>": "map[string]U `aml:\"c,composition,final\"`",
		"u": "U `aml:\"c,composition\"`", "frozen<u>": "U `aml:\"c,composition,final\"`", "list<frozen<set<u>>>": "[]map[U]struct{} `aml:\"c,composition\"`",
		"list<frozen<tuple<int, ascii>>>": "[]TCTuple `aml:\"c,type=tuple\"`", "map<frozen<tuple<int>>, frozen<u>>": "map[TCKeyTuple]U `aml:\"c,composition\"`",
		"vector<float, 20>": "[20]float32 `aml:\"c\"`", "map<vector<float, 2>, ascii>": "map[[2]float32]string `aml:\"c,type=ascii\"`",
		"map<ascii, frozen<tuple<date, int>>>": "map[string]TCTuple `aml:\"c,type=map<ascii, tuple<date, int>>\"`",
	} {
		m := adopted(t, "CREATE TYPE u (a int); CREATE TABLE t (id int PRIMARY KEY, c "+of+", held frozen<u>)")
		require.Contains(t, words(string(m.Source)), " C "+want, of)
		require.Empty(t, m.Gaps, of)
	}
}

// A name that looks like an option is quoted.
func TestNamesOfOptions(t *testing.T) {
	t.Parallel()
	m := adopted(t, `
		CREATE TYPE u ("asc" time, "static" int, counter frozen<list<int>>);
		CREATE TABLE "distinct" (identifier int PRIMARY KEY, "asc" frozen<u>, "a:b" text, "required" text, secret text, max int)`)
	require.Empty(t, m.Gaps)
	source := words(string(m.Source))
	for _, want := range []string{"'asc',type=time", "'static'", "'counter'", "'distinct'", "'identifier',identifier", "'asc',composition,final",
		"'a:b'", "'required'", "'secret'", "'max'"} {
		require.Contains(t, source, "`aml:\""+want+"\"`")
	}
}

// What the language does not support is omitted and reported, with everything that uses it. The rest is in the model.
func TestGaps(t *testing.T) {
	m := adopted(t, `
		CREATE TYPE inner_t (v vector<int, 2>);
		CREATE TYPE outer_t (i frozen<inner_t>, a int);
		CREATE TYPE lists (l list<int>);
		CREATE TABLE t (id int PRIMARY KEY, o frozen<outer_t>, l frozen<lists>, aml_mine int, m map<decimal, int>, kept text) WITH memtable = 'skiplist' AND crc_check_chance = 0.5;
		CREATE TABLE gone (id frozen<tuple<int, int>>, c int, PRIMARY KEY (c, id))`)
	require.Equal(t, []string{
		"type inner_t: field v: a vector of int needs a Go type with its own codec",
		"type outer_t: field i: type inner_t is not in the model",
		"type lists, field l: it is list<int>, field 1, which a model can only declare as frozen<list<int>>, field 1; the values are stored in the same way, and a store accepts it",
		"table t, column o: type outer_t is not in the model",
		"table t, column aml_mine: AML504: name \"aml_mine\": columns that begin with aml_ are reserved for the tool",
		"table t, column m: no Go map can have *inf.Dec as its key",
		"table t, property memtable: AML106: with: invalid memtable \"skiplist\": use 'default', unless the server is configured with others",
		"table gone: column id of its key: AML209: ID is a tuple, and the driver cannot leave a tuple column unset",
	}, m.Gaps)
	source := words(string(m.Source))
	require.Contains(t, source, "aml.Aggregate `aml:\"t,with=crc_check_chance = 0.5\"`")
	require.Contains(t, source, "Kept string `aml:\"kept\"`")
	require.NotContains(t, source, "inf.v0") // omitted columns have no imports
	for _, g := range m.Gaps {
		require.Contains(t, string(m.Source), "//   - "+g+"\n")
	}
}

func TestAdoptRefusesAPackage(t *testing.T) {
	for _, name := range []string{"type", "a-b", "_", "1st"} {
		_, err := reverse.Adopt(&catalog.Keyspace{}, reverse.Config{Package: name})
		require.ErrorContains(t, err, "is not a valid name of a Go package", name)
	}
}

// What the rules of the language refuse is omitted and reported with the rule.
func TestRefusedByTheLanguage(t *testing.T) {
	wide := "CREATE TABLE wide (id int PRIMARY KEY"
	for i := range 300 {
		wide += fmt.Sprintf(", c%d int", i)
	}
	long := strings.Repeat("long", 60)
	m := adopted(t, wide+`);
		CREATE TYPE "count" (a int);
		CREATE TABLE t (id int PRIMARY KEY, c frozen<"count">, "`+long+`" int, kept int);
		CREATE TABLE by_name (`+long+` int PRIMARY KEY, b int);
		CREATE TABLE totals (id int, day date, n counter static, PRIMARY KEY (id, day))`)
	require.Equal(t, []string{
		`type count: AML504: type name "count": it is a CQL keyword that a node stores without quotes and cannot read again, so the node cannot start again`,
		"table wide: AML305: a row of aggregate Wide has 301 cells, the limit is 256",
		"table t, column c: type count is not in the model",
		"table t, column " + long + `: AML504: name "` + long + `": it is longer than 200 bytes`,
		"table by_name: column " + long + ` of its key: AML504: name "` + long + `": it is longer than 200 bytes`,
		"table totals: AML307: all counters of Totals are static, so its table never has a row",
	}, m.Gaps)
	require.Contains(t, words(string(m.Source)), "type T struct { aml.Aggregate `aml:\"t\"` ID int32 `aml:\"id,identifier\"` Kept int32 `aml:\"kept\"` }")
}

// If nothing is supported, the package has only comments.
func TestNothingToAdopt(t *testing.T) {
	m := adopted(t, "CREATE TABLE t (id frozen<tuple<int>> PRIMARY KEY)")
	require.Len(t, m.Gaps, 1)
	require.NotContains(t, string(m.Source), "import")
}
