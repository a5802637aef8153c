package command_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const repository = "../.."

// files returns the files of the repository with an extension, except those in hidden folders and in testdata.
func files(t *testing.T, ending string) (paths []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(repository, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && path != repository):
			return fs.SkipDir
		case !d.IsDir() && strings.HasSuffix(path, ending):
			paths = append(paths, path)
		}
		return nil
	}))
	return paths
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(b)
}

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.+)$`)
	fence   = regexp.MustCompile("(?ms)^```.*?^```$")
	notSlug = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// anchors returns the anchors of the headings of a page, as GitHub derives them.
func anchors(page string) map[string]bool {
	out := map[string]bool{}
	for _, h := range heading.FindAllStringSubmatch(fence.ReplaceAllString(page, ""), -1) {
		out[strings.ReplaceAll(notSlug.ReplaceAllString(strings.ToLower(h[1]), ""), " ", "-")] = true
	}
	return out
}

// Every link of a page to a file of the repository, and to a heading in it, has a target.
func TestLinksOfPages(t *testing.T) {
	for _, path := range files(t, ".md") {
		for _, m := range link.FindAllStringSubmatch(fence.ReplaceAllString(read(t, path), ""), -1) {
			target, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
				continue
			}
			file := path
			if target != "" {
				file = filepath.Join(filepath.Dir(path), target)
			}
			info, err := os.Stat(file)
			if err != nil {
				t.Errorf("%s: the link %s has no file as its target", path, m[1])
				continue
			}
			if anchor != "" && !info.IsDir() && !anchors(read(t, file))[anchor] {
				t.Errorf("%s: the link %s has no heading as its target", path, m[1])
			}
		}
	}
}

// The page of errors has every error that mapper and migrate export.
func TestErrorsAreDocumented(t *testing.T) {
	page := read(t, repository+"/docs/errors.md")
	exported := regexp.MustCompile(`(?m)^(?:var (Err[A-Z]\w*) =|type ([A-Z]\w*Error) struct)`)
	for _, name := range []string{"mapper", "migrate"} {
		sources, err := filepath.Glob(repository + "/" + name + "/*.go")
		require.NoError(t, err)
		found := 0
		for _, path := range sources {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			for _, m := range exported.FindAllStringSubmatch(read(t, path), -1) {
				found++
				if want := name + "." + m[1] + m[2] + "`"; !strings.Contains(page, want) {
					t.Errorf("docs/errors.md does not have %s", want)
				}
			}
		}
		require.Greater(t, found, 5, name)
	}
}

// Every test that a page refers to exists.
func TestTestsOfPagesExist(t *testing.T) {
	var tests strings.Builder
	for _, path := range files(t, "_test.go") {
		tests.WriteString(read(t, path))
	}
	pages, err := filepath.Glob(repository + "/docs/internals/*.md")
	require.NoError(t, err)
	require.NotEmpty(t, pages)
	name := regexp.MustCompile("`((?:Test|Fuzz)[A-Z]\\w*)`")
	others, err := filepath.Glob(repository + "/docs/*.md")
	require.NoError(t, err)
	for _, page := range append(append(pages, others...), repository+"/CONTRIBUTING.md") {
		for _, m := range name.FindAllStringSubmatch(read(t, page), -1) {
			if !strings.Contains(tests.String(), "func "+m[1]+"(") {
				t.Errorf("%s: the test %s does not exist", page, m[1])
			}
		}
	}
}
