package vet_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/cassaml/cassaml/codegen/vet"
	"github.com/cassaml/cassaml/internal/pagetest"
)

// The CQL of a package that imports a store is compared with its tables, and models are checked. The comments "want" in testdata are
// the diagnostics. The packages there that have the paths of drivers declare only what the code uses.
func TestAnalyzer(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), vet.Analyzer, "shop", "service", "apacheservice", "alone", "domain", "domain/store", "domainservice")
}

// docs/queries.md describes each code that is reported in Go code.
func TestPageHasAllCodes(t *testing.T) {
	page, err := os.ReadFile("../../docs/queries.md")
	require.NoError(t, err)
	_, section, found := strings.Cut(string(page), "\n## In Go code\n")
	require.True(t, found)
	section, _, _ = strings.Cut(section, "\n## ")
	for _, r := range vet.Rules() {
		pagetest.Contains(t, "docs/queries.md", section, "| "+r.Code+" | ")
	}
}
