package diagram

import (
	"cmp"
	"math"
	"slices"
)

// channel returns the number of the space between rows in which the horizontal line with an index is: that above the row with the
// same number.
func (r *route) channel(i int) int {
	if i == 0 {
		return r.from.row + 1
	}
	h := r.hops[i-1]
	if h.row >= r.from.row+1 { // it leads down
		return h.row + 1
	}
	return h.row
}

// ends returns where the horizontal line with an index begins and ends.
func (r *route) ends(i int) (from, to float64) {
	from, to = r.path[len(r.path)-1].X, r.entry
	if i > 0 {
		from = r.hops[i-1].x
	}
	if i < len(r.hops) {
		to = r.hops[i].x
	}
	return from, to
}

// plan decides through which gaps the references lead.
func (b *board) plan() {
	byKey := map[string]*group{}
	for i, row := range b.rows {
		x := 0.0
		for j, g := range row {
			g.row, g.place, g.x = i, j, x
			x += g.Width + 2*gutter
			if g.key != "" {
				byKey[g.key] = g
			}
		}
		b.gaps = append(b.gaps, make([]int, len(row)+1))
		b.used = append(b.used, make([]int, len(row)+1))
	}
	for _, row := range b.rows {
		for _, g := range row {
			for _, e := range g.exits {
				r := &route{exit: e, from: g, to: byKey[e.target]}
				b.routes = append(b.routes, r)
				b.cross(r)
			}
		}
	}
}

// cross chooses the gaps of a reference: in each row, the one nearest to its path.
func (b *board) cross(r *route) {
	rows := b.crossed(r.from.row, r.to.row)
	at, to := r.from.x+r.path[len(r.path)-1].X, r.to.x+(r.to.root.entries[0]+r.to.root.entries[1])/2
	for _, row := range rows {
		best, distance := 0, math.Inf(1)
		for gap := range b.gaps[row] {
			x := b.gapAt(row, gap)
			if d := 1.001*math.Abs(at-x) + math.Abs(x-to); d < distance { // the nearest of several on the way
				best, distance = gap, d
			}
		}
		r.hops = append(r.hops, hop{row: row, gap: best, lane: b.gaps[row][best]})
		b.gaps[row][best]++
		at = b.gapAt(row, best)
	}
}

// crossed returns the rows between the space below one row and the space above another.
func (b *board) crossed(from, to int) (rows []int) {
	for row := from + 1; row < to; row++ {
		rows = append(rows, row)
	}
	for row := from; row >= to; row-- {
		rows = append(rows, row)
	}
	return rows
}

// gapAt returns the approximate position of a gap.
func (b *board) gapAt(row, gap int) float64 {
	if gap == 0 {
		return -gutter
	}
	g := b.rows[row][gap-1]
	return g.x + g.Width + gutter
}

// draw places everything, and draws the references.
func (b *board) draw() *Picture {
	b.placeColumns()
	b.placeFirst()
	b.shift()
	b.enter()
	heights := b.channels()
	out := &Picture{}
	y := heights[0]
	for i, row := range b.rows {
		b.tops = append(b.tops, y)
		_, high := rowSize(row)
		for _, g := range row {
			g.y = y
			out.add(g.Picture, g.x, g.y)
		}
		y += high + heights[i+1]
	}
	b.tops = append(b.tops, y)
	for _, r := range b.routes {
		l := r.line(b.tops)
		out.Lines = append(out.Lines, l)
		for _, p := range l.Points {
			out.Width, out.Height = max(out.Width, p.X), max(out.Height, p.Y)
		}
	}
	return out
}

// placeColumns sets where the groups and the gaps between them are.
func (b *board) placeColumns() {
	left := 0.0
	for i := range b.rows {
		left = max(left, float64(b.gaps[i][0])*track)
	}
	if left > 0 {
		left += gutter / 2
	}
	lanes := make([][]float64, len(b.rows))
	for i, row := range b.rows {
		x := left
		lanes[i] = append(lanes[i], 0)
		for j, g := range row {
			g.x = x
			lanes[i] = append(lanes[i], x+g.Width+gutter)
			x += g.Width + 2*gutter + float64(b.gaps[i][j+1])*track
		}
	}
	for _, r := range b.routes {
		for i := range r.hops {
			h := &r.hops[i]
			h.x = lanes[h.row][h.gap] + float64(h.lane)*track
		}
		for i := range r.path {
			r.path[i].X += r.from.x
		}
	}
}

// enter sets where the references to each group end: in the order in which they arrive, and not below another line.
func (b *board) enter() {
	for _, row := range b.rows {
		for _, g := range row {
			var to []*route
			for _, r := range b.routes {
				if r.to == g {
					to = append(to, r)
				}
			}
			slices.SortStableFunc(to, func(x, y *route) int { return cmp.Compare(x.last(), y.last()) })
			above := b.descents(g.row, nil)
			for i, r := range to {
				ends := g.root.entries
				x := math.Round(g.x + ends[0] + (ends[1]-ends[0])*(float64(i)+0.5)/float64(len(to)))
				r.entry = farthest(x, above, float64(track)/2)
			}
		}
	}
}

// last returns where the last horizontal line begins.
func (r *route) last() float64 {
	if n := len(r.hops); n > 0 {
		return r.hops[n-1].x
	}
	return r.path[len(r.path)-1].X
}

// descents returns where vertical lines of other references than one lead down into the space above a row.
func (b *board) descents(row int, but *route) (xs []float64) {
	for _, r := range b.routes {
		hops := r.hops
		switch {
		case r == but:
			continue
		case r.near:
			hops = hops[1:] // the first does not reach the space below its row
		case r.from.row+1 == row:
			xs = append(xs, r.path[len(r.path)-1].X)
		}
		for _, h := range hops {
			if h.row+1 == row {
				xs = append(xs, h.x)
			}
		}
	}
	return xs
}

// shift moves the lines that cross rows, so that none continues another one.
func (b *board) shift() {
	for row := range b.rows {
		for _, r := range b.routes {
			above := b.descents(row, r)
			for i := range r.hops {
				if h := &r.hops[i]; h.row == row {
					h.x = farthest(h.x, above, float64(track)/2-1)
				}
			}
		}
	}
}

// farthest returns the place nearest to x within a distance that is farthest from some others.
func farthest(x float64, others []float64, within float64) float64 {
	const near = 2.5
	best, most := x, -1.0
	for _, d := range []float64{0, 1, -1, 2, -2, 3, -3, 4, -4} {
		if math.Abs(d) > within {
			continue
		}
		free := math.Inf(1)
		for _, o := range others {
			free = min(free, math.Abs(o-x-d))
		}
		if free >= near {
			return x + d
		}
		if free > most {
			best, most = x+d, free
		}
	}
	return best
}
