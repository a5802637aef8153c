package load_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/internal/source"
	"github.com/cassaml/cassaml/aml/model"
)

// All faults of a package are reported in one run, in the order of the source, at the positions of their options.
func TestDiagnostics(t *testing.T) {
	for c, p := range source.Packages(t, "testdata/diagnostics/*.txtar") {
		t.Run(c.Name, func(t *testing.T) {
			m, faults := model.Build(p)
			if !model.Refused(faults) { // a store is generated if nothing is refused
				faults = model.Sorted(append(faults, model.NotExecuted(m)...))
			}
			var lines []string
			for _, f := range faults {
				lines = append(lines, c.Local(f.String()))
			}
			c.Want(t, "want", strings.Join(lines, "\n"))
		})
	}
}

// Each rule has a case that breaks it.
func TestEveryRuleHasACase(t *testing.T) {
	code := regexp.MustCompile(`AML[0-9]{3}`)
	broken := map[string]bool{}
	for _, pattern := range []string{"testdata/diagnostics/*.txtar", "../../codegen/testdata/collision/*/want", "../../codegen/separate_test.go"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, f := range files {
			text, err := os.ReadFile(f)
			require.NoError(t, err)
			for _, c := range code.FindAllString(string(text), -1) {
				broken[c] = true
			}
		}
	}
	rules, err := os.ReadFile("../model/rules.go")
	require.NoError(t, err)
	codes := code.FindAllString(string(rules), -1)
	require.Greater(t, len(codes), 30)
	for _, c := range codes {
		require.True(t, broken[c], "no case breaks %s", c)
	}
}
