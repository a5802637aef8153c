package diagram

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/schema"
)

// Query is a query of an application. A diagram of tables shows it at the table that answers it. Its number is its place in the workflow,
// counted from 1.
type Query struct {
	Text  string // the statement, or a description of an invalid one
	Table string // the table that answers it; "" for none
	Then  []int  // the numbers of the queries that the application sends after it
}

// workflow has the queries of an application, and the tables that are drawn.
type workflow struct {
	queries []Query
	tables  map[string]bool
}

// answeredBy returns the numbers of the queries that a table answers.
func (w *workflow) answeredBy(table string) (numbers []int) {
	for i, q := range w.queries {
		if q.Table == table {
			numbers = append(numbers, i+1)
		}
	}
	return numbers
}

// steps returns the lines from a table to the tables that answer the next queries, each with its label, such as Q1 → Q3, Q4.
func (w *workflow) steps(table string) (exits []*exit) {
	for _, from := range w.answeredBy(table) {
		next := map[string]*exit{}
		for _, to := range w.queries[from-1].Then {
			target := w.queries[to-1].Table
			switch e := next[target]; {
			case !w.tables[target]:
			case e != nil:
				e.label += fmt.Sprintf(", Q%d", to)
			default:
				next[target] = &exit{label: fmt.Sprintf("Q%d → Q%d", from, to), target: tableKey(target)}
				exits = append(exits, next[target])
			}
		}
	}
	return exits
}

func tableKey(name string) string { return "table " + name }

// exitsBelow returns the width of lines below a table with their labels.
func exitsBelow(exits []*exit) (w float64) {
	for _, e := range exits {
		w += labelGap + small.width(e.label) + beside
	}
	return w
}

// leaveBelow leads lines down from the lower border of a table, each with its label.
func (f *frame) leaveBelow(exits []*exit) {
	if len(exits) == 0 {
		return
	}
	border, x := f.root.H, float64(padding)
	bottom := f.Height + exitHeight
	for _, e := range exits {
		f.Texts = append(f.Texts, Text{X: x + labelGap, Y: bottom - labelRise, S: e.label, Style: small, Color: Faint})
		e.path = []Point{{x, border}, {x, bottom}}
		x += labelGap + small.width(e.label) + beside
	}
	f.Height = bottom
	f.inner(exits)
	for _, e := range f.exits {
		e.leave(f)
	}
}

// enter draws an arrow to the title of a table, with the queries that the table answers.
func (d *chebotkoDrawing) enter(f *frame, numbers []int) {
	const long = 18
	if !d.note(len(numbers) > 0, "Q") {
		return
	}
	var names []string
	for _, n := range numbers {
		names = append(names, fmt.Sprint("Q", n))
	}
	label := Text{Y: headHeight/2 + 4, S: strings.Join(names, ", "), Style: strong, Color: Key}
	left := label.Width() + labelGap + long
	f.move(left, 0)
	f.Width += left
	f.root.X += left
	for _, e := range f.exits {
		for i := range e.path {
			e.path[i].X += left
		}
	}
	f.Texts = append(f.Texts, label)
	f.Lines = append(f.Lines, Line{Points: []Point{{left - long, headHeight / 2}, {left, headHeight / 2}}, Stroke: Key, End: Arrow})
}

// list writes the queries of the drawn tables below a picture, and those that no table answers in red.
func (d *chebotkoDrawing) list(p *Picture) {
	y := p.Height + gutter
	for i, q := range d.workflow.queries {
		color := Ink
		if q.Table == "" {
			color = Removed
			d.note(true, "red")
		}
		if q.Table != "" && !d.workflow.tables[q.Table] {
			continue
		}
		y += lineHeight
		number := Text{Y: y, S: fmt.Sprint("Q", i+1), Style: strong, Color: color}
		p.write(number)
		p.write(Text{X: strong.width("Q999") + labelGap, Y: y, S: PlainTo(q.Text, 2*maxRowLetters), Style: small, Color: color})
	}
}

// newWorkflow returns the queries of an application and the tables that are drawn; nil without queries.
func newWorkflow(queries []Query, tables []*schema.Table) *workflow {
	if len(queries) == 0 {
		return nil
	}
	w := &workflow{queries: queries, tables: map[string]bool{}}
	for _, t := range tables {
		w.tables[t.Name] = true
	}
	return w
}

// drawnTables returns the tables of a root that a diagram has: a logical one has no tables that only the store uses.
func (d *chebotkoDrawing) drawnTables(tables []*schema.Table) []*schema.Table {
	if d.physical {
		return tables
	}
	return slices.DeleteFunc(tables, func(t *schema.Table) bool { return t.Aggregate == nil })
}
