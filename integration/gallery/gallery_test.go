package gallery

import (
	"flag"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/diagram"
	"github.com/cassaml/cassaml/internal/models"
	"github.com/cassaml/cassaml/internal/pagetest"
)

var update = flag.Bool("update", false, "write the pictures of docs/gallery instead of comparing them")

// root is the folder of the module.
const root = "../.."

// image finds the pictures of the page: the folder of a model and the notation.
var image = regexp.MustCompile(`\]\(gallery/([^)]+)/([a-z-]+)\.svg\)`)

// The pictures of the page are those of the models, and their folder has no other files.
func TestPictures(t *testing.T) {
	shown := onPage(t)
	folders := slices.Sorted(maps.Keys(shown))
	want := map[string][]byte{}
	for i, p := range models.Folders(t, under(root, folders)...) {
		m, faults := model.Build(p)
		require.False(t, model.Refused(faults), "%s: %v", folders[i], faults)
		of := []diagram.Model{{Model: m, Schema: schema.New(m)}}
		for _, notation := range shown[folders[i]] {
			drawings, err := diagram.Draw(diagram.Notation(notation), of, diagram.Options{})
			require.NoError(t, err)
			want[folders[i]+"/"+notation+".svg"] = drawings[0].SVG(false)
		}
	}
	pictures := filepath.Join(root, "docs/gallery")
	if *update {
		for _, name := range drawn(files(t, pictures)) {
			require.NoError(t, os.Remove(filepath.Join(pictures, filepath.FromSlash(name))))
		}
		for name, svg := range want {
			file := filepath.Join(pictures, filepath.FromSlash(name))
			require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
			require.NoError(t, os.WriteFile(file, svg, 0o644))
		}
	}
	require.Equal(t, slices.Sorted(maps.Keys(want)), drawn(files(t, pictures)), "go test ./integration/gallery -update writes them")
	for name, svg := range want {
		got, err := os.ReadFile(filepath.Join(pictures, filepath.FromSlash(name)))
		require.NoError(t, err)
		pagetest.Equal(t, "docs/gallery/"+name, string(svg), string(got), "go test ./integration/gallery -update")
	}
}

// Every model of the examples and every model of a published service is on the page, as aggregates and as tables.
func TestEveryModelIsShown(t *testing.T) {
	shown := onPage(t)
	for _, pattern := range []string{"examples", "aml/testdata/reach"} {
		for _, name := range files(t, filepath.Join(root, pattern)) {
			if filepath.Base(name) != "model.go" {
				continue
			}
			folder := pattern + "/" + filepath.ToSlash(filepath.Dir(name))
			require.Subset(t, shown[folder], []string{"aml", "chebotko"}, "docs/gallery.md: %s", folder)
		}
	}
}

// onPage returns the notations in which the page shows models, by folder.
func onPage(t *testing.T) map[string][]string {
	page, err := os.ReadFile(filepath.Join(root, "docs/gallery.md"))
	require.NoError(t, err)
	out := map[string][]string{}
	for _, found := range image.FindAllStringSubmatch(string(page), -1) {
		out[found[1]] = append(out[found[1]], found[2])
	}
	return out
}

// drawn returns the names of the pictures of models. The others are screenshots of sites.
func drawn(names []string) []string {
	return slices.DeleteFunc(names, func(n string) bool { return filepath.Ext(n) != ".svg" })
}

// under returns the folders of a module as paths of this process.
func under(dir string, folders []string) (out []string) {
	for _, f := range folders {
		out = append(out, filepath.Join(dir, filepath.FromSlash(f)))
	}
	return out
}

// files returns the names of the files below a folder, relative to it and sorted.
func files(t *testing.T, dir string) (out []string) {
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			out = append(out, filepath.ToSlash(strings.TrimPrefix(path, dir+string(filepath.Separator))))
		}
		return err
	}))
	slices.Sort(out)
	return out
}
