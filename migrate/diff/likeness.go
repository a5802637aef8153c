package diff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/catalog"
)

// likenesses hints at what goes and what is new in its likeness: it may be one thing under another name, which only was= can
// say.
func (p *planner) likenesses() {
	for _, t := range p.to.Tables {
		if old := p.from.Table(t.Name); old != nil {
			p.likeColumns(old, t)
		} else if t.Aggregate != nil && p.replaced(t) == nil {
			p.likeTable(t)
		}
	}
}

func (p *planner) likeTable(t *schema.Table) {
	for _, old := range p.from.Tables {
		if p.now.Table(old.Name) == nil && shape(old) == shape(t) {
			p.plan.Hints = append(p.plan.Hints, Hint{markerOf(t.Aggregate),
				fmt.Sprintf("%s is dropped, and %s is new and like it; if that is one table under another name, write was=%s", old.Name, t.Name, old.Name)})
		}
	}
}

// shape is the key and the columns of a table, in whatever order the latter are.
func shape(t *schema.Table) string {
	var columns []string
	for _, c := range t.Columns {
		columns = append(columns, c.Name+" "+c.Type.String()+" "+kindOf(c))
	}
	slices.Sort(columns)
	return keyOf(t) + strings.Join(columns, ",")
}

func (p *planner) likeColumns(old, t *schema.Table) {
	for _, c := range t.Columns {
		if catalog.Column(old, c.Name) != nil || c.Attribute == nil || c.Attribute.Field == nil || p.source(old, t, c) != "" {
			continue
		}
		for _, gone := range old.Columns {
			if catalog.Column(p.now.Table(t.Name), gone.Name) == nil && gone.Kind == c.Kind && gone.Type.String() == c.Type.String() {
				p.plan.Hints = append(p.plan.Hints, Hint{c.Attribute.Pos,
					fmt.Sprintf("%s of %s is dropped, and %s is new and like it; if that is one column under another name, write was=%s", gone.Name, t.Name, c.Name, gone.Name)})
			}
		}
	}
}
