package diagram

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
)

const scale = 2 // pixels of a PNG for each pixel of CSS, for screens of high density

// PNG renders the picture.
func (p *Picture) PNG(isDark bool) ([]byte, error) {
	const inch = 72 // points, which stand for pixels of CSS here
	c := &raster{vgimg.NewWith(vgimg.UseWH(vg.Length(p.Width), vg.Length(p.Height)), vgimg.UseDPI(inch*scale)), p.Height, newPalette(isDark)}
	c.box(&Box{W: p.Width, H: p.Height, Fill: Paper, Stroke: None})
	for i := range p.Boxes {
		c.box(&p.Boxes[i])
	}
	for i := range p.Lines {
		c.line(&p.Lines[i])
	}
	for i := range p.Texts {
		c.text(&p.Texts[i])
	}
	var b bytes.Buffer
	if _, err := (vgimg.PngCanvas{Canvas: c.Canvas}).WriteTo(&b); err != nil {
		return nil, fmt.Errorf("encode the PNG: %w", err)
	}
	return marked(b.Bytes()), nil
}

// marked adds the mark to a PNG, in a text chunk after the header.
func marked(png []byte) []byte {
	const header = 8 + 4 + 4 + 13 + 4 // signature, and the length, type, data and sum of the first chunk
	chunk := "tEXtComment\x00" + Mark
	out := slices.Clone(png[:header])
	out = binary.BigEndian.AppendUint32(out, uint32(len(chunk)-4))
	out = append(out, chunk...)
	out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE([]byte(chunk)))
	return append(out, png[header:]...)
}

// raster is a canvas whose vertical axis begins at the lower border.
type raster struct {
	*vgimg.Canvas
	height  float64
	palette palette
}

func (c *raster) point(x, y float64) vg.Point {
	return vg.Point{X: vg.Length(x), Y: vg.Length(c.height - y)}
}

func (c *raster) path(points []Point) (path vg.Path) {
	for i, p := range points {
		if i == 0 {
			path.Move(c.point(p.X, p.Y))
		} else {
			path.Line(c.point(p.X, p.Y))
		}
	}
	return path
}

func (c *raster) box(x *Box) {
	path := c.path([]Point{{x.X, x.Y}, {x.X + x.W, x.Y}, {x.X + x.W, x.Y + x.H}, {x.X, x.Y + x.H}})
	if x.Round {
		path = nil
		path.Move(c.point(x.X+x.W, x.Y+x.H/2))
		path.Arc(c.point(x.X+x.W/2, x.Y+x.H/2), vg.Length(x.W/2), 0, 2*math.Pi)
	}
	path.Close()
	if x.Fill != None {
		c.SetColor(c.color(x.Fill))
		c.Fill(path)
	}
	if x.Stroke != None {
		c.pen(x.Stroke, x.Dashed, x.Thick)
		c.Stroke(path)
	}
}

func (c *raster) line(l *Line) {
	c.pen(l.Stroke, l.Dashed, false)
	c.Stroke(c.path(l.Flat()))
	c.pen(l.Stroke, false, false)
	for _, h := range l.heads() {
		path := c.path(h.points)
		if h.marker == Diamond {
			c.Fill(path)
		}
		c.Stroke(path)
	}
}

func (c *raster) text(t *Text) {
	c.SetColor(c.color(t.Color))
	c.FillString(t.Style.face(), c.point(t.X, t.Y), t.S)
	if t.Underline {
		c.pen(t.Color, false, false)
		c.Stroke(c.path([]Point{{t.X, t.Y + 2}, {t.X + t.Width(), t.Y + 2}}))
	}
}

// pen sets the colour, the dashes and the width of the next lines.
func (c *raster) pen(stroke Color, dashed, thick bool) {
	c.SetColor(c.color(stroke))
	c.SetLineWidth(1)
	if thick {
		c.SetLineWidth(2)
	}
	c.SetLineDash(nil, 0)
	if dashed {
		c.SetLineDash([]vg.Length{5, 4}, 0)
	}
}

// color returns a colour of the palette.
func (c *raster) color(of Color) color.Color {
	rgb := color.NRGBA{A: 255}
	if _, err := fmt.Sscanf(c.palette[of], "#%02x%02x%02x", &rgb.R, &rgb.G, &rgb.B); err != nil {
		panic(err) // the palettes are constants
	}
	return rgb
}
