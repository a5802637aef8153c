package aml_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/cqltype"
)

// mentions are files that contain the word of a row, but need no change for a similar addition.
var mentions = []string{"aml/cqltype/doc.go", "aml/model/suggestion.go", "docs/diagnostics.md", "docs/migrations.md"}

// The table of CONTRIBUTING.md has exactly the files that contain the example of each row.
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
		var listed, named []string
		for _, p := range path.FindAllStringSubmatch(touch, -1) {
			listed = append(listed, p[1])
		}
		word := regexp.MustCompile(`\b` + r[2] + `\b`)
		if r[2] == strings.ToLower(r[2]) {
			word = regexp.MustCompile(`(?i)\b` + r[2] + `\b`) // the names of methods also contain words of CQL and of tags
		}
		for file, content := range sources {
			if word.MatchString(content) && !slices.Contains(mentions, file) {
				named = append(named, file)
			}
		}
		require.ElementsMatch(t, named, listed, "to add %s", r[1])
	}
	for _, p := range path.FindAllStringSubmatch(section, -1) {
		require.FileExists(t, filepath.Join("..", p[1]))
	}
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
