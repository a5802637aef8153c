// Package geometry checks that pictures are legible: tests of everything that draws use it.
//
//	package main
//
//	import (
//		"fmt"
//
//		"github.com/cassaml/cassaml/codegen/diagram"
//		"github.com/cassaml/cassaml/codegen/diagram/geometry"
//	)
//
//	func main() {
//		p := &diagram.Picture{Width: 100, Height: 100}
//		p.Boxes = []diagram.Box{{X: 10, Y: 10, W: 50, H: 50}, {X: 40, Y: 40, W: 50, H: 50}}
//		fmt.Println(geometry.Faults(p))
//	}
package geometry

import (
	"fmt"
	"math"

	"github.com/cassaml/cassaml/codegen/diagram"
)

// area is a rectangle.
type area struct{ left, top, right, bottom float64 }

const tolerance = 0.6 // pixels: a line is one pixel wide

func boxArea(b *diagram.Box) area { return area{b.X, b.Y, b.X + b.W, b.Y + b.H} }

// textArea returns the area of the letters of a text.
func textArea(t *diagram.Text) area {
	return area{t.X, t.Y - 0.72*t.Style.Size, t.X + t.Width(), t.Y + 0.2*t.Style.Size}
}

// overlaps reports whether two areas share more than a border.
func (a area) overlaps(o area) bool {
	return a.left < o.right-tolerance && o.left < a.right-tolerance && a.top < o.bottom-tolerance && o.top < a.bottom-tolerance
}

// contains reports whether an area is inside of another, or touches its border from inside.
func (a area) contains(o area) bool {
	return a.left <= o.left+tolerance && a.top <= o.top+tolerance && a.right >= o.right-tolerance && a.bottom >= o.bottom-tolerance
}

// Faults returns the faults that make a picture hard to read: boxes that overlap, unless one is a group that contains the other, or a part of it
// from side to side; lines that lead through a box, or run along another line without beginning or ending where that one does; texts
// that overlap a text or a line, or leave a box; and everything that is not inside of the picture.
func Faults(p *diagram.Picture) []string {
	c := &checker{Picture: p}
	c.boxes()
	c.lines()
	c.texts()
	return c.faults
}

type checker struct {
	*diagram.Picture
	faults []string
}

func (c *checker) fault(format string, args ...any) {
	c.faults = append(c.faults, fmt.Sprintf(format, args...))
}

// checkInside reports a fault if an area is not inside of the picture.
func (c *checker) checkInside(a area, what string) {
	if !(area{0, 0, c.Width, c.Height}).contains(a) {
		c.fault("%s is outside of the picture: %v", what, a)
	}
}

func (c *checker) boxes() {
	for i := range c.Boxes {
		x := &c.Boxes[i]
		c.checkInside(boxArea(x), "a box")
		for j := range c.Boxes[:i] {
			if y := &c.Boxes[j]; boxArea(x).overlaps(boxArea(y)) && !holds(x, y) && !holds(y, x) {
				c.fault("boxes overlap: %v and %v", boxArea(x), boxArea(y))
			}
		}
	}
}

// holds reports whether one box may contain another: as a group, or as a part of it from side to side.
func holds(x, y *diagram.Box) bool {
	return boxArea(x).contains(boxArea(y)) && (x.Group || x.X == y.X && x.W == y.W)
}

// segment is a straight part of a line, or a short part of a curve.
type segment struct {
	area
	from, to diagram.Point
	line     *diagram.Line
}

func (c *checker) segments() (out []segment) {
	for i := range c.Lines {
		l := &c.Lines[i]
		points := l.Flat()
		for j := range points[1:] {
			a, b := points[j], points[j+1]
			s := segment{area{min(a.X, b.X), min(a.Y, b.Y), max(a.X, b.X), max(a.Y, b.Y)}, a, b, l}
			if s.slanted() && !l.Curve {
				c.fault("a line is neither horizontal nor vertical: %v", s.area)
			}
			out = append(out, s)
		}
	}
	return out
}

// slanted reports whether a segment is neither horizontal nor vertical.
func (s segment) slanted() bool { return s.left != s.right && s.top != s.bottom }

// crosses reports whether a segment leads through an area.
func (s segment) crosses(a area) bool {
	if !s.slanted() {
		return s.wide().overlaps(a)
	}
	from, to := 0.0, 1.0 // the part of the segment that is inside, as in the algorithm of Liang and Barsky
	clip := func(d, distance float64) {
		switch t := distance / d; {
		case d < 0:
			from = max(from, t)
		case d > 0:
			to = min(to, t)
		case distance < 0:
			to = -1
		}
	}
	dx, dy := s.to.X-s.from.X, s.to.Y-s.from.Y
	clip(-dx, s.from.X-a.left-tolerance)
	clip(dx, a.right-tolerance-s.from.X)
	clip(-dy, s.from.Y-a.top-tolerance)
	clip(dy, a.bottom-tolerance-s.from.Y)
	return from < to
}

func (c *checker) lines() {
	all := c.segments()
	for i, s := range all {
		c.checkInside(s.area, "a line")
		for j := range c.Boxes {
			if b := &c.Boxes[j]; !b.Group && s.crosses(boxArea(b)) {
				c.fault("a line %v leads through a box %v", s.area, boxArea(b))
			}
		}
		for _, o := range all[:i] {
			if o.line != s.line && !s.line.Curve && !o.line.Curve && s.overlaps(o) && !shareEnd(s.line, o.line) {
				c.fault("lines run along each other: %v and %v", s.area, o.area)
			}
		}
	}
}

// wide returns the area of a line with its width.
func (s segment) wide() area {
	out := s.area
	if out.left == out.right {
		out.left, out.right = out.left-tolerance, out.right+tolerance
	} else {
		out.top, out.bottom = out.top-tolerance, out.bottom+tolerance
	}
	return out
}

// overlaps reports whether two parallel segments are on each other or nearly.
func (s segment) overlaps(o segment) bool {
	const near = 2
	upright := func(x segment) bool { return x.left == x.right }
	switch {
	case upright(s) != upright(o):
		return false
	case upright(s):
		return math.Abs(s.left-o.left) < near && s.top < o.bottom-tolerance && o.top < s.bottom-tolerance
	}
	return math.Abs(s.top-o.top) < near && s.left < o.right-tolerance && o.left < s.right-tolerance
}

// shareEnd reports whether two lines begin or end at one place.
func shareEnd(a, b *diagram.Line) bool {
	for _, p := range []diagram.Point{a.Points[0], a.Points[len(a.Points)-1]} {
		if p == b.Points[0] || p == b.Points[len(b.Points)-1] {
			return true
		}
	}
	return false
}

func (c *checker) texts() {
	all := c.segments()
	areas := make([]area, len(c.Texts))
	for i := range c.Texts {
		t := &c.Texts[i]
		if t.S == "" {
			continue
		}
		at := textArea(t)
		areas[i] = at
		c.checkInside(at, t.S)
		for j, o := range areas[:i] {
			if at.overlaps(o) {
				c.fault("texts overlap: %s and %s", t.S, c.Texts[j].S)
			}
		}
		for j := range c.Boxes {
			if b := &c.Boxes[j]; at.overlaps(boxArea(b)) && !boxArea(b).contains(at) {
				c.fault("%s leaves a box %v", t.S, boxArea(b))
			}
		}
		for _, s := range all {
			if s.crosses(at) {
				c.fault("a line %v leads through the text %s", s.area, t.S)
			}
		}
	}
}
