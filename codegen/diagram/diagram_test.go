package diagram_test

import (
	"flag"
	"os"
	"path/filepath"
	"sync"
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
	graphs = flag.Int("graphs", 12, "the number of random models with many references")
)

// drawn are the notations that are drawn as pictures.
var drawn = []diagram.Notation{diagram.AML, diagram.AMLMembers, diagram.Chebotko, diagram.ChebotkoLogical}

// folders are the models of the repository.
var folders = []string{
	"examples/quickstart/shop", "examples/booking/hotel", "examples/library/catalogue", "examples/marketplace/shop", "examples/documents",
	"examples/game/parts", "examples/game/embedded", "examples/game/auction",
	"examples/vehicles/approach1", "examples/vehicles/approach1map", "examples/vehicles/approach2", "examples/vehicles/approach2versioned",
	"examples/vehicles/approach3", "examples/vehicles/approach3versioned", "examples/vehicles/approach4", "examples/vehicles/approach5",
	"examples/vehicles/approach5versioned", "examples/vehicles/approach6", "examples/vehicles/approach6checked",
	"examples/vehicles/approach7", "examples/vehicles/approach7checked", "examples/vehicles/approach8", "examples/vehicles/approach8unique",
	"integration/auctionmodel", "integration/contactmodel", "integration/garagemodel", "integration/hotelmodel", "integration/jobmodel",
	"integration/membermodel", "integration/offermodel", "integration/papermodel", "integration/partmodel", "integration/stockmodel",
	"integration/tracemodel",
	"aml/testdata/reach/jaeger", "aml/testdata/reach/zipkin", "aml/testdata/reach/reaper", "aml/testdata/reach/killrvideo",
	"aml/testdata/reach/james",
	"codegen/testdata/golden/library", "codegen/testdata/golden/fleet", "codegen/testdata/golden/every", "codegen/testdata/golden/counters",
}

// modelOf returns the model of a package.
func modelOf(t testing.TB, p *model.Package) diagram.Model {
	t.Helper()
	m, faults := model.Build(p)
	require.False(t, model.Refused(faults), "%s: %v", p.Path, faults)
	return diagram.Model{Model: m, Schema: schema.Of(m)}
}

// repository returns the models of the repository, by the names of their folders.
func repository(t *testing.T) map[string]diagram.Model {
	t.Helper()
	loaded.Do(func() {
		var dirs []string
		for _, f := range folders {
			dirs = append(dirs, filepath.Join("../..", f))
		}
		all := map[string]diagram.Model{}
		for i, p := range models.Folders(t, dirs...) {
			all[folders[i]] = modelOf(t, p)
		}
		known = all
	})
	require.NotEmpty(t, known)
	return known
}

var (
	loaded sync.Once
	known  map[string]diagram.Model
)

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
	for name, m := range repository(t) {
		for _, n := range drawn {
			draw(t, name, n, m)
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
		m := modelOf(t, known.Source(t, corpus.Module+"/"+c.Name, string(c.Source())))
		for _, n := range drawn {
			draw(t, "corpus/"+c.Name, n, m)
		}
	}
	require.Positive(t, count)
}
