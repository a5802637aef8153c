package migrations

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen"
	"github.com/cassaml/cassaml/integration/corpus"
	"github.com/cassaml/cassaml/internal/models"
)

// What is generated for a model of the corpus compiles beside it.
func TestStoresOfCorpusCompile(t *testing.T) {
	t.Parallel()
	g, dir, known := corpus.New(*corpusSeed), t.TempDir(), imports(t)
	var all []*corpus.Model
	for len(all) < 8 {
		if m := g.Executable(); !m.Broken() {
			all = append(all, m)
		}
	}
	folders, err := corpus.Write(dir, "../..", all)
	require.NoError(t, err)
	for i, x := range all {
		m, faults := model.Build(known.Source(t, corpus.Module+"/"+x.Name, string(x.Source())))
		require.False(t, model.Refused(faults), "%v", faults)
		store, faults, err := codegen.Generate(m, schema.Of(m), codegen.Config{})
		require.NoError(t, err)
		require.Empty(t, faults)
		require.NoError(t, os.WriteFile(filepath.Join(folders[i], load.Generated), store, 0o644))
	}
	c := exec.CommandContext(t.Context(), "go", "vet", "./...")
	c.Dir, c.Env = dir, append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// imports returns the types of what models of the corpus import.
func imports(t *testing.T) *models.Imports {
	t.Helper()
	known, err := corpus.Imports()
	require.NoError(t, err)
	return known
}
