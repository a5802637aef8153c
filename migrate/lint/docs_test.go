package lint_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/internal/pagetest"
	"github.com/cassaml/cassaml/migrate/lint"
)

func TestDocsHaveEveryRule(t *testing.T) {
	page, err := os.ReadFile("../../docs/migrations.md")
	require.NoError(t, err)
	for _, r := range lint.Rules() {
		pagetest.Contains(t, "docs/migrations.md", string(page), "| "+r.Code+" | "+r.Title+": "+r.Why+" |")
	}
}
