package alternatives

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/codegen/internal/article"
)

// overlaps describes the faults that overlapping writers, and rules that no table enforces, can leave.
func overlaps(m *model.Model, of map[*model.Aggregate]bool) (out []string) {
	for _, a := range m.Aggregates {
		if !of[a] {
			continue
		}
		name := a.Struct.Name
		switch red := a.Redundancy; {
		case red != nil && a.Diverges() != "":
			out = append(out, fmt.Sprintf("%s can differ from %s: %s", a.Table, red.Source.Table, a.Diverges()))
		case red != nil && red.Shared:
			out = append(out, fmt.Sprintf("%s keeps the fields of the write that was last, and rows that no %s has any more", a.Table, red.Source.Struct.Name))
		}
		if red := a.Redundancy; red != nil && red.Distinct {
			out = append(out, fmt.Sprintf("two elements of different roots with one key share a row of %s", a.Table))
		}
		out = append(out, deleted(a)...)
		for _, at := range a.Attributes {
			if why := lost(a, at); why != "" {
				out = append(out, name+"."+at.GoName()+": "+why)
			}
		}
		for _, x := range a.Associations {
			if a.IsSource() && !x.Checked {
				out = append(out, fmt.Sprintf("%s.%s can refer to %s that does not exist", name, strings.Join(names(x.Path), "."), article.With(x.Target.Struct.Name)))
			}
		}
	}
	return out
}

// deleted describes the rows that a Delete can leave, because no version orders it relative to an overlapping write.
func deleted(a *model.Aggregate) (out []string) {
	if !a.IsSource() || a.Versioned() || a.Counter {
		return nil
	}
	if a.Root != nil {
		out = append(out, fmt.Sprintf("%s: a write that overlaps the Delete of its %s leaves a row without %s, which Reconcile reports as a missing root", a.Struct.Name, a.Root.Struct.Name, article.With(a.Root.Struct.Name)))
	}
	if slices.ContainsFunc(a.Attributes, func(at *model.Attribute) bool { return !at.Key && !at.Fixed && !at.Hidden() }) {
		out = append(out, a.Struct.Name+": an update that overlaps a Delete leaves a row with only the updated fields")
	}
	return out
}

// differing describes values that a design stores in several roots, and that no single call writes.
func (a *Alternative) differing(r *Relationship) []string {
	if aggregate(a.Model, r.Root.Struct) == nil {
		return []string{fmt.Sprintf("%s.%s: the rows of the elements of one %s can have different values of its fields", r.Element.Struct, r.Root.Struct, r.Root.Struct)}
	}
	elements, roots := a.set(r.Root.Struct, r.Element.Struct), a.set(r.Element.Struct, r.Root.Struct)
	if elements != nil && roots != nil {
		return []string{fmt.Sprintf("%s.%s and %s.%s can differ: they are written by two calls", r.Root.Struct, elements.GoName(), r.Element.Struct, roots.GoName())}
	}
	return nil
}

// lost describes the changes of a field that overlapping writers lose.
func lost(a *model.Aggregate, at *model.Attribute) string {
	if !a.IsSource() || a.Versioned() {
		return ""
	}
	switch t := at.Type; {
	case t.Kind == model.List && t.Elem.Kind == model.Composed, t.Kind == model.List && at.Association != nil:
		return "of two overlapping changes of the list, one is lost"
	case t.Kind == model.MapType && t.Elem.Kind == model.Composed:
		return "of two overlapping changes of the same element, one is lost"
	case t.Kind == model.Composed && at.Frozen():
		return "of two overlapping changes of the value, one is lost"
	}
	return ""
}
