package command

import (
	"encoding/json"
	"fmt"
	"go/doc/comment"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The Go code in the documentation of packages can be parsed, and its programs compile. A program that imports a package of a
// reader's module, or embeds files, is not compiled.
func TestCodeOfTheDocumentation(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	dir, programs := t.TempDir(), []string(nil)
	for _, p := range list(t, "./...") {
		for i, code := range codeOf(t, p) {
			_, err := format.Source([]byte(code))
			require.NoError(t, err, "%s:\n%s", p.Dir, code)
			if !strings.HasPrefix(code, "package main") || strings.Contains(code, "//go:embed") || strings.Contains(code, `"example.com/`) {
				continue
			}
			// A program in the folder of its package may import internal packages.
			program, file := fmt.Sprintf("documented%d", i), filepath.Join(dir, fmt.Sprintf("%d.go", len(programs)))
			require.NoError(t, os.WriteFile(file, []byte(code), 0o644))
			overlay.Replace[filepath.Join(p.Dir, program, "main.go")] = file
			programs = append(programs, p.ImportPath+"/"+program)
		}
	}
	require.Greater(t, len(programs), 20)
	text, err := json.Marshal(overlay)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "overlay.json"), text, 0o644))
	c := exec.CommandContext(t.Context(), "go", append([]string{"list", "-export", "-overlay", filepath.Join(dir, "overlay.json")}, programs...)...)
	c.Dir = root
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// codeOf returns the Go files and functions in the comment of a package.
func codeOf(t *testing.T, p goPackage) (out []string) {
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, parser.ParseComments|parser.PackageClauseOnly)
		require.NoError(t, err)
		for _, b := range new(comment.Parser).Parse(f.Doc.Text()).Content {
			c, ok := b.(*comment.Code)
			if ok && (strings.HasPrefix(c.Text, "package ") || strings.HasPrefix(c.Text, "func ")) {
				out = append(out, c.Text)
			}
		}
	}
	return out
}
