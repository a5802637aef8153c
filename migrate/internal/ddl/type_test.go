package ddl

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseType(t *testing.T) {
	for text, want := range map[string]string{
		"INT":           "int",
		"varchar":       "text",
		"list<varchar>": "list<text>", "frozen<list<text>>": "frozen<list<text>>",
		"map<text,list<int>>":                        "map<text, frozen<list<int>>>",
		"tuple<int, set<text>>":                      "frozen<tuple<int, frozen<set<text>>>>",
		"vector<frozen<list<int>>, 3>":               "vector<frozen<list<int>>, 3>",
		"frozen<vector<float,3>>":                    "vector<float, 3>",
		`Address`:                                    "address",
		`"Address"`:                                  `"Address"`,
		`list<frozen<"Or""der">>`:                    `list<frozen<"Or""der">>`,
		"frozen<map<frozen<a>, frozen<set<b>>>>":     "frozen<map<frozen<a>, frozen<set<frozen<b>>>>>",
		"vector<vector<float, 2>, 3>":                "vector<vector<float, 2>, 3>",
		"vector<float, 1536>":                        "vector<float, 1536>",
		"map<frozen<tuple<int, int>>, frozen<shop>>": "map<frozen<tuple<int, int>>, frozen<shop>>",
	} {
		got, err := ParseType(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got.String(), text)
	}
	for text, want := range map[string]string{
		"":                `type "": "" is not a type`,
		"list<":           `type "list<": a type is missing`,
		"list<int":        `type "list<int": list<…> is not closed`,
		"list<int,int>":   `type "list<int,int>": invalid arguments of list in list<int, int>`,
		"vector<int>":     `type "vector<int>": invalid arguments of vector in vector<int>`,
		"vector<int,1 2>": `type "vector<int,1 2>": vector<…> is not closed`,
		"vector<int,x>":   `type "vector<int,x>": a vector must have 1 to 8192 elements`,
		"bag<int>":        `type "bag<int>": unknown type bag<>`,
		"int int":         `type "int int": unexpected "int"`,
		"other.person":    `type "other.person": type other cannot have a keyspace`,
		"'int'":           `type "'int'": "'int'" is not a type`,
	} {
		_, err := ParseType(text)
		require.EqualError(t, err, want)
	}
}
