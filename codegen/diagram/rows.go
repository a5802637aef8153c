package diagram

import (
	"math"
	"slices"
)

// arrange places groups in rows, and draws the references between them: between the rows, and between the groups of a row.
func arrange(groups []*group) *Picture {
	b := &board{groups: inOrder(groups)}
	wide := b.bestWidth()
	b.rows = splitRows(b.groups, wide)
	b.plan()
	return b.draw()
}

// inOrder returns the groups so that those that refer to one another are neighbours. Those without references follow, one above
// the other as long as they are not higher than the highest.
func inOrder(groups []*group) []*group {
	weights, degree := links(groups)
	var out, alone []*group
	near := make([]int, len(groups)) // the references to and from those that are in order
	cluster := 0
	for range groups {
		best := -1
		for i := range groups {
			if degree[i] > 0 && (best < 0 || near[i] > near[best] || near[i] == near[best] && degree[i] > degree[best]) {
				best = i
			}
		}
		if best < 0 {
			break
		}
		if near[best] == 0 {
			cluster++
		}
		groups[best].cluster = cluster
		out = append(out, groups[best])
		degree[best] = 0
		for j, w := range weights[best] {
			near[j] += w
		}
	}
	for _, g := range groups {
		if !slices.Contains(out, g) {
			alone = append(alone, g)
		}
	}
	return append(out, stacks(alone, highest(groups))...)
}

// links returns the numbers of references between groups, and of each.
func links(groups []*group) (weights []map[int]int, degree []int) {
	index := map[string]int{}
	for i, g := range groups {
		index[g.key] = i
		weights = append(weights, map[int]int{})
	}
	degree = make([]int, len(groups))
	for i, g := range groups {
		for _, e := range g.exits {
			j := index[e.target]
			degree[i]++
			degree[j]++
			weights[i][j]++
			weights[j][i]++
		}
	}
	return weights, degree
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
			out, high = append(out, &group{Picture: &Picture{}}), 0
		}
		out[len(out)-1].add(g.Picture, 0, high)
		high += g.Height + 2*gutter
	}
	return out
}

// bestWidth returns the width of rows for which the ratio of width to height of the picture is nearest to the ratio of a screen.
func (b *board) bestWidth() float64 {
	const wanted = 1.5 // width to height
	best, distance := 0.0, math.Inf(1)
	var sum, widest float64
	for _, g := range b.groups {
		sum, widest = sum+g.Width+2*gutter, max(widest, g.Width)
	}
	for n := 1; n <= min(4*len(b.groups), 80); n++ {
		wide := max(widest, sum*4/float64(n+3))
		var w, h float64
		for _, row := range splitRows(b.groups, wide) {
			rw, rh := rowSize(row)
			w, h = max(w, rw), h+rh+2*gutter
		}
		if d := math.Abs(math.Log(w / h / wanted)); d < distance {
			best, distance = wide, d
		}
	}
	return best
}

// splitRows divides groups into rows that are at most wide. A cluster that fits in a row is in one.
func splitRows(groups []*group, wide float64) (rows [][]*group) {
	x := math.Inf(1)
	for i, g := range groups {
		room := g.Width
		if whole := clusterWidth(groups[i:]); whole <= wide && (i == 0 || groups[i-1].cluster != g.cluster) {
			room = whole
		}
		if x+room > wide {
			rows, x = append(rows, nil), 0
		}
		last := len(rows) - 1
		rows[last] = append(rows[last], g)
		x += g.Width + 2*gutter
	}
	return rows
}

// clusterWidth returns the width of the groups at the beginning that are in one cluster. Groups without references are in none.
func clusterWidth(groups []*group) float64 {
	n := 1
	for n < len(groups) && groups[n].cluster == groups[0].cluster && groups[0].cluster > 0 {
		n++
	}
	w, _ := rowSize(groups[:n])
	return w
}

func rowSize(row []*group) (w, h float64) {
	for _, g := range row {
		w, h = w+g.Width+2*gutter, max(h, g.Height)
	}
	return w - 2*gutter, h
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
