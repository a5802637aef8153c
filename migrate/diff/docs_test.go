package diff_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/internal/pagetest"
	"github.com/cassaml/cassaml/migrate/diff"
)

func TestDocsHaveEveryRefusal(t *testing.T) {
	page, err := os.ReadFile("../../docs/migrations.md")
	require.NoError(t, err)
	for _, r := range diff.Rules() {
		pagetest.Contains(t, "docs/migrations.md", string(page), "| "+r.Code+" | "+r.Title)
	}
}
