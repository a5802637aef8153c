package query

import (
	"slices"

	"github.com/cassaml/cassaml/aml/schema"
)

// byUnique returns the call that reads a versioned root by a unique value, or by a group of them, if a request restricts these columns
// and no others.
func (k *check) byUnique(r *request) (call, bool) {
	of := k.aggregateSource(sourceRoot(r.table.Aggregate))
	moved := r.moved(of)
	if moved == nil || of.table.Versioning == nil || len(moved.order) > 0 || moved.near != nil || moved.distinct != nil || moved.contradiction() != nil {
		return call{}, false
	}
	for _, u := range of.table.Versioning.Uniques {
		if columns, ok := uniqueColumns(of.table, u); ok && len(columns) == len(moved.where) && moved.complete(columns) {
			w := k.writer(moved)
			w.note("it sends two requests: one reads the reservation, the other the row of its owner")
			return w.call(u.Method() + "(ctx, " + w.arguments(columns) + ")"), true
		}
	}
	return call{}, false
}

// uniqueColumns returns the columns of unique values, in the order of the arguments of the method. It returns false if one of the values is
// inside a composition.
func uniqueColumns(t *schema.Table, u *schema.Unique) (out []*schema.Column, ok bool) {
	for _, p := range u.Model.Paths {
		i := slices.IndexFunc(t.Columns, func(c *schema.Column) bool { return len(p.Steps) == 1 && c.Attribute == p.Steps[0] })
		if i < 0 {
			return nil, false
		}
		out = append(out, t.Columns[i])
	}
	return out, true
}
