package model

import (
	"fmt"
	"slices"
	"strings"
)

// String returns the path as it is written in a tag.
func (p *Path) String() string {
	names := []string{p.Source.Struct.Name}
	for i, s := range p.Steps {
		names = append(names, s.GoName())
		if i == p.Loop && i == len(p.Steps)-1 {
			names = append(names, map[Part]string{Element: "$value", EntryKey: "$key", Position: "$index"}[p.Part])
		}
	}
	return strings.Join(names, ".")
}

// GoNames returns the Go names of the fields of the path: Passport.Number.
func (p *Path) GoNames() string {
	names := make([]string, len(p.Steps))
	for i, s := range p.Steps {
		names[i] = s.GoName()
	}
	return strings.Join(names, ".")
}

// collection returns the collection that the path goes into; nil for none.
func (p *Path) collection() *Attribute {
	if p == nil || p.Loop < 0 {
		return nil
	}
	return p.Steps[p.Loop]
}

// ValueType returns the type of the value at the end of the path; nil for the source itself.
func (p *Path) ValueType() *Type { return p.valueType() }

// valueType returns the type at the end of the path; nil for the source itself.
func (p *Path) valueType() *Type {
	if len(p.Steps) == 0 {
		return nil
	}
	last := p.Steps[len(p.Steps)-1].Type
	if p.Loop != len(p.Steps)-1 {
		return last
	}
	switch p.Part {
	case EntryKey:
		return last.Key
	case Position:
		return &Type{Kind: Scalar, CQL: "int", Go: &GoType{Kind: Int32, Text: "int32"}}
	}
	return last.Elem
}

// attributes returns the possible next steps: the fields of the struct at the end of the path.
func (p *Path) attributes() []*Attribute {
	if len(p.Steps) == 0 {
		return p.Source.Attributes
	}
	return p.valueType().fields()
}

// structure returns the struct at the end of the path; nil for none.
func (p *Path) structure() *Struct {
	if len(p.Steps) == 0 {
		return p.Source.Struct
	}
	if t := p.valueType(); t.Object != nil && t.fields() != nil {
		return t.Object.Struct
	}
	return nil
}

// field finds a Go field of the struct at the end of the path, including one that is not an attribute.
func (p *Path) field(name string) *Field {
	if s := p.structure(); s != nil {
		return s.field(name)
	}
	return nil
}

// unread reports whether the next step is a field that has a fault, which has been reported.
func (p *Path) unread(name string) bool {
	f := p.field(name)
	return f != nil && !f.leftOut() && !f.showsTTL() && !slices.ContainsFunc(p.attributes(), func(a *Attribute) bool { return a.Field == f })
}

// step adds a field to the path, or returns why it cannot: "" if that has been reported.
func (p *Path) step(name string) (*Path, string) {
	q := *p
	last := len(p.Steps) - 1
	if strings.HasPrefix(name, "$") {
		return p.entry(name)
	}
	if p.Method() != nil && last == 0 && !p.Steps[0].Type.collection() {
		return nil, fmt.Sprintf("the method %s must be the last step", p.Steps[0].GoName())
	}
	if last >= 0 && p.Loop < 0 && p.Steps[last].Type.collection() {
		q.Loop = last
	} else if last >= 0 && p.Loop != last && p.Steps[last].Type.collection() {
		return nil, fmt.Sprintf("the path goes through two collections, %s and %s", p.Steps[p.Loop].GoName(), p.Steps[last].GoName())
	}
	for _, a := range q.attributes() {
		if a.GoName() == name {
			q.Steps = append(slices.Clone(p.Steps), a)
			return &q, ""
		}
	}
	f := q.field(name)
	switch {
	case name == "":
		return nil, "a step of the path is empty"
	case f != nil && f.leftOut():
		return nil, fmt.Sprintf("%s omits %s from the model", q.where(), name)
	case f != nil && f.showsTTL():
		return nil, fmt.Sprintf("%s of %s is the remaining TTL of a row, and no value of it", name, q.where())
	case f != nil:
		return nil, "" // it has another fault
	case last < 0 && p.Source.Struct.method(name) != nil:
		return nil, fmt.Sprintf("%s of %s is a method; did you mean %s.%s()?", name, q.where(), q.where(), name)
	}
	return nil, fmt.Sprintf("%s has no field %s%s", q.where(), name, nearestField(name, q.attributes()))
}

// entry adds the key or the value of a collection's entry.
func (p *Path) entry(name string) (*Path, string) {
	last := len(p.Steps) - 1
	if last < 0 || p.Loop >= 0 || !p.Steps[last].Type.collection() {
		return nil, name + " must follow a collection"
	}
	q := *p
	q.Loop = last
	switch {
	case name == "$value":
		return &q, ""
	case name == "$key" && p.Steps[last].Type.Kind == MapType:
		q.Part = EntryKey
		return &q, ""
	case name == "$index" && p.Steps[last].Type.Kind == List:
		q.Part = Position
		return &q, ""
	case name == "$key":
		return nil, "$key must follow a map"
	case name == "$index":
		return nil, "$index must follow a list"
	}
	return nil, name + " is not $key, $value or $index"
}

// sameLoop reports whether two paths go into the same collection.
func (p *Path) sameLoop(o *Path) bool {
	return o.collection() != nil && slices.Equal(p.Steps[:p.Loop+1], o.Steps[:o.Loop+1])
}

// where returns the name of the struct at the end of the path.
func (p *Path) where() string {
	if s := p.structure(); s != nil {
		return s.Name
	}
	return p.Steps[len(p.Steps)-1].GoName()
}

// CanBeNil reports whether the value at the end of the path can be missing.
func (p *Path) CanBeNil() bool {
	for i, s := range p.Steps {
		if s.Key && i == 0 || s.Mandatory && (s.Disjunction == nil || s.Disjunction.Column == s) || i < p.Loop || i == p.Loop && i == len(p.Steps)-1 {
			continue
		}
		if s.Type.Nullable || i == len(p.Steps)-1 && (s.Type.canBeNil() || s.namesNone()) {
			return true
		}
	}
	return false
}

// namesNone reports whether the attribute is the column of a disjunction that may have no member in use.
func (a *Attribute) namesNone() bool {
	return a.Disjunction != nil && a.Disjunction.Column == a && !a.Disjunction.Mandatory
}

// Is reports whether the origin is the value at the end of a path.
func (o *Origin) Is(p *Path) bool { return o.Object == nil && o.Path.equal(p) }

// equal reports whether two paths lead to the same value.
func (p *Path) equal(o *Path) bool {
	return p.Source == o.Source && p.Loop == o.Loop && p.Part == o.Part && slices.Equal(p.Steps, o.Steps)
}

// Bool reports whether the value at the end of the path is a boolean.
func (p *Path) Bool() bool { return isBool(p.valueType()) }

func isBool(t *Type) bool { return t.Kind == Scalar && t.CQL == "boolean" }

// paths returns every path that an origin reads, the paths of its fields instead of the path of the struct.
func (o *Origin) paths() []*Path {
	if o.Object == nil {
		return []*Path{o.Path}
	}
	var out []*Path
	for _, f := range o.Fields {
		out = append(out, f.paths()...)
	}
	return out
}

// Methods returns the results of methods from which a value derives.
func (o *Origin) Methods() (out []*Attribute) {
	for _, p := range o.paths() {
		if p.Method() != nil {
			out = append(out, p.Steps[0])
		}
	}
	return out
}

// canBeEmptyText reports whether a value can be a text, or a blob, without content.
func (p *Path) canBeEmptyText() bool {
	last := p.Steps[len(p.Steps)-1]
	t := last.Type
	return t.Kind == Scalar && slices.Contains([]string{"text", "ascii", "blob"}, t.CQL) && !(last.Mandatory && t.requiredIsNotEmpty())
}

func pathTexts(in []*Path) []string {
	var out []string
	for _, p := range in {
		out = append(out, p.String())
	}
	return out
}

func containsPaths(need, have []*Path) bool {
	return !slices.ContainsFunc(need, func(n *Path) bool { return !slices.ContainsFunc(have, n.equal) })
}
