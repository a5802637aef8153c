package growth

import (
	"bytes"
	"fmt"
	"image/color"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Table returns the results as a table in Markdown.
func Table(results []Result) string {
	var b strings.Builder
	b.WriteString("| rounds | variant | game s | round ms | ratio to parts |\n|-------:|---------|-------:|---------:|---------------:|\n")
	for _, r := range results {
		fmt.Fprintf(&b, "| %6d | %-7s | %6.2f | %8.2f | %14.2f |\n", r.Rounds, r.Variant, r.Seconds, 1000*r.Seconds/float64(r.Rounds), r.Seconds/partsTime(results, r.Rounds))
	}
	return b.String()
}

// partsTime returns the time of a game with parts.
func partsTime(results []Result, rounds int) float64 {
	i := slices.IndexFunc(results, func(r Result) bool { return r.Variant == Parts && r.Rounds == rounds })
	return results[i].Seconds
}

// colours distinguish variants, also for readers who do not see red or green (the palette of Okabe and Ito).
var colours = []color.Color{color.RGBA{0, 114, 178, 255}, color.RGBA{213, 94, 0, 255}, color.RGBA{230, 159, 0, 255}}

// Chart draws the times of the games as an SVG, a line for each variant.
func Chart(results []Result) ([]byte, error) {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = "A game of rounds of 1,750 bytes", "rounds", "seconds"
	p.Y.Min, p.Legend.Top, p.Legend.Left = 0, true, true
	p.Legend.Padding = vg.Millimeter
	for i := range variants {
		var points plotter.XYs
		for _, r := range results {
			if r.Variant == variants[i].name {
				points = append(points, plotter.XY{X: float64(r.Rounds), Y: r.Seconds})
			}
		}
		line, dots, err := plotter.NewLinePoints(points)
		if err != nil {
			return nil, err
		}
		line.Color, dots.Color = colours[i], colours[i]
		p.Add(line, dots)
		p.Legend.Add(variants[i].name, line, dots)
	}
	canvas := vgsvg.New(18*vg.Centimeter, 9*vg.Centimeter)
	p.Draw(draw.New(canvas))
	var b bytes.Buffer
	_, err := canvas.WriteTo(&b)
	return b.Bytes(), err
}
