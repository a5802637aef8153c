// Package models reads models for tests. It calls the go command once for many models, where load.Load calls it twice for each.
package models

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/packages"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/aml/model"
)

// Imports are the types of compiled packages, by import path.
type Imports struct {
	Fset  *token.FileSet // has the places in the packages
	known map[string]*types.Package
}

// Load returns the types of packages, as the module of a folder sees them. A package that does not compile is left out.
func Load(dir string, paths ...string) (*Imports, error) {
	out := &Imports{token.NewFileSet(), map[string]*types.Package{}}
	if len(paths) == 0 {
		return out, nil
	}
	mode := packages.NeedName | packages.NeedTypes | packages.NeedExportFile | packages.NeedImports
	found, err := packages.Load(&packages.Config{Mode: mode, Dir: dir, Fset: out.Fset}, paths...)
	if err != nil {
		return nil, err
	}
	for _, p := range found {
		if len(p.Errors) == 0 {
			out.known[p.PkgPath] = p.Types
		}
	}
	return out, nil
}

// Import returns a package to the type checker.
func (i *Imports) Import(path string) (*types.Package, error) {
	if p := i.known[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("package %s is not loaded", path)
}

// Source reads a model from the text of its only file, model.go.
func (i *Imports) Source(t testing.TB, path, text string) *model.Package {
	t.Helper()
	p, err := load.Source(i.Fset, path, map[string][]byte{"model.go": []byte(text)}, i)
	require.NoError(t, err, "%s", text)
	return p
}

// Folders reads the packages in folders of one module, in their order. As load.Load it leaves out test files and the file that
// the generator writes.
func Folders(t testing.TB, dirs ...string) []*model.Package {
	t.Helper()
	written := func(name string) bool { return filepath.Base(name) != load.Generated }
	folders, known := read(t, dirs, written)
	var out []*model.Package
	for _, f := range folders {
		p, err := load.Source(known.Fset, f.path, f.texts, known)
		require.NoError(t, err, "%s", f.path)
		out = append(out, p)
	}
	return out
}

// Check returns what the type checker reports about the packages in folders of one module, with their generated files and the
// bodies of functions.
func Check(t testing.TB, dirs ...string) []error {
	t.Helper()
	folders, known := read(t, dirs, func(string) bool { return true })
	var faults []error
	config := types.Config{Importer: known, Error: func(err error) { faults = append(faults, err) }}
	for _, folder := range folders {
		var files []*ast.File
		for _, name := range slices.Sorted(maps.Keys(folder.texts)) {
			f, err := parser.ParseFile(known.Fset, name, folder.texts[name], parser.SkipObjectResolution)
			require.NoError(t, err)
			files = append(files, f)
		}
		_, _ = config.Check(folder.path, known.Fset, files, nil) // every error is in faults
	}
	return faults
}

// folder has the files of a package by name.
type folder struct {
	path  string
	texts map[string][]byte
}

// read reads the files in folders that a function wants, and what these import.
func read(t testing.TB, dirs []string, wants func(name string) bool) ([]folder, *Imports) {
	t.Helper()
	require.NotEmpty(t, dirs)
	var out []folder
	imported := map[string]bool{}
	found := listed(t, dirs)
	for _, dir := range dirs {
		f := folder{found[dir].PkgPath, map[string][]byte{}}
		for _, name := range found[dir].GoFiles {
			if wants(name) {
				text, err := os.ReadFile(name)
				require.NoError(t, err)
				f.texts[name] = text
				importsOf(t, text, imported)
			}
		}
		out = append(out, f)
	}
	known, err := Load(dirs[0], slices.Sorted(maps.Keys(imported))...)
	require.NoError(t, err)
	return out, known
}

// listed returns the packages in folders, by folder.
func listed(t testing.TB, dirs []string) map[string]*packages.Package {
	t.Helper()
	byDir := map[string]string{}
	var patterns []string
	for _, dir := range dirs {
		absolute, err := filepath.Abs(dir)
		require.NoError(t, err)
		byDir[absolute] = dir
		patterns = append(patterns, absolute)
	}
	config := &packages.Config{Context: t.Context(), Mode: packages.NeedName | packages.NeedFiles, Dir: dirs[0]}
	found, err := packages.Load(config, patterns...)
	require.NoError(t, err)
	out := map[string]*packages.Package{}
	for _, p := range found {
		require.NotEmpty(t, p.GoFiles, "%s: %v", p.PkgPath, p.Errors)
		dir, ok := byDir[filepath.Dir(p.GoFiles[0])]
		require.True(t, ok, "%s is in another folder: %s", p.PkgPath, p.GoFiles[0])
		out[dir] = p
	}
	require.Len(t, out, len(byDir))
	return out
}

// importsOf adds the import paths of a file to a set.
func importsOf(t testing.TB, text []byte, to map[string]bool) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "", text, parser.ImportsOnly)
	require.NoError(t, err)
	for _, i := range f.Imports {
		path, err := strconv.Unquote(i.Path.Value)
		require.NoError(t, err)
		to[path] = true
	}
}
