package command

import (
	"fmt"
	"go/ast"
	"go/doc/comment"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/internal/models"
)

// The Go code in the documentation of packages, and the programs on the pages, can be parsed, and the type checker accepts the programs. A
// program that imports a package of a reader's module, or embeds files, is not checked.
func TestCodeOfTheDocumentation(t *testing.T) {
	t.Parallel()
	imported, programs := map[string]bool{}, map[string]string{} // by import path
	add := func(path, dir string, all []string) {
		for i, code := range all {
			_, err := format.Source([]byte(code))
			require.NoError(t, err, "%s:\n%s", dir, code)
			if !strings.HasPrefix(code, "package main") || strings.Contains(code, "//go:embed") || strings.Contains(code, `"example.com/`) {
				continue
			}
			programs[fmt.Sprintf("%s/documented%d", path, i)] = code
			for _, path := range importsOf(t, code) {
				imported[path] = true
			}
		}
	}
	for _, p := range list(t, "./...") {
		add(p.ImportPath, p.Dir, codeOf(t, p))
	}
	require.Greater(t, len(programs), 20)
	pages, err := filepath.Glob("../../docs/*.md")
	require.NoError(t, err)
	for _, page := range pages {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		var all []string
		for _, fence := range goFence.FindAllStringSubmatch(string(text), -1) {
			all = append(all, fence[1])
		}
		add(module+"docs/"+strings.TrimSuffix(filepath.Base(page), ".md"), page, all)
	}
	require.Contains(t, programs, module+"docs/production/documented1")
	known, err := models.Load("../..", slices.Collect(maps.Keys(imported))...)
	require.NoError(t, err)
	for path, code := range programs {
		require.NoError(t, known.Add(path, path+"/main.go", []byte(code)), "%s", code)
		program, err := known.Import(path)
		require.NoError(t, err)
		require.NotNil(t, program.Scope().Lookup("main"), "%s has no function main", path)
	}
}

// goFence is a program on a page.
var goFence = regexp.MustCompile("(?ms)^```go\n(package main\n.*?)^```$")

// importsOf returns the import paths of a Go file.
func importsOf(t *testing.T, code string) (paths []string) {
	f := parsed(t, "", code, parser.ImportsOnly)
	for _, i := range f.Imports {
		path, err := strconv.Unquote(i.Path.Value)
		require.NoError(t, err)
		paths = append(paths, path)
	}
	return paths
}

// parsed parses a Go file. Without a text, the file is read.
func parsed(t *testing.T, name string, text any, mode parser.Mode) *ast.File {
	f, err := parser.ParseFile(token.NewFileSet(), name, text, mode)
	require.NoError(t, err)
	return f
}

// codeOf returns the Go files and functions in the comment of a package.
func codeOf(t *testing.T, p goPackage) (out []string) {
	for _, name := range p.GoFiles {
		f := parsed(t, filepath.Join(p.Dir, name), nil, parser.ParseComments|parser.PackageClauseOnly)
		for _, b := range new(comment.Parser).Parse(f.Doc.Text()).Content {
			c, ok := b.(*comment.Code)
			if ok && (strings.HasPrefix(c.Text, "package ") || strings.HasPrefix(c.Text, "func ")) {
				out = append(out, c.Text)
			}
		}
	}
	return out
}
