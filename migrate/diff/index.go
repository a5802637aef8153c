package diff

import (
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/catalog"
)

// dropIndexes drops those that the model has no more, or has otherwise: before their columns are renamed or dropped, and
// before another takes their names.
func (p *planner) dropIndexes() {
	for _, t := range p.from.Tables {
		for _, i := range t.Indexes {
			table, want := p.to.Index(i.Name)
			switch {
			case want == nil && (p.from.Manual[i.Name] || p.to.Table(t.Name) == nil):
			case want == nil:
				p.emit(t.Name+" has no such index any more.", "DROP INDEX %s", model.Quote(i.Name))
			case table.Name != t.Name || !catalog.SameIndex(i, want):
				p.emit("The index is made anew below: "+change(t, i, table, want)+".", "DROP INDEX %s", model.Quote(i.Name))
			}
		}
	}
}

// change says how an index changes.
func change(t *schema.Table, i *schema.Index, table *schema.Table, want *schema.Index) string {
	switch {
	case t.Name != table.Name:
		return "it is on " + table.Name + " now"
	case i.Target != want.Target:
		return "it is on " + want.Target + " now, and was on " + i.Target
	case i.Class != want.Class:
		return "it is of SAI now, and was of " + i.Class
	}
	return "it has other options"
}

// createIndexes creates what a table of the model lacks.
func (p *planner) createIndexes(t *schema.Table) {
	for _, i := range t.Indexes {
		_, there := p.now.Index(i.Name)
		if other := p.equal(t, i); there == nil && other != "" {
			p.refuse(markerOf(p.owner[t]), RefusedIndex, "drop it by hand first, in a migration before this one, and write no -- aml:manual for it any more",
				"index %s of %s would be what %s is already, which -- aml:manual keeps: the server makes no second one", i.Name, t.Name, other)
		} else if there == nil {
			p.emit("", "%s", i.CQL(t))
		}
	}
}

// equal names an index of another name that differs in nothing else; "" for none.
func (p *planner) equal(t *schema.Table, i *schema.Index) string {
	if now := p.now.Table(t.Name); now != nil {
		for _, o := range now.Indexes {
			if o.Name != i.Name && catalog.SameIndex(o, i) {
				return o.Name
			}
		}
	}
	return ""
}
