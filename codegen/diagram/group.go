package diagram

import "math"

// group is a root, or its table, with the aggregates or tables that are derived from it. They are in columns to its right, with lines
// from them to the root.
type group struct {
	*Picture
	key   string // key of its aggregate
	root  *frame
	exits []*exit // exits at the lower border
	like  Line
	x, y  float64

	cluster int // number of its cluster of groups that refer to one another; 0 if it has no references
	row     int
	place   int // index in the row
}

// newGroup places the frame of a root and those that are derived from it. like has the colour, the dashes and the end of the lines
// between them.
func newGroup(key string, root *frame, followers []*frame, like Line) *group {
	g := &group{Picture: &Picture{}, key: key, root: root, exits: root.exits, like: like}
	root.moveTo(g.Picture, 0, 0)
	if len(followers) == 0 {
		return g
	}
	columns := bestColumns(root, followers)
	right := g.Width + gutter // the vertical line to the first column
	trunk, above := root.port.Y, 0.0
	if len(columns) > 1 {
		trunk, above = 4, 14
	}
	first := Point{right, root.port.Y}
	arrow := len(g.Lines)
	g.join(like.End, first, root.port)
	if len(columns) > 1 {
		g.join(Plain, first, Point{right, trunk})
	}
	for i, column := range columns {
		if i > 0 {
			g.join(Plain, Point{first.X, trunk}, Point{right, trunk})
			first.X = right
		}
		if g.column(column, right, trunk, above) {
			g.Lines[arrow].Points[0].X = column[0].socket.X
		}
		right = g.Width + columnLanes(column) + gutter
	}
	for _, e := range g.exits {
		g.Width = max(g.Width, e.path[len(e.path)-1].X)
	}
	return g
}

// join adds a line between the frames.
func (g *group) join(end Marker, points ...Point) {
	g.Lines = append(g.Lines, Line{Points: points, Stroke: g.like.Stroke, Dashed: g.like.Dashed, End: end})
}

// column places frames below each other, to the right of a vertical line. It reports whether a frame is at the upper end of this line,
// so that the line to the root begins there: as one line, its dashes are even.
func (g *group) column(frames []*frame, line, from, y float64) (level bool) {
	left, upper, to := line+gutter, from, from
	for i, f := range frames {
		f.moveTo(g.Picture, left, y)
		from, to = min(from, f.socket.Y), max(to, f.socket.Y)
		if f.socket.Y == upper {
			level = true
		} else {
			g.join(Plain, Point{line, f.socket.Y}, f.socket)
		}
		y += f.Height
		if i < len(frames)-1 {
			y += gutter + lanesWidth(f.exits)
		}
	}
	if from != to {
		g.join(Plain, Point{line, from}, Point{line, to})
	}
	wide := left
	for _, f := range frames {
		wide = max(wide, left+f.Width)
	}
	g.lanes(frames, wide, y)
	return level
}

// lanes leads the references of a column's frames to its right side, and down to its lower border.
func (g *group) lanes(frames []*frame, right, bottom float64) {
	lane := right + columnLanes(frames)
	for i, f := range frames {
		if i == len(frames)-1 {
			g.exits = append(g.exits, f.exits...)
			continue
		}
		for j, e := range f.exits {
			y := e.path[len(e.path)-1].Y + float64(len(f.exits)-j)*track
			last := len(e.path) - 1
			e.path[last].Y = y
			e.path = append(e.path, Point{lane, y}, Point{lane, bottom})
			lane -= track
			g.exits = append(g.exits, e)
		}
	}
}

// lanesWidth returns the width of the lines of some references.
func lanesWidth(exits []*exit) float64 { return float64(len(exits)) * track }

// columnLanes returns the width of the references to the right of a column. The references of the last frame lead straight down.
func columnLanes(frames []*frame) (w float64) {
	for _, f := range frames[:len(frames)-1] {
		w += lanesWidth(f.exits)
	}
	return w
}

// bestColumns divides the frames into the columns for which the ratio of width to height of the group is nearest to the ratio of a screen.
func bestColumns(root *frame, frames []*frame) (best [][]*frame) {
	const wanted = 1.3 // width to height
	distance := math.Inf(1)
	var total float64
	for _, f := range frames {
		total += f.Height + gutter
	}
	for n := 1; n <= len(frames); n++ {
		columns := fillColumns(frames, max(root.Height, total/float64(n)*1.1))
		w, h := root.Width, root.Height
		for _, c := range columns {
			cw, ch := size(c)
			w, h = w+cw+2*gutter, max(h, ch)
		}
		if d := math.Abs(math.Log(w / h / wanted)); d < distance {
			best, distance = columns, d
		}
	}
	return best
}

// fillColumns fills columns that are not higher than a limit, if possible.
func fillColumns(frames []*frame, limit float64) (columns [][]*frame) {
	high := math.Inf(1)
	for _, f := range frames {
		if high+f.Height > limit {
			columns, high = append(columns, nil), 0
		}
		last := len(columns) - 1
		columns[last] = append(columns[last], f)
		high += f.Height + gutter
	}
	return columns
}

// size returns the width and height of a column.
func size(frames []*frame) (w, h float64) {
	for _, f := range frames {
		w, h = max(w, f.Width), h+f.Height+gutter
	}
	return w, h - gutter
}
