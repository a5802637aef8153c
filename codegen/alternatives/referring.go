package alternatives

import (
	"slices"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/explain"
)

// reference returns the reference whose reverse table a table is; nil for any other table.
func (x *measuring) reference(t *schema.Table) *schema.CheckedReference {
	if x.table.Versioning == nil {
		return nil
	}
	i := slices.IndexFunc(x.table.Versioning.References, func(r *schema.CheckedReference) bool { return r.Table == t })
	if i < 0 {
		return nil
	}
	return x.table.Versioning.References[i]
}

// referring returns the numbers of references to different roots that a call adds and drops.
func (x *measuring) referring(r *schema.CheckedReference) (added, dropped int) {
	return x.changed(r.Model.Target, r.Model.Path)
}

// changed returns the numbers of references to a root that a call adds and drops. The call has the number for the relationship. Each row, and each
// element, has one other reference where it cannot be null, to a root of its own that exists, and none where it can.
func (x *measuring) changed(target *model.Aggregate, path []*model.Attribute) (added, dropped int) {
	held, isOfElement := x.held(path)
	switch ours := slices.Contains(x.sides, target.Struct.Name); {
	case ours && (x.Effect == Removing || x.Effect == Deleting):
		return 0, x.referred()
	case ours && x.Effect == Renaming:
		return x.referred(), x.referred()
	case ours:
		return x.referred(), 0
	case x.Effect == Inserting:
		return held, 0
	case x.Effect == Deleting:
		return 0, held
	case isOfElement && x.Effect == Adding:
		return min(held, 1), 0
	case isOfElement && x.Effect == Removing:
		return 0, min(held, 1)
	}
	return 0, 0
}

// held returns the number of references that a row of the sample has at a path, and whether its elements have them.
func (x *measuring) held(path []*model.Attribute) (n int, ofElement bool) {
	n = 1
	if ofElement = x.collection != nil && path[0] == x.collection && len(path) > 1; ofElement {
		n, path = x.n, path[1:]
	}
	if !isSet(path) {
		n = 0
	}
	return n, ofElement
}

// referred returns the number of references of the relationship that the call adds or drops.
func (x *measuring) referred() int {
	if x.references == elements {
		return x.n
	}
	return x.references
}

// isSet reports whether a reference is in each row: it is not in a collection, and cannot be null.
func isSet(path []*model.Attribute) bool {
	return !slices.ContainsFunc(path, func(at *model.Attribute) bool {
		return at.Type.Nullable || slices.Contains([]model.TypeKind{model.List, model.Set, model.MapType}, at.Type.Kind)
	})
}

// added returns the number of references to a root that the call adds, without those by which fields follow.
func (x *measuring) added(target *model.Aggregate) (n int) {
	for _, r := range x.table.Versioning.References {
		if added, _ := x.referring(r); r.Copy == nil && r.Model.Target == target {
			n += added
		}
	}
	return n
}

// copied returns the number of references that the call adds or changes, and with which it copies fields of a root.
func (x *measuring) copied(target *model.Aggregate) (n int) {
	for _, c := range x.table.Aggregate.FinalCopies {
		if added, _ := x.changed(c.Target, []*model.Attribute{c.Attribute}); c.Target == target {
			n += added
		}
	}
	return n
}

// buckets returns how often a request is sent: once for each partition of the reverse table that it reads.
func buckets(r *explain.Request) int {
	if !r.Read {
		return 1
	}
	return max(1, r.Writes[0].Table.Buckets)
}
