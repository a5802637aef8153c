package codegen

import (
	"fmt"
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
		bounded := b.names.exported(name+key[i].Attribute.GoName()+"Range", of)
		steps = append(steps, queryType{name: b.names.exported(restricted+"Query", of), inner: &queryType{name: bounded, inner: &all}})
	}
	steps = append(steps, all)
	for i, c := range key {
		states = append(states, b.step(steps[i], steps[i+1], c, t, r), b.bounded(*steps[i].inner, c, t, r))
	}
	return states, steps[0]
}

// step is a query that can restrict column c next.
func (b *viewer) step(of, next queryType, c *schema.Column, t *schema.Table, r rowsKind) *stateView {
	s := &stateView{Type: of.name, Embedded: of.inner.name, Doc: fmt.Sprintf("%s can restrict %s next.", of.name, c.Name)}
	field := c.Attribute.GoName()
	s.Methods = []methodView{
		b.restrict(c, t, r, field, next, "="),
		b.restrict(c, t, r, field+"From", *of.inner, ">="),
		b.restrict(c, t, r, field+"After", *of.inner, ">"),
	}
	b.distinct(s, t.Aggregate)
	return s
}

// bounded is a query that can have an upper bound on c.
func (b *viewer) bounded(of queryType, c *schema.Column, t *schema.Table, r rowsKind) *stateView {
	s := &stateView{Type: of.name, Embedded: of.inner.name, Doc: fmt.Sprintf("%s can have an upper bound on %s.", of.name, c.Name)}
	field := c.Attribute.GoName()
	s.Methods = []methodView{
		b.restrict(c, t, r, field+"To", *of.inner, "<="),
		b.restrict(c, t, r, field+"Before", *of.inner, "<"),
	}
	b.distinct(s, t.Aggregate)
	return s
}

// restrictions are calls of the functions of package gen that restrict a query, by their operators. Each has the suffix and the
// embedded field of the type of the query.
var restrictions = map[string]string{
	"=": "gen.Equal%s(q.%s, ", ">=": "gen.Bound%s(q.%s, gen.AtLeast, ", ">": "gen.Bound%s(q.%s, gen.MoreThan, ",
	"<=": "gen.Bound%s(q.%s, gen.AtMost, ", "<": "gen.Bound%s(q.%s, gen.LessThan, ",
}

// rowsKind describes how the methods of a query restrict its rows.
type rowsKind struct {
	suffix string // of the functions of package gen
	field  string // the embedded field of the type of the query
	verb   string
}

var (
	readRows      = rowsKind{"", "Query", "reads"}
	deletableRows = rowsKind{"Rows", "Rows", "reads"}
	partRows      = rowsKind{"Parts", "PartRows", "selects"}
	partsWith     = rowsKind{"With", "PartsWith", "reads"}
)

func (b *viewer) restrict(c *schema.Column, t *schema.Table, r rowsKind, method string, result queryType, operator string) methodView {
	call := fmt.Sprintf(restrictions[operator], r.suffix, r.field) + b.codecs.key(c.Attribute.Type, t.Aggregate.Struct) + ")"
	return methodView{Name: method, Doc: r.verb + " the rows with " + c.Name + " " + operator + " v", Param: b.imports.goType(c.Attribute.Type.Go), Result: result.name, Call: result.value(call)}
}

// distinct reports a column whose methods would hide those that every query has.
func (b *viewer) distinct(s *stateView, a *model.Aggregate) {
	for _, m := range s.Methods {
		b.names.distinct(a.Struct, s.Type, []string{"All", "Reverse", "Limit", "PageSize", "Page", "First", "Count", "Delete", "Query", "Rows", "PartRows", "PartsWith"}, m.Name)
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
