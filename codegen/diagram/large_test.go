package diagram_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen/diagram"
)

// A large model is an overview, whose boxes lead to the pictures of the roots.
func TestLargeModel(t *testing.T) {
	m := largeModel(t, *large)
	for _, n := range []diagram.Notation{diagram.AML, diagram.Chebotko} {
		drawings := draw(t, "large", n, m)
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

// References between packages are drawn, and the roots of one can be chosen.
func TestSeveralPackages(t *testing.T) {
	all := repository(t)
	drawings := draw(t, "both", diagram.AML, all["examples/quickstart/shop"], all["examples/booking/hotel"])
	require.Contains(t, drawings[0].Title, "shop, hotel")
}
