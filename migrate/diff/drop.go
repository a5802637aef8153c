package diff

import (
	"fmt"
	"slices"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/catalog"
)

// dropColumns drops those that the model has no more, and that no was= names.
func (p *planner) dropColumns() {
	for _, t := range p.to.Tables {
		old := p.now.Table(t.Name)
		if old == nil {
			continue
		}
		for _, c := range slices.Clone(old.Columns) {
			gone := catalog.Column(t, c.Name) == nil && !c.InKey()
			if gone && !earlierColumn(t, c.Name) && p.droppable(t, c) {
				p.emit(fmt.Sprintf("%s has no %s any more: what is stored in it is lost.", p.owner[t].Struct.Name, c.Name), DropColumn{t.Name, c.Name})
			}
		}
	}
}

// earlierColumn reports whether was= names a column.
func earlierColumn(t *schema.Table, name string) bool {
	return slices.ContainsFunc(t.Columns, func(c *schema.Column) bool {
		return c.Attribute != nil && c.Attribute.Was == name && !c.InKey()
	})
}

// droppable refuses what the server does not drop.
func (p *planner) droppable(t *schema.Table, c *schema.Column) bool {
	if why := catalog.Stays(c.Type); why != "" {
		p.refuse(markerOf(p.owner[t]), RefusedDrop, fmt.Sprintf("put the field of %s back; or %s", c.Name, p.another(t)),
			"column %s of %s is %s, %s", c.Name, t.Name, c.Type, why)
		return false
	}
	for _, i := range p.now.Table(t.Name).Indexes {
		if catalog.IndexedColumn(i) == c.Name {
			p.refuse(markerOf(p.owner[t]), RefusedDrop, "drop the index by hand first, in a migration before this one",
				"column %s of %s cannot be dropped: -- aml:manual keeps its index %s", c.Name, t.Name, i.Name)
			return false
		}
	}
	return true
}

// dropTables drops those that the model has no more.
func (p *planner) dropTables() {
	for _, t := range p.from.Tables {
		if p.to.Table(t.Name) == nil && !p.kept[t.Name] && !p.from.Manual[t.Name] {
			p.emit(fmt.Sprintf("No struct is stored in %s any more: its rows are lost.", t.Name), DropTable{t.Name})
		}
	}
}

// dropTypes drops what the model has no more and nothing holds, each before those that it needs.
func (p *planner) dropTypes() {
	for _, u := range slices.Backward(slices.Clone(p.now.Types)) {
		if shared, ok := p.now.Shared[u.Name]; ok {
			if p.to.Type(u.Name) == nil && !shared.Ended && p.now.UserOf(u.Name) == "" {
				p.emit("", UnshareType{u.Name})
			}
			continue
		}
		if p.to.Type(u.Name) == nil && !p.from.Manual[u.Name] && p.now.UserOf(u.Name) == "" {
			p.emit("", DropType{u.Name})
		}
	}
}
