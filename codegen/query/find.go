package query

import (
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/query/syntax"
)

// find returns the call that answers a request: with the table that it names or, if that does not answer it, with another table of the
// same source. Otherwise it returns why the named table does not. A read by a unique value sends two requests: it is the answer if no
// table answers the request by its key, and is preferred to an index that queries all nodes.
func (k *check) find(r *request) (call, *shortfall) {
	c, fault := k.answer(r)
	unique, isUnique := k.byUnique(r)
	if fault == nil && !(isUnique && c.nodes) {
		if r.view == nil {
			c.notes = append(c.notes, k.answeringViews(r)...)
		}
		return c, nil
	}
	for _, of := range k.all() {
		if moved := r.moved(of); moved != nil && of.table != r.table {
			if c, f := k.answer(moved); f == nil && !(isUnique && c.nodes) {
				c.notes = append(c.notes, of.table.Name+" has these rows of "+r.table.Name+", too")
				return c, nil
			}
		}
	}
	if isUnique {
		return unique, nil
	}
	return call{}, fault
}

// answeringViews names the views that answer a request, too, with fewer columns.
func (k *check) answeringViews(r *request) (out []string) {
	if r.whole {
		return nil
	}
	for _, of := range k.views() {
		v := *r
		v.source = of
		has := func(c *schema.Column) bool { return of.view.Attribute(c) != nil || c.InKey() }
		if of.view.Model.Of != r.table.Aggregate || slices.ContainsFunc(r.columns, func(c *schema.Column) bool { return !has(c) }) {
			continue
		}
		if c, f := k.answer(&v); f == nil {
			out = append(out, c.text+" reads the columns of the view "+of.field+" alone")
		}
	}
	return out
}

// moved returns the same request of another table; nil if it has other rows than the request's table, or lacks one of its columns.
func (r *request) moved(to source) *request {
	if r.keysets != nil {
		return nil // the columns are compared in the order of the table
	}
	looped := r.looped(to)
	if !looped && !sameRows(r.table.Aggregate, to.table.Aggregate, r) {
		return nil
	}
	out := *r
	out.source, out.columns, out.where, out.order = to, nil, nil, nil
	for _, c := range r.columns {
		at := counterpart(r.table.Aggregate, c, to)
		if at == nil {
			return nil
		}
		out.columns = append(out.columns, at)
	}
	for _, w := range r.where {
		at := counterpart(r.table.Aggregate, w.Column, to)
		rel := w.Relation
		switch {
		case w.Operator == syntax.Contains && looped:
			equal := *rel
			equal.Operator = syntax.Equal
			at, rel = elementColumn(w.Column, to), &equal
		case at == nil && r.implies(w, to.table.Aggregate):
			continue
		}
		if at == nil {
			return nil
		}
		out.where = append(out.where, restriction{at, rel})
	}
	for _, o := range r.order {
		at := counterpart(r.table.Aggregate, o.Column, to)
		if at == nil {
			return nil
		}
		out.order = append(out.order, ordering{at, o.descending, o.value, o.at})
	}
	if r.near != nil {
		at := counterpart(r.table.Aggregate, r.near.Column, to)
		if at == nil {
			return nil
		}
		out.near = &ordering{at, false, r.near.value, r.near.at}
	}
	return &out
}

// looped reports whether a request restricts a collection of its source by CONTAINS, and another table has a row for each element of
// that collection.
func (r *request) looped(to source) bool {
	return slices.ContainsFunc(r.where, func(w restriction) bool { return w.Operator == syntax.Contains && elementColumn(w.Column, to) != nil }) &&
		r.table.Aggregate.IsSource() && complete(to.table.Aggregate) &&
		(condition(to.table.Aggregate) == "" || slices.ContainsFunc(r.where, func(w restriction) bool { return r.implies(w, to.table.Aggregate) }))
}

// elementColumn returns the column with the elements of a collection in a table that has a row for each of them; nil for none.
func elementColumn(c *schema.Column, in source) *schema.Column {
	r := in.table.Aggregate.Redundancy
	if r == nil || r.Path == nil || len(r.Path.Steps) != 1 || r.Path.Steps[0] != c.Attribute {
		return nil
	}
	return originating(in, &model.Path{Source: r.Source, Steps: r.Path.Steps, Loop: 0})
}

// sameRows reports whether two tables have a row for the same sources or elements, as far as a request reads them.
func sameRows(a, b *model.Aggregate, of *request) bool {
	if sourceRoot(a) != sourceRoot(b) || loop(a) != loop(b) || !complete(a) || !complete(b) {
		return false
	}
	if condition(a) == condition(b) {
		return true
	}
	return condition(a) == "" && slices.ContainsFunc(of.where, func(w restriction) bool { return of.implies(w, b) })
}

// complete reports whether an aggregate has all rows of its source, and no others, at any time.
func complete(a *model.Aggregate) bool {
	r := a.Redundancy
	return r == nil || !r.Shared && !r.Unlogged && (!a.Properties.Expires() || r.Source.Properties.Expires())
}

// loop returns the collection whose elements have rows; "" for none.
func loop(a *model.Aggregate) string {
	if a.Redundancy == nil || a.Redundancy.Path == nil {
		return ""
	}
	return a.Redundancy.Path.String()
}

// condition returns the condition of an aggregate's rows; "" for none.
func condition(a *model.Aggregate) string {
	if a.Redundancy == nil {
		return ""
	}
	return a.Redundancy.Condition()
}

// implies reports whether the rows that a restriction selects have the condition of a redundant aggregate: the rows with
// status = 'open' have when='Order.Status = open', and the column of any restriction is not null.
func (r *request) implies(w restriction, of *model.Aggregate) bool {
	red := of.Redundancy
	if red == nil || red.When == nil || len(red.When.Steps) != 1 || red.When.Steps[0] != w.Attribute {
		return false
	}
	equal := func(is func(syntax.Value) bool) bool { return w.Operator == syntax.Equal && is(w.Values[0]) }
	switch {
	case red.OneOf != nil:
		return equal(func(v syntax.Value) bool {
			return v.Kind != syntax.Marker && len(red.OneOf) == 1 && red.OneOf[0].Value == v.Text
		})
	case red.When.Bool():
		return equal(func(v syntax.Value) bool { return v.Kind == syntax.Boolean && strings.EqualFold(v.Text, "true") })
	}
	return true // no restriction selects null
}

// counterpart returns the column of another table with the same values; nil for none.
func counterpart(of *model.Aggregate, c *schema.Column, to source) *schema.Column {
	if of == to.table.Aggregate {
		return c
	}
	if of.Redundancy != nil && c.Attribute.Origin.Object != nil {
		return nil
	}
	return originating(to, sourcePath(of, c))
}

// sourcePath returns the path of a column's values in the source of an aggregate.
func sourcePath(of *model.Aggregate, c *schema.Column) *model.Path {
	if of.Redundancy != nil {
		return c.Attribute.Origin.Path
	}
	return &model.Path{Source: of, Steps: []*model.Attribute{c.Attribute}, Loop: -1}
}

// originating returns the column of a table with the values at the end of a path; nil for none.
func originating(to source, p *model.Path) *schema.Column {
	a := to.table.Aggregate
	for _, c := range to.columns() {
		switch {
		case a.Redundancy != nil && c.Attribute.Origin.Is(p):
			return c
		case a == p.Source && len(p.Steps) == 1 && p.Loop < 0 && c.Attribute == p.Steps[0]:
			return c
		}
	}
	return nil
}
