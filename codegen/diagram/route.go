package diagram

import (
	"math"

	"github.com/cassaml/cassaml/aml/model"
)

// group is an aggregate with its redundant aggregates and parts at its right.
type group struct {
	*Picture
	of    *model.Aggregate
	frame *frame
	exits []exit // at the lower border of the group
	row   int
	x, y  float64
}

// group draws an aggregate and those that follow from it.
func (d *amlDrawing) group(a *model.Aggregate) *group {
	g := &group{Picture: &Picture{}, of: a, frame: d.frame(a, d.labels[a])}
	g.exits = g.frame.references
	g.add(g.frame.Picture, 0, 0)
	right, y := g.Width+2*gutter, 0.0
	port, widest := Point{g.Width, tab + entry/2}, 0.0
	var copies []*frame
	for _, b := range follow(a) {
		f := d.frame(b, nil)
		to := Point{right, y + tab + entry/2}
		l := elbow(port, to, right-gutter, b.Redundancy != nil)
		if b.Redundancy == nil {
			d.use("part")
		} else {
			d.use("redundant")
		}
		g.Lines = append(g.Lines, l)
		for i := range f.references {
			f.references[i].x += right
		}
		copies = append(copies, f)
		widest = max(widest, f.Width)
		g.add(f.Picture, right, y)
		y += f.Height + gutter
	}
	d.leave(g, copies, right+widest)
	return g
}

// leave leads the references of copies down to the lower border of their group, on the right of all of them.
func (d *amlDrawing) leave(g *group, copies []*frame, right float64) {
	for x := range g.exits {
		e := &g.exits[x]
		g.Lines = append(g.Lines, Line{Points: []Point{{e.x, g.frame.Height}, {e.x, g.Height}}, Stroke: Ink})
	}
	y := 0.0
	for _, f := range copies {
		for i, e := range f.references {
			right += track
			below := y + f.Height + 4 + float64(i)*track
			g.Lines = append(g.Lines, Line{Points: []Point{{e.x, y + f.Height}, {e.x, below}, {right, below}, {right, g.Height}}, Stroke: Ink})
			g.exits = append(g.exits, exit{right, e.label, e.target})
		}
		y += f.Height + gutter
	}
	g.Width = max(g.Width, right)
}

// follow returns the parts of an aggregate, and the redundant aggregates of it and of its parts.
func follow(a *model.Aggregate) (out []*model.Aggregate) {
	out = append(out, a.Projections...)
	for _, p := range a.Parts {
		out = append(append(out, p), p.Projections...)
	}
	return out
}

// route places the groups in rows, and draws the references between them: in the space between the rows, and on the left of all
// groups, where no box is.
func (d *amlDrawing) route() *Picture {
	var parts []*Picture
	for _, g := range d.groups {
		parts = append(parts, g.Picture)
	}
	wide := wideAs(parts)
	rows := d.rows(wide)
	lanes, above := d.tracks(rows)
	out := &Picture{}
	left := float64(lanes) * track
	y := float64(above[0]) * track
	tops := make([]float64, len(rows)+1)
	for i, row := range rows {
		high, x := 0.0, left
		for _, g := range row {
			g.x, g.y = x, y
			x += g.Width + 2*gutter
			high = max(high, g.Height)
			out.add(g.Picture, g.x, g.y)
		}
		tops[i] = y
		y += high + gutter + float64(above[i+1])*track
	}
	tops[len(rows)] = y
	d.lines(out, tops)
	out.Height = max(out.Height, y)
	return out
}

// rows divides the groups into rows that are at most wide.
func (d *amlDrawing) rows(wide float64) (rows [][]*group) {
	x := math.Inf(1)
	for _, g := range d.groups {
		if x+g.Width > wide {
			rows, x = append(rows, nil), 0
		}
		g.row = len(rows) - 1
		rows[g.row] = append(rows[g.row], g)
		x += g.Width + 2*gutter
	}
	return rows
}

// tracks returns the number of references on the left of all groups, and above each row and below the last.
func (d *amlDrawing) tracks(rows [][]*group) (lanes int, above []int) {
	above = make([]int, len(rows)+1)
	for _, g := range d.groups {
		for _, e := range g.exits {
			above[g.row+1]++
			if to := d.groupOf(e.target).row; to != g.row+1 {
				above[to]++
				lanes++
			}
		}
	}
	return lanes, above
}

func (d *amlDrawing) groupOf(a *model.Aggregate) *group {
	for _, g := range d.groups {
		if g.of == a {
			return g
		}
	}
	return nil
}

// lines draws the references between groups. tops are the upper borders of the rows, and of what is below the last.
func (d *amlDrawing) lines(out *Picture, tops []float64) {
	used := make([]int, len(tops))
	next := func(row int) float64 {
		used[row]++
		return tops[row] - float64(used[row])*track
	}
	lane := 0.0
	for _, g := range d.groups {
		for _, e := range g.exits {
			target := d.groupOf(e.target)
			from := Point{g.x + e.x, g.y + g.Height}
			to := Point{target.x + target.frame.next, target.y + target.frame.root.y}
			target.frame.next += small.width(e.label) + siblings
			points := []Point{from}
			y := next(g.row + 1)
			if target.row == g.row+1 {
				points = append(points, Point{from.X, y}, Point{to.X, y})
			} else {
				last := next(target.row)
				points = append(points, Point{from.X, y}, Point{lane, y}, Point{lane, last}, Point{to.X, last})
				lane += track
			}
			out.Lines = append(out.Lines, Line{Points: append(points, to), Stroke: Ink, End: Arrow})
			out.write(Text{X: to.X + 6, Y: to.Y - 9, S: e.label, Style: small, Color: Faint})
		}
	}
}
