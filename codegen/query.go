package codegen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// query builds the chain of states for a table's clustering key. The rows have the form of a struct: the table's own, or
// the struct of a view.
func (b *viewer) query(t *schema.Table, of *model.Struct, name string) *queryView {
	a := t.Aggregate
	q := &queryView{Doc: fmt.Sprintf("reads the rows of one partition, in the order of %s.", strings.Join(schema.Names(t.Discriminators()), ", "))}
	names := b.names.parameters(a.Identifier)
	q.Params, q.Encode = b.parameterList(a.Identifier, names), b.encodeKey(a.Identifier, names, a.Struct)
	row := b.imports.structType(of)
	plain, where, r := "gen.Query["+row+"]", "gen.Where(t.Reader, k)", readRows
	if of == a.Struct && t.Ranged() {
		plain, where, r, q.rows = "gen.Rows["+row+"]", "gen.WhereRows(t.Root, k)", deletableRows, true
	}
	var first queryType
	q.States, first = b.steps(t, of, name, plain, r)
	q.of, q.Type, q.Rows = first, first.name, first.value(where)
	return q
}

// steps returns the states of a query, and the type of the first one. plain is the type of a query without restrictions.
func (b *viewer) steps(t *schema.Table, of *model.Struct, name, plain string, r rowsKind) (states []*stateView, first queryType) {
	all := queryType{name: plain}
	var steps []queryType // one for each column that a query can restrict next
	key := t.Discriminators()
	for i := range key {
		restricted := name
		if i > 0 {
			restricted += key[i-1].Attribute.GoName()
		}
		inner := &all
		if len(t.KeysetMethods(i)) > 0 {
			inner = &queryType{name: b.names.exported(restricted+"Keyset", of), inner: &all}
		}
		bounded := b.names.exported(name+key[i].Attribute.GoName()+"Range", of)
		steps = append(steps, queryType{name: b.names.exported(restricted+"Query", of), inner: &queryType{name: bounded, inner: inner}})
	}
	steps = append(steps, all)
	for i, c := range key {
		x := restriction{b, t, r}
		states = append(states, x.step(steps[i], steps[i+1], i), x.bounded(*steps[i].inner, all, c))
		if keyset := *steps[i].inner.inner; keyset.inner != nil {
			states = append(states, x.keyset(keyset, i))
		}
	}
	return states, steps[0]
}

// restriction adds the methods of the queries of a table that restrict its clustering key.
type restriction struct {
	*viewer
	table *schema.Table
	rows  rowsKind
}

// step is a query that can restrict the clustering column at i next.
func (x restriction) step(of, next queryType, i int) *stateView {
	c := x.table.Discriminators()[i]
	s := &stateView{Type: of.name, Embedded: of.inner.name, Doc: fmt.Sprintf("%s can restrict %s next.", of.name, c.Name)}
	field := c.Attribute.GoName()
	s.Methods = []methodView{
		x.restrict(c, field, next, "="),
		x.restrict(c, field+"From", *of.inner, ">="),
		x.restrict(c, field+"After", *of.inner, ">"),
	}
	x.distinct(s, x.table.Aggregate)
	s.Methods = append(s.Methods, x.bounds(s, i, *of.inner.inner, "From", "After")...)
	return s
}

// bounded is a query that can have an upper bound on c.
func (x restriction) bounded(of, all queryType, c *schema.Column) *stateView {
	s := &stateView{Type: of.name, Embedded: of.inner.name, Doc: fmt.Sprintf("%s can have an upper bound on %s.", of.name, c.Name)}
	field := c.Attribute.GoName()
	s.Methods = []methodView{
		x.restrict(c, field+"To", all, "<="),
		x.restrict(c, field+"Before", all, "<"),
	}
	x.distinct(s, x.table.Aggregate)
	return s
}

// keyset is a query that can have an upper bound on the clustering columns from i on.
func (x restriction) keyset(of queryType, i int) *stateView {
	columns := strings.Join(schema.Names(x.table.Discriminators()[i:]), ", ")
	s := &stateView{Type: of.name, Embedded: of.inner.name, Doc: fmt.Sprintf("%s can have an upper bound on (%s).", of.name, columns)}
	s.Methods = x.bounds(s, i, *of.inner, "To", "Before")
	return s
}

// bounds returns the methods of some names that compare all clustering columns from first on with values. The state also declares the
// function that encodes the values, unless another one does.
func (x restriction) bounds(of *stateView, first int, result queryType, names ...string) (out []methodView) {
	columns := x.table.Discriminators()[first:]
	for _, name := range names {
		if slices.Contains(x.table.KeysetMethods(first), name) {
			out = append(out, x.compare(of, columns, name, result))
		}
	}
	return out
}

// compare returns a method that compares columns with values, from the first to the last.
func (x restriction) compare(of *stateView, columns []*schema.Column, name string, result queryType) methodView {
	var key []*model.Attribute
	for _, c := range columns {
		key = append(key, c.Attribute)
	}
	params := x.names.parameters(key)
	operator := schema.KeysetOperator(name)
	return methodView{
		Name: name, Doc: fmt.Sprintf("%s the rows with (%s) %s the values, which are compared from the first to the last", x.rows.verb, strings.Join(schema.Names(columns), ", "), operator),
		Params: x.parameterList(key, params), Result: result.name, Call: result.value(x.call(operator) + x.keyFunction(of, key, params) + "(" + strings.Join(params, ", ") + "))"),
	}
}

// keyFunction returns the name of the function that encodes the last values of a key. The first state that needs it declares it.
func (x restriction) keyFunction(of *stateView, key []*model.Attribute, params []string) string {
	a := x.table.Aggregate
	id := keyset{a, len(a.Discriminators) - len(key)}
	name, ok := x.keysets[id]
	if !ok {
		name = x.names.function("Encode"+strings.TrimPrefix(of.Type, x.names.prefix)+"Key", a.Struct)
		x.keysets[id] = name
		of.Key = &keyFunctionView{name, x.parameterList(key, params), x.encodeKey(key, params, a.Struct)}
	}
	return name
}

// restrictions are calls of the functions of package gen that restrict a query, by their operators. Each has the suffix and the
// embedded field of the type of the query.
var restrictions = map[string]string{
	"=": "gen.Equal%s(q.%s, ", ">=": "gen.Bound%s(q.%s, gen.AtLeast, ", ">": "gen.Bound%s(q.%s, gen.MoreThan, ",
	"<=": "gen.Bound%s(q.%s, gen.AtMost, ", "<": "gen.Bound%s(q.%s, gen.LessThan, ",
}

// rowsKind describes how the methods of a query restrict its rows.
type rowsKind struct {
	suffix string // ends the names of the functions of package gen
	field  string // the embedded field of the type of the query
	verb   string
}

var (
	readRows      = rowsKind{"", "Query", "reads"}
	deletableRows = rowsKind{"Rows", "Rows", "reads"}
	partRows      = rowsKind{"Parts", "PartRows", "selects"}
	partsWith     = rowsKind{"With", "PartsWith", "reads"}
)

// call returns the beginning of the call that restricts a query.
func (x restriction) call(operator string) string {
	return fmt.Sprintf(restrictions[operator], x.rows.suffix, x.rows.field)
}

func (x restriction) restrict(c *schema.Column, method string, result queryType, operator string) methodView {
	call := x.call(operator) + x.codecs.key(c.Attribute.Type, x.table.Aggregate.Struct) + ")"
	return methodView{Name: method, Doc: x.rows.verb + " the rows with " + c.Name + " " + operator + " v", Params: "v " + x.imports.goType(c.Attribute.Type.Go), Result: result.name, Call: result.value(call)}
}

// distinct reports a column whose methods would hide those that every query has.
func (b *viewer) distinct(s *stateView, a *model.Aggregate) {
	for _, m := range s.Methods {
		b.names.distinct(a.Struct, s.Type, []string{"All", "Reverse", "Limit", "PageSize", "Page", "First", "Count", "Delete", "Together", "Query", "Rows", "PartRows", "PartsWith"}, m.Name)
	}
}

// each adds to the query of a table or a view the method that reads several partitions. A view has the keys of its table.
func (b *viewer) each(v *tableView) {
	a := v.source.Aggregate
	key := a.Identifier
	e := &eachView{Doc: eachDoc(v.source), Rows: v.Query.Rows}
	e.Rows = strings.NewReplacer("gen.WhereRows(", "gen.WhereEachRows(", "gen.Where(", "gen.WhereEach(").Replace(e.Rows)
	v.Query.Each = e
	args := []string{"key"}
	switch of, ok := b.partitionTypes[a]; {
	case len(key) == 1:
		e.Keys.Type = b.imports.goType(key[0].Field.Type)
	case ok:
		e.Keys.Type, args = of.Type, of.args
	default:
		e.Keys, args = b.keyStruct(key, b.names.exported(v.Field+"PartitionKey", a.Struct))
		e.Keys.Doc = doc("%s is the partition key of %s.", e.Keys.Type, v.Name)
		b.partitionTypes[a] = partitionType{e.Keys.Type, args}
	}
	e.Encode = b.encodeKey(key, args, a.Struct)
}

func eachDoc(t *schema.Table) string {
	order := strings.Join(schema.Names(t.Discriminators()), ", ")
	return doc("OfEach %s", fmt.Sprintf("reads the rows of several partitions, merged in the order of %s. Rows in which these are equal are in the order of "+
		"keys. Each partition is read with requests of its own, 16 at a time; equal keys are one partition.", order))
}
