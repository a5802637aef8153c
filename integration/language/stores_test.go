package language

import (
	"os"
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

// The code that is generated for the models of the corpus compiles.
func TestStoresOfCorpusCompile(t *testing.T) {
	t.Parallel()
	g, dir := corpus.New(*corpusSeed), t.TempDir()
	known, err := corpus.Imports()
	require.NoError(t, err)
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
		store, faults, err := codegen.Generate(m, schema.New(m), codegen.Config{})
		require.NoError(t, err)
		require.Empty(t, faults)
		require.NoError(t, os.WriteFile(filepath.Join(folders[i], load.Generated), store, 0o644))
	}
	errs, err := models.Check(append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off"), folders...)
	require.NoError(t, err)
	require.Empty(t, errs)
}
