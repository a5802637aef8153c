package diagram

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// Visibility returns the visibility of an attribute, as AML uses it.
func Visibility(a *model.Aggregate, at *model.Attribute) string {
	switch {
	case slices.Contains(a.Identifier, at) || at.Tag.Has("identifier"):
		return "#"
	case at.Key:
		return "~"
	case at.Static:
		return "/"
	case at.Tag.Has("unique"):
		return "-"
	}
	return "+"
}

// properties returns the properties of an attribute, such as {asc} or «final».
func (d *amlDrawing) properties(a *model.Aggregate, at *model.Attribute) (out []string) {
	add := func(set bool, s string) {
		if set {
			out = append(out, d.use(s))
		}
	}
	group := func(set bool, sign, name string) {
		if set {
			d.use(sign)
			out = append(out, "{"+sign+" "+name+"}")
		}
	}
	for _, x := range a.Discriminators {
		add(x.Attribute == at && x.Order == model.Ascending, "{asc}")
		add(x.Attribute == at && x.Order == model.Descending, "{desc}")
	}
	add(at.Tag.Has("unique") && Visibility(a, at) != "-", "{unique}")
	if o, ok := at.Tag.Option("unique"); ok {
		group(o.Value != "", "unique", o.Value)
	}
	add(at.Final || at.Fixed, "«final»")
	add(at.Enum, "«enum»")
	add(at.Counter, "«counter»")
	add(at.Secret, "«secret»")
	add(at.Index != nil, "«index»")
	add(a.Version == at, "«version»")
	add(at.Copy != nil, "«copy»")
	if at.Disjunction != nil && at.Disjunction.Column != at && composed(at) == nil {
		group(true, "xor", at.Disjunction.Name)
	}
	if at.Alternative != nil {
		group(true, "or", at.Alternative.Name)
	}
	return out
}

// TypeName returns the type of the values of an attribute.
func TypeName(t *model.Type) string {
	switch t.Kind {
	case model.List, model.Set:
		return t.Elem.String()
	case model.MapType:
		return t.Key.String() + " → " + t.Elem.String()
	}
	return t.String()
}

// mandatory reports whether an attribute always has a value. Of a disjunction with required, only one has.
func mandatory(at *model.Attribute) bool { return at.Mandatory && at.Disjunction == nil }

// multiplicity returns the multiplicity of an attribute: " [0..20]"; "" for a single value.
func multiplicity(at *model.Attribute) string {
	switch at.Type.Kind {
	case model.List, model.Set, model.MapType:
	default:
		if at.Type.Nullable && !mandatory(at) && !at.Key {
			return " [0..1]"
		}
		return ""
	}
	m := at.Multiplicity
	least, most := max(m.Min, 0), "*"
	if mandatory(at) {
		least = max(least, 1)
	}
	if m.Max >= 0 {
		most = fmt.Sprint(m.Max)
	}
	if least == 0 && most == "*" {
		return " [*]"
	}
	if fmt.Sprint(least) == most {
		return " [" + most + "]"
	}
	return fmt.Sprintf(" [%d..%s]", least, most)
}

// Qualifier returns the qualifier of a composition, or "".
func Qualifier(at *model.Attribute) string {
	if at.Type.Kind != model.MapType {
		return ""
	}
	if len(at.Type.Qualifier) == 0 {
		return PlainText(at.Type.Key.String())
	}
	var names []string
	for _, q := range at.Type.Qualifier {
		names = append(names, q.GoName())
	}
	return PlainText(strings.Join(names, ", "))
}

// notes returns the properties of an aggregate or a part as a whole, for the lines below its name.
func (d *amlDrawing) notes(a *model.Aggregate) (out []string) {
	add := func(set bool, sign, text string) {
		if set {
			d.use(sign)
			out = append(out, PlainText(text))
		}
	}
	if r := a.Redundancy; r != nil {
		path := r.Source.Struct.Name
		if r.Path != nil {
			path = strings.TrimSuffix(r.Path.String(), ".$value")
		}
		add(r.Path != nil || r.Source.Root != nil, "of", "of "+path)
		add(r.When != nil, "when", "when "+r.Condition())
		add(r.Distinct, "distinct", "distinct")
		add(r.Shared, "shared", "shared")
		add(r.Unlogged, "unlogged", "unlogged")
		add(r.Cache > 0, "cache", "cache "+seconds(r.Cache))
	}
	add(a.Large, "large", "large")
	if p := a.Properties; p.TTLName != "" {
		add(true, "ttl", "ttl $"+p.TTLName)
	} else {
		add(p.TTL > 0, "ttl", "ttl "+seconds(p.TTL))
	}
	return out
}

// seconds returns a time in the largest unit of which it is a multiple.
func seconds(n int) string {
	for _, u := range []struct {
		length int
		name   string
	}{{24 * 60 * 60, "d"}, {60 * 60, "h"}, {60, "min"}} {
		if n%u.length == 0 {
			return fmt.Sprintf("%d %s", n/u.length, u.name)
		}
	}
	return fmt.Sprintf("%d s", n)
}

// foot returns the methods of an aggregate that compute values of others, and its views.
func (d *amlDrawing) foot(a *model.Aggregate) (out []Text) {
	m := d.findModel(a)
	if m == nil {
		return nil
	}
	line := func(sign, s string) {
		d.use(sign)
		out = append(out, Text{S: PlainText(s), Style: small, Color: Ink})
	}
	for _, t := range m.Schema.Stored {
		if t.Aggregate == a {
			methods(t, func(s string) { line("method", s) })
		}
	}
	for _, v := range m.Views {
		if v.Of == a {
			var names []string
			for _, at := range v.Attributes {
				names = append(names, at.GoName())
			}
			line("«view»", "«view» "+v.Struct.Name+": "+strings.Join(names, ", "))
		}
	}
	return out
}

// methods calls a function with the name of each method that redundant aggregates read.
func methods(t *schema.Table, do func(string)) {
	for _, at := range t.Computed {
		do(strings.TrimSuffix(at.GoName(), "()") + "()")
	}
}

// composed returns the struct of a composition, or nil.
func composed(at *model.Attribute) *model.Object {
	if at.Association != nil {
		return nil
	}
	return ComposedObject(at.Type)
}

// ComposedObject returns the struct of a value or of its elements, or nil.
func ComposedObject(t *model.Type) *model.Object {
	for t != nil {
		if t.Object != nil {
			return t.Object
		}
		t = t.Elem
	}
	return nil
}
