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
	case at.Tag.Has("unique") || at.Type.Kind == model.Set:
		return "-"
	}
	return "+"
}

// StaticSign returns the sign before the name of an attribute with one value for each partition; "" for the others.
func StaticSign(at *model.Attribute) string {
	if at.Static {
		return "/"
	}
	return ""
}

// signed returns the name of an attribute after its signs.
func (d *amlDrawing) signed(a *model.Aggregate, at *model.Attribute) string {
	return d.use(Visibility(a, at)) + " " + d.use(StaticSign(at)) + at.GoName()
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
	add(final(a, at), "«final»")
	add(at.Enum, "«enum»")
	add(at.Counter, "«counter»")
	add(at.Secret, "«secret»")
	add(at.Index != nil, "«index»")
	add(a.Version == at, "«version»")
	add(at.Copy != nil, "«copy»")
	if as := at.Association; as != nil && as.Checked {
		add(true, "«checked»")
		out = append(out, onDelete(as.OnDelete)...)
	}
	if at.Copy != nil {
		out = append(out, onDelete(at.Copy.OnDelete)...)
	}
	if at.Alternative != nil {
		group(true, "or", at.Alternative.Name)
	}
	return out
}

// onDelete returns the sign of the effect of deleting a target, unless it is the default.
func onDelete(effect model.OnDelete) []string {
	if effect == model.Restrict || effect == "" {
		return nil
	}
	return []string{"{" + string(effect) + "}"}
}

// disjunction returns the sign of the group of which at most one attribute has a value; "" for an attribute of no group.
func disjunction(at *model.Attribute) string {
	g := at.Disjunction
	switch {
	case g == nil || g.Column == at:
		return ""
	case g.Mandatory:
		return "{xor " + g.Name + " [1]}"
	}
	return "{xor " + g.Name + "}"
}

// final reports whether an attribute never changes, or its value is written as a whole: because it is declared so, or because Cassandra
// requires it. Of a struct, the box shows the latter.
func final(a *model.Aggregate, at *model.Attribute) bool {
	if at.Final || at.Fixed {
		return true
	}
	switch at.Type.Kind {
	case model.List:
		return at.Nested || a.Redundancy != nil
	case model.Set, model.MapType:
		return at.Nested
	}
	return false
}

// FinalValues reports whether the structs in an attribute are written as a whole: inside of another struct, in a collection, or because
// the attribute or the struct is declared so.
func FinalValues(at *model.Attribute) bool {
	return at.Nested || at.Type.Kind != model.Composed || at.Frozen()
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
	add(a.Root != nil && !a.InRootTable, "table", "table "+a.Table)
	add(a.HeadRow, "headrow", "headrow")
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
