package query_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/query"
	"github.com/cassaml/cassaml/internal/models"
)

// A comment belongs to the statement in which it is, at whose end it is, or above which it is.
func TestWorkflow(t *testing.T) {
	t.Parallel()
	m, faults := model.Build(models.Folders(t, "../../examples/library/catalogue")[0])
	require.False(t, model.Refused(faults))
	c := query.Checker{Model: m, Schema: schema.New(m)}
	text := "-- aml:then Q2,Q3\nSELECT * FROM artifacts /* aml:then Q4 */ WHERE artifact_id = ?; -- aml:then Q1\n" +
		"// aml:then Q4\n\n-- aml:thenQ9\nSELEC;\nSELECT '-- aml:then Q9' FROM artifacts;\nSELECT * FROM artifacts; -- aml:then\n" +
		"-- aml:then Q0 Q5 3\nSELECT * FROM artifacts WHERE artifact_id = ?;\n-- aml:then Q1\n"
	queries, found := c.Workflow(text, query.InFile("q.cql", text))
	require.Len(t, queries, 5)
	for i, want := range [][]int{{2, 3, 4, 1}, {4}, nil, nil, {5}} {
		require.Equal(t, want, queries[i].Then, "Q%d", i+1)
	}
	var got []string
	for _, f := range found {
		got = append(got, f.String())
	}
	require.Equal(t, []string{
		"q.cql:8:26: AML712: no query follows aml:then; write the number of a query: aml:then Q2",
		"q.cql:9:13: AML712: there is no query Q0; the file has the queries Q1 to Q5, numbered in the order of the statements",
		"q.cql:9:19: AML712: there is no query 3; the file has the queries Q1 to Q5, numbered in the order of the statements",
		"q.cql:11:1: AML712: no statement follows aml:then; write it above a statement",
	}, got)
}
