package cqltype

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"INT": "int", "varchar": "text", "list < Varchar >": "list<text>", "map<text,list<int>>": "map<text, list<int>>",
		"vector<frozen<list<int>>,3>": "vector<frozen<list<int>>, 3>", "Address": "address", `"Address"`: `"Address"`,
		`list<frozen<"Or""der">>`: `list<frozen<"Or""der">>`, `"int"`: `"int"`, "tuple<int>": "tuple<int>",
	} {
		got, err := Parse(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got.String(), text)
	}
	for text, want := range map[string]string{
		"": "a type is missing", "list<": "a type is missing", "map<int,>": "a type is missing", "'int'": "a type is missing",
		"list<int": "list<…> is not closed", "list<int,int>": "invalid arguments of list in list<int, int>", "list<int>>": `">" follows the type`,
		"vector<int>": "invalid arguments of vector in vector<int>", "vector<int,1 2>": "vector<…> is not closed",
		"vector<int,x>": "a vector must have 1 to 8192 elements",
		"bag<int>":      "unknown type bag<>", "int int": `"int" follows the type`, "list": "list needs its arguments in <>", `"open`: "the quote is not closed",
	} {
		_, err := Parse(text)
		require.EqualError(t, err, want, text)
	}
}

func TestUserDefinedTypes(t *testing.T) {
	for text, want := range map[string]bool{"int": false, "varchar": false, `"int"`: true, "part": true, "list<part>": false, "frozen<part>": false} {
		parsed, err := Parse(text)
		require.NoError(t, err)
		require.Equal(t, want, parsed.IsUDT(), text)
	}
}

func TestJavaNames(t *testing.T) {
	parsed, err := Parse("vector<frozen<list<smallint>>, 2>")
	require.NoError(t, err)
	const marshal = "org.apache.cassandra.db.marshal."
	require.Equal(t, marshal+"VectorType("+marshal+"FrozenType("+marshal+"ListType("+marshal+"ShortType)) , 2)", parsed.JavaName())
	require.Equal(t, "Custom", parsed.DriverType())
}

func TestNativeTypesAreWhole(t *testing.T) {
	for _, n := range Natives() {
		require.NotEmpty(t, n.Go, n.Name)
		require.NotEmpty(t, n.Driver, n.Name)
		require.NotEmpty(t, n.Java, n.Name)
		require.Equal(t, n.Indexed, n.Indexed && n.Literal != "", n.Name)
		require.False(t, n.Fixed && n.Size == 0, n.Name)
		require.True(t, slices.ContainsFunc(n.Go, func(g Go) bool { return !g.Foreign }), n.Name)
		for _, wider := range n.Wider {
			require.True(t, IsNative(wider), wider)
		}
	}
	require.Equal(t, "timestamp", Default("time.Time").Name)
	require.Nil(t, Default("time.Duration"))
	require.Nil(t, Default("complex128"))
}
