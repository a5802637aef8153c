package explain

import (
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// New explains a model without errors.
func New(m *model.Model, s *schema.Schema) *Explanation {
	e := &Explanation{Package: m.Package.Name, Missing: model.NotExecuted(m)}
	for _, t := range s.Stored {
		if t.Aggregate != nil { // derived tables are part of the writes of their root
			e.Tables = append(e.Tables, newTable(t, s, m))
		}
	}
	for _, v := range s.Views {
		e.Views = append(e.Views, newView(v, s, m))
	}
	e.Batch = e.batch()
	return e
}

func newView(v *schema.View, s *schema.Schema, m *model.Model) *View {
	out := &View{View: v, Missing: missing(v.Aggregate, m)}
	if out.Missing == "" {
		var followed []*Operation
		followed, out.No = follows(v.References(), s)
		out.Operations, out.No = append(reads(v.Table), followed...), append(noKeyset(v.Table), out.No...)
	}
	return out
}

func newTable(t *schema.Table, s *schema.Schema, m *model.Model) *Table {
	out := &Table{Table: t, Missing: missing(t.Aggregate, m)}
	if out.Missing != "" {
		return out
	}
	out.Copies = newCopies(t)
	for _, m := range t.Computed {
		out.Methods = append(out.Methods, newMethod(t, m.Method()))
	}
	x := &explainer{table: out, schema: s}
	switch {
	case t.Aggregate.Counter:
		x.counts()
	case t.Versioning != nil:
		x.saves()
	case t.Aggregate.Versioned(): // a part, which its root writes
	case t.Aggregate.IsSource():
		x.writes()
		x.fields()
	}
	out.Operations = append(out.Operations, reads(t)...)
	out.Operations = append(out.Operations, byUnique(t)...)
	out.Operations = append(out.Operations, withParts(t, s)...)
	followed, none := follows(t.References(), s)
	reverse, noReverse := referring(t, s)
	out.Operations, out.No = slices.Concat(out.Operations, followed, reverse), slices.Concat(noKeyset(t), none, noReverse)
	return out
}

// missing returns why a store does not execute an aggregate yet; "" if it does.
func missing(a *model.Aggregate, m *model.Model) string {
	if !a.IsSource() {
		if why := missing(a.Redundancy.Source, m); why != "" {
			return "its source " + a.Redundancy.Source.Struct.Name + " is not executed yet: " + why
		}
		return ""
	}
	for _, x := range m.Aggregates {
		if why := linked(x, a); why != "" {
			return why
		}
	}
	return ""
}

// linked returns why a store does not execute an aggregate yet, because one aggregate, which can be the same, refers to
// another; "" if it does.
func linked(from, a *model.Aggregate) string {
	for _, c := range from.Copies {
		if c.OnDelete == model.Keep && (from == a || c.Target == a) {
			return from.Struct.Name + " keeps fields of " + c.Target.Struct.Name + " when it is deleted"
		}
	}
	return ""
}

func newCopies(t *schema.Table) (out []*Copy) {
	for _, p := range t.Projections {
		out = append(out, newCopy(p))
	}
	return out
}

func newCopy(p *schema.Projection) *Copy {
	r := p.Table.Aggregate.Redundancy
	c := &Copy{Projection: p, Diverge: p.Table.Aggregate.Diverges(), When: r.Condition()}
	if p.Loop() != nil {
		c.Rows.Per = strings.TrimSuffix(r.Path.String(), ".$value")
		c.Rows.Max = max(0, r.Path.Steps[r.Path.Loop].Multiplicity.Max)
	}
	return c
}

func newMethod(t *schema.Table, m *model.Method) Method {
	read, why := t.Aggregate.Reads(m)
	out := Method{Name: m.Name + "()", Fields: []string{}, Everything: why}
	for _, a := range read {
		out.Fields = append(out.Fields, strings.Join(a.Path, "."))
	}
	return out
}

// explainer explains one table.
type explainer struct {
	table  *Table
	schema *schema.Schema
}
