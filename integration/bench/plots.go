package main

import (
	"bytes"
	"image/color"
	"maps"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/cassaml/cassaml/codegen/alternatives"
	caller "github.com/cassaml/cassaml/integration/alternatives"
)

// theme has the colours of a chart.
type theme struct {
	paper, ink color.Color
	designs    []color.Color
}

// themes are the light and the dark form of each chart. Readers who do not see red or green can distinguish the colours (the palette of Okabe and Ito).
var themes = map[string]theme{
	"": {color.White, color.RGBA{31, 35, 40, 255}, []color.Color{
		color.RGBA{0, 114, 178, 255}, color.RGBA{86, 180, 233, 255}, color.RGBA{213, 94, 0, 255}, color.RGBA{230, 159, 0, 255},
		color.RGBA{0, 158, 115, 255}, color.RGBA{204, 121, 167, 255}, color.RGBA{110, 110, 110, 255}, color.RGBA{0, 0, 0, 255},
	}},
	"-dark": {color.RGBA{13, 17, 23, 255}, color.RGBA{230, 237, 243, 255}, []color.Color{
		color.RGBA{64, 150, 220, 255}, color.RGBA{140, 210, 250, 255}, color.RGBA{240, 120, 40, 255}, color.RGBA{240, 180, 50, 255},
		color.RGBA{30, 190, 145, 255}, color.RGBA{225, 150, 190, 255}, color.RGBA{140, 140, 140, 255}, color.RGBA{235, 235, 235, 255},
	}},
}

// drawn are the designs of the charts, in the order of the published approaches.
var drawn = []string{"embedded-list", "embedded-list-partial", "embedded-list-total", "inverse", "references-from-root", "reference-from-element", "pairs", "parts-in-root"}

// The sizes of the charts.
const (
	plotWidth  = 24 * vg.Centimeter
	plotHeight = 11 * vg.Centimeter
	plotBar    = 1.9 * vg.Millimeter
	plotLegend = 3.1 // space on the right, in groups of bars
	legendLeft = 16.3 * vg.Centimeter
	smallFont  = 7
	// legendShare is the width of the legend divided by the width of the lines.
	legendShare = 0.5
)

// studyCharts returns the charts of docs/study.md by the names of their files.
func studyCharts(results []caller.Measurement, elements int) (map[string][]byte, error) {
	out := map[string][]byte{}
	for suffix, t := range themes {
		p, err := t.operations(results, elements)
		if err == nil {
			out["approaches"+suffix+".svg"], err = t.draw(p)
		}
		if err != nil {
			return nil, err
		}
		for name, o := range map[string]alternatives.Operation{"reads": alternatives.ReadByRoot, "changes": alternatives.Change} {
			p, err := t.growth(results, o)
			if err != nil {
				return nil, err
			}
			if p == nil {
				continue
			}
			if out["approaches-"+name+suffix+".svg"], err = t.draw(p); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// newPlot returns an empty chart of processor times, on a logarithmic scale.
func (t theme) newPlot(title string) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = t.paper
	p.Title.Text, p.Y.Label.Text = title, "processor time, microseconds"
	p.Title.TextStyle.Color, p.Legend.TextStyle.Color = t.ink, t.ink
	p.Title.Padding, p.Legend.Padding, p.Legend.Top = vg.Millimeter, vg.Millimeter, true
	p.Legend.Left, p.Legend.XOffs = true, legendLeft // the signs are before the names, which are wider in some fonts
	p.X.Tick.Label.Font.Size, p.Legend.TextStyle.Font.Size = smallFont, smallFont+2
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Color, a.Label.TextStyle.Color, a.Tick.Color, a.Tick.Label.Color = t.ink, t.ink, t.ink, t.ink
	}
	p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, decades{}
	return p
}

// decades marks 1, 2 and 5 of each power of ten.
type decades struct{}

// Ticks returns the marks.
func (decades) Ticks(least, greatest float64) (out []plot.Tick) {
	for power := math.Pow(10, math.Floor(math.Log10(least))); power <= greatest; power *= 10 {
		for _, n := range []float64{1, 2, 5} {
			if x := n * power; x >= least && x <= greatest {
				out = append(out, plot.Tick{Value: x, Label: strconv.FormatFloat(x, 'f', -1, 64)})
			}
		}
	}
	return out
}

// label returns the name of a design with the number of its published approach.
func label(design string) string {
	if n := published[design]; n != "" {
		return design + " (" + n + ")"
	}
	return design
}

// operations draws a group of bars for each operation, with a bar for each design.
func (t theme) operations(results []caller.Measurement, elements int) (*plot.Plot, error) {
	p := t.newPlot("Operations of clients with " + strconv.Itoa(elements) + " vehicles")
	var names []string
	for _, o := range alternatives.Operations() {
		names = append(names, string(o))
	}
	lowest, highest := math.Inf(1), 0.0
	for i, d := range drawn {
		var values plotter.Values
		for _, o := range alternatives.Operations() {
			value := 0.0
			if m := measurement(results, d, elements, o); m != nil && m.Calls > 0 {
				value = m.Processor()
				lowest, highest = min(lowest, value), max(highest, value)
			}
			values = append(values, value)
		}
		bars := &logBars{values, plotBar * (vg.Length(i) - vg.Length(len(drawn)-1)/2), t.designs[i]}
		p.Add(bars)
		p.Legend.Add(label(d), bars)
	}
	p.NominalX(names...)
	p.X.Min, p.X.Max = -0.6, float64(len(names))-0.4+plotLegend
	p.Y.Min, p.Y.Max = lowest/2, highest*1.2
	return p, nil
}

// logBars draws bars from the lower edge of the chart. A value of 0 has no bar.
type logBars struct {
	values plotter.Values
	offset vg.Length
	color  color.Color
}

// Plot draws the bars.
func (b *logBars) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for i, v := range b.values {
		if v > 0 {
			left := x(float64(i)) + b.offset - plotBar/2
			b.fill(c, left, c.Min.Y, left+plotBar, y(v))
		}
	}
}

// Thumbnail draws the sign of the legend.
func (b *logBars) Thumbnail(c *draw.Canvas) { b.fill(*c, c.Min.X, c.Min.Y, c.Max.X, c.Max.Y) }

func (b *logBars) fill(c draw.Canvas, left, bottom, right, top vg.Length) {
	c.FillPolygon(b.color, []vg.Point{{X: left, Y: bottom}, {X: right, Y: bottom}, {X: right, Y: top}, {X: left, Y: top}})
}

// growth draws a line for each design over the numbers of elements; nil if there is only one number.
func (t theme) growth(results []caller.Measurement, o alternatives.Operation) (*plot.Plot, error) {
	p := t.newPlot(string(o) + ", by the number of vehicles of a client")
	sizes := map[int]bool{}
	for i, d := range drawn {
		var points plotter.XYs
		for _, m := range results {
			if m.Design == d && m.Operation == string(o) && m.Calls > 0 && m.Processor() > 0 {
				points = append(points, plotter.XY{X: float64(m.Elements), Y: m.Processor()})
				sizes[m.Elements] = true
			}
		}
		if len(points) == 0 {
			continue
		}
		slices.SortFunc(points, func(a, b plotter.XY) int { return int(a.X - b.X) })
		line, dots, err := plotter.NewLinePoints(points)
		if err != nil {
			return nil, err
		}
		line.Color, dots.Color, line.Width = t.designs[i], t.designs[i], vg.Millimeter/2
		p.Add(line, dots)
		p.Legend.Add(label(d), line, dots)
	}
	if len(sizes) < 2 {
		return nil, nil
	}
	p.X.Label.Text, p.X.Scale, p.X.Tick.Marker = "vehicles of a client", plot.LogScale{}, ticks(slices.Sorted(maps.Keys(sizes)))
	p.X.Max *= math.Pow(p.X.Max/p.X.Min, legendShare)
	return p, nil
}

// ticks marks the numbers that were measured.
func ticks(numbers []int) (out plot.ConstantTicks) {
	for _, n := range numbers {
		out = append(out, plot.Tick{Value: float64(n), Label: strconv.Itoa(n)})
	}
	return out
}

// draw returns a chart as SVG.
func (theme) draw(p *plot.Plot) ([]byte, error) {
	canvas := vgsvg.New(plotWidth, plotHeight)
	p.Draw(draw.New(canvas))
	var b bytes.Buffer
	_, err := canvas.WriteTo(&b)
	return b.Bytes(), err
}
