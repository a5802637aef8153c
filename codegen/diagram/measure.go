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
	var curves [][]Point
	for i := range p.Lines {
		if p.Lines[i].Curve {
			curves = append(curves, p.Lines[i].Flat())
		}
	}
	for i, a := range curves {
		for _, b := range curves[:i] {
			count += crossings(a, b)
		}
	}
	return count
}

// beside an end that two curves have in common, they are one line.
const merged = 40

func crossings(a, b []Point) (count int) {
	for i := range a[1:] {
		for j := range b[1:] {
			if intersect(a[i], a[i+1], b[j], b[j+1]) && !nearEnd(a[i], a, b) {
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
	if min(a.X, b.X) > max(c.X, d.X) || min(c.X, d.X) > max(a.X, b.X) || min(a.Y, b.Y) > max(c.Y, d.Y) || min(c.Y, d.Y) > max(a.Y, b.Y) {
		return false
	}
	side := func(p, q, r Point) float64 { return (q.X-p.X)*(r.Y-p.Y) - (q.Y-p.Y)*(r.X-p.X) }
	return side(a, b, c)*side(a, b, d) < 0 && side(c, d, a)*side(c, d, b) < 0
}
