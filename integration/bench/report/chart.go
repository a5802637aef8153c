package report

import (
	"bytes"
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/cassaml/cassaml/integration/bench/measure"
)

// The size of a chart, and of a bar in it.
const (
	chartWidth  = 18 * vg.Centimeter
	chartHeight = 9 * vg.Centimeter
	barWidth    = 3.1 * vg.Millimeter
	legendRoom  = 1.7 // space on the right, as a fraction of the width of a group
)

// colours distinguish variants, also for readers who do not see red or green (the palette of Okabe and Ito).
var colours = []color.Color{
	color.RGBA{0, 114, 178, 255}, color.RGBA{86, 180, 233, 255}, color.RGBA{230, 159, 0, 255}, color.RGBA{213, 94, 0, 255},
	color.RGBA{204, 121, 167, 255}, color.RGBA{150, 150, 150, 255}, color.RGBA{0, 158, 115, 255}, color.RGBA{0, 0, 0, 255},
}

// Chart draws the ratios to the peer as an SVG: a group for each work of the peer, with a bar for each variant.
func Chart(title string, results []measure.Result) ([]byte, error) {
	p := plot.New()
	p.Title.Text = title
	p.Y.Label.Text = "time, " + Peer + " = 1"
	p.Y.Min = 0
	p.Title.Padding = vg.Millimeter
	p.Legend.Top = true
	p.Legend.Padding = vg.Millimeter
	works, variants := compared(results)
	for i, v := range variants {
		bars, err := plotter.NewBarChart(ratios(results, works, v), barWidth)
		if err != nil {
			return nil, err
		}
		bars.Color = colours[i%len(colours)]
		bars.LineStyle.Width = 0
		bars.Offset = barWidth * (vg.Length(i) - vg.Length(len(variants)-1)/2)
		p.Add(bars)
		p.Legend.Add(v, bars)
	}
	p.NominalX(works...)
	p.X.Max += legendRoom
	canvas := vgsvg.New(chartWidth, chartHeight)
	p.Draw(draw.New(canvas))
	var b bytes.Buffer
	_, err := canvas.WriteTo(&b)
	return b.Bytes(), err
}

// compared returns the works of the peer, and the variants, in their order.
func compared(results []measure.Result) (works, variants []string) {
	for _, r := range results {
		if _, ok := Ratio(results, r); !ok {
			continue
		}
		if !slices.Contains(works, r.Work) {
			works = append(works, r.Work)
		}
		if !slices.Contains(variants, r.Variant) {
			variants = append(variants, r.Variant)
		}
	}
	return works, variants
}

// ratios returns a variant's ratio for each work.
func ratios(results []measure.Result, works []string, variant string) plotter.Values {
	values := make(plotter.Values, len(works))
	for _, r := range results {
		if i := slices.Index(works, r.Work); i >= 0 && r.Variant == variant {
			values[i], _ = Ratio(results, r)
		}
	}
	return values
}
