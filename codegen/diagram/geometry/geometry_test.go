package geometry_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen/diagram"
	"github.com/cassaml/cassaml/codegen/diagram/geometry"
)

// legible returns a picture without faults: a group with a box that has a text, and a line from it to another box.
func legible() *diagram.Picture {
	return &diagram.Picture{
		Width: 200, Height: 100,
		Boxes: []diagram.Box{{X: 5, Y: 5, W: 90, H: 90, Group: true}, {X: 10, Y: 10, W: 60, H: 40}, {X: 120, Y: 10, W: 60, H: 40}},
		Lines: []diagram.Line{{Points: []diagram.Point{{X: 70, Y: 30}, {X: 120, Y: 30}}}},
		Texts: []diagram.Text{{X: 20, Y: 30, S: "id", Style: diagram.Style{Size: 12}}},
	}
}

// Each fault is found, and a picture without one has none.
func TestFaults(t *testing.T) {
	require.Empty(t, geometry.Faults(legible()))
	for want, spoil := range map[string]func(p *diagram.Picture){
		"boxes overlap":                             func(p *diagram.Picture) { p.Boxes[2].X = 60 },
		"a box is outside of the picture":           func(p *diagram.Picture) { p.Width = 150 },
		"a line is outside of the picture":          func(p *diagram.Picture) { p.Lines[0].Points[1] = diagram.Point{X: 70, Y: 120} },
		"leads through a box":                       func(p *diagram.Picture) { p.Lines[0].Points[1].X = 150 },
		"leads through the text id":                 func(p *diagram.Picture) { p.Lines[0].Points[0].X = 25 },
		"a line is neither horizontal nor vertical": func(p *diagram.Picture) { p.Lines[0].Points[1].Y = 40 },
		"lines run along each other": func(p *diagram.Picture) {
			p.Lines = append(p.Lines, diagram.Line{Points: []diagram.Point{{X: 80, Y: 31}, {X: 110, Y: 31}}})
		},
		"id is outside of the picture": func(p *diagram.Picture) { p.Texts[0].Y = -20 },
		"id leaves a box":              func(p *diagram.Picture) { p.Texts[0].X = 63 },
		"texts overlap: name and id": func(p *diagram.Picture) {
			p.Texts = append(p.Texts, diagram.Text{X: 22, Y: 32, S: "name", Style: diagram.Style{Size: 12}})
		},
	} {
		p := legible()
		spoil(p)
		require.Contains(t, strings.Join(geometry.Faults(p), "\n"), want)
	}
	curve := legible()
	curve.Lines[0] = diagram.Line{Curve: true, Points: []diagram.Point{{X: 70, Y: 30}, {X: 110, Y: 30}, {X: 150, Y: 60}, {X: 190, Y: 20}}}
	require.NotEmpty(t, geometry.Faults(curve))
}
