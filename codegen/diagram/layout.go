package diagram

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/codegen/diagram/graphviz"
)

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
	loose    bool    // it does not decide the rank of its target
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
				x.Texts[l.text].Y = places[j].y - labelRise
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
			from, to := x.places(end, len(links))
			for j, l := range links {
				l.at = math.Round(from + (to-from)*(float64(j)+0.5)/float64(len(links)))
			}
		}
	}
}

// places returns where a number of references can end at a border of the root.
func (g *group) places(end string, count int) (from, to float64) {
	r := g.root
	switch end {
	case "n":
		from, to = max(r.X, g.tab)+padding/2, r.X+r.W-padding/2-g.selves
		middle := max(r.X+r.W/2, from+1)
		if wide := min(middle-from, to-middle); count == 1 || 2*wide >= float64(count)*track {
			return middle - wide, middle + wide
		}
		return from, to // the arrows look like one if they are too near
	case "w":
		return r.Y + headHeight/2 + 2, r.Y + r.H - padding/2
	}
	return r.Y + headHeight - 4, r.Y + headHeight - 4
}

// rightPort returns the port at the right border of the root, where references end and the lines to derived aggregates begin.
func (g *group) rightPort() string {
	_, at := g.places("e", 1)
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

// inch is the number of points of an inch.
const inch = 72.0

// boxes returns the graph in the language of Graphviz, with boxes in place of groups, and without ports.
func (g *graph) boxes() string {
	b := &strings.Builder{}
	fmt.Fprintf(b, "digraph {\ngraph [rankdir=%s]\nnode [shape=box fixedsize=true label=\"\"]\nedge [arrowhead=none]\n", g.direction)
	for i, x := range g.groups {
		fmt.Fprintf(b, "%s [width=%.3f height=%.3f]\n", nodeName(i), x.Width/inch, x.Height/inch)
	}
	for _, l := range g.edges {
		fmt.Fprintf(b, "%s -> %s [id=%s]\n", nodeName(l.from), nodeName(l.to), l.id)
	}
	b.WriteString("}\n")
	return b.String()
}

// text returns the graph in the language of Graphviz.
func (g *graph) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "digraph {\ngraph [rankdir=%s splines=polyline nodesep=%.3f ranksep=%.3f]\nnode [shape=plain]\nedge [arrowhead=none]\n", g.direction, besides/inch, ranks/inch)
	if affordable(g.groups) == 0 {
		b.WriteString("nslimit=1\nmclimit=0.2\n")
	}
	entries := make([][]*link, len(g.groups))
	for _, l := range g.edges {
		if l.end != "" {
			entries[l.to] = append(entries[l.to], l)
		}
	}
	b.WriteString(g.nodes(entries))
	for _, i := range g.permuted(len(g.edges)) {
		l, side := g.edges[i], "s"
		if l.derived || l.side == rightSide {
			side = "e"
		}
		end := ""
		if l.end != "" {
			end = ":" + l.entryPort() + ":" + l.end
		}
		id := l.id
		if l.loose {
			id += " constraint=false"
		}
		fmt.Fprintf(&b, "%s:%s:%s -> %s%s [id=%s]\n", nodeName(l.from), l.port, side, nodeName(l.to), end, id)
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
