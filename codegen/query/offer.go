package query

import (
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/query/syntax"
)

// offer derives a redundant aggregate that answers a request, or returns why none can.
func (k *check) offer(r *request) (*Offer, string) {
	d := &deriver{check: k, request: r, base: r.table.Aggregate}
	if why := d.impossible(); why != "" {
		return nil, why
	}
	if why := d.key(); why != "" {
		return nil, why
	}
	s := d.declare()
	o, why := k.build(r, s, d.comment())
	if o != nil {
		o.Notes = append(o.Notes, d.advice()...)
	}
	return o, why
}

// comment describes the aggregate.
func (d *deriver) comment() string {
	if d.element != nil {
		return "has a row for each element of " + d.path(d.element.Column).String() + "."
	}
	text := "has the rows of " + d.base.Struct.Name + " by " + names(d.partition)
	for _, c := range d.sorted {
		if !slices.Contains(d.table.Key(), c.Column) || slices.ContainsFunc(d.where, func(w restriction) bool { return w.Column == c.Column }) {
			text += ", " + c.Name
		}
	}
	return text + "."
}

// advice returns the options that the source of the aggregate should declare.
func (d *deriver) advice() []string {
	if len(d.partition) > 1 || d.element != nil {
		return nil
	}
	at := d.partition[0].Attribute
	if t := at.Type; t.Kind != model.Scalar || at.Mandatory || at.Key || !slices.Contains([]string{"text", "ascii", "blob"}, t.CQL) || d.when != nil {
		return nil
	}
	return []string{"add required to " + d.path(d.partition[0]).String() + ": an empty value cannot be the whole partition key, so a write of one is refused"}
}

// build builds the model with a struct. The struct is an offer if no rule refuses it, and its table answers the request.
func (k *check) build(r *request, s *model.Struct, comment string) (*Offer, string) {
	p := *k.Model.Package
	p.Structs = append(slices.Clone(p.Structs), s)
	m, faults := model.Build(&p)
	own := slices.DeleteFunc(faults, func(d model.Diagnostic) bool { return d.Pos.File != s.Pos.File })
	if model.Refused(own) {
		i := slices.IndexFunc(own, func(d model.Diagnostic) bool { return d.Rule.Severity == model.Refusal })
		return nil, "a redundant aggregate with these columns is refused: " + own[i].Rule.Code + ": " + own[i].What
	}
	with := Checker{Model: m, Schema: schema.New(m), Prefix: k.Prefix}
	o := &Offer{Name: s.Name, Source: declaration(s, comment), Model: m, Schema: with.Schema, Warnings: own}
	again := &check{Checker: with, query: &Query{}, text: k.text, place: k.place}
	for _, of := range with.all() {
		if of.table.Aggregate.Struct == s {
			o.Table = of.table
			call, f := again.answerWith(r, of)
			if f != nil {
				return nil, "the redundant aggregate " + s.Name + " would not answer it: " + strings.Join(slices.DeleteFunc([]string{f.what, f.fix}, func(s string) bool { return s == "" }), "; ")
			}
			o.Method, o.Values, o.Notes = call.text, call.values, call.notes
			return o, ""
		}
	}
	panic("query: the model has no table of " + s.Name)
}

// answerWith answers a request of another model with a table.
func (k *check) answerWith(r *request, of source) (call, *shortfall) {
	same := *r
	for _, s := range slices.Concat(k.all(), k.views()) {
		if s.structName() == r.structName() {
			same.source = s
		}
	}
	find := func(c *schema.Column) *schema.Column { return same.column(syntax.Name{Text: c.Name}) }
	same.columns, same.where, same.order = nil, nil, nil
	for _, c := range r.columns {
		same.columns = append(same.columns, find(c))
	}
	for _, w := range r.where {
		same.where = append(same.where, restriction{find(w.Column), w.Relation})
	}
	for _, o := range r.order {
		o.Column = find(o.Column)
		same.order = append(same.order, o)
	}
	moved := same.moved(of)
	if moved == nil {
		return call{}, same.unmoved(of)
	}
	return k.answer(moved)
}

// unmoved returns why a table does not have the rows of a request.
func (r *request) unmoved(to source) *shortfall {
	columns := slices.Clone(r.columns)
	for _, w := range r.where {
		columns = append(columns, w.Column)
	}
	for _, o := range r.order {
		columns = append(columns, o.Column)
	}
	from := r.table.Aggregate
	for _, c := range columns {
		if counterpart(from, c, to) == nil && elementColumn(c, to) == nil {
			return &shortfall{r.from, RuleNoMethod, "its " + c.Name + " is not that of " + r.table.Name, "query the table of " + sourceRoot(from).Struct.Name + " instead, or select fewer columns"}
		}
	}
	return &shortfall{r.from, RuleNoMethod, "it can have other rows than " + r.table.Name, "query the table of " + sourceRoot(from).Struct.Name + " instead"}
}

// impossible returns why no redundant aggregate can answer the request; "" if one may.
func (d *deriver) impossible() string {
	switch {
	case d.view != nil:
		return "name the table of " + d.base.Struct.Name + " instead of its view"
	case d.base.Counter:
		return "counters have no redundant aggregate: keep counters with the key of the query, too"
	case !complete(d.base):
		return "query the table of " + sourceRoot(d.base).Struct.Name + " instead: " + d.table.Name + " is shared, unlogged or expires, and can have other rows"
	case d.near != nil:
		return "add index to the vector"
	case d.keysets != nil:
		return "compare the clustering columns of a table whose partition key has a value"
	case d.distinct != nil:
		return "delete DISTINCT"
	}
	return ""
}

// key derives the key: the partition key from the equalities, then the other equalities, the range, the order and the columns that make the key
// unique. It returns why none is possible.
func (d *deriver) key() string {
	var equal, in, bounds []*schema.Column
	for i := range d.where {
		w := &d.where[i]
		switch w.Operator {
		case syntax.Equal:
			equal = append(equal, w.Column)
		case syntax.In:
			in = append(in, w.Column)
		case syntax.Contains:
			if d.element != nil || d.base.Redundancy != nil || w.Attribute.Type.Elem == nil || w.Attribute.Type.Elem.Kind != model.Scalar {
				return "CONTAINS needs an index, or one collection of a source with scalar elements"
			}
			d.element = w
		default:
			if !slices.Contains(bounds, w.Column) {
				bounds = append(bounds, w.Column)
			}
		}
	}
	switch {
	case len(bounds) > 1:
		return "only one column can have a range: restrict the others in Go"
	case len(in) > 1:
		return "only one column can have IN: send a query for each value of the others"
	case len(equal)+len(in) == 0 && d.element == nil:
		return "a table needs an equality, which selects a partition: store a column that divides the rows, such as a day, and restrict it, too"
	}
	d.divide(equal, in)
	return d.sort(bounds)
}

// divide sets the partition key. If the equalities contain the partition key of the table, it stays, so that a row is written to the
// partition of its source: the others are clustering columns.
func (d *deriver) divide(equal, in []*schema.Column) {
	own := d.table.PartitionKey
	stays := len(in) == 0 && d.element == nil && !slices.ContainsFunc(own, func(c *schema.Column) bool { return !slices.Contains(equal, c) })
	d.partition = slices.Concat(equal, in)
	if stays {
		d.partition = own
		for _, c := range equal {
			if !slices.Contains(own, c) {
				d.sorted = append(d.sorted, sortedColumn{c, model.Ascending})
			}
		}
	}
	if d.element != nil {
		d.partition = append(d.partition, d.element.Column)
	}
}

// sort adds the clustering columns after those with one value.
func (d *deriver) sort(bounds []*schema.Column) string {
	order := d.sorting()
	if len(bounds) == 1 && len(order) > 0 && order[0].Column != bounds[0] {
		return "sort the rows in Go: a range of " + bounds[0].Name + " has the order of " + bounds[0].Name
	}
	for _, o := range order {
		direction := model.Ascending
		if o.descending {
			direction = model.Descending
		}
		d.cluster(o.Column, direction)
	}
	for _, c := range bounds {
		d.cluster(c, c.Order)
	}
	if d.unique() {
		return d.nullable()
	}
	for _, c := range d.table.Key() {
		d.cluster(c, c.Order)
	}
	return d.nullable()
}

// cluster adds a clustering column, unless the key has it.
func (d *deriver) cluster(c *schema.Column, order model.Order) {
	inKey := slices.ContainsFunc(d.sorted, func(s sortedColumn) bool { return s.Column == c })
	collection := d.element != nil && c == d.element.Column
	if !collection && !inKey && !slices.Contains(d.partition, c) {
		d.sorted = append(d.sorted, sortedColumn{c, order})
	}
}

// unique reports whether the key is the values of a unique group, which identify a row.
func (d *deriver) unique() bool {
	return slices.ContainsFunc(d.base.Uniques, func(u *model.Unique) bool {
		return len(d.sorted) == 0 && d.element == nil && len(u.Paths) == len(d.partition) && !slices.ContainsFunc(u.Paths, func(p *model.Path) bool {
			return len(p.Steps) != 1 || !slices.ContainsFunc(d.partition, func(c *schema.Column) bool { return c.Attribute == p.Steps[0] })
		})
	})
}

// nullable sets the column of the key that can be nil.
func (d *deriver) nullable() string {
	for _, c := range d.inKey() {
		if d.element != nil && c == d.element.Column || !d.path(c).CanBeNil() {
			continue
		}
		if d.when != nil || condition(d.base) != "" {
			return c.Name + " can be nil and cannot be in a key; make it required"
		}
		d.when = c
	}
	return ""
}

// inKey returns the columns of the key.
func (d *deriver) inKey() []*schema.Column {
	out := slices.Clone(d.partition)
	for _, s := range d.sorted {
		out = append(out, s.Column)
	}
	return out
}
