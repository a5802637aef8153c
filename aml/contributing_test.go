package aml_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/cqltype"
)

// mentions are files that have the name of a row, but need no change for a similar addition.
var mentions = map[string][]string{
	"smallint": {"aml/cqltype/doc.go", "aml/model/suggestion.go", "codegen/conceptual/types.go", "codegen/diagram/types.go"},
	"Addr":     {"mapper/internal/cell/native.go", "codegen/cmd/aml/internal/docscmd/serve.go", "codegen/site/serve/run.go"},
	"enum":     {"aml/cqltype/native.go", "migrate/internal/ddl/parser.go"},
}

// The table of CONTRIBUTING.md has exactly the source files that have the example of each row as an identifier, or as a whole string. The
// pages that a row lists contain it.
func TestContributingNamesTheFilesToTouch(t *testing.T) {
	text, err := os.ReadFile("../CONTRIBUTING.md")
	require.NoError(t, err)
	_, section, _ := strings.Cut(string(text), "## To add")
	section, _, _ = strings.Cut(section, "\n## ")
	row := regexp.MustCompile("(?m)^\\| (.+?) \\| `(\\w+)` \\| (.+) \\|$")
	path := regexp.MustCompile("`([a-z]+/[^`]*\\.[a-z]+)`")
	rows := row.FindAllStringSubmatch(section, -1)
	require.NotEmpty(t, rows)
	sources := sourceFiles(t)
	for _, r := range rows {
		touch, _, _ := strings.Cut(r[3], ". Then ")
		word := r[2]
		var listed, named []string
		for _, p := range path.FindAllStringSubmatch(touch, -1) {
			if file := p[1]; isPage(file) {
				require.Contains(t, sources[file], word, "to add %s: %s", r[1], file)
			} else {
				listed = append(listed, file)
			}
		}
		for file, content := range sources {
			if !isPage(file) && !slices.Contains(mentions[word], file) && names(t, file, content, word) {
				named = append(named, file)
			}
		}
		require.ElementsMatch(t, named, listed, "to add %s", r[1])
	}
	for _, p := range path.FindAllStringSubmatch(section, -1) {
		require.FileExists(t, filepath.Join("..", p[1]))
	}
}

// isPage reports whether a file is only text: a page, or the doc comment of a package.
func isPage(file string) bool { return filepath.Ext(file) == ".md" || filepath.Base(file) == "doc.go" }

// names reports whether a file has an identifier or a string with a text. In lower case, the text is a word of CQL or of a tag, which
// identifiers can begin with an upper case.
func names(t *testing.T, file, content, text string) bool {
	is := func(name string) bool {
		return name == text || text == strings.ToLower(text) && strings.EqualFold(name, text)
	}
	if filepath.Ext(file) != ".go" {
		return slices.ContainsFunc(regexp.MustCompile(`\w+`).FindAllString(content, -1), is)
	}
	f, err := parser.ParseFile(token.NewFileSet(), file, content, parser.SkipObjectResolution)
	require.NoError(t, err)
	found := false
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			found = found || is(n.Name)
		case *ast.BasicLit:
			value, err := strconv.Unquote(n.Value)
			found = found || err == nil && is(value)
		}
		return !found
	})
	return found
}

// The tests of every type have each native type: as the method that encodes it, or by its name.
func TestTestsOfEveryTypeHaveEachType(t *testing.T) {
	has := func(file, text string) {
		content, err := os.ReadFile(filepath.Join("..", file))
		require.NoError(t, err)
		if !strings.Contains(string(content), text) {
			t.Errorf("%s does not have %s", file, text)
		}
	}
	for _, n := range cqltype.Natives() {
		if n.ColumnOnly {
			continue
		}
		has("codegen/testdata/golden/every/aml_gen.go", `Type: "`+n.Name+`"`)
		has("codegen/every_test.go", `"`+n.Name+`": gocql.Type`)
		if !n.Unordered {
			has("mapper/internal/conformance/order_test.go", `{"`+n.Name+`", func(`)
		}
		for _, g := range n.Go {
			has("mapper/internal/cell/every_test.go", "e."+g.Codec+"(")
		}
	}
}

// sourceFiles returns the texts of the handwritten files: Go, templates and the documentation, without tests and their data.
func sourceFiles(t *testing.T) map[string]string {
	apart := regexp.MustCompile(`(^|/)(testdata|examples|integration|conformance|\.[^/]+)(/|$)|_test\.go$|aml_gen\.go$`)
	files := map[string]string{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		name := filepath.ToSlash(strings.TrimPrefix(path, ".."+string(filepath.Separator)))
		switch {
		case err != nil || path == "..":
			return err
		case apart.MatchString(name) && d.IsDir():
			return fs.SkipDir
		case d.IsDir() || apart.MatchString(name):
			return nil
		case filepath.Dir(name) == ".": // the pages about the project as a whole
			return nil
		case slices.Contains([]string{".go", ".md", ".tmpl"}, filepath.Ext(name)):
			text, err := os.ReadFile(path)
			files[name] = string(text)
			return err
		}
		return nil
	})
	require.NoError(t, err)
	return files
}
