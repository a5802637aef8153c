package site

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
)

// newMarks returns the properties of an attribute in words. The aggregate is nil for a field of a struct that aggregates compose.
func newMarks(a *model.Aggregate, at *model.Attribute) (out []string) {
	add := func(set bool, s string) {
		if set {
			out = append(out, s)
		}
	}
	if a != nil {
		out = keyMarks(a, at)
	}
	add(at.Static, "static: one value for each partition")
	add(at.Mandatory && !at.Key && at.Disjunction == nil, "required")
	add(at.Fixed, "set only by Insert")
	add(at.Final && collection(at.Type), "final: written as a whole")
	add(at.Enum, "only the constants of its type")
	add(at.Secret, "secret: never in an error, a log or a trace")
	add(at.Counter, "counter: programs add to it and never set it")
	add(at.Index != nil, "indexed")
	add(at.Multiplicity.Min > 0 || at.Multiplicity.Max >= 0, number(at.Multiplicity))
	if d := at.Disjunction; d != nil {
		some := "at most one"
		if d.Mandatory {
			some = "exactly one"
		}
		add(true, some+" of "+goNames(d.Members)+" has a value")
	}
	if x := at.Alternative; x != nil {
		add(true, "at least one of "+goNames(x.Members)+" has a value")
	}
	if x := at.Association; x != nil && x.Checked {
		add(true, "checked: the target must exist; if it is deleted: "+string(x.OnDelete))
	}
	if x := at.Copy; x != nil {
		add(true, "follows fields of "+x.Target.Struct.Name+"; if it is deleted: "+string(x.OnDelete))
	}
	add(at.Was != "", "earlier name: "+at.Was)
	return out
}

// keyMarks returns the properties that an attribute has as a part of an aggregate: in its key, as its version, and as a unique value.
func keyMarks(a *model.Aggregate, at *model.Attribute) (out []string) {
	if slices.Contains(a.Identifier, at) {
		out = append(out, "identifier")
	}
	for _, d := range a.Discriminators {
		if d.Attribute == at {
			out = append(out, "discriminator, "+orders[d.Order])
		}
	}
	if a.Version == at {
		out = append(out, "version: the optimistic lock")
	}
	for _, u := range a.Uniques {
		last := func(p *model.Path) *model.Attribute { return p.Steps[len(p.Steps)-1] }
		if !slices.ContainsFunc(u.Paths, func(p *model.Path) bool { return last(p) == at }) {
			continue
		}
		text := "unique"
		if len(u.Paths) > 1 {
			var names []string
			for _, p := range u.Paths {
				names = append(names, last(p).GoName())
			}
			text = "unique together: " + strings.Join(names, ", ")
		}
		out = append(out, text)
	}
	return out
}

var orders = map[model.Order]string{model.Ascending: "ascending", model.Descending: "descending"}

func collection(t *model.Type) bool {
	return t.Kind == model.List || t.Kind == model.Set || t.Kind == model.MapType || t.Kind == model.Composed
}

// number describes a multiplicity.
func number(m model.Multiplicity) string {
	switch {
	case m.Max < 0:
		return fmt.Sprintf("at least %d values", m.Min)
	case m.Min > 0:
		return fmt.Sprintf("%d to %d values", m.Min, m.Max)
	}
	return fmt.Sprintf("at most %d values", m.Max)
}

func goNames(in []*model.Attribute) string {
	var out []string
	for _, at := range in {
		out = append(out, at.GoName())
	}
	return strings.Join(out, ", ")
}
