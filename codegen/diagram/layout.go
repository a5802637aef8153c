package diagram

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/codegen/diagram/graphviz"
)

// rounds is how often a graph is laid out again with the ends of references that follow from the places before.
const rounds = 3

// layOut places the groups of a component, which refer to one another, and draws the references between them: from the top to the bottom or from
// the left to the right. Graphviz computes the places and the curves. From the places follow the borders of the roots at which references end,
// and the order in which they begin and end; with these, it computes both again. The best picture is returned.
func layOut(groups []*group) (best *Picture, err error) {
	var score float64
	for i, a := range attempts {
		if i >= 2 && Crossings(best) <= fewCrossings {
			break
		}
		g := newGraph(groups, a)
		layout, err := graphviz.Dot(g.text())
		if err != nil {
			return nil, err
		}
		for range rounds {
			g.chooseEnds(layout)
			g.order(layout)
			g.distribute(layout)
			if layout, err = graphviz.Dot(g.text()); err != nil {
				return nil, err
			}
			p := g.draw(layout)
			if s := p.score(); best == nil || s < score {
				best, score = p, s
			}
			if score < good {
				return best, nil
			}
		}
	}
	return best, nil
}

// attempt is a way to lay out a graph.
type attempt struct {
	direction string // TB or LR
	reversed  bool   // the last node is the first one for Graphviz, which orders the nodes of a rank in another way then
}

// attempts are the ways to lay out a graph: the last ones are for graphs whose pictures have many crossings.
var attempts = []attempt{{"TB", false}, {"LR", false}, {"TB", true}, {"LR", true}}

// fewCrossings are accepted without further attempts.
const fewCrossings = 3

// good is the score of a picture that is not compared with others: it has no crossings, or very few, and fits on a page.
const good = 2.5

// score returns a number that is lower if a picture is easier to read: a crossing counts as much as a page whose ratio differs by a fifth from the ratio of
// a screen.
func (p *Picture) score() float64 {
	return float64(Crossings(p)) + 5*math.Abs(math.Log(p.Width/p.Height/1.3))
}

// graph is a graph of Graphviz. A pixel is a point.
type graph struct {
	attempt
	groups []*group
	edges  []*link
}

// link is an edge of a graph: a reference, or a derived aggregate, which is placed below its source.
type link struct {
	*exit
	id       string
	from, to int     // indexes of groups, in the direction of the edge
	port     string  // where it leaves
	end      string  // the border of the root at which it ends: n, w or e; "" if that is not decided
	at       float64 // where it ends at this border, from the left or from the top
}

func newGraph(groups []*group, a attempt) *graph {
	index := map[string]int{}
	for i, g := range groups {
		index[g.key] = i
	}
	out := &graph{attempt: a, groups: groups}
	for i, g := range groups {
		for j, e := range g.exits {
			if e.free {
				e.side, e.path = lowerSide, e.path[:1]
				if a.direction == "LR" {
					e.side = rightSide
				}
				e.leave(g.frame)
			}
			l := &link{exit: e, from: i, to: index[e.target], port: portName(j)}
			if e.derived {
				l.from, l.to, l.port, l.end = l.to, l.from, groups[l.to].rightPort(), map[string]string{"TB": "n", "LR": "w"}[a.direction]
			}
			l.id = edgeName(len(out.edges))
			out.edges = append(out.edges, l)
		}
	}
	return out
}

// chooseEnds chooses the borders at which references end: the upper one if the target is below, otherwise the one that is nearer.
func (g *graph) chooseEnds(layout *graphviz.Layout) {
	for _, l := range g.edges {
		from, to := layout.Nodes[nodeName(l.from)], layout.Nodes[nodeName(l.to)]
		high := g.groups[l.to].Height / 2
		if l.free {
			l.side = rightSide
			if g.direction == "TB" && from.Y < to.Y-high {
				l.side = lowerSide
			}
		}
		switch {
		case l.derived:
		case g.direction == "LR" && from.X < to.X-g.groups[l.to].Width/2:
			l.end = "w"
		case from.Y < to.Y-high:
			l.end = "n"
		case from.X < to.X:
			l.end = "w"
		default:
			l.end = "e"
		}
	}
}

// place is where a reference of a root begins, and where it leads down.
type place struct{ y, lane float64 }

// order assigns places to the references of a root in which their lines do not cross: a line to the left that leads down begins below one to the right,
// and one that leads up begins above it.
func (g *graph) order(layout *graphviz.Layout) {
	for i, x := range g.groups {
		var links []*link
		var places []place
		for _, l := range g.edges {
			if l.from == i && l.free {
				links, places = append(links, l), append(places, place{l.path[0].Y, l.lane})
			}
		}
		slices.SortFunc(places, func(a, b place) int { return cmp.Compare(a.y, b.y) })
		from := layout.Nodes[nodeName(i)]
		rank := func(l *link) float64 { // the angle, from above over the right to below
			to := layout.Nodes[nodeName(l.to)]
			return math.Atan2(to.Y-from.Y, to.X-from.X-x.Width/2)
		}
		slices.SortStableFunc(links, func(a, b *link) int { return cmp.Compare(rank(a), rank(b)) })
		for j, l := range links {
			l.path[0].Y, l.lane = places[j].y, places[j].lane
			l.path = l.path[:1]
			l.leave(x.frame)
			if l.label != "" {
				x.Texts[l.text].Y = places[j].y - 3
			}
		}
	}
}

// distribute assigns different places to the references that end at one border of a root, in the order of their sources.
func (g *graph) distribute(layout *graphviz.Layout) {
	for i, x := range g.groups {
		for _, end := range []string{"n", "w", "e"} {
			var links []*link
			for _, l := range g.edges {
				if l.to == i && l.end == end {
					links = append(links, l)
				}
			}
			place := func(l *link) float64 {
				spline := layout.Edges[l.id]
				before := spline[max(0, len(spline)-4)] // where the last part of the spline begins
				if end == "n" {
					return before.X
				}
				return before.Y
			}
			slices.SortStableFunc(links, func(a, b *link) int { return cmp.Compare(place(a), place(b)) })
			from, to := x.places(end)
			for j, l := range links {
				l.at = math.Round(from + (to-from)*(float64(j)+0.5)/float64(len(links)))
			}
		}
	}
}

// places returns where references can end at a border of the root.
func (g *group) places(end string) (from, to float64) {
	r := g.root
	switch end {
	case "n":
		from, to = max(r.X, g.tab)+padding/2, r.X+r.W-padding/2-g.selves
		middle := max(r.X+r.W/2, from+1)
		wide := min(middle-from, to-middle)
		return middle - wide, middle + wide
	case "w":
		return r.Y + headHeight/2 + 2, r.Y + r.H - padding/2
	}
	return r.Y + headHeight - 4, r.Y + headHeight - 4
}

// rightPort returns the port at the right border of the root, where references end and the lines to derived aggregates begin.
func (g *group) rightPort() string {
	_, at := g.places("e")
	return fmt.Sprint("e", math.Round(at))
}

// entryPort returns the port at which a reference ends.
func (l *link) entryPort() string { return fmt.Sprint(l.end, l.at) }

func nodeName(i int) string { return fmt.Sprint("g", i) }
func edgeName(i int) string { return fmt.Sprint("e", i) }
func portName(j int) string { return fmt.Sprint("p", j) }

// The distances of groups: of neighbours, and of ranks.
const (
	besides = 16
	ranks   = 50
	space   = 12 // around a group, so that the corners of lines can be rounded
)

// text returns the graph in the language of Graphviz.
func (g *graph) text() string {
	const inch = 72.0
	var b strings.Builder
	fmt.Fprintf(&b, "digraph {\ngraph [rankdir=%s splines=polyline nodesep=%.3f ranksep=%.3f]\nnode [shape=plain]\nedge [arrowhead=none]\n", g.direction, besides/inch, ranks/inch)
	entries := make([][]*link, len(g.groups))
	for _, l := range g.edges {
		if l.end != "" {
			entries[l.to] = append(entries[l.to], l)
		}
	}
	b.WriteString(g.nodes(entries))
	for _, l := range g.ordered() {
		side := "s"
		if l.derived || l.side == rightSide {
			side = "e"
		}
		end := ""
		if l.end != "" {
			end = ":" + l.entryPort() + ":" + l.end
		}
		fmt.Fprintf(&b, "%s:%s:%s -> %s%s [id=%s]\n", nodeName(l.from), l.port, side, nodeName(l.to), end, l.id)
	}
	b.WriteString("}\n")
	return b.String()
}

// draw returns the picture of a graph with its layout.
func (g *graph) draw(layout *graphviz.Layout) *Picture {
	out := &Picture{}
	for i, x := range g.groups {
		at := layout.Nodes[nodeName(i)]
		x.x, x.y = math.Round(at.X-x.Width/2), math.Round(at.Y-x.Height/2)
		out.add(x.copied(), x.x, x.y)
	}
	for _, l := range g.edges {
		out.Lines = append(out.Lines, l.line(g.groups[l.from], g.groups[l.to], layout.Edges[l.id]))
	}
	if labels := packages(g.groups); len(labels) > 1 {
		for i, label := range labels {
			c := layout.Clusters[clusterName(i)]
			out.framePackage(label, c[0].X, c[0].Y, c[1].X, c[1].Y)
		}
	}
	out.fit()
	return out
}

// copied returns a copy of the picture of the group: to add it moves it.
func (g *group) copied() *Picture {
	p := *g.Picture
	p.Boxes, p.Texts = slices.Clone(p.Boxes), slices.Clone(p.Texts)
	p.Lines = slices.Clone(p.Lines)
	for i := range p.Lines {
		p.Lines[i].Points = slices.Clone(p.Lines[i].Points)
	}
	return &p
}

// line returns the whole line of an edge: in its group, along the spline, and in the group of its target.
func (l *link) line(from, to *group, spline []graphviz.Point) Line {
	out := Line{Stroke: Ink, Dashed: l.dashed, End: Arrow, Curve: true}
	begin := l.path
	if l.derived {
		out.Stroke, out.End = Faint, Plain
		if l.dashed {
			out.Start = Arrow
		}
		y := from.root.Y + headHeight - 4
		begin = []Point{{from.root.X + from.root.W, y}, {from.Width, y}}
	}
	var corners []Point
	for _, p := range begin {
		corners = append(corners, Point{p.X + from.x, p.Y + from.y})
	}
	leaving := corners[len(corners)-1]
	if l.derived || l.side == rightSide {
		leaving.X += space
	} else {
		leaving.Y += space
	}
	corners = append(corners, leaving)
	for i := 3; i < len(spline)-1; i += 3 { // the line has corners, and the control points between them are on it
		corners = append(corners, Point{spline[i].X, spline[i].Y})
	}
	border, end := to.end(l)
	corners = append(corners, Point{to.x + border.X, to.y + border.Y}, Point{to.x + end.X, to.y + end.Y})
	out.Points = rounded(corners, len(begin)-1)
	return out
}

// end returns where a reference enters the group, and where it ends at the root.
func (g *group) end(l *link) (border, end Point) {
	switch l.end {
	case "w":
		return Point{-space, l.at}, Point{g.root.X, l.at}
	case "e":
		return Point{g.Width + space, l.at}, Point{g.root.X + g.root.W, l.at}
	}
	return Point{l.at, -space}, Point{l.at, g.root.Y}
}

// cell is a cell of a table, from its left or upper border to its other one.
type cell struct {
	from, to int
	port     string
}

// newCell returns a cell around a position.
func newCell(at float64, port string) cell {
	x := int(math.Round(at))
	return cell{x - track/2, x + track/2, port}
}

// table returns the group as a table of Graphviz, which has its size. Its cells at the borders are the ports.
func (g *group) table(entries []*link) string {
	const border = 2
	w, h := int(g.Width)+2*space, int(g.Height)+2*space
	_, beside := g.places("e")
	right := []cell{newCell(beside+space, g.rightPort())}
	var lower, upper, left []cell
	for _, l := range entries {
		c := cell{space + int(l.at) - 1, space + int(l.at) + 1, l.entryPort()}
		switch l.end {
		case "n":
			upper = append(upper, c)
		case "w":
			c.from, c.to = c.from-border, c.to-border
			left = append(left, c)
		}
	}
	for j, e := range g.exits {
		switch {
		case e.derived:
		case e.side == rightSide:
			right = append(right, newCell(e.path[0].Y+space, portName(j)))
		default:
			lower = append(lower, newCell(e.path[len(e.path)-1].X+space, portName(j)))
		}
	}
	inner := h - 2*border
	for i := range right {
		right[i].from, right[i].to = right[i].from-border, right[i].to-border
	}
	middle := "<TR><TD>" + table + "<TR><TD>" + column(left, border, inner) + "</TD>" + cellText(w-2*border, inner, "") +
		"<TD>" + column(right, border, inner) + "</TD></TR></TABLE></TD></TR>"
	return table + row(upper, w, border) + middle + row(lower, w, border) + "</TABLE>"
}

const table = `<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0">`

// row returns a row of cells.
func row(cells []cell, width, height int) string {
	var b strings.Builder
	for _, c := range filled(cells, width) {
		b.WriteString(cellText(c.to-c.from, height, c.port))
	}
	return "<TR><TD>" + table + "<TR>" + b.String() + "</TR></TABLE></TD></TR>"
}

// column returns a table with cells one above the other.
func column(cells []cell, width, height int) string {
	var b strings.Builder
	for _, c := range filled(cells, height) {
		b.WriteString("<TR>" + cellText(width, c.to-c.from, c.port) + "</TR>")
	}
	return table + b.String() + "</TABLE>"
}

// filled returns the cells in their order, with empty cells between them.
func filled(cells []cell, length int) (out []cell) {
	slices.SortStableFunc(cells, func(a, b cell) int { return a.from - b.from })
	x := 0
	for _, c := range cells {
		if c.from > x {
			out = append(out, cell{x, c.from, ""})
			x = c.from
		}
		if c.to > x {
			out = append(out, cell{x, c.to, c.port})
			x = c.to
		}
	}
	if x < length {
		out = append(out, cell{x, length, ""})
	}
	return out
}

func cellText(width, height int, port string) string {
	if port != "" {
		port = fmt.Sprintf(` PORT="%s"`, port)
	}
	return fmt.Sprintf(`<TD WIDTH="%d" HEIGHT="%d" FIXEDSIZE="TRUE"%s></TD>`, width, height, port)
}

// radius is the size of a rounded corner.
const radius = 28

// rounded returns the control points of a line whose corners are rounded, except for the first ones.
func rounded(corners []Point, sharp int) []Point {
	out := corners[:1:1]
	straight := func(to Point) {
		from := out[len(out)-1]
		out = append(out, interpolate(from, to, 1.0/3), interpolate(from, to, 2.0/3), to)
	}
	for i := 1; i < len(corners)-1; i++ {
		before, at, after := corners[i-1], corners[i], corners[i+1]
		in, out1 := math.Hypot(at.X-before.X, at.Y-before.Y), math.Hypot(after.X-at.X, after.Y-at.Y)
		r := min(radius, in/2, out1/2)
		if i < sharp || r < 1 {
			straight(at)
			continue
		}
		straight(interpolate(at, before, r/in))
		end := interpolate(at, after, r/out1)
		out = append(out, interpolate(out[len(out)-1], at, 0.6), interpolate(end, at, 0.6), end)
	}
	straight(corners[len(corners)-1])
	return out
}

// interpolate returns the point at a part of the way between two others.
func interpolate(a, b Point, part float64) Point {
	return Point{a.X + (b.X-a.X)*part, a.Y + (b.Y-a.Y)*part}
}

// Flat returns the points of a line. A curve is divided into short straight lines.
func (l *Line) Flat() []Point {
	if !l.Curve {
		return l.Points
	}
	out := l.Points[:1:1]
	for i := 0; i+3 < len(l.Points); i += 3 {
		parts := 8
		if isStraight(l.Points[i : i+4]) {
			parts = 1
		}
		for k := 1; k <= parts; k++ {
			out = append(out, bezier(l.Points[i:i+4], float64(k)/float64(parts)))
		}
	}
	return out
}

// isStraight reports whether the control points of a cubic curve are on the straight line between its ends.
func isStraight(p []Point) bool {
	aside := func(q Point) float64 { return math.Abs((p[3].X-p[0].X)*(q.Y-p[0].Y) - (p[3].Y-p[0].Y)*(q.X-p[0].X)) }
	return aside(p[1]) < 0.01 && aside(p[2]) < 0.01
}

// bezier returns a point of a cubic curve.
func bezier(p []Point, t float64) Point {
	a, b, c, d := (1-t)*(1-t)*(1-t), 3*t*(1-t)*(1-t), 3*t*t*(1-t), t*t*t
	const exact = 1000 // a straight part has no rounding errors
	round := func(x float64) float64 { return math.Round(x*exact) / exact }
	return Point{round(a*p[0].X + b*p[1].X + c*p[2].X + d*p[3].X), round(a*p[0].Y + b*p[1].Y + c*p[2].Y + d*p[3].Y)}
}

// fit moves everything so that no line is left of the picture or above it, and enlarges the picture so that it contains all lines.
func (p *Picture) fit() {
	var left, top float64
	for i := range p.Lines {
		for _, q := range p.Lines[i].Flat() {
			left, top = min(left, q.X), min(top, q.Y)
			p.Width, p.Height = max(p.Width, q.X), max(p.Height, q.Y)
		}
	}
	left, top = math.Floor(left), math.Floor(top)
	p.move(-left, -top)
	p.Width, p.Height = math.Ceil(p.Width-left), math.Ceil(p.Height-top)
}
