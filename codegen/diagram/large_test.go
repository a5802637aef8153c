package diagram_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen/diagram"
	"github.com/cassaml/cassaml/integration/corpus"
	"github.com/cassaml/cassaml/internal/models"
)

// A large model is an overview, whose boxes lead to the pictures of the roots.
func TestLargeModel(t *testing.T) {
	m := largeModel(t, "refs", *large)
	for _, n := range []diagram.Notation{diagram.AML, diagram.Chebotko} {
		drawings := draw(t, "random/large", n, m)
		require.Len(t, drawings, *large+1)
		require.Empty(t, drawings[0].Root)
		linked, err := diagram.Draw(n, []diagram.Model{m}, diagram.Options{File: "my shop.svg"})
		require.NoError(t, err)
		overview := string(linked[0].SVG(false))
		files := map[string]bool{}
		for _, d := range linked[1:] {
			require.False(t, files[strings.ToLower(d.File("my shop.svg"))])
			files[strings.ToLower(d.File("my shop.svg"))] = true
			require.Contains(t, overview, `<a href="my%20shop-`+d.Root+`.svg" aria-label="`+d.Root+`">`)
		}
		require.Equal(t, "my shop.svg", linked[0].File("my shop.svg"))
	}
	linked, err := diagram.Draw(diagram.Chebotko, []diagram.Model{m}, diagram.Options{Link: func(n diagram.Node) string { return "page-" + n.Aggregate.Struct.Name }})
	require.NoError(t, err)
	for _, d := range linked[1:] {
		require.Contains(t, string(linked[0].SVG(false)), `<a href="page-`+d.Root+`" aria-label="`+d.Root+`">`)
	}
}

// Roots of several packages have files with different names, also where upper and lower case are the same.
func TestFilesOfRootsOfOneName(t *testing.T) {
	known, err := corpus.Imports()
	require.NoError(t, err)
	text := sparse(rand.New(rand.NewPCG(1, 1)), 38, 0)
	for _, name := range []string{"Car", "CAR"} {
		text += fmt.Sprintf("\ntype %s struct {\n\taml.Aggregate `aml:\"%s\"`\n\n\tID int32 `aml:\"id,identifier\"`\n}\n", name, name)
	}
	both := []diagram.Model{newModel(t, known.Source(t, "example.com/refs", text)), newModel(t, known.Source(t, "example.com/others/refs", text))}
	drawings, err := diagram.Draw(diagram.Chebotko, both, diagram.Options{})
	require.NoError(t, err)
	files := map[string]bool{}
	for _, d := range drawings {
		files[strings.ToLower(d.File("shop.svg"))] = true
	}
	require.Len(t, files, 81)
	require.Contains(t, files, "shop-example.com-refs.r1.svg")
	require.Contains(t, files, "shop-others-refs.r1.svg")
}

// Boxes lead to the addresses of a site. A picture without addresses has no links.
func TestLinks(t *testing.T) {
	m := market(t)
	link := func(n diagram.Node) string {
		if n.Table != nil {
			return "table-" + n.Table.Name + ".html"
		}
		return "aggregate-" + n.Aggregate.Struct.Name + ".html?a&b"
	}
	drawings, err := diagram.Draw(diagram.AML, []diagram.Model{m}, diagram.Options{Link: link})
	require.NoError(t, err)
	svg := string(drawings[0].SVG(false))
	for _, a := range m.Aggregates {
		require.Contains(t, svg, `<a href="aggregate-`+a.Struct.Name+`.html?a&amp;b" aria-label="`+a.Struct.Name+`">`)
	}
	require.Contains(t, svg, `role="group"`)
	require.NotContains(t, svg, ` id=`)
	drawings, err = diagram.Draw(diagram.Chebotko, []diagram.Model{m}, diagram.Options{Link: link})
	require.NoError(t, err)
	for _, table := range m.Schema.Tables {
		require.Contains(t, string(drawings[0].SVG(false)), `<a href="table-`+table.Name+`.html" aria-label="`+table.Name+`">`)
	}
	drawings, err = diagram.Draw(diagram.AML, []diagram.Model{m}, diagram.Options{})
	require.NoError(t, err)
	require.NotContains(t, string(drawings[0].SVG(false)), "<a ")
}

// References between packages are drawn, each in a frame with room for its label.
func TestSeveralPackages(t *testing.T) {
	known, err := models.Load(".", "github.com/cassaml/cassaml/aml")
	require.NoError(t, err)
	geo := "package geographicalplacesofseveralcountries\n\nimport \"github.com/cassaml/cassaml/aml\"\n\ntype Place struct {\n\taml.Aggregate `aml:\"places\"`\n\n\tID int32 `aml:\"id,identifier\"`\n}\n"
	trip := "package trip\n\nimport (\n\t\"example.com/geographicalplacesofseveralcountries\"\n\t\"github.com/cassaml/cassaml/aml\"\n)\n\nvar _ geographicalplacesofseveralcountries.Place\n\ntype Trip struct {\n\taml.Aggregate `aml:\"trips\"`\n\n\tID int32 `aml:\"id,identifier\"`\n\tTo *int32 `aml:\"to,association=geographicalplacesofseveralcountries.Place\"`\n}\n"
	require.NoError(t, known.Add("example.com/geographicalplacesofseveralcountries", "places.go", []byte(geo)))
	places, trips := newModel(t, known.Source(t, "example.com/geographicalplacesofseveralcountries", geo)), newModel(t, known.Source(t, "example.com/trip", trip))
	alone := draw(t, "random/trip", diagram.AML, trips)[0]
	require.Equal(t, 0, arrows(alone))
	require.Equal(t, 1, arrows(draw(t, "random/both", diagram.AML, trips, places)[0]))
	require.Contains(t, draw(t, "random/both", diagram.AMLMembers, trips, places)[0].Title, "trip, geographicalplacesofseveralcountries")
	chosen, err := diagram.Draw(diagram.AML, []diagram.Model{trips, places}, diagram.Options{Roots: []string{"Place"}})
	require.NoError(t, err)
	require.Equal(t, 0, arrows(chosen[0]))
}

func arrows(d diagram.Drawing) (count int) {
	for _, l := range d.Lines {
		if l.End == diagram.Arrow {
			count++
		}
	}
	return count
}
