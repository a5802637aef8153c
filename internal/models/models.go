// Package models loads models for tests. It runs the go command once for many models, whereas load.Load runs it twice for
// each.
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

// Imports has the types of compiled packages, by import path.
type Imports struct {
	Fset  *token.FileSet // positions in the packages
	known map[string]*types.Package
}

// Load returns the types of packages as the module of a folder resolves them. A package that does not compile is omitted.
func Load(dir string, paths ...string) (*Imports, error) { return compiled(dir, nil, paths) }

// compiled returns the types of packages, as the go command resolves them with an environment; nil is the environment of the process.
func compiled(dir string, env, paths []string) (*Imports, error) {
	out := &Imports{token.NewFileSet(), map[string]*types.Package{}}
	if len(paths) == 0 {
		return out, nil
	}
	mode := packages.NeedName | packages.NeedTypes | packages.NeedExportFile | packages.NeedImports
	found, err := packages.Load(&packages.Config{Mode: mode, Dir: dir, Env: env, Fset: out.Fset}, paths...)
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

// Add type-checks a package from the texts of its files, and adds it. Positions have one name for all files.
func (i *Imports) Add(path, name string, texts ...[]byte) error {
	var files []*ast.File
	for _, text := range texts {
		f, err := parser.ParseFile(i.Fset, name, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, f)
	}
	p, err := (&types.Config{Importer: i}).Check(path, i.Fset, files, nil)
	i.known[path] = p
	return err
}

// Import returns a package. It implements types.Importer.
func (i *Imports) Import(path string) (*types.Package, error) {
	if p := i.known[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("package %s is not loaded", path)
}

// Source loads a model from the text of its only file, model.go.
func (i *Imports) Source(t testing.TB, path, text string) *model.Package {
	t.Helper()
	p, err := load.Source(i.Fset, path, map[string][]byte{"model.go": []byte(text)}, i)
	require.NoError(t, err, "%s", text)
	return p
}

// Folders loads the packages in folders of one module, in the order of the folders. Like load.Load it ignores test files and
// the generated file.
func Folders(t testing.TB, dirs ...string) []*model.Package {
	t.Helper()
	written := func(name string) bool { return filepath.Base(name) != load.Generated }
	folders, known, err := read(nil, dirs, written)
	require.NoError(t, err)
	var out []*model.Package
	for _, f := range folders {
		p, err := load.Source(known.Fset, f.path, f.texts, known)
		require.NoError(t, err, "%s", f.path)
		out = append(out, p)
	}
	return out
}

// Check returns the errors of the type checker for the packages in folders of one module, with their generated files and the
// bodies of functions. The go command runs with an environment; nil is the environment of the process.
func Check(env []string, dirs ...string) ([]error, error) {
	folders, known, err := read(env, dirs, func(string) bool { return true })
	if err != nil {
		return nil, err
	}
	var faults []error
	config := types.Config{Importer: known, Error: func(err error) { faults = append(faults, err) }}
	for _, folder := range folders {
		var files []*ast.File
		for _, name := range slices.Sorted(maps.Keys(folder.texts)) {
			f, err := parser.ParseFile(known.Fset, name, folder.texts[name], parser.SkipObjectResolution)
			if err != nil {
				return nil, err
			}
			files = append(files, f)
		}
		_, _ = config.Check(folder.path, known.Fset, files, nil) // every error is in faults
	}
	return faults, nil
}

// folder has the files of a package by name.
type folder struct {
	path  string
	texts map[string][]byte
}

// read parses the files in folders that a function selects, and loads the packages that they import.
func read(env, dirs []string, wants func(name string) bool) ([]folder, *Imports, error) {
	found, err := listed(env, dirs)
	if err != nil {
		return nil, nil, err
	}
	var out []folder
	imported := map[string]bool{}
	for _, p := range found {
		f := folder{p.PkgPath, map[string][]byte{}}
		for _, name := range p.GoFiles {
			if !wants(name) {
				continue
			}
			text, err := os.ReadFile(name)
			if err != nil {
				return nil, nil, err
			}
			f.texts[name] = text
			if err := addImports(text, imported); err != nil {
				return nil, nil, fmt.Errorf("%s: %w", name, err)
			}
		}
		out = append(out, f)
	}
	known, err := compiled(dirs[0], env, slices.Sorted(maps.Keys(imported)))
	return out, known, err
}

// listed returns the packages in folders, in the order of the folders.
func listed(env, dirs []string) ([]*packages.Package, error) {
	var patterns []string
	for _, dir := range dirs {
		absolute, err := filepath.Abs(dir)
		if err != nil {
			return nil, err
		}
		patterns = append(patterns, absolute)
	}
	config := &packages.Config{Mode: packages.NeedName | packages.NeedFiles, Dir: patterns[0], Env: env}
	found, err := packages.Load(config, patterns...)
	if err != nil {
		return nil, err
	}
	out := make([]*packages.Package, len(dirs))
	for _, p := range found {
		if len(p.GoFiles) == 0 {
			return nil, fmt.Errorf("package %s has no files: %v", p.PkgPath, p.Errors)
		}
		i := slices.Index(patterns, filepath.Dir(p.GoFiles[0]))
		if i < 0 {
			return nil, fmt.Errorf("package %s is in another folder, with %s", p.PkgPath, p.GoFiles[0])
		}
		out[i] = p
	}
	if i := slices.Index(out, nil); i >= 0 {
		return nil, fmt.Errorf("%s has no package", dirs[i])
	}
	return out, nil
}

// addImports adds the import paths of a file to a set.
func addImports(text []byte, to map[string]bool) error {
	f, err := parser.ParseFile(token.NewFileSet(), "", text, parser.ImportsOnly)
	if err != nil {
		return err
	}
	for _, i := range f.Imports {
		path, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			return err
		}
		to[path] = true
	}
	return nil
}
