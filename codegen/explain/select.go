package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
)

// SelectAggregates returns the explanation of the tables and views of some aggregates, without batches of several aggregates.
func (e *Explanation) SelectAggregates(some func(*model.Aggregate) bool) *Explanation {
	out := &Explanation{Package: e.Package, Part: true, Missing: e.Missing}
	for _, t := range e.Tables {
		if some(t.Aggregate) {
			out.Tables = append(out.Tables, t)
		}
	}
	for _, v := range e.Views {
		if some(v.Table.Aggregate) {
			out.Views = append(out.Views, v)
		}
	}
	return out
}

// SelectOperations returns the explanation of the operations with some names, such as Insert or SetName. A table keeps the fields whose writes such
// an operation has. It is an error if no table or view has an operation of a name.
func (e *Explanation) SelectOperations(names []string) (*Explanation, error) {
	out, found := &Explanation{Package: e.Package, Part: true, Missing: e.Missing}, map[string]bool{}
	for _, t := range e.Tables {
		kept := Table{Table: t.Table, Operations: named(t.Operations, names, found)}
		byField := slices.ContainsFunc(kept.Operations, func(o *Operation) bool { return o.ByField })
		for _, f := range t.Fields {
			if named(f.methods(), names, found) != nil || byField {
				kept.Fields = append(kept.Fields, f)
			}
		}
		if kept.Operations != nil || kept.Fields != nil {
			out.Tables = append(out.Tables, &kept)
		}
	}
	for _, v := range e.Views {
		if operations := named(v.Operations, names, found); operations != nil {
			out.Views = append(out.Views, &View{View: v.View, Operations: operations})
		}
	}
	for _, n := range names {
		if !found[n] {
			return nil, fmt.Errorf("there is no operation %s: the operations are %s", n, strings.Join(e.names(), ", "))
		}
	}
	return out, nil
}

// named returns the operations with some names, and adds those that it has found.
func named(all []*Operation, names []string, found map[string]bool) (out []*Operation) {
	for _, o := range all {
		if slices.Contains(names, o.Name) {
			found[o.Name] = true
			out = append(out, o)
		}
	}
	return out
}

// methods returns the methods for the field and for its elements.
func (f *Field) methods() (out []*Operation) {
	if f.Set != nil {
		out = append(out, f.Set)
	}
	for _, e := range f.Elements {
		if e.Operation != nil {
			out = append(out, e.Operation)
		}
	}
	return out
}

// All returns the operations of the table, with the methods for its fields and their elements.
func (t *Table) All() []*Operation {
	out := slices.Clone(t.Operations)
	for _, f := range t.Fields {
		out = append(out, f.methods()...)
	}
	return out
}

// names returns the names of all operations, each once, in the order of the explanation.
func (e *Explanation) names() (out []string) {
	add := func(operations []*Operation) {
		for _, o := range operations {
			if !slices.Contains(out, o.Name) {
				out = append(out, o.Name)
			}
		}
	}
	for _, t := range e.Tables {
		add(t.All())
	}
	for _, v := range e.Views {
		add(v.Operations)
	}
	return out
}
