package diff

import (
	"slices"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/catalog"
)

// replaceIndexes drops the indexes that the model defines differently, and those that prevent a later step: an index of a key
// column that is renamed, and an index that is equal to a new one, because the server creates no second one.
func (p *planner) replaceIndexes() {
	for _, t := range p.from.Tables {
		for _, i := range t.Indexes {
			table, want := p.to.Index(i.Name)
			switch {
			case want == nil && p.droppableIndex(t, i) && p.blocks(t, i):
				p.dropIndex(t, i)
			case want != nil && (table.Name != t.Name || !catalog.SameIndex(i, want)):
				p.emit("The index is created again below: "+change(t, i, table, want)+".", DropIndex{i.Name})
			}
		}
	}
}

// dropIndexes drops the other indexes that the model no longer has, before their columns are dropped.
func (p *planner) dropIndexes() {
	for _, t := range p.from.Tables {
		for _, i := range t.Indexes {
			if _, want := p.to.Index(i.Name); want == nil && p.droppableIndex(t, i) && !p.blocks(t, i) {
				p.dropIndex(t, i)
			}
		}
	}
}

func (p *planner) dropIndex(t *schema.Table, i *schema.Index) {
	p.emit(t.Name+" no longer has this index.", DropIndex{i.Name})
}

// droppableIndex reports whether an index that the model does not have is dropped: it is not manual, its table is kept, and was=
// does not name its column. A program of the earlier model cannot open a keyspace in which an index of its columns is missing.
func (p *planner) droppableIndex(t *schema.Table, i *schema.Index) bool {
	to := p.to.Table(t.Name)
	return !p.from.Manual[i.Name] && to != nil && !earlierColumn(to, catalog.IndexedColumn(i))
}

// blocks reports whether an index must be dropped before the other changes of its table.
func (p *planner) blocks(t *schema.Table, i *schema.Index) bool {
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
		return "it is now on " + table.Name
	case i.Target != want.Target:
		return "it is now on " + want.Target + " instead of " + i.Target
	case i.Class != want.Class:
		return "it is now SAI instead of " + i.Class
	}
	return "its options have changed"
}

// createIndexes creates the indexes of the model that a table does not have.
func (p *planner) createIndexes(t *schema.Table) {
	for _, i := range t.Indexes {
		_, there := p.now.Index(i.Name)
		if other := p.equal(t, i); there == nil && other != "" {
			p.refuse(markerPos(p.owner[t]), RefusedIndex, "first drop that index by hand, in an earlier migration",
				"index %s of %s is equal to index %s, which -- aml:manual keeps: the server creates no second one", i.Name, t.Name, other)
		} else if there == nil {
			p.emit("", CreateIndex{t, i})
		}
	}
}

// equal returns the name of an index that differs only in its name; "" if there is none.
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
