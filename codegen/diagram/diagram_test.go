package diagram_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/diagram"
	"github.com/cassaml/cassaml/codegen/diagram/geometry"
	"github.com/cassaml/cassaml/integration/corpus"
	"github.com/cassaml/cassaml/internal/models"
)

var (
	update = flag.Bool("update", false, "write the golden files instead of comparing with them")
	show   = flag.String("show", "", "a folder for the pictures as PNG files, to look at them")
	random = flag.Int("random", 40, "the number of random models")
	large  = flag.Int("large", 30, "the number of roots of a large model")
	graphs = flag.Int("graphs", 6, "the number of random models with many references")
)

// drawn are the notations that are drawn as pictures.
var drawn = []diagram.Notation{diagram.AML, diagram.AMLMembers, diagram.Chebotko, diagram.ChebotkoLogical}

// foldersOfModels returns the folders of the examples, of the models of the tests, of the published services, and of some golden files
// of the generator.
func foldersOfModels(t *testing.T) (dirs []string) {
	t.Helper()
	for _, pattern := range []string{"examples/*", "examples/*/*", "examples/*/*/*", "integration/models/*", "aml/testdata/reach/*", "codegen/testdata/golden/*"} {
		files, err := filepath.Glob(filepath.Join("../..", pattern, "model.go"))
		require.NoError(t, err)
		for _, f := range files {
			dirs = append(dirs, filepath.Dir(f))
		}
	}
	require.NotEmpty(t, dirs)
	return dirs
}

// newModel returns the model of a package.
func newModel(t testing.TB, p *model.Package) diagram.Model {
	t.Helper()
	m, faults := model.Build(p)
	require.False(t, model.Refused(faults), "%s: %v", p.Path, faults)
	return diagram.Model{Model: m, Schema: schema.New(m)}
}

// draw draws models in a notation, and checks that the pictures are legible.
func draw(t *testing.T, name string, n diagram.Notation, models ...diagram.Model) []diagram.Drawing {
	t.Helper()
	drawings, err := diagram.Draw(n, models, diagram.Options{})
	require.NoError(t, err)
	for _, d := range drawings {
		if *show != "" {
			png, err := d.PNG(false)
			require.NoError(t, err)
			file := d.File(filepath.Base(filepath.Dir(name)) + "-" + filepath.Base(name) + "-" + string(n) + ".png")
			require.NoError(t, os.WriteFile(filepath.Join(*show, file), png, 0o644))
		}
		if faults := geometry.Faults(d.Picture); len(faults) > 0 {
			t.Errorf("%s %s %s: %d faults, first %v", name, n, d.Root, len(faults), faults[:min(len(faults), 6)])
		}
	}
	return drawings
}

func TestPicturesAreLegible(t *testing.T) {
	dirs := foldersOfModels(t)
	for i, p := range models.Folders(t, dirs...) {
		m := newModel(t, p)
		require.NotEmpty(t, m.Aggregates, dirs[i])
		for _, n := range drawn {
			draw(t, dirs[i], n, m)
		}
	}
}

func TestRandomModelsAreLegible(t *testing.T) {
	known, err := corpus.Imports()
	require.NoError(t, err)
	count := 0
	for _, c := range corpus.New(1).Models(*random) {
		if len(c.Faults) > 0 {
			continue
		}
		count++
		m := newModel(t, known.Source(t, corpus.Module+"/"+c.Name, string(c.Source())))
		for _, n := range drawn {
			draw(t, "corpus/"+c.Name, n, m)
		}
	}
	require.Positive(t, count)
}
