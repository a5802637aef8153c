package alternatives

import (
	"slices"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/codegen/explain"
)

// unique adds the requests for the unique values that the call adds, removes or keeps.
func (x *measuring) unique(u *explain.Unique, o *explain.Operation) {
	added, removed, kept := x.uniqueValues(u)
	for i, r := range u.Claim {
		if o.Claims && (i == 0 || r.Cause == explain.ReleasedValue && x.released) {
			x.times(r, added)
		}
	}
	for _, r := range u.Release {
		switch {
		case !o.Releases:
		case r.Cause == explain.KeptValue:
			x.times(r, kept)
		default:
			x.times(r, removed)
		}
	}
}

// uniqueValues returns the numbers of values that a call adds, removes and keeps.
func (x *measuring) uniqueValues(u *explain.Unique) (added, removed, kept int) {
	all, ofElements := x.rowCount(u.Rows), u.Rows.Of != nil && u.Rows.Of == x.collection
	switch {
	case x.Effect == Inserting:
		return all, 0, 0
	case x.Effect == Deleting:
		return 0, all, 0
	case ofElements && x.Effect == Adding:
		return 1, 0, all - 1
	case ofElements && x.Effect == Removing:
		return 0, 1, all - 1
	case ofElements && x.Effect == Changing && isChanged(u, x.field), u.Rows.Of == nil && x.Effect == Renaming && isChanged(u, x.Field):
		return 1, 1, all - 1
	}
	return 0, 0, all
}

// isChanged reports whether a change of a field, of an element or of a root, changes a unique value.
func isChanged(u *explain.Unique, field string) bool {
	return slices.ContainsFunc(u.Model.Paths, func(p *model.Path) bool { return p.Loop+1 < len(p.Steps) && p.Steps[p.Loop+1].GoName() == field })
}
