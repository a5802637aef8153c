package diagram

import "math"

const margin = 20 // around a picture

// arrange places pictures in rows, from the left and from the top.
func arrange(parts []*Picture) *Picture {
	out := &Picture{}
	shelves(parts, wideAs(parts), out)
	return out
}

// wideAs returns the width of rows with which the whole is about as wide as a screen is, compared with its height.
func wideAs(parts []*Picture) float64 {
	const wanted = 1.5 // width to height
	best, distance := 0.0, math.Inf(1)
	for _, p := range widths(parts) {
		w, h := shelves(parts, p, nil)
		if d := math.Abs(math.Log(w / h / wanted)); d < distance {
			best, distance = p, d
		}
	}
	return best
}

// widths returns the widths of rows that are worth a try.
func widths(parts []*Picture) (out []float64) {
	var sum, widest float64
	for _, p := range parts {
		sum, widest = sum+p.Width+2*gutter, max(widest, p.Width)
	}
	for n := 1; n <= len(parts); n++ {
		out = append(out, max(widest, sum/float64(n)))
	}
	return out
}

// shelves places pictures in rows that are at most wide, and returns the size of the whole. If into is nil, they stay where they are.
func shelves(parts []*Picture, wide float64, into *Picture) (w, h float64) {
	var x, y, high float64
	for _, p := range parts {
		if x > 0 && x+p.Width > wide {
			x, y, high = 0, y+high+2*gutter, 0
		}
		if into != nil {
			into.add(p, x, y)
		}
		w, high = max(w, x+p.Width), max(high, p.Height)
		x += p.Width + 2*gutter
	}
	return w, y + high
}

// framed returns the picture with a title above it and a legend below it.
func (p *Picture) framed(name string, legend []string) *Picture {
	out := &Picture{Title: p.Title, About: p.About}
	out.write(Text{X: margin, Y: margin + heading.Size, S: plain(name), Style: heading, Color: Ink})
	out.add(p, margin, margin+2*heading.Size+8)
	y := out.Height + gutter
	for _, line := range wrap(legend, out.Width-margin) {
		out.write(Text{X: margin, Y: y, S: line, Style: small, Color: Faint})
		y += lineHeight
	}
	out.Width, out.Height = math.Ceil(out.Width+margin), math.Ceil(out.Height+margin)
	return out
}

// wrap joins the entries of a legend to lines of about the given width.
func wrap(entries []string, wide float64) (lines []string) {
	const between = "    "
	for _, e := range entries {
		last := len(lines) - 1
		if last >= 0 && small.width(lines[last]+between+e) <= wide {
			lines[last] += between + e
			continue
		}
		lines = append(lines, e)
	}
	return lines
}
