package query

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/query/syntax"
)

// call is the call of a method that answers a query.
type call struct {
	text   string
	table  string
	values []Variable
	notes  []string
	nodes  bool // it queries all nodes
}

// answer returns the call that answers a request with its table.
func (k *check) answer(r *request) (call, *shortfall) {
	if f := r.contradiction(); f != nil {
		return call{}, f
	}
	w := k.writer(r)
	chain, f := w.chain()
	if f != nil {
		return call{}, f
	}
	return w.call(chain), nil
}

func (k *check) writer(r *request) *writer {
	return &writer{check: k, request: r, variables: newVariables(k.Model.Package.Name, k.Package)}
}

// contradiction reports a column that is restricted twice in the same way.
func (r *request) contradiction() *shortfall {
	for i, a := range r.where {
		for _, b := range r.where[:i] {
			if a.Column == b.Column && (a.side() == b.side() || a.side() == both || b.side() == both) {
				return &shortfall{a.Relation.From, RuleNoMethod, a.Name + " is restricted twice", "keep one of the restrictions"}
			}
		}
	}
	return nil
}

// side is the side of a column's values that a restriction bounds.
type side int

const (
	both side = iota
	lower
	upper
	elements // CONTAINS
)

func (r restriction) side() side {
	switch r.Operator {
	case syntax.AtLeast, syntax.More:
		return lower
	case syntax.AtMost, syntax.Less:
		return upper
	case syntax.Contains:
		return elements
	}
	return both
}

// restriction returns the restriction of a column by one of some operators; nil for none.
func (r *request) restriction(c *schema.Column, operators ...syntax.Operator) *restriction {
	i := slices.IndexFunc(r.where, func(w restriction) bool { return w.Column == c && slices.Contains(operators, w.Operator) })
	if i < 0 {
		return nil
	}
	return &r.where[i]
}

// ranged reports whether a column has a lower or an upper bound.
func (r *request) ranged(c *schema.Column) bool {
	return r.restriction(c, syntax.AtLeast, syntax.More, syntax.AtMost, syntax.Less) != nil
}

// writer writes the call that answers a request.
type writer struct {
	*check
	*request
	variables
	notes []string
	nodes bool
}

// call returns the call of the methods of a chain.
func (w *writer) call(chain string) call {
	return call{"s." + w.field + "." + chain, w.table.Name, w.variables.values, w.notes, w.nodes}
}

func (w *writer) note(format string, args ...any) {
	w.notes = append(w.notes, fmt.Sprintf(format, args...))
}

// chain returns the methods after the field of the store.
func (w *writer) chain() (string, *shortfall) {
	switch {
	case w.near != nil:
		return w.nearest()
	case len(w.where) == 0 && w.keysets == nil:
		return w.scan()
	}
	byKey, f := w.byKey()
	if f == nil {
		return byKey, nil
	}
	if found, ok := w.indexed(); ok && w.keysets == nil {
		return found, nil
	}
	return "", f
}

// scan reads the whole table.
func (w *writer) scan() (string, *shortfall) {
	if w.distinct != nil {
		return "", &shortfall{w.distinct.From, RuleNoMethod, "no method reads the partition keys alone", "read the rows with s." + w.field + ".All"}
	}
	if len(w.order) > 0 {
		return "", &shortfall{w.order[0].at, RuleOrder, "the rows of all partitions have no order", "restrict the columns of the partition key, " + names(w.table.PartitionKey)}
	}
	if w.limit != nil {
		w.note("end the loop after the rows of LIMIT")
	}
	return "All(ctx, mapper.ScanConfig{})", nil
}

// byKey reads by the key, or by a prefix of it.
func (w *writer) byKey() (string, *shortfall) {
	t := w.table
	if f := cmp.Or(w.comparable(), w.prefix()); f != nil {
		return "", f
	}
	key := t.Key()
	last := w.restriction(key[len(key)-1], syntax.In)
	if w.complete(key) {
		method := "Get"
		if w.part != nil {
			method += "With" + w.part.field
		}
		return method + "(ctx, " + w.arguments(key) + ")", nil
	}
	if w.distinct != nil {
		return w.statics()
	}
	if last != nil && w.complete(key[:len(key)-1]) {
		return w.many(last)
	}
	for i, c := range t.Discriminators() {
		if in := w.restriction(c, syntax.In); in != nil {
			return "", &shortfall{in.Relation.From, RuleNoMethod, "IN on " + c.Name + ", which is not the last column of the key", fmt.Sprintf("send a query for each value, or restrict %s, too", names(t.Discriminators()[i+1:]))}
		}
	}
	if f := w.ordered(); f != nil {
		return "", f
	}
	return w.partition() + w.restrictions() + w.compared() + w.reverse() + w.end(), nil
}

// partition returns the method that selects the partition, or several partitions.
func (w *writer) partition() string {
	key := w.table.PartitionKey
	if in := w.restriction(key[len(key)-1], syntax.In); in != nil {
		return "OfEach(" + w.partitions(in) + ")"
	}
	return "Of(" + w.arguments(key) + ")"
}

// complete reports whether each of some columns has one value.
func (r *request) complete(key []*schema.Column) bool {
	return !slices.ContainsFunc(key, func(c *schema.Column) bool { return r.restriction(c, syntax.Equal) == nil })
}

// prefix reports the first restriction that a read by the key does not have.
func (r *request) prefix() *shortfall {
	t := r.table
	for _, w := range r.where {
		if !w.InKey() || w.Operator == syntax.Contains {
			return &shortfall{w.Relation.From, RuleKey, fmt.Sprintf("%s is not in the key of %s %s", w.Name, t.Name, t.KeyText()), ""}
		}
	}
	for i, c := range t.PartitionKey {
		switch {
		case r.restriction(c, syntax.Equal) != nil, r.restriction(c, syntax.In) != nil && i == len(t.PartitionKey)-1:
		case r.restriction(c, syntax.In) != nil:
			return &shortfall{r.restriction(c, syntax.In).Relation.From, RuleNoMethod, "IN on " + c.Name + ", which is not the last column of the partition key", "send a query for each value"}
		case r.ranged(c):
			return &shortfall{r.firstRestriction(), RuleKey, fmt.Sprintf("%s is in the partition key of %s %s, which needs a value and not a range", c.Name, t.Name, t.KeyText()), ""}
		default:
			return &shortfall{r.firstRestriction(), RuleKey, fmt.Sprintf("the query has no value for %s in the partition key of %s %s", c.Name, t.Name, t.KeyText()), ""}
		}
	}
	return r.clustering()
}

// firstRestriction returns the offset of the first restriction.
func (r *request) firstRestriction() int {
	if len(r.where) == 0 {
		return r.keysets[0].From
	}
	return r.where[0].Relation.From
}

// clustering reports the first restriction of a clustering column after one that has no value.
func (r *request) clustering() *shortfall {
	var open *schema.Column // the first column without one value
	for _, c := range r.table.Discriminators() {
		i := slices.IndexFunc(r.where, func(w restriction) bool { return w.Column == c })
		switch {
		case i >= 0 && open != nil && r.ranged(open):
			return &shortfall{r.where[i].Relation.From, RuleRange, fmt.Sprintf("%s is restricted after the range of %s, which is before it in the key of %s %s", c.Name, open.Name, r.table.Name, r.table.KeyText()), ""}
		case i >= 0 && open != nil:
			return &shortfall{r.where[i].Relation.From, RuleKey, fmt.Sprintf("%s is restricted, but not %s, which is before it in the key of %s %s", c.Name, open.Name, r.table.Name, r.table.KeyText()), ""}
		case open == nil && r.restriction(c, syntax.Equal) == nil:
			open = c
		}
	}
	return nil
}

// restrictions returns the methods that restrict the clustering columns.
func (w *writer) restrictions() (text string) {
	suffixes := []struct {
		is     syntax.Operator
		suffix string
	}{{syntax.Equal, ""}, {syntax.AtLeast, "From"}, {syntax.More, "After"}, {syntax.AtMost, "To"}, {syntax.Less, "Before"}}
	for _, c := range w.table.Discriminators() {
		for _, s := range suffixes {
			if on := w.restriction(c, s.is); on != nil {
				text += "." + c.Attribute.GoName() + s.suffix + "(" + w.value(c, s.suffix, on.Values[0]) + ")"
			}
		}
	}
	return text
}

// end returns the methods that read the rows of a query.
func (w *writer) end() string {
	switch {
	case w.limit == nil:
		return ".All(ctx)"
	case w.limit.Kind == syntax.Integer && decimal(w.limit.Text) == "1":
		return ".First(ctx)"
	}
	return ".Limit(" + w.number(w.limit) + ").All(ctx)"
}

// number returns a limit.
func (w *writer) number(v *syntax.Value) string {
	if v.Kind == syntax.Integer {
		return decimal(v.Text)
	}
	return w.variable(v.Text, "limit", "int")
}

// arguments returns the values of columns that have one value each.
func (w *writer) arguments(key []*schema.Column) string {
	var out []string
	for _, c := range key {
		if on := w.restriction(c, syntax.Equal); on != nil {
			out = append(out, w.value(c, "", on.Values[0]))
		}
	}
	return strings.Join(out, ", ")
}

// names returns the names of columns in a message.
func names(in []*schema.Column) string { return strings.Join(schema.Names(in), ", ") }
