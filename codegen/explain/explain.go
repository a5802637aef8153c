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
			e.Tables = append(e.Tables, newTable(t, s))
		}
	}
	for _, v := range s.Views {
		e.Views = append(e.Views, newView(v, s))
	}
	e.Batch = e.batch()
	return e
}

func newView(v *schema.View, s *schema.Schema) *View {
	followed, no := follows(v.References(), s)
	return &View{View: v, Operations: append(reads(v.Table), followed...), No: append(noKeyset(v.Table), no...)}
}

func newTable(t *schema.Table, s *schema.Schema) *Table {
	out := &Table{Table: t, Copies: newCopies(t)}
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
		c.Rows.Of = r.Path.Steps[r.Path.Loop]
		c.Rows.Max = max(0, c.Rows.Of.Multiplicity.Max)
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
