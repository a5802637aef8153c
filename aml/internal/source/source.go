// Package source creates Go packages from txtar archives, for the tests of packages that read Go source.
package source

import (
	"flag"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/internal/models"
)

var update = flag.Bool("update", false, "write what is instead of comparing it with what was")

// Updating reports whether tests update the golden files instead of comparing with them.
func Updating() bool { return *update }

// Case is one archive: the files of a package, of packages in its subfolders, and the expected results in files without the
// extension .go.
type Case struct {
	Name    string
	Dir     string // the folder of the package
	file    string
	archive *txtar.Archive
}

// Cases writes the packages of all archives that match a pattern into one module, which has this project's dependencies.
// The package of case x is example.com/shop/x.
func Cases(t *testing.T, pattern string) []*Case {
	files, err := filepath.Glob(pattern)
	require.NoError(t, err)
	require.NotEmpty(t, files)
	module := Module(t)
	var out []*Case
	for _, f := range files {
		a, err := txtar.ParseFile(f)
		require.NoError(t, err)
		c := &Case{Name: strings.TrimSuffix(filepath.Base(f), ".txtar"), file: f, archive: a}
		c.Dir = filepath.Join(module, c.Name)
		for _, x := range a.Files {
			if strings.HasSuffix(x.Name, ".go") {
				write(t, filepath.Join(c.Dir, x.Name), x.Data)
			}
		}
		out = append(out, c)
	}
	return out
}

// Packages returns the archives that a pattern matches, each with its package. All packages are loaded together.
func Packages(t *testing.T, pattern string) iter.Seq2[*Case, *model.Package] {
	t.Helper()
	cases := Cases(t, pattern)
	var dirs []string
	for _, c := range cases {
		dirs = append(dirs, c.Dir)
	}
	packages := models.Folders(t, dirs...)
	return func(yield func(*Case, *model.Package) bool) {
		for i, c := range cases {
			if !yield(c, packages[i]) {
				return
			}
		}
	}
}

// Module creates an empty module example.com/shop and returns its folder.
func Module(t *testing.T) string {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	require.NoError(t, err)
	_, requirements, ok := strings.Cut(string(mod), "\n")
	require.True(t, ok)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	write(t, filepath.Join(dir, "go.mod"), []byte("module example.com/shop\n"+requirements+
		"\nrequire github.com/cassaml/cassaml v0.0.0\n\nreplace github.com/cassaml/cassaml => "+root+"\n"))
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	require.NoError(t, err)
	write(t, filepath.Join(dir, "go.sum"), sum)
	return dir
}

func write(t *testing.T, name string, data []byte) {
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
	require.NoError(t, os.WriteFile(name, data, 0o644))
}

// Local removes the folder of the package from a text.
func (c *Case) Local(text string) string {
	return strings.ReplaceAll(text, c.Dir+string(filepath.Separator), "")
}

// Has reports whether the archive has a file.
func (c *Case) Has(name string) bool {
	return slices.ContainsFunc(c.archive.Files, func(f txtar.File) bool { return f.Name == name })
}

// Want compares a text with the file of a name in the archive, or writes it there.
func (c *Case) Want(t *testing.T, name, got string) {
	if got != "" && !strings.HasSuffix(got, "\n") {
		got += "\n"
	}
	for i, f := range c.archive.Files {
		if f.Name != name {
			continue
		}
		if *update {
			c.archive.Files[i].Data = []byte(got)
			require.NoError(t, os.WriteFile(c.file, txtar.Format(c.archive), 0o644))
			return
		}
		require.Equal(t, string(f.Data), got, "%s: %s; go test -update writes it", c.file, name)
		return
	}
	require.Fail(t, "no section", "%s has no section %s: add the line -- %s --, then go test -update writes its text", c.file, name, name)
}
