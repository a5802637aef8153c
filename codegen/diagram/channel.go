package diagram

import (
	"cmp"
	"slices"
)

// stretch is the horizontal line of a reference between two rows.
type stretch struct {
	route    *route
	index    int
	from, to float64
}

// placeFirst places the first horizontal lines of references to the same row, or to one above, directly below their groups: of those that are
// not as high as their row.
func (b *board) placeFirst() {
	for _, row := range b.rows {
		_, high := rowSize(row)
		for _, g := range row {
			var all []stretch
			for _, r := range b.routes {
				if r.from == g && r.to.row <= g.row && (r.hops[0].gap == g.place || r.hops[0].gap == g.place+1) {
					from, to := r.path[len(r.path)-1].X, r.hops[0].x
					r.levels = make([]float64, len(r.hops)+1)
					all = append(all, stretch{r, 0, min(from, to), max(from, to)})
				}
			}
			if n := levels(all); g.Height+float64(n+1)*track <= high {
				for _, s := range all {
					s.route.near = true
				}
			}
		}
	}
}

// channels places the horizontal lines between the rows, and returns the heights of the spaces above each row and below the last.
// Lines beside each other share a height.
func (b *board) channels() []float64 {
	spaces := make([][]stretch, len(b.rows)+1)
	for _, r := range b.routes {
		if !r.near {
			r.levels = make([]float64, len(r.hops)+1)
		}
		for i := range r.levels {
			if i == 0 && r.near {
				continue
			}
			from, to := r.ends(i)
			c := r.channel(i)
			spaces[c] = append(spaces[c], stretch{r, i, min(from, to), max(from, to)})
		}
	}
	heights := make([]float64, len(spaces))
	for i, all := range spaces {
		n := levels(all)
		if heights[i] = float64(n) * track; n > 0 {
			heights[i] += track
		}
		if i > 0 && i < len(b.rows) {
			heights[i] += 1.5 * gutter
		}
	}
	return heights
}

// levels sets the distances of lines from the row below them, and returns the number of different ones.
func levels(all []stretch) int {
	slices.SortStableFunc(all, func(x, y stretch) int { return cmp.Compare(x.from, y.from) })
	var ends []float64
	for _, s := range all {
		level := slices.IndexFunc(ends, func(end float64) bool { return end+track < s.from })
		if level < 0 {
			level, ends = len(ends), append(ends, 0)
		}
		ends[level] = s.to
		s.route.levels[s.index] = float64(level+1) * track
	}
	return len(ends)
}

// line returns the whole line of a reference. tops are the upper borders of the rows, and the end of the space below the last.
func (r *route) line(tops []float64) Line {
	for i := range r.path {
		r.path[i].Y += r.from.y
	}
	points := r.path
	for i := range r.levels {
		y := tops[r.channel(i)] - r.levels[i]
		if i == 0 && r.near {
			y = r.from.y + r.from.Height + r.levels[0]
		}
		from, to := r.ends(i)
		points = append(points, Point{from, y}, Point{to, y})
	}
	points = append(points, Point{r.entry, r.to.y + r.to.root.top})
	if r.derived {
		return Line{Points: straight(points), Stroke: Faint}
	}
	return Line{Points: straight(points), Stroke: Ink, Dashed: r.dashed, End: Arrow}
}

// straight removes points that are on the straight line between their neighbours.
func straight(points []Point) []Point {
	out := points[:1:1]
	for i := 1; i < len(points); i++ {
		p, last := points[i], out[len(out)-1]
		if p == last {
			continue
		}
		if n := len(out); n > 1 {
			before := out[n-2]
			if before.X == last.X && last.X == p.X && (last.Y-before.Y)*(p.Y-last.Y) > 0 || before.Y == last.Y && last.Y == p.Y && (last.X-before.X)*(p.X-last.X) > 0 {
				out[n-1] = p
				continue
			}
		}
		out = append(out, p)
	}
	return out
}
