package diagram

import (
	"fmt"
	"math"
	"strings"
)

// packages returns the labels of the packages of groups, in their order.
func packages(groups []*group) (out []string) {
	seen := map[string]bool{}
	for _, g := range groups {
		if !seen[g.in] {
			seen[g.in] = true
			out = append(out, g.in)
		}
	}
	return out
}

// arrangePackages draws each package in a frame. Packages that refer to one another are laid out together.
func arrangePackages(groups []*group) (*Picture, error) {
	var parts []*group
	for _, linked := range linkedPackages(groups) {
		p, err := arrangeLinked(linked)
		if err != nil {
			return nil, err
		}
		parts = append(parts, newGroup(&frame{Picture: p}))
	}
	return pack(parts), nil
}

// linkedPackages divides groups into the groups of packages that refer to one another, directly or through others.
func linkedPackages(groups []*group) [][]*group {
	target, index := map[string]*group{}, map[string]int{}
	for _, g := range groups {
		target[g.key] = g
	}
	for i, label := range packages(groups) {
		index[label] = i
	}
	c := newConnections(len(index))
	for _, g := range groups {
		for _, e := range g.exits {
			c.connect(index[g.in], index[target[e.target].in])
		}
	}
	out := make([][]*group, len(index))
	for _, g := range groups {
		i := c.of[index[g.in]]
		out[i] = append(out[i], g)
	}
	return nonEmpty(out)
}

func nonEmpty(in [][]*group) (out [][]*group) {
	for _, g := range in {
		if g != nil {
			out = append(out, g)
		}
	}
	return out
}

// arrangeLinked draws one package, or several that refer to one another.
func arrangeLinked(groups []*group) (*Picture, error) {
	labels := packages(groups)
	if len(labels) == 1 {
		p, err := arrange(groups)
		if err != nil {
			return nil, err
		}
		return p.packaged(labels[0]), nil
	}
	p := &page{roots: len(groups)}
	if err := p.layOut(stackAlone(groups)); err != nil {
		return nil, err
	}
	return p.picture()
}

// stackAlone puts the groups of each package that have no references one above the other.
func stackAlone(groups []*group) (out []*group) {
	linked := map[string]bool{}
	for _, g := range groups {
		for _, e := range g.exits {
			linked[g.key], linked[e.target] = true, true
		}
	}
	alone := map[string][]*group{}
	for _, g := range groups {
		if linked[g.key] {
			out = append(out, g)
		} else {
			alone[g.in] = append(alone[g.in], g)
		}
	}
	for _, label := range packages(groups) {
		for i, g := range stacks(alone[label], highest(groups)) {
			g.in, g.key = label, fmt.Sprint("stack ", i, label)
			out = append(out, g)
		}
	}
	return out
}

// The space in the frame of a package: at its borders, and for its label.
const (
	frameSpace = 16
	labelSpace = 30
)

// packaged returns the picture in the frame of a package.
func (p *Picture) packaged(label string) *Picture {
	out := &Picture{}
	out.add(p, frameSpace, labelSpace)
	out.write(packageText(label, padding, 0))
	out.Width, out.Height = out.Width+frameSpace, out.Height+frameSpace
	out.Boxes = append([]Box{packageBox(0, 0, out.Width, out.Height)}, out.Boxes...)
	return out
}

func packageBox(x, y, w, h float64) Box {
	return Box{X: x, Y: y, W: w, H: h, Fill: None, Stroke: Frame, Group: true}
}

// packageText returns the label of a package whose frame begins at a height.
func packageText(label string, x, y float64) Text {
	return Text{X: x, Y: y + labelSpace - 12, S: PlainText(label), Style: strong, Color: Faint}
}

// cluster returns the beginning of a package in the language of Graphviz, with space for its label.
func cluster(i int, label string) string {
	name := packageText(label, 0, 0)
	w := int(name.Width()) + 2*padding
	return fmt.Sprintf("subgraph %s {\nmargin=%d labeljust=l label=<%s<TR>%s</TR></TABLE>>\n", clusterName(i), frameSpace, table, cellText(w, labelSpace-frameSpace, ""))
}

func clusterName(i int) string { return fmt.Sprint("cluster", i) }

// nodes returns the groups as nodes of Graphviz, with a cluster for each of several packages.
func (g *graph) nodes(entries [][]*link) string {
	var b strings.Builder
	labels := packages(g.groups)
	order := g.permuted(len(g.groups))
	for i, label := range labels {
		if len(labels) > 1 {
			b.WriteString(cluster(i, label))
		}
		for _, j := range order {
			x := g.groups[j]
			if x.in == label {
				fmt.Fprintf(&b, "%s [label=<%s>]\n", nodeName(j), x.table(entries[j]))
			}
		}
		if len(labels) > 1 {
			b.WriteString("}\n")
		}
	}
	return b.String()
}

// framePackage draws the frame of a package around its groups, with its label where no line is: at its upper border, or at the lower one.
func (p *Picture) framePackage(label string, left, top, right, bottom float64) {
	left, top, right, bottom = math.Floor(left), math.Floor(top), math.Ceil(right), math.Ceil(bottom)
	p.Boxes = append([]Box{packageBox(left, top, right-left, bottom-top)}, p.Boxes...)
	at := packageText(label, left+padding, top)
	p.write(p.uncrossed(at, right-padding, at.Y, bottom-8))
	p.Width, p.Height = max(p.Width, right), max(p.Height, bottom)
}

// uncrossed returns a text at the first place that no line crosses, at one of some heights and left of a border; unmoved if there is none.
func (p *Picture) uncrossed(at Text, right float64, heights ...float64) Text {
	for _, y := range heights {
		for t := at; t.X+t.Width() < right; t.X += padding {
			if t.Y = y; !p.crossed(t) {
				return t
			}
		}
	}
	return at
}

// crossed reports whether a line is near a text.
func (p *Picture) crossed(t Text) bool {
	for i := range p.Lines {
		points := p.Lines[i].Flat()
		for j := range points[1:] {
			a, b := points[j], points[j+1]
			if min(a.X, b.X) < t.X+t.Width()+2 && max(a.X, b.X) > t.X-2 && min(a.Y, b.Y) < t.Y+4 && max(a.Y, b.Y) > t.Y-t.Style.Size {
				return true
			}
		}
	}
	return false
}
