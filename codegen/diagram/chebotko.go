package diagram

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// chebotkoDrawing is a drawing of tables in the notation of Chebotko, Kashlev and Lu, "A Big Data Modeling Methodology for Apache
// Cassandra" (IEEE BigData Congress 2015): K is a column of the partition key, C one of the clustering key with its order, S a static
// column, IDX one with an index, ++ a counter; [] {} <> enclose lists, sets and maps, and ** user-defined types. A logical diagram has
// no types; a physical one has them. Beside each table are the queries that it answers.
type chebotkoDrawing struct {
	physical bool
	link     func(Node) string
	used     map[string]bool
	queries  map[*schema.Schema]queries
	workflow *workflow                 // nil for none
	labels   map[*schema.Schema]string // labels of the packages
}

// drawChebotko draws the tables of roots.
func drawChebotko(models []Model, roots []*model.Aggregate, o Options, physical bool) (*Picture, error) {
	d := &chebotkoDrawing{physical: physical, link: o.Link, used: map[string]bool{}, queries: o.queries, labels: map[*schema.Schema]string{}}
	for i, label := range PackageLabels(models) {
		d.labels[models[i].Schema] = label
	}
	drawn := map[*schema.Schema][]*schema.Table{}
	for _, root := range roots {
		s, tables := rootTables(models, root)
		drawn[s] = append(drawn[s], d.drawnTables(tables)...)
	}
	all := slices.Concat(slices.Collect(maps.Values(drawn))...)
	d.workflow = newWorkflow(o.Workflow, all)
	var groups []*group
	for _, root := range roots {
		s, tables := rootTables(models, root)
		groups = append(groups, d.root(s, d.drawnTables(tables))...)
	}
	for _, m := range models {
		groups = append(groups, d.types(m.Schema, drawn[m.Schema])...)
	}
	p, err := arrange(groups)
	if err != nil {
		return nil, err
	}
	if d.workflow != nil {
		d.list(p)
	}
	kind := "logical"
	if physical {
		kind = "physical"
	}
	p.Title = "Tables of " + PackageNames(models)
	p.About = fmt.Sprintf("%s as a %s Chebotko diagram, each with its columns and the queries that it answers.", Counted(len(all), "table"), kind)
	return p.framed(p.Title, newLegend(chebotkoSigns, d.used)), nil
}

// root draws the tables of a root.
func (d *chebotkoDrawing) root(s *schema.Schema, tables []*schema.Table) (groups []*group) {
	for i, t := range tables {
		var exits []*exit
		if d.workflow != nil {
			exits = d.workflow.steps(t.Name)
			d.note(len(exits) > 0, "then")
		}
		f := d.table(s, t, exitsBelow(exits))
		f.key = d.key(s, t.Name)
		f.leaveBelow(exits)
		if d.workflow != nil {
			d.enter(f, d.workflow.answeredBy(t.Name))
		}
		if i > 0 {
			f.exits = append(f.exits, &exit{target: d.key(s, tables[0].Name), derived: true})
			d.note(true, "line")
		}
		g := newGroup(f)
		g.in = d.labels[s]
		groups = append(groups, g)
	}
	return groups
}

// key returns the key of a table. A drawing with a workflow has one package.
func (d *chebotkoDrawing) key(s *schema.Schema, table string) string {
	if d.workflow != nil {
		return tableKey(table)
	}
	return tableKey(d.labels[s] + "." + table)
}

// copied reports whether the rows of a table are derived from rows of other tables.
func copied(t *schema.Table) bool { return t.Aggregate == nil || t.Aggregate.Redundancy != nil }

// table draws a table at least as wide as given, and to its right the queries that it answers.
func (d *chebotkoDrawing) table(s *schema.Schema, t *schema.Table, least float64) *frame {
	link := ""
	if d.link != nil {
		link = d.link(Node{Aggregate: t.Aggregate, Table: t})
	}
	f := d.box(t.Name, d.rows(t), d.note(copied(t), "dashed"), link, least)
	d.answers(f, s, t, f.Width)
	return f
}

// box draws a table or a type with its rows, each of which has a name, a type and marks.
func (d *chebotkoDrawing) box(of string, rows [][3]Text, dashed bool, link string, least float64) *frame {
	var wide [3]float64
	for _, r := range rows {
		for i, cell := range r {
			wide[i] = max(wide[i], cell.Style.width(cell.S))
		}
	}
	if wide[1] > 0 {
		wide[1] += padding
	}
	name := Text{X: padding, Y: headHeight - 8, S: PlainText(of), Style: title, Color: Ink, Link: link}
	w := max(wide[0]+wide[1]+wide[2]+3*padding, name.Width()+2*padding, least)
	h := headHeight + part(rowsText(rows))
	f := &frame{Picture: &Picture{Width: w, Height: h}, root: Box{W: w, H: h}}
	f.Boxes = []Box{
		{W: w, H: h, Fill: Panel, Stroke: Ink, Dashed: dashed, Link: link, Name: PlainText(of)},
		{W: w, H: headHeight, Fill: Head, Stroke: Ink, Dashed: dashed, Link: link},
	}
	f.write(name)
	at := [3]float64{padding, padding + wide[0] + padding, w - padding}
	for i, r := range rows {
		for j, cell := range r {
			cell.X, cell.Y, cell.Link = at[j], headHeight+float64(i+1)*lineHeight, link
			if j == 2 {
				cell.X -= cell.Width()
			}
			if cell.S != "" {
				f.write(cell)
			}
		}
	}
	return f
}

// answers writes the queries and the TTL of a table to its right.
func (d *chebotkoDrawing) answers(f *frame, s *schema.Schema, t *schema.Table, x float64) {
	lines := d.queries[s].answeredBy(t)
	if !d.physical { // a logical diagram has no reservation tables
		lines = append(lines, d.queries[s].byUnique(t)...)
	}
	if len(d.queries[s].views[t.Name]) > 0 {
		d.note(true, "view")
	}
	if d.note(t.Expires(), "ttl") {
		lines = append(lines, "ttl "+t.TTLText())
	}
	for i, q := range lines {
		f.write(Text{X: x + padding, Y: headHeight + float64(i+1)*lineHeight, S: PlainText(q), Style: small, Color: Faint})
	}
}

// note records that the drawing has a sign if has is true, for the legend, and returns has.
func (d *chebotkoDrawing) note(has bool, sign string) bool {
	if has {
		d.used[sign] = true
	}
	return has
}

// rowsText returns a text for each row, to measure a box.
func rowsText(rows [][3]Text) []Text { return make([]Text, len(rows)) }

// rows returns the lines of a table: for each column its name, its type and its marks.
func (d *chebotkoDrawing) rows(t *schema.Table) (rows [][3]Text) {
	for _, c := range t.Ordered() {
		if !d.physical && c.Attribute == nil && t.Aggregate != nil {
			continue // a column that only the store uses
		}
		color, style := Ink, body
		if c.InKey() {
			color, style = Key, strong
		}
		name := bracketed(c.Name, c.Type)
		if name != c.Name {
			d.used[name[:1]] = true
		}
		marks := chebotkoMarks(t, c)
		for _, m := range marks {
			d.used[m] = true
		}
		rows = append(rows, [3]Text{
			{S: PlainText(name), Style: style, Color: color},
			{S: d.typeName(c.Type), Style: small, Color: Faint},
			{S: strings.Join(marks, " "), Style: strong, Color: color},
		})
	}
	return rows
}

// bracketed returns the name of a column or a field in the brackets of its type.
func bracketed(name string, kind *schema.Type) string {
	switch {
	case kind.Name == "list" && !kind.UDT:
		return "[" + name + "]"
	case kind.Name == "set" && !kind.UDT:
		return "{" + name + "}"
	case kind.Name == "map" && !kind.UDT:
		return "<" + name + ">"
	case kind.UDT:
		return "*" + name + "*"
	}
	return name
}

// KindSign returns the sign of the kind of a column: K, C↑, C↓ or S; "" for a regular one.
func KindSign(c *schema.Column) string {
	switch {
	case c.Kind == schema.PartitionKey:
		return "K"
	case c.Kind == schema.ClusteringKey && c.Order == model.Descending:
		return "C↓"
	case c.Kind == schema.ClusteringKey:
		return "C↑"
	case c.Kind == schema.Static:
		return "S"
	}
	return ""
}

// chebotkoMarks returns the marks of a column: K, C with its order, S, IDX and ++.
func chebotkoMarks(t *schema.Table, c *schema.Column) (marks []string) {
	if sign := KindSign(c); sign != "" {
		marks = append(marks, sign)
	}
	if slices.ContainsFunc(t.Indexes, func(i *schema.Index) bool { return i.Column == c }) {
		marks = append(marks, "IDX")
	}
	if c.Type.Counter() {
		marks = append(marks, "++")
	}
	return marks
}
