package folder

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParseShared(t *testing.T) {
	s, err := parseShared(`price (net frozen<money>, "At" timestamp, tags frozen<map<text, int>>) from example.com/shop`)
	require.NoError(t, err)
	assert.Equal(t, Shared{Type: "price", From: "example.com/shop", Created: `CREATE TYPE price (net frozen<money>, "At" timestamp, tags frozen<map<text, int>>)`,
		Fields: []Field{{"net", "frozen<money>"}, {"At", "timestamp"}, {"tags", "frozen<map<text, int>>"}}}, s)
	for text, want := range map[string]string{
		"money":                             "the package after from is missing",
		"money (a int)":                     "the package after from is missing",
		"money (a int) from":                "the package after from is missing",
		"money from x":                      "the fields of the type are invalid",
		"money (a) from x":                  "a field has no type",
		"money (a int, ) from x":            "a field has no type",
		"money (a int) WITH y = 1 from x":   "the fields of the type are invalid",
		"money (a int) from x and from y z": "the package after from is missing",
	} {
		_, err := parseShared(text)
		assert.ErrorContains(t, err, want, text)
	}
	files := folder("0001_a.cql", "CREATE a;\n-- aml:shared money (a int)\n")
	_, err = Read(files)
	assert.EqualError(t, err, "0001_a.cql:2:1: aml:shared: the package after from is missing; write -- aml:shared TYPE (FIELD TYPE, …) from PACKAGE, on one line")
}
