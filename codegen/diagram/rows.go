package diagram

import (
	"cmp"
	"math"
	"slices"
)

// arrange places groups, and draws the references between them. Groups that refer to one another are laid out together; such components, and
// the groups without references, are packed. Each of several packages has a frame.
func arrange(groups []*group) (*Picture, error) {
	if len(packages(groups)) > 1 {
		return arrangePackages(groups)
	}
	p := &page{roots: len(groups)}
	if err := p.components(groups); err != nil {
		return nil, err
	}
	return p.picture()
}

// pack places parts of a picture: the highest first, each as high and as far to the left as possible. Of several widths, it uses the one at which the
// picture is smallest and its ratio is nearest to the ratio of a screen.
func pack(parts []*group) *Picture {
	wide, _, _ := bestWidth(parts)
	out := &Picture{}
	for i, at := range places(parts, wide) {
		out.add(parts[i].Picture, at.X, at.Y)
	}
	return out
}

// connections are the parts of a graph whose nodes are connected with each other.
type connections struct{ of []int } // the part of each node, which has the number of one of its nodes

func newConnections(nodes int) *connections {
	c := &connections{make([]int, nodes)}
	for i := range c.of {
		c.of[i] = i
	}
	return c
}

// connect unites the parts of two nodes.
func (c *connections) connect(i, j int) {
	from, to := c.of[i], c.of[j]
	for k := range c.of {
		if c.of[k] == from {
			c.of[k] = to
		}
	}
}

// components adds the groups to the page: those that refer to one another, directly or through others, as a part, and stacks of those without references.
func (p *page) components(groups []*group) error {
	index, parts := map[string]int{}, newConnections(len(groups))
	for i, g := range groups {
		index[g.key] = i
	}
	linked := make([]bool, len(groups))
	for i, g := range groups {
		for _, e := range g.exits {
			j := index[e.target]
			linked[i], linked[j] = true, true
			parts.connect(i, j)
		}
	}
	var alone []*group
	members := map[int][]*group{}
	var order []int
	for i, g := range groups {
		if !linked[i] {
			alone = append(alone, g)
			continue
		}
		c := parts.of[i]
		if members[c] == nil {
			order = append(order, c)
		}
		members[c] = append(members[c], g)
	}
	for _, c := range order {
		if err := p.layOut(members[c]); err != nil {
			return err
		}
	}
	p.full += areas(alone)
	p.parts = append(p.parts, stacks(alone, highest(groups))...)
	return nil
}

func highest(groups []*group) (h float64) {
	for _, g := range groups {
		h = max(h, g.Height)
	}
	return h
}

// stacks puts groups without references one above the other.
func stacks(groups []*group, limit float64) (out []*group) {
	high := math.Inf(1)
	for _, g := range groups {
		if high+g.Height > limit {
			out, high = append(out, newGroup(&frame{Picture: &Picture{}})), 0
		}
		out[len(out)-1].add(g.Picture, 0, high)
		high += g.Height + 2*gutter
	}
	return out
}

// bestWidth sorts the parts in the order in which pack places them, and returns the greatest width that it uses, and the size of the picture.
func bestWidth(parts []*group) (best, width, height float64) {
	slices.SortStableFunc(parts, func(a, b *group) int { return cmp.Compare(b.Height, a.Height) })
	const wanted = 1.5 // width to height
	least := math.Inf(1)
	var sum, widest float64
	for _, g := range parts {
		sum, widest = sum+g.Width+2*gutter, max(widest, g.Width)
	}
	for n := 1; n <= min(4*len(parts), 80); n++ {
		wide := max(widest, sum*4/float64(n+3))
		var w, h float64
		for i, at := range places(parts, wide) {
			w, h = max(w, at.X+parts[i].Width), max(h, at.Y+parts[i].Height)
		}
		if cost := 2*math.Abs(math.Log(w/h/wanted)) + math.Log(w*h); cost < least {
			best, width, height, least = wide, w, h, cost
		}
	}
	return best, width, height
}

// places returns the places of parts in a picture that is at most wide: each is below the parts that are above it, and touches the left border or
// is to the right of another part.
func places(parts []*group, wide float64) []Point {
	const space = 2 * gutter
	out := make([]Point, 0, len(parts))
	for _, g := range parts {
		best := Point{0, math.Inf(1)}
		for i := -1; i < len(out); i++ {
			x := 0.0
			if i >= 0 {
				x = out[i].X + parts[i].Width + space
			}
			if i >= 0 && x+g.Width > wide {
				continue
			}
			y := 0.0
			for j, at := range out {
				if at.X < x+g.Width+space && x < at.X+parts[j].Width+space {
					y = max(y, at.Y+parts[j].Height+space)
				}
			}
			if y < best.Y || y == best.Y && x < best.X {
				best = Point{x, y}
			}
		}
		out = append(out, best)
	}
	return out
}

// framed returns the picture with a title above it and a legend below it.
func (p *Picture) framed(name string, legend []sign) *Picture {
	out := &Picture{Title: p.Title, About: p.About}
	out.write(Text{X: margin, Y: margin + heading.Size, S: PlainText(name), Style: heading, Color: Ink})
	out.add(p, margin, margin+2*heading.Size+8)
	out.legend(legend, max(out.Width-margin, leastLegend))
	out.Width, out.Height = math.Ceil(out.Width+margin), math.Ceil(out.Height+margin)
	return out
}

// legend writes the meanings of signs below a picture, in lines of about the given width.
func (p *Picture) legend(signs []sign, wide float64) {
	x, y := float64(margin), p.Height+gutter
	for _, s := range signs {
		mark := Text{S: s.sign, Style: small, Color: Ink}
		about := Text{S: s.about, Style: small, Color: Faint}
		w := mark.Width() + labelGap + about.Width()
		if x > margin && x+w > wide {
			x, y = margin, y+lineHeight
		}
		mark.X, mark.Y, about.X, about.Y = x, y, x+mark.Width()+labelGap, y
		p.write(mark)
		p.write(about)
		x += w + gutter
	}
}

const (
	margin      = 20  // around a picture
	leastLegend = 420 // the width of a legend below a narrow picture
)
