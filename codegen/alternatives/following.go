package alternatives

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/codegen/explain"
)

// copied returns how often the condition of a request about copies of fields in other roots holds; known is false for any other condition.
func (x *measuring) copied(condition string) (times int, known bool) {
	fields, rest, changed := strings.Cut(condition, " of an existing row changes")
	inserted, kept := strings.CutPrefix(condition, "because other roots can still refer to the key")
	switch {
	case strings.HasSuffix(condition, " whose fields the row has"):
		return x.saves(strings.TrimSuffix(strings.TrimPrefix(condition, "for each "), " whose fields the row has")), true
	case changed && x.Effect == Renaming && slices.Contains(strings.Split(strings.TrimPrefix(fields, "if "), " or "), x.Field):
		return buckets(rest), true
	case kept:
		return buckets(inserted), true
	}
	return 0, changed
}

// saves returns the number of references by which the row has fields of a root, after a call that saves the row: it reads the roots.
func (x *measuring) saves(target string) (n int) {
	if x.Effect == Deleting {
		return 0
	}
	for _, r := range x.table.Versioning.References {
		if r.Copy != nil && r.Model.Target.Struct.Name == target && (slices.Contains(x.sides, target) || isSet(r.Model.Path)) {
			n++
		}
	}
	return n
}

// buckets returns the number of partitions of a reverse table, each of which is read.
func buckets(condition string) int {
	number := 1
	_, _ = fmt.Sscanf(condition, ", for each of the %d buckets", &number) // it stays 1 if the text is absent
	return number
}

// isHolder reports whether a request is for each root that has copies of fields which the call changes.
func isHolder(r *explain.Request) bool {
	return strings.HasSuffix(r.If, ": it is saved if its fields are older")
}

// follow adds the saves of the elements that have copies of a changed field. No other root has copies of the sample.
func (x *measuring) follow(o *explain.Operation, r *explain.Request) {
	changes := slices.ContainsFunc(o.Requests, func(r *explain.Request) bool {
		times, known := x.copied(r.If)
		return known && times > 0
	})
	if of := r.Writes[0].Table.Aggregate.Struct.Name; changes && x.Effect == Renaming && of == x.element {
		cost, err := x.one(Call{Of: of, Method: "Update", Field: x.copy, Effect: Renaming})
		x.err = err
		x.cost.add(cost, x.n)
	}
}
