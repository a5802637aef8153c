package diff

import (
	"fmt"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/catalog"
	"github.com/cassaml/cassaml/migrate/internal/ddl"
)

// earlier finds the tables that are kept only because was= names them.
func (p *planner) earlier() {
	for _, t := range p.to.Tables {
		a := t.Aggregate
		if a == nil || a.Was == "" {
			continue
		}
		for _, old := range p.from.Tables {
			if p.to.Table(old.Name) == nil && (old.Name == a.Was || strings.HasPrefix(old.Name, a.Was+"__")) {
				p.kept[old.Name] = true
			}
		}
	}
}

// replaced returns the table that a new table replaces; nil if there is none.
func (p *planner) replaced(t *schema.Table) *schema.Table {
	if a := t.Aggregate; a != nil && a.Was != "" {
		return p.from.Table(a.Was)
	}
	return nil
}

// stored reports whether an aggregate already has a table, under its name or its earlier name.
func (p *planner) stored(a *model.Aggregate) bool {
	if a.InRootTable {
		a = a.Root
	}
	return p.from.Table(a.Table) != nil || a.Was != "" && p.from.Table(a.Was) != nil
}

// markerPos returns the position of the tag that names an aggregate's table, or of the struct.
func markerPos(a *model.Aggregate) model.Pos {
	if a.Tag.Pos.File != "" {
		return a.Tag.Pos
	}
	return a.Struct.Pos
}

// columnPos returns the position of a column's field, or of the aggregate if the tool derives the column.
func (p *planner) columnPos(t *schema.Table, c *schema.Column) model.Pos {
	if c != nil && c.Attribute != nil && c.Attribute.Pos.File != "" {
		return c.Attribute.Pos
	}
	return markerPos(p.owner[t])
}

// newTable returns the fix that creates a new table for an aggregate: the tag of its marker, and of the marker of a part in its table.
func (p *planner) newTable(t *schema.Table) string {
	a := p.owner[t]
	fix := fmt.Sprintf("create a new table: write `aml:%q` on the marker of %s", p.marker(a), a.Struct.Name)
	for _, part := range a.Parts {
		if part.InRootTable {
			tag := model.Tag{Name: p.freeName(a.Table), Options: part.Tag.Options}
			fix += fmt.Sprintf(", and `aml:%q` on the marker of %s", tag.String(), part.Struct.Name)
		}
	}
	return fix
}

// marker returns the marker's tag with a new name, and with was= for the current one.
func (p *planner) marker(a *model.Aggregate) string {
	tag := model.Tag{Name: p.freeName(a.Table)}
	for _, o := range a.Tag.Options {
		if o.Key != "was" {
			tag.Options = append(tag.Options, o)
		}
	}
	tag.Options = append(tag.Options, model.Option{Key: "was", Value: a.Table, Valued: true})
	return tag.String()
}

// freeName returns a similar name that no table has: orders => orders_2, orders_2 => orders_3.
func (p *planner) freeName(name string) string {
	base, n := name, 2
	if i := strings.LastIndexByte(name, '_'); i > 0 {
		if _, err := fmt.Sscanf(name[i:], "_%d", &n); err == nil && fmt.Sprintf("_%d", n) == name[i:] {
			base, n = name[:i], n+1
		}
	}
	for ; ; n++ {
		next := fmt.Sprintf("%s_%d", base, n)
		if p.from.Table(next) == nil && p.to.Table(next) == nil {
			return next
		}
	}
}

// newColumn returns the fix that creates a new column for a field: its tag.
func newColumn(c *schema.Column, t *schema.Table) string {
	name := c.Name + "_2"
	for n := 3; catalog.Column(t, name) != nil; n++ {
		name = fmt.Sprintf("%s_%d", c.Name, n)
	}
	tag := model.Tag{Name: name}
	for _, o := range c.Attribute.Tag.Options {
		if o.Key != "was" {
			tag.Options = append(tag.Options, o)
		}
	}
	tag.Options = append(tag.Options, model.Option{Key: "was", Value: c.Name, Valued: true})
	return fmt.Sprintf("write `aml:%q`", tag.String())
}

// orderRenames sorts renames so that each new name is free when it is used. It returns false if names are exchanged.
func orderRenames(in []ddl.Rename, names []string) ([]ddl.Rename, bool) {
	taken := map[string]bool{}
	for _, n := range names {
		taken[n] = true
	}
	var out []ddl.Rename
	for len(out) < len(in) {
		before := len(out)
		for _, r := range in {
			if taken[r.From] && !taken[r.To] {
				taken[r.From], taken[r.To] = false, true
				out = append(out, r)
			}
		}
		if len(out) == before {
			return nil, false
		}
	}
	return out, true
}
