package folder

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDirectivesAreRead(t *testing.T) {
	files, err := Read(folder("0001_a.cql", "-- aml:allow AML301 it is small; really\nCREATE a;\n-- aml:func  split_names \r\nCREATE b; --aml:backfill names\n"+
		"-- aml:backfill orders\n-- aml:manual audit\n/* -- aml:nonsense */ -- about aml:nothing"))
	require.NoError(t, err)
	var steps []string
	for i, s := range files[0].Statements {
		assert.Equal(t, i+1, s.Number)
		steps = append(steps, s.Text)
	}
	assert.Equal(t, []string{"CREATE a", "-- aml:func  split_names", "CREATE b"}, steps)
	assert.Equal(t, 3, files[0].Statements[1].Line)
	assert.Equal(t, []string{"names", "orders"}, files[0].Backfills)
	assert.Equal(t, Directive{Verb: "manual", Argument: "audit", Text: "-- aml:manual audit", Line: 6, Offset: 130}, files[0].Directives[4])
}

func TestDirectivesAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"CREATE a;\n-- aml:fnuc x":                     "0001_a.cql:2:1: unknown directive aml:fnuc; did you mean aml:func?",
		"CREATE a;\n-- aml:bakfill x":                  "0001_a.cql:2:1: unknown directive aml:bakfill; did you mean aml:backfill?",
		"CREATE a;\n-- aml:something x":                "0001_a.cql:2:1: unknown directive aml:something; the directives are aml:func, aml:backfill, aml:fields, aml:optional, aml:allow, aml:manual, aml:shared, aml:unshared",
		"-- aml:fields vehicles owner":                 "0001_a.cql:1:1: aml:fields takes a table, a type and its fields: -- aml:fields vehicles owner (id, name)",
		"-- aml:fields vehicles owner (id,)":           "0001_a.cql:1:1: aml:fields takes a table, a type and its fields: -- aml:fields vehicles owner (id, name)",
		"-- aml:fields vehicles owner (id) x":          "0001_a.cql:1:1: aml:fields takes a table, a type and its fields: -- aml:fields vehicles owner (id, name)",
		"-- aml:manual":                                `0001_a.cql:1:1: aml:manual takes one name, not ""`,
		"-- aml:optional x\nINSERT b;":                 "0001_a.cql:1:1: aml:optional is not followed by a statement with IF: move it before the conditional statement whose condition may be false",
		"INSERT b IF NOT EXISTS; -- aml:optional x":    "0001_a.cql:1:25: aml:optional is not followed by a statement with IF: move it before the conditional statement whose condition may be false",
		"UPDATE b\n-- aml:optional\nIF c":              "0001_a.cql:2:1: aml:optional is inside a statement; move it before or after the statement",
		"-- aml:func":                                  `0001_a.cql:1:1: aml:func takes one name, not ""`,
		"-- aml:backfill a b":                          `0001_a.cql:1:1: aml:backfill takes one name, not "a b"`,
		"CREATE\n -- aml:func f\n a":                   "0001_a.cql:2:2: aml:func is inside a statement; move it before or after the statement",
		"BEGIN BATCH a;\n-- aml:func f\n APPLY BATCH":  "0001_a.cql:2:1: aml:func is inside a statement; move it before or after the statement",
		"-- aml:backfill a\n-- aml:backfill a\nCREATE": "0001_a.cql:2:1: aml:backfill a is repeated; remove one",
	} {
		_, err := Read(folder("0001_a.cql", text))
		assert.EqualError(t, err, want)
		assert.IsType(t, &SyntaxError{}, unjoin(err))
	}
}
