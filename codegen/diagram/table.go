package diagram

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// cell is a cell of a table, from its left or upper border to its other one.
type cell struct {
	from, to int
	port     string
}

// newCell returns a cell around a position.
func newCell(at float64, port string) cell {
	x := int(math.Round(at))
	return cell{x - track/2, x + track/2, port}
}

// table returns the group as a table of Graphviz, which has its size. Its cells at the borders are the ports.
func (g *group) table(entries []*link) string {
	const border = 2
	w, h := int(g.Width)+2*space, int(g.Height)+2*space
	_, beside := g.places("e", 1)
	right := []cell{newCell(beside+space, g.rightPort())}
	var lower, upper, left []cell
	for _, l := range entries {
		c := cell{space + int(l.at) - 1, space + int(l.at) + 1, l.entryPort()}
		switch l.end {
		case "n":
			upper = append(upper, c)
		case "w":
			c.from, c.to = c.from-border, c.to-border
			left = append(left, c)
		}
	}
	for j, e := range g.exits {
		switch {
		case e.derived:
		case e.side == rightSide:
			right = append(right, newCell(e.path[0].Y+space, portName(j)))
		default:
			lower = append(lower, newCell(e.path[len(e.path)-1].X+space, portName(j)))
		}
	}
	inner := h - 2*border
	for i := range right {
		right[i].from, right[i].to = right[i].from-border, right[i].to-border
	}
	middle := "<TR><TD>" + table + "<TR><TD>" + column(left, border, inner) + "</TD>" + cellText(w-2*border, inner, "") +
		"<TD>" + column(right, border, inner) + "</TD></TR></TABLE></TD></TR>"
	return table + row(upper, w, border) + middle + row(lower, w, border) + "</TABLE>"
}

const table = `<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0">`

// row returns a row of cells.
func row(cells []cell, width, height int) string {
	var b strings.Builder
	for _, c := range filled(cells, width) {
		b.WriteString(cellText(c.to-c.from, height, c.port))
	}
	return "<TR><TD>" + table + "<TR>" + b.String() + "</TR></TABLE></TD></TR>"
}

// column returns a table with cells one above the other.
func column(cells []cell, width, height int) string {
	var b strings.Builder
	for _, c := range filled(cells, height) {
		b.WriteString("<TR>" + cellText(width, c.to-c.from, c.port) + "</TR>")
	}
	return table + b.String() + "</TABLE>"
}

// filled returns the cells in their order, with empty cells between them.
func filled(cells []cell, length int) (out []cell) {
	slices.SortStableFunc(cells, func(a, b cell) int { return a.from - b.from })
	x := 0
	for _, c := range cells {
		if c.from > x {
			out = append(out, cell{x, c.from, ""})
			x = c.from
		}
		if c.to > x {
			out = append(out, cell{x, c.to, c.port})
			x = c.to
		}
	}
	if x < length {
		out = append(out, cell{x, length, ""})
	}
	return out
}

func cellText(width, height int, port string) string {
	if port != "" {
		port = fmt.Sprintf(` PORT="%s"`, port)
	}
	return fmt.Sprintf(`<TD WIDTH="%d" HEIGHT="%d" FIXEDSIZE="TRUE"%s></TD>`, width, height, port)
}
