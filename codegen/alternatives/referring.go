package alternatives

import (
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
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
	return x.changed(r.Model.Target, isSet(r.Model.Path))
}

// changed returns the numbers of references to a root that a call adds and drops. The call has the number for the relationship. Each row has one
// other reference where it cannot be null, to a root that exists, and none where it can.
func (x *measuring) changed(target *model.Aggregate, set bool) (added, dropped int) {
	switch ours := slices.Contains(x.sides, target.Struct.Name); {
	case ours && (x.Effect == Removing || x.Effect == Deleting):
		return 0, x.referred()
	case ours && x.Effect == Renaming:
		return x.referred(), x.referred()
	case ours:
		return x.referred(), 0
	case set && x.Effect == Inserting:
		return 1, 0
	case set && x.Effect == Deleting:
		return 0, 1
	}
	return 0, 0
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

// read returns how often a read of the root to which a reference refers is sent; known is false for the condition of any other request.
func (x *measuring) read(condition string) (times int, known bool) {
	name, rest, ok := strings.Cut(strings.TrimPrefix(condition, "for each "), " ")
	if !ok || !strings.HasPrefix(condition, "for each ") {
		return 0, false
	}
	switch {
	case rest == "of an added reference":
		for _, r := range x.table.Versioning.References {
			if added, _ := x.referring(r); r.Copy == nil && r.Model.Target.Struct.Name == name {
				times += added
			}
		}
		return times, true
	case strings.HasPrefix(rest, "of a reference that is new or changed"):
		for _, c := range x.table.Aggregate.FinalCopies {
			if added, _ := x.changed(c.Target, isSet([]*model.Attribute{c.Attribute})); c.Target.Struct.Name == name {
				times += added
			}
		}
		return times, true
	case strings.HasSuffix(rest, "buckets"):
		return buckets(", " + condition), true
	}
	return 0, false
}
