package diagram

import (
	"math"
)

// Length returns the length of a line.
func Length(l *Line) (sum float64) {
	points := l.Flat()
	for i := range points[1:] {
		sum += math.Hypot(points[i+1].X-points[i].X, points[i+1].Y-points[i].Y)
	}
	return sum
}

// Crossings returns the number of crossings of the curves of a picture. Curves with a common end do not cross there.
func Crossings(p *Picture) (count int) {
	var curves []curve
	for i := range p.Lines {
		if p.Lines[i].Curve {
			curves = append(curves, newCurve(p.Lines[i].Flat()))
		}
	}
	for i, a := range curves {
		for _, b := range curves[:i] {
			count += crossings(a, b)
		}
	}
	return count
}

// pierced returns how often a curve leads through a box: then it crosses a diagonal of the box.
func (p *Picture) pierced() (count int) {
	for i := range p.Lines {
		if !p.Lines[i].Curve {
			continue
		}
		points := p.Lines[i].Flat()
		for _, b := range p.Boxes {
			for j := range points[1:] {
				from, to := points[j], points[j+1]
				if !b.Group && (intersect(from, to, Point{b.X, b.Y}, Point{b.X + b.W, b.Y + b.H}) || intersect(from, to, Point{b.X + b.W, b.Y}, Point{b.X, b.Y + b.H})) {
					count++
				}
			}
		}
	}
	return count
}

// curve is a curve that is divided into short straight lines, with its left upper and right lower corners.
type curve struct {
	points    []Point
	low, high Point
}

func newCurve(points []Point) curve {
	c := curve{points, points[0], points[0]}
	for _, p := range points {
		c.low.X, c.low.Y = min(c.low.X, p.X), min(c.low.Y, p.Y)
		c.high.X, c.high.Y = max(c.high.X, p.X), max(c.high.Y, p.Y)
	}
	return c
}

// beside an end that two curves have in common, they are one line.
const merged = 40

func crossings(a, b curve) (count int) {
	p, q := a.points, b.points
	for i := range p[1:] {
		if !overlap(p[i], p[i+1], b.low, b.high) {
			continue
		}
		for j := range q[1:] {
			if intersect(p[i], p[i+1], q[j], q[j+1]) && !nearEnd(p[i], p, q) {
				count++
			}
		}
	}
	return count
}

// nearEnd reports whether a point is near a common end of two lines.
func nearEnd(p Point, a, b []Point) bool {
	for _, e := range []Point{a[0], a[len(a)-1]} {
		if (e == b[0] || e == b[len(b)-1]) && math.Hypot(p.X-e.X, p.Y-e.Y) < merged {
			return true
		}
	}
	return false
}

// intersect reports whether two straight lines have a point in common that is an end of neither.
func intersect(a, b, c, d Point) bool {
	if !overlap(a, b, c, d) {
		return false
	}
	side := func(p, q, r Point) float64 { return (q.X-p.X)*(r.Y-p.Y) - (q.Y-p.Y)*(r.X-p.X) }
	return side(a, b, c)*side(a, b, d) < 0 && side(c, d, a)*side(c, d, b) < 0
}

// overlap reports whether two rectangles, each between two opposite corners, have a point in common.
func overlap(a, b, c, d Point) bool {
	return min(a.X, b.X) <= max(c.X, d.X) && min(c.X, d.X) <= max(a.X, b.X) && min(a.Y, b.Y) <= max(c.Y, d.Y) && min(c.Y, d.Y) <= max(a.Y, b.Y)
}
