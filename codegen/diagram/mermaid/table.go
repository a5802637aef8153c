package mermaid

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/diagram"
)

// tables writes an entity relationship diagram of the tables of roots, their parts and redundant aggregates.
func tables(models []diagram.Model, roots []*model.Aggregate, _ diagram.Types) string {
	d := &tableDiagram{ids: newIDs(), labels: newLabels(models), of: map[string]*schema.Table{}, paths: map[*schema.Table]string{}}
	var all []*schema.Table
	for _, m := range models {
		for _, t := range m.Schema.Tables {
			if slices.Contains(roots, diagram.Root(owner(t))) {
				all = append(all, t)
				d.paths[t] = m.Package.Path
				d.labels.add(m.Package.Path, t.Name)
				if t.Aggregate != nil {
					d.of[diagram.AggregateKey(t.Aggregate)] = t
				}
			}
		}
	}
	for _, m := range models {
		for _, u := range diagram.UsedTypes(m.Schema, all) {
			d.labels.add(m.Package.Path, u.Name)
		}
	}
	for _, t := range all {
		d.table(t)
	}
	for _, m := range models {
		for _, u := range diagram.UsedTypes(m.Schema, all) {
			d.userType(m.Package.Path, u)
		}
	}
	for _, t := range all {
		d.relations(t)
	}
	return "erDiagram\n" + d.boxes.String() + d.lines.String()
}

// owner returns the aggregate of a table, or the one that needs the derived table.
func owner(t *schema.Table) *model.Aggregate { return cmp.Or(t.Aggregate, t.Derived) }

// tableDiagram is an entity relationship diagram.
type tableDiagram struct {
	ids          *ids
	labels       *labels
	of           map[string]*schema.Table // keys have the form of [diagram.AggregateKey]
	paths        map[*schema.Table]string // the paths of the packages of tables
	boxes, lines strings.Builder
}

func (d *tableDiagram) id(t *schema.Table) string { return d.ids.id(d.paths[t]+"."+t.Name, t.Name) }

// aggregateTable returns the table of an aggregate; nil if it is not drawn.
func (d *tableDiagram) aggregateTable(a *model.Aggregate) *schema.Table {
	return d.of[diagram.AggregateKey(a)]
}

// table writes a table with its columns.
func (d *tableDiagram) table(t *schema.Table) {
	fmt.Fprintf(&d.boxes, "    %s {\n", labelled(d.id(t), d.labels.label(d.paths[t], t.Name)))
	for _, c := range t.Ordered() {
		d.boxes.WriteString("        " + d.column(t, c) + "\n")
	}
	d.boxes.WriteString("    }\n")
}

// userType writes a user-defined type with its fields.
func (d *tableDiagram) userType(pkg string, u *schema.UDT) {
	fmt.Fprintf(&d.boxes, "    %s {\n", labelled(d.ids.id("type "+pkg+"."+u.Name, u.Name), "*"+d.labels.label(pkg, u.Name)+"*"))
	for _, f := range u.Fields {
		d.boxes.WriteString("        " + member(f.Name, f.Type, nil, nil) + "\n")
	}
	d.boxes.WriteString("    }\n")
}

// column returns the line of a column: its type, its name, its keys and a comment.
func (d *tableDiagram) column(t *schema.Table, c *schema.Column) string {
	return member(c.Name, c.Type, keyMarkers(t, c), comments(t, c))
}

// member returns the line of a column or of a field of a type.
func member(of string, t *schema.Type, keys, comments []string) string {
	kind, name := typeWord(t), columnWord(of)
	s := kind + " " + name
	if len(keys) > 0 {
		s += " " + strings.Join(keys, ", ")
	}
	var comment []string
	if name != of {
		comment = append(comment, of)
	}
	if kind != t.String() {
		comment = append(comment, t.String())
	}
	if comment = append(comment, comments...); comment != nil {
		s += ` "` + escapeTo(strings.Join(comment, ", "), maxLabel) + `"`
	}
	return s
}

// typeWord returns the name of a type without its arguments: Mermaid reads a type as a word without < and >.
func typeWord(t *schema.Type) string { return columnWord(diagram.PlainText(t.Name)) }

// columnWord returns a name as Mermaid reads the name of a column. It begins with a letter.
func columnWord(name string) string {
	w := word(name)
	if w == "" || !unicode.IsLetter(rune(w[0])) || slices.Contains([]string{"pk", "fk", "uk"}, strings.ToLower(w)) {
		w = "x_" + w
	}
	return w
}

// keyMarkers returns the markers of Mermaid that a column has: PK, FK, UK.
func keyMarkers(t *schema.Table, c *schema.Column) (keys []string) {
	if c.InKey() {
		keys = append(keys, "PK")
	}
	at := c.Attribute
	if at != nil && at.Association != nil {
		keys = append(keys, "FK")
	}
	if u := findUnique(t, at); u != nil && len(u.Paths) == 1 {
		keys = append(keys, "UK")
	}
	return keys
}

// findUnique returns the rule that no two rows of a table have the same value of an attribute, alone or together with others; nil for
// none. The elements of a set are unique in the set only.
func findUnique(t *schema.Table, at *model.Attribute) *model.Unique {
	if t.Aggregate == nil || at == nil {
		return nil
	}
	for _, u := range t.Aggregate.Uniques {
		if slices.ContainsFunc(u.Paths, func(p *model.Path) bool { return len(p.Steps) == 1 && p.Steps[0] == at }) {
			return u
		}
	}
	return nil
}

// comments returns the properties of a column for which Mermaid has no marker.
func comments(t *schema.Table, c *schema.Column) (out []string) {
	switch {
	case c.Kind == schema.PartitionKey && len(t.Key()) > 1:
		out = append(out, "partition key")
	case c.Kind == schema.ClusteringKey && c.Order == model.Descending:
		out = append(out, "clustering key, descending")
	case c.Kind == schema.ClusteringKey:
		out = append(out, "clustering key, ascending")
	case c.Kind == schema.Static:
		out = append(out, "static")
	}
	if slices.ContainsFunc(t.Indexes, func(i *schema.Index) bool { return i.Column == c }) {
		out = append(out, "indexed")
	}
	if u := findUnique(t, c.Attribute); u != nil && len(u.Paths) > 1 {
		out = append(out, "unique together as "+u.Name)
	}
	return out
}

// relations writes the lines of a table: to the table that it is derived from, to the table of its root, and to the tables that it refers to.
func (d *tableDiagram) relations(t *schema.Table) {
	a := t.Aggregate
	switch {
	case a == nil:
		d.line(d.aggregateTable(owner(t)), "||..o{", t, "derived")
		return
	case a.Redundancy != nil:
		d.line(d.aggregateTable(a.Redundancy.Source), "||..o{", t, redundant(a))
	case a.Root != nil:
		many := "||--o{"
		if diagram.Single(a) {
			many = "||--o|"
		}
		d.line(d.aggregateTable(a.Root), many, t, "part")
	}
	for _, as := range a.Associations {
		many := "}o--o|"
		switch {
		case !begins(as):
			continue
		case as.Many:
			many = "}o--o{"
		case as.Attribute.Mandatory || as.Attribute.Key:
			many = "}o--||"
		}
		d.line(t, many, d.aggregateTable(as.Target), as.Attribute.GoName())
	}
}

// line writes a line between two tables, if both are drawn.
func (d *tableDiagram) line(from *schema.Table, arrow string, to *schema.Table, label string) {
	if from != nil && to != nil {
		fmt.Fprintf(&d.lines, "    %s %s %s : \"%s\"\n", d.id(from), arrow, d.id(to), escape(label))
	}
}
