package diff

import (
	"slices"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/catalog"
)

// replaceIndexes drops the indexes that the model has otherwise, and those that are in the way of what comes: of a column of
// the key that is renamed, or equal to one of another name, of which the server makes no second one.
func (p *planner) replaceIndexes() {
	for _, t := range p.from.Tables {
		for _, i := range t.Indexes {
			table, want := p.to.Index(i.Name)
			switch {
			case want == nil && p.gone(t, i) && p.inTheWay(t, i):
				p.dropIndex(t, i)
			case want != nil && (table.Name != t.Name || !catalog.SameIndex(i, want)):
				p.emit("The index is made anew below: "+change(t, i, table, want)+".", DropIndex{i.Name})
			}
		}
	}
}

// dropIndexes drops the others that the model has no more, before their columns are dropped.
func (p *planner) dropIndexes() {
	for _, t := range p.from.Tables {
		for _, i := range t.Indexes {
			if _, want := p.to.Index(i.Name); want == nil && p.gone(t, i) && !p.inTheWay(t, i) {
				p.dropIndex(t, i)
			}
		}
	}
}

func (p *planner) dropIndex(t *schema.Table, i *schema.Index) {
	p.emit(t.Name+" has no such index any more.", DropIndex{i.Name})
}

// gone reports whether an index that the model does not have is to be dropped: it is not manual, its table stays, and was= does
// not name its column. An earlier program does not open a keyspace without the index of a column that it knows.
func (p *planner) gone(t *schema.Table, i *schema.Index) bool {
	to := p.to.Table(t.Name)
	return !p.from.Manual[i.Name] && to != nil && !earlierColumn(to, catalog.IndexedColumn(i))
}

// inTheWay reports whether an index has to be dropped before the other changes of its table.
func (p *planner) inTheWay(t *schema.Table, i *schema.Index) bool {
	to := p.to.Table(t.Name)
	name := catalog.IndexedColumn(i)
	if c := catalog.Column(t, name); c != nil && c.InKey() && catalog.Column(to, name) == nil {
		return true
	}
	return slices.ContainsFunc(to.Indexes, func(w *schema.Index) bool { return catalog.SameIndex(i, w) })
}

// change returns how an index changes.
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
			p.emit("", CreateIndex{t, i})
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
