package query_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen/query"
)

func TestDocsHaveEveryRule(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/queries.md")
	require.NoError(t, err)
	for _, r := range query.Rules() {
		row := "| " + r.Code + " | " + r.Title + ": " + r.About + " |"
		require.Contains(t, string(page), row, "docs/queries.md lacks the row %s", row)
	}
}
