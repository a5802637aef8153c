package diagram

import "math"

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
