package query_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen/query"
	"github.com/cassaml/cassaml/internal/pagetest"
)

func TestDocsHaveEveryRule(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/queries.md")
	require.NoError(t, err)
	for _, r := range query.Rules() {
		pagetest.Contains(t, "docs/queries.md", string(page), "| "+r.Code+" | "+r.Title+": "+r.About+" |")
	}
}
