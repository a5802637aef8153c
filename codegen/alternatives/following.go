package alternatives

import (
	"slices"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/codegen/explain"
)

// saves returns the number of references by which the row has fields of a root, after a call that saves the row: it reads the roots.
func (x *measuring) saves(target *model.Aggregate) (n int) {
	if x.Effect == Deleting {
		return 0
	}
	for _, r := range x.table.Versioning.References {
		if r.Copy != nil && r.Model.Target == target && (slices.Contains(x.sides, target.Struct.Name) || isSet(r.Model.Path)) {
			n++
		}
	}
	return n
}

// follow adds the saves of the elements that have copies of a changed field. No other root has copies of the sample.
func (x *measuring) follow(o *explain.Operation, r *explain.Request) {
	changes := slices.ContainsFunc(o.Requests, func(r *explain.Request) bool {
		return r.Cause == explain.FollowedChange && x.sends(r) > 0
	})
	if of := r.Writes[0].Table.Aggregate.Struct.Name; changes && x.Effect == Renaming && of == x.element {
		cost, err := x.one(Call{Of: of, Method: "Update", Field: x.copy, Effect: Renaming})
		x.err = err
		x.cost.add(cost, x.n)
	}
}
