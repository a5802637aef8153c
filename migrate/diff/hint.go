package diff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/catalog"
)

// hints finds possible mistakes.
func (p *planner) hints() {
	for _, t := range p.to.Tables {
		a := t.Aggregate
		if a == nil {
			continue
		}
		if a.Was != "" && p.from.Table(a.Was) == nil {
			p.hint(a.Tag, markerPos(a), "table", a.Was)
		}
		for _, c := range t.Columns {
			at := c.Attribute
			if old := p.from.Table(t.Name); old != nil && at != nil && at.Was != "" && !hasColumn(old, at.Was) && !hasColumn(p.replaced(t), at.Was) {
				p.hint(at.Tag, at.Pos, "column", at.Was)
			}
		}
	}
	for _, u := range p.to.Types {
		if _, shared := p.now.Shared[u.Name]; shared {
			continue // its was= applies to the folder that owns it
		}
		if tag, err := model.ParseTag(u.Object.Struct.Tag); err == nil && u.Object.Was != "" && p.from.Type(u.Object.Was) == nil {
			p.hint(tag, placeOfType(u), "type", u.Object.Was)
		}
		old := p.from.Type(u.Name)
		for _, f := range u.Fields {
			if old != nil && f.Attribute.Was != "" && !hasField(old, f.Attribute.Was) && !hasField(p.from.Type(u.Object.Was), f.Attribute.Was) {
				p.hint(f.Attribute.Tag, f.Attribute.Pos, "field", f.Attribute.Was)
			}
		}
	}
	p.similar()
	p.reverted()
	p.unfilled()
	slices.SortFunc(p.plan.Hints, func(a, b Hint) int {
		return cmp.Or(cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col))
	})
	p.plan.Hints = slices.Compact(p.plan.Hints)
}

// hasColumn reports whether a table, which may be nil, has a column.
func hasColumn(t *schema.Table, name string) bool { return t != nil && catalog.Column(t, name) != nil }

// hasField reports whether a type, which may be nil, has a field.
func hasField(u *schema.UDT, name string) bool {
	return u != nil && slices.Contains(fieldNames(u), name)
}

func (p *planner) hint(tag model.Tag, otherwise model.Pos, what, was string) {
	p.plan.Hints = append(p.plan.Hints, Hint{placeOfWas(tag, otherwise), fmt.Sprintf("%s %s no longer exists; remove was=%s", what, was, was)})
}

// placeOfWas returns the position of was= in a tag.
func placeOfWas(tag model.Tag, otherwise model.Pos) model.Pos {
	if o, ok := tag.Option("was"); ok {
		return o.Pos
	}
	return otherwise
}

// reverted reports each was= whose table or column was created later than the new name. Values were copied to it, and nothing is
// copied back.
func (p *planner) reverted() {
	for _, t := range p.to.Tables {
		old, a := p.from.Table(t.Name), t.Aggregate
		if old == nil {
			continue
		}
		if was := p.replaced(t); was != nil && p.laterThan(was.Name, "", t.Name, "") && p.from.Order.Backfilled(t.Name) < p.from.Order.Created(was.Name, "") {
			p.hintReverted(a.Tag, markerPos(a), fmt.Sprintf("%s is older than %s", t.Name, was.Name))
		}
		for _, c := range t.Columns {
			if was := p.source(old, t, c); was != "" && was != c.Name && p.laterThan(t.Name, was, t.Name, c.Name) {
				p.hintReverted(c.Attribute.Tag, c.Attribute.Pos, fmt.Sprintf("column %s of %s is older than %s", c.Name, t.Name, was))
			}
		}
	}
}

func (p *planner) hintReverted(tag model.Tag, otherwise model.Pos, what string) {
	p.plan.Hints = append(p.plan.Hints, Hint{placeOfWas(tag, otherwise), what + ", which was= names: nothing is copied back; " +
		"write a migration that copies the values back, then remove was="})
}

// laterThan reports whether the folder created one table or column in the same file as another existing one, or in a later file.
func (p *planner) laterThan(table, column, thanTable, thanColumn string) bool {
	o := p.from.Order
	if o == nil {
		return false
	}
	than := o.Created(thanTable, thanColumn)
	return than > 0 && o.Created(table, column) >= than
}

// unfilled reports the redundant tables that the folder creates after their source and never fills.
func (p *planner) unfilled() {
	o := p.from.Order
	for _, t := range p.to.Tables {
		planned := slices.ContainsFunc(p.refills, func(r refill) bool { return r.table == t.Name })
		if a := t.Aggregate; o != nil && a != nil && !a.IsSource() && !planned && o.Backfilled(t.Name) < o.Created(t.Name, "") {
			if source := p.earlierTable(a.Redundancy.Source, o.Created(t.Name, "")); source != "" {
				p.plan.Hints = append(p.plan.Hints, Hint{markerPos(a), fmt.Sprintf("no migration fills %s, which was created after %s: the rows that %s had then are missing in it; "+
					"write -- aml:backfill %s in the next migration", t.Name, source, source, t.Name)})
			}
		}
	}
}

// earlierTable returns the name of the table in which an aggregate was stored before a file; "" if it was in no table.
func (p *planner) earlierTable(a *model.Aggregate, made int) string {
	if a.InRootTable {
		a = a.Root
	}
	for _, name := range []string{a.Table, a.Was} {
		if at := p.from.Order.Created(name, ""); 0 < at && at < made {
			return name
		}
	}
	return ""
}

// similar reports each table or column that is dropped if a similar one is new: this may be a rename without was=.
func (p *planner) similar() {
	for _, t := range p.to.Tables {
		if old := p.from.Table(t.Name); old != nil {
			p.similarColumns(old, t)
		} else if t.Aggregate != nil && p.replaced(t) == nil {
			p.similarTable(t)
		}
	}
}

func (p *planner) similarTable(t *schema.Table) {
	for _, old := range p.from.Tables {
		if p.now.Table(old.Name) == nil && shape(old) == shape(t) {
			p.plan.Hints = append(p.plan.Hints, Hint{markerPos(t.Aggregate),
				fmt.Sprintf("%s is dropped, and %s is new and has the same columns; if the table was renamed, write was=%s", old.Name, t.Name, old.Name)})
		}
	}
}

// shape returns a text of the key and the columns of a table, which does not depend on the order of the columns.
func shape(t *schema.Table) string {
	var columns []string
	for _, c := range t.Columns {
		columns = append(columns, c.Name+" "+c.Type.String()+" "+describeKind(c))
	}
	slices.Sort(columns)
	return formatKey(t) + strings.Join(columns, ",")
}

func (p *planner) similarColumns(old, t *schema.Table) {
	for _, c := range t.Columns {
		if catalog.Column(old, c.Name) != nil || c.Attribute == nil || c.Attribute.Field == nil || p.source(old, t, c) != "" {
			continue
		}
		for _, gone := range old.Columns {
			if catalog.Column(p.now.Table(t.Name), gone.Name) == nil && gone.Kind == c.Kind && gone.Type.String() == c.Type.String() {
				p.plan.Hints = append(p.plan.Hints, Hint{c.Attribute.Pos,
					fmt.Sprintf("%s of %s is dropped, and %s is new and has the same type; if the column was renamed, write was=%s", gone.Name, t.Name, c.Name, gone.Name)})
			}
		}
	}
}
