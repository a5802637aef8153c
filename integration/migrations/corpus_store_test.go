package migrations

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/packages"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen"
	"github.com/cassaml/cassaml/integration/corpus"
)

// What is generated for a model of the corpus compiles beside it.
func TestStoresOfCorpusCompile(t *testing.T) {
	t.Parallel()
	g, fset, dir := corpus.New(*corpusSeed), token.NewFileSet(), t.TempDir()
	known := libraries(t, fset)
	var models []*corpus.Model
	for len(models) < 8 {
		if m := g.Executable(); !m.Broken() {
			models = append(models, m)
		}
	}
	folders, err := corpus.Write(dir, "../..", models)
	require.NoError(t, err)
	for i, x := range models {
		p, err := load.Source(fset, corpus.Module+"/"+x.Name, map[string][]byte{"model.go": x.Source()}, known)
		require.NoError(t, err)
		m, faults := model.Build(p)
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

// imported are the types of packages.
type imported map[string]*types.Package

// Import returns the types of one.
func (i imported) Import(path string) (*types.Package, error) {
	if p := i[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("no package %s", path)
}

// libraries reads what models may import.
func libraries(t *testing.T, fset *token.FileSet) imported {
	t.Helper()
	config := &packages.Config{Context: t.Context(), Mode: packages.NeedName | packages.NeedTypes | packages.NeedExportFile | packages.NeedImports, Fset: fset}
	found, err := packages.Load(config, corpus.Libraries()...)
	require.NoError(t, err)
	known := imported{}
	for _, p := range found {
		require.Empty(t, p.Errors)
		known[p.PkgPath] = p.Types
	}
	f, err := parser.ParseFile(config.Fset, "kinds.go", corpus.Kinds(), parser.SkipObjectResolution)
	require.NoError(t, err)
	path := corpus.Module + "/kinds"
	known[path], err = (&types.Config{Importer: known}).Check(path, config.Fset, []*ast.File{f}, nil)
	require.NoError(t, err)
	return known
}
