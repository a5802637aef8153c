package change

import (
	"strings"

	"github.com/cassaml/cassaml/codegen/diagram"
)

// The styles of the texts.
var (
	heading = diagram.Style{Size: 15, Bold: true}
	title   = diagram.Style{Size: 12, Bold: true}
	body    = diagram.Style{Size: 12}
	strong  = diagram.Style{Size: 12, Bold: true}
	small   = diagram.Style{Size: 11}
	mono    = diagram.Style{Size: 11, Mono: true}
)

// The lengths of the picture.
const (
	margin     = 20
	padding    = 10
	headHeight = 26
	rowHeight  = 19
	lineHeight = 17
	middle     = 36 // distance of the two sides
	gap        = 20 // distance of two objects
	leastSide  = 260
	maxLine    = 110 // characters of a line of a statement
)

// Picture draws the change.
func (c *Change) Picture() *diagram.Picture {
	d := &drawing{Picture: &diagram.Picture{Title: "Schema changes of " + diagram.PlainText(c.Of)}}
	d.About = c.summary() + " Tables and types before and after, the statements and the findings."
	d.sides = [2]*side{newSide(c, false), newSide(c, true)}
	d.sides[0].x = margin
	d.sides[1].x = margin + d.sides[0].width() + middle
	d.Width = d.sides[1].x + d.sides[1].width() + margin
	d.y = margin + heading.Size
	d.text(margin, d.Title, heading, diagram.Ink)
	d.y += 22
	d.text(margin, c.summary(), body, diagram.Ink)
	if len(c.Objects) > 0 {
		d.objects(c)
	}
	d.y += 7
	if s := c.same(); s != "" {
		d.y += lineHeight
		d.text(margin, s, small, diagram.Faint)
	}
	if len(c.Objects) > 0 {
		d.y += lineHeight
		d.text(margin, c.legend(), small, diagram.Faint)
	}
	d.statements(c)
	d.findings(c)
	d.Height = d.y + margin
	return d.Picture
}

// drawing is a picture whose next text is at y.
type drawing struct {
	*diagram.Picture
	sides [2]*side
	y     float64
}

// text writes a text, and makes room for it.
func (d *drawing) text(x float64, s string, style diagram.Style, color diagram.Color) {
	t := diagram.Text{X: x, Y: d.y, S: s, Style: style, Color: color}
	d.Texts = append(d.Texts, t)
	d.Width = max(d.Width, x+t.Width()+margin)
}

// side has the widths of the columns of the boxes before or after.
type side struct {
	x                       float64
	sign, name, kind, marks float64
	least                   float64
}

func newSide(c *Change, after bool) *side {
	s := &side{sign: 14, least: leastSide}
	for _, o := range c.Objects {
		s.least = max(s.least, wide(o.title(), title)+2*padding+s.sign)
		for _, r := range o.Rows {
			if cell := r.cell(after); cell != nil {
				s.name, s.kind, s.marks = max(s.name, wide(cell.name(), body)), max(s.kind, wide(cell.kind(), small)), max(s.marks, wide(cell.Mark, strong))
			}
		}
	}
	return s
}

func (s *side) width() float64 {
	return max(s.least, s.sign+s.name+s.kind+s.marks+5*padding)
}

func wide(s string, style diagram.Style) float64 {
	t := diagram.Text{S: s, Style: style}
	return t.Width()
}

func (o *Object) title() string { return o.Kind + " " + diagram.PlainText(o.Name) }

func (c *Cell) name() string { return diagram.PlainTo(c.Name, 48) }

func (c *Cell) kind() string { return diagram.PlainTo(strings.Join(strings.Fields(c.Type), " "), 60) }

func (r *Row) cell(after bool) *Cell {
	if after {
		return r.After
	}
	return r.Before
}

// objects draws the boxes of all objects below the names of the two sides.
func (d *drawing) objects(c *Change) {
	d.y += 30
	d.text(d.sides[0].x, "Before"+note(c.From), strong, diagram.Faint)
	d.text(d.sides[1].x, "After"+note(c.To), strong, diagram.Faint)
	d.y += 10
	for i := range c.Objects {
		o := &c.Objects[i]
		d.object(o, d.sides[0], false)
		d.object(o, d.sides[1], true)
		d.y += o.height() + gap
	}
	d.y -= gap
}

func note(s string) string {
	if s == "" {
		return ""
	}
	return ": " + diagram.PlainTo(s, 40)
}

func (o *Object) height() float64 { return headHeight + float64(len(o.Rows))*rowHeight + 8 }

// object draws one side of an object; a dashed box if it does not exist there.
func (d *drawing) object(o *Object, s *side, after bool) {
	w, top := s.width(), d.y
	defer func() { d.y = top }()
	if o.Sign == Added && !after || o.Sign == Removed && after {
		d.box(s.x, top, w, headHeight, diagram.None, diagram.Frame, true)
		d.y = top + headHeight - 8
		d.text(s.x+padding, map[bool]string{false: "does not exist", true: "is dropped"}[after], small, diagram.Faint)
		return
	}
	d.box(s.x, top, w, o.height(), diagram.Panel, diagram.None, false)
	d.box(s.x, top, w, headHeight, diagram.Head, diagram.Ink, false)
	d.y = top + headHeight - 8
	x := s.x + padding
	if o.Sign != Changed {
		d.text(x, o.Sign.String(), strong, colors[o.Sign].ink)
		x += s.sign
	}
	d.text(x, o.title(), title, diagram.Ink)
	for i := range o.Rows {
		d.y = top + headHeight + float64(i)*rowHeight + 4
		d.row(&o.Rows[i], s, after)
	}
	d.Boxes = append(d.Boxes, diagram.Box{X: s.x, Y: top, W: w, H: o.height(), Stroke: diagram.Ink, Group: true})
}

func (d *drawing) box(x, y, w, h float64, fill, stroke diagram.Color, dashed bool) {
	d.Boxes = append(d.Boxes, diagram.Box{X: x, Y: y, W: w, H: h, Fill: fill, Stroke: stroke, Dashed: dashed})
}

// colors are the colours of the signs.
var colors = map[Sign]struct{ ink, back diagram.Color }{
	Same:    {diagram.Ink, diagram.None},
	Added:   {diagram.Added, diagram.AddedBack},
	Changed: {diagram.Changed, diagram.ChangedBack},
	Removed: {diagram.Removed, diagram.RemovedBack},
}

// row draws one side of a row, whose top is at y.
func (d *drawing) row(r *Row, s *side, after bool) {
	cell := r.cell(after)
	if cell == nil {
		return
	}
	color := colors[r.Sign]
	if r.Sign != Same {
		d.box(s.x, d.y, s.width(), rowHeight, color.back, diagram.None, false)
	}
	d.y += 13
	x := s.x + padding
	d.text(x, r.Sign.String(), strong, color.ink)
	x += s.sign
	d.text(x, cell.name(), body, color.ink)
	d.text(x+s.name+padding, cell.kind(), small, faint(r.Sign))
	d.text(s.x+s.width()-padding-wide(cell.Mark, strong), cell.Mark, strong, diagram.Key)
}

// faint returns the colour of a type, which is legible on the background of its row.
func faint(s Sign) diagram.Color {
	if s == Same {
		return diagram.Faint
	}
	return diagram.Ink
}

// statements writes the statements of each file in a box.
func (d *drawing) statements(c *Change) {
	for _, s := range c.Statements {
		d.y += 34
		d.text(margin, "Statements of "+diagram.PlainText(s.Name), strong, diagram.Ink)
		d.y += 10
		lines := strings.Split(strings.TrimRight(s.Text, "\n"), "\n")
		i, top := len(d.Boxes), d.y
		d.box(margin, top, 0, float64(len(lines))*lineHeight+2*padding-4, diagram.Panel, diagram.Frame, false)
		right := 0.0
		d.y += padding - 4
		for _, line := range lines {
			d.y += lineHeight
			right = max(right, d.line(line))
		}
		d.Boxes[i].W = max(right+padding, d.sides[1].x+d.sides[1].width()) - margin
		d.Width = max(d.Width, margin+d.Boxes[i].W+margin)
		d.y = top + d.Boxes[i].H
	}
}

// line writes a line of a statement, and returns its right end.
func (d *drawing) line(line string) float64 {
	text := strings.TrimLeft(line, " ")
	x := margin + padding + float64(len(line)-len(text))*wide("m", mono)
	color := diagram.Ink
	if strings.HasPrefix(text, "--") {
		color = diagram.Faint
	}
	if text == "" {
		return x
	}
	text = diagram.PlainTo(text, maxLine)
	d.text(x, text, mono, color)
	return x + wide(text, mono)
}

// findings writes the findings, wrapped to the width of the picture.
func (d *drawing) findings(c *Change) {
	if len(c.Statements) == 0 {
		return
	}
	d.y += 34
	d.text(margin, "Findings", strong, diagram.Ink)
	if len(c.Findings) == 0 {
		d.y += 20
		d.text(margin, "aml migrate lint finds nothing.", body, diagram.Faint)
	}
	right := d.Width - margin
	for _, f := range c.Findings {
		d.y += 22
		d.text(margin, f.Code, strong, diagram.Changed)
		x := margin + wide(f.Code, strong) + padding
		d.text(x, diagram.PlainTo(f.Where, 80), body, diagram.Faint)
		name, answer := f.answer()
		for _, text := range []string{f.Message, name + ": " + answer} {
			for _, line := range wrap(diagram.PlainTo(text, 1000), right-x) {
				d.y += lineHeight
				d.text(x, line, body, diagram.Ink)
			}
		}
	}
}

// wrap splits a text into lines that are not wider than wide. A word that is wider is cut.
func wrap(text string, most float64) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		for wide(word, body) > most {
			letters := []rune(strings.TrimSuffix(word, "…"))
			word = string(letters[:len(letters)-1]) + "…"
		}
		switch {
		case line == "":
			line = word
		case wide(line+" "+word, body) <= most:
			line += " " + word
		default:
			lines = append(lines, line)
			line = word
		}
	}
	return append(lines, line)
}
