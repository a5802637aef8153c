package diagram

import (
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
)

// palette has the colours of a rendering, as in CSS.
type palette map[Color]string

var (
	light = palette{None: "none", Paper: "#ffffff", Panel: "#ffffff", Head: "#eef2f7", Frame: "#c5ced9", Ink: "#1c2733", Faint: "#5a6876", Key: "#0b5a8f", Copy: "#7a4a00"}
	dark  = palette{None: "none", Paper: "#14191f", Panel: "#1b222a", Head: "#26303b", Frame: "#445160", Ink: "#e6ebf0", Faint: "#a2afbb", Key: "#7cc3f5", Copy: "#e2b465"}
)

func paletteOf(isDark bool) palette {
	if isDark {
		return dark
	}
	return light
}

// SVG renders the picture. Its texts can be selected and searched.
func (p *Picture) SVG(isDark bool) []byte {
	c := paletteOf(isDark)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %[1]s %[2]s" role="img" aria-labelledby="title about" font-family="Liberation Sans, Arial, Helvetica, sans-serif">`+"\n",
		number(p.Width), number(p.Height))
	fmt.Fprintf(&b, "<title id=\"title\">%s</title>\n<desc id=\"about\">%s</desc>\n", escape(p.Title), escape(p.About))
	fmt.Fprintf(&b, "<rect width=\"%s\" height=\"%s\" fill=\"%s\"/>\n", number(p.Width), number(p.Height), c[Paper])
	for i := range p.Boxes {
		b.WriteString(p.Boxes[i].svg(c))
	}
	for i := range p.Lines {
		b.WriteString(p.Lines[i].svg(c))
	}
	for i := range p.Texts {
		b.WriteString(p.Texts[i].svg(c))
	}
	b.WriteString("</svg>\n")
	return []byte(b.String())
}

func (x *Box) svg(c palette) string {
	s := fmt.Sprintf(`<rect x="%s" y="%s" width="%s" height="%s" fill="%s" stroke="%s"`, number(x.X), number(x.Y), number(x.W), number(x.H), c[x.Fill], c[x.Stroke])
	if x.Thick {
		s += ` stroke-width="2"`
	}
	if x.Round {
		s += ` rx="` + number(x.W/2) + `"`
	}
	return s + dashes(x.Dashed) + "/>\n"
}

func (l *Line) svg(c palette) string {
	s := fmt.Sprintf("<polyline points=\"%s\" fill=\"none\" stroke=\"%s\"%s/>\n", pointList(l.Points), c[l.Stroke], dashes(l.Dashed))
	if l.End != Plain {
		fill := "none"
		if l.End == Diamond {
			fill = c[l.Stroke]
		}
		s += fmt.Sprintf("<polyline points=\"%s\" fill=\"%s\" stroke=\"%s\"/>\n", pointList(l.head()), fill, c[l.Stroke])
	}
	return s
}

func pointList(points []Point) string {
	texts := make([]string, len(points))
	for i, p := range points {
		texts[i] = number(p.X) + "," + number(p.Y)
	}
	return strings.Join(texts, " ")
}

func (t *Text) svg(c palette) string {
	s := fmt.Sprintf(`<text x="%s" y="%s" font-size="%s" fill="%s"`, number(t.X), number(t.Y), number(t.Style.Size), c[t.Color])
	if t.Style.Bold {
		s += ` font-weight="bold"`
	}
	if t.Style.Italic {
		s += ` font-style="italic"`
	}
	if t.Underline {
		s += ` text-decoration="underline"`
	}
	return s + ">" + escape(t.S) + "</text>\n"
}

// head returns the corners of the marker at the end of a line, whose last part is horizontal or vertical.
func (l *Line) head() []Point {
	end, before := l.Points[len(l.Points)-1], l.Points[len(l.Points)-2]
	along := func(back, aside float64) Point { // from the end back along the line, and aside
		switch {
		case before.Y < end.Y:
			return Point{end.X + aside, end.Y - back}
		case before.Y > end.Y:
			return Point{end.X + aside, end.Y + back}
		case before.X < end.X:
			return Point{end.X - back, end.Y + aside}
		}
		return Point{end.X + back, end.Y + aside}
	}
	if l.End == Diamond {
		return []Point{end, along(7, 4), along(14, 0), along(7, -4), end}
	}
	return []Point{along(9, 5), end, along(9, -5)}
}

func dashes(dashed bool) string {
	if dashed {
		return ` stroke-dasharray="5 4"`
	}
	return ""
}

// number renders a length with at most two decimals.
func number(f float64) string {
	s := strings.TrimRight(strconv.FormatFloat(f, 'f', 2, 64), "0")
	return strings.TrimSuffix(s, ".")
}

func escape(s string) string {
	var b strings.Builder
	if err := xml.EscapeText(&b, []byte(s)); err != nil {
		panic(err) // a strings.Builder returns no errors
	}
	return b.String()
}
