package diagram

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// drawChebotko draws the tables of roots in the notation of Chebotko, Kashlev and Lu, "A Big Data Modeling Methodology for Apache
// Cassandra" (IEEE BigData Congress 2015): K is a column of the partition key, C one of the clustering key with its order, S a static
// column, IDX one with an index, ++ a counter; [] {} <> enclose lists, sets and maps, and ** user-defined types. Beside each table
// are the queries that it answers. A table of a root is joined with those that follow from it.
func drawChebotko(models []Model, roots []*model.Aggregate) *Picture {
	var groups []*Picture
	var all []*schema.Table
	for _, root := range roots {
		s, tables := tablesOf(models, root)
		groups = append(groups, chebotkoGroup(s, tables))
		all = append(all, tables...)
	}
	p := arrange(groups)
	p.Title = "Tables of " + nameOf(models)
	p.About = fmt.Sprintf("%d tables in the notation of Chebotko diagrams, each with its columns and the queries that it answers.", len(all))
	return p.framed(p.Title, chebotkoLegend(all))
}

// chebotkoGroup draws tables: the first, which is that of a root, at the left, and the others, which follow from it, at its right.
func chebotkoGroup(s *schema.Schema, tables []*schema.Table) *Picture {
	p := &Picture{}
	first := chebotkoTable(s, tables[0])
	port := Point{first.Boxes[0].W, headHeight / 2}
	right, y := first.Width+2*gutter, 0.0
	p.add(first, 0, 0)
	for _, t := range tables[1:] {
		q := chebotkoTable(s, t)
		p.Lines = append(p.Lines, elbow(port, Point{right, y + headHeight/2}, right-gutter, copied(t)))
		p.add(q, right, y)
		y += q.Height + gutter
	}
	return p
}

// copied reports whether the rows of a table follow from others.
func copied(t *schema.Table) bool { return t.Aggregate == nil || t.Aggregate.Redundancy != nil }

const (
	gutter     = 28 // between boxes
	padding    = 10 // inside a box
	headHeight = 26
)

// elbow returns a line between two tables whose vertical piece is at x.
func elbow(from, to Point, x float64, dashed bool) Line {
	l := Line{Points: []Point{from, {x, from.Y}, {x, to.Y}, to}, Stroke: Faint, Dashed: dashed}
	if from.Y == to.Y {
		l.Points = []Point{from, to}
	}
	return l
}

// chebotkoTable draws a table, and on its right the queries that it answers.
func chebotkoTable(s *schema.Schema, t *schema.Table) *Picture {
	rows := chebotkoRows(t)
	var wide [3]float64
	for _, r := range rows {
		for i, cell := range r.cells {
			wide[i] = max(wide[i], cell.Style.width(cell.S))
		}
	}
	name := Text{X: padding, Y: headHeight - 8, S: plain(t.Name), Style: title, Color: Ink}
	w := max(wide[0]+wide[1]+wide[2]+4*padding, name.Width()+2*padding)
	p := &Picture{Width: w}
	p.Boxes = []Box{
		{W: w, H: headHeight + float64(len(rows))*lineHeight + padding, Fill: Panel, Stroke: Ink, Dashed: copied(t)},
		{W: w, H: headHeight, Fill: Head, Stroke: Ink, Dashed: copied(t)},
	}
	p.Height = p.Boxes[0].H
	p.write(name)
	at := [3]float64{padding, 2*padding + wide[0], w - padding - wide[2]}
	for i, r := range rows {
		for j, cell := range r.cells {
			cell.X, cell.Y = at[j], headHeight+float64(i+1)*lineHeight
			p.write(cell)
		}
	}
	for i, q := range queriesOf(s, t) {
		p.write(Text{X: w + padding, Y: headHeight + float64(i+1)*lineHeight, S: plain(q), Style: small, Color: Faint})
	}
	return p
}

// chebotkoRow is a line of a table: the name of a column, its type and its marks.
type chebotkoRow struct{ cells [3]Text }

func chebotkoRows(t *schema.Table) (rows []chebotkoRow) {
	for _, c := range t.Ordered() {
		color, style := Ink, body
		if c.InKey() {
			color, style = Key, strong
		}
		rows = append(rows, chebotkoRow{[3]Text{
			{S: plain(chebotkoName(c)), Style: style, Color: color},
			{S: plain(c.Type.String()), Style: small, Color: Faint},
			{S: strings.Join(chebotkoMarks(t, c), " "), Style: strong, Color: color},
		}})
	}
	return rows
}

// chebotkoName returns the name of a column in the brackets of its type.
func chebotkoName(c *schema.Column) string {
	at := c.Attribute
	if at == nil || at.Type == nil {
		return c.Name
	}
	switch at.Type.Kind {
	case model.List:
		return "[" + c.Name + "]"
	case model.Set:
		return "{" + c.Name + "}"
	case model.MapType:
		return "<" + c.Name + ">"
	case model.Composed:
		return "*" + c.Name + "*"
	}
	return c.Name
}

func chebotkoMarks(t *schema.Table, c *schema.Column) (marks []string) {
	switch {
	case c.Kind == schema.PartitionKey:
		marks = append(marks, "K")
	case c.Kind == schema.ClusteringKey && c.Order == model.Descending:
		marks = append(marks, "C↓")
	case c.Kind == schema.ClusteringKey:
		marks = append(marks, "C↑")
	case c.Kind == schema.Static:
		marks = append(marks, "S")
	}
	if slices.ContainsFunc(t.Indexes, func(i *schema.Index) bool { return i.Column == c }) {
		marks = append(marks, "IDX")
	}
	if c.Attribute != nil && c.Attribute.Counter {
		marks = append(marks, "++")
	}
	return marks
}
