package model

import (
	"fmt"
	"slices"
	"strings"
)

// String writes the path as it stands in a tag.
func (p *Path) String() string {
	names := []string{p.Source.Struct.Name}
	for i, s := range p.Steps {
		names = append(names, s.GoName())
		if i == p.Loop && i == len(p.Steps)-1 {
			names = append(names, map[Part]string{Element: "$value", EntryKey: "$key"}[p.Part])
		}
	}
	return strings.Join(names, ".")
}

// collection gives the collection that the path goes into; nil for none.
func (p *Path) collection() *Attribute {
	if p == nil || p.Loop < 0 {
		return nil
	}
	return p.Steps[p.Loop]
}

// valueType gives the type at the end of the path; nil for the source itself.
func (p *Path) valueType() *Type {
	if len(p.Steps) == 0 {
		return nil
	}
	last := p.Steps[len(p.Steps)-1].Type
	if p.Loop != len(p.Steps)-1 {
		return last
	}
	if p.Part == EntryKey {
		return last.Key
	}
	return last.Elem
}

// attributes gives what can follow the path: the fields of the struct at its end.
func (p *Path) attributes() []*Attribute {
	if len(p.Steps) == 0 {
		return p.Source.Attributes
	}
	if t := p.valueType(); t.Kind == Composed {
		return t.Object.Attributes
	}
	return nil
}

// structure gives the struct at the end of the path; nil for none.
func (p *Path) structure() *Struct {
	if len(p.Steps) == 0 {
		return p.Source.Struct
	}
	if t := p.valueType(); t.Kind == Composed {
		return t.Object.Struct
	}
	return nil
}

// field finds a Go field of the struct at the end of the path, also one that gives no attribute.
func (p *Path) field(name string) *Field {
	if s := p.structure(); s != nil {
		return s.field(name)
	}
	return nil
}

// unread says whether the path could go on to a field if that had no fault, which has been reported.
func (p *Path) unread(name string) bool {
	f := p.field(name)
	return f != nil && !f.leftOut() && !slices.ContainsFunc(p.attributes(), func(a *Attribute) bool { return a.Field == f })
}

// step goes on to a field, or says why it cannot: "" where that has been reported.
func (p *Path) step(name string) (*Path, string) {
	q := *p
	last := len(p.Steps) - 1
	if strings.HasPrefix(name, "$") {
		return p.entry(name)
	}
	if last >= 0 && p.Loop < 0 && isCollection(p.Steps[last].Type) {
		q.Loop = last
	} else if last >= 0 && p.Loop != last && isCollection(p.Steps[last].Type) {
		return nil, fmt.Sprintf("it goes through two collections, %s and %s", p.Steps[p.Loop].GoName(), p.Steps[last].GoName())
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
		return nil, "a step of it is empty"
	case f != nil && f.leftOut():
		return nil, fmt.Sprintf("%s leaves %s out of the model", q.where(), name)
	case f != nil:
		return nil, "" // it has a fault of its own
	}
	return nil, fmt.Sprintf("%s has no field %s%s", q.where(), name, nearestField(name, q.attributes()))
}

// entry goes to the key or the value of a collection's entry.
func (p *Path) entry(name string) (*Path, string) {
	last := len(p.Steps) - 1
	if last < 0 || p.Loop >= 0 || !isCollection(p.Steps[last].Type) {
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
	case name == "$key":
		return nil, "$key must follow a map"
	}
	return nil, name + " is none of $key and $value"
}

// sameLoop says whether two paths go into the same collection.
func (p *Path) sameLoop(o *Path) bool {
	return o.collection() != nil && slices.Equal(p.Steps[:p.Loop+1], o.Steps[:o.Loop+1])
}

func isCollection(t *Type) bool { return t.Kind == List || t.Kind == Set || t.Kind == MapType }

// where names the struct at the end of the path.
func (p *Path) where() string {
	if s := p.structure(); s != nil {
		return s.Name
	}
	return p.Steps[len(p.Steps)-1].GoName()
}

func nearestField(name string, in []*Attribute) string {
	best, distance := "", near(name)
	for _, a := range in {
		if d := editDistance(strings.ToLower(name), strings.ToLower(a.GoName())); d < distance {
			best, distance = a.GoName(), d
		}
	}
	if best == "" {
		return ""
	}
	return ", did you mean " + best + "?"
}

// resolve gives the path that is the value of an option, or reports by rule r what is wrong with it.
func (b *builder) resolve(key, text string, pos Pos, r Rule, mend string) *Path {
	for _, n := range strings.Split(text, ".") {
		if strings.HasSuffix(n, "()") || n == "$index" {
			b.add(pos, RuleUnsupportedYet, "leave it out for now", "%s=%s: %s in a path is not supported yet", key, text, n)
			return nil
		}
	}
	p, why := b.path(text)
	if p == nil && why != "" {
		b.add(pos, r, mend, "%s=%s: %s", key, text, why)
	}
	return p
}

// path resolves a path as written; what is wrong with it is a sentence, or "" where that has been reported.
func (b *builder) path(text string) (*Path, string) {
	names := strings.Split(text, ".")
	i := slices.IndexFunc(b.model.Aggregates, func(a *Aggregate) bool { return a.Struct.Name == names[0] })
	if i < 0 {
		return nil, fmt.Sprintf("there is no aggregate %s in this package", names[0])
	}
	p := &Path{Source: b.model.Aggregates[i], Loop: -1}
	for _, n := range names[1:] {
		q, why := p.step(n)
		if q == nil {
			return nil, why
		}
		p = q
	}
	return p, ""
}

// nilable says whether the value at the end of the path can be missing.
func (p *Path) nilable() bool {
	for i, s := range p.Steps {
		if s.Key || s.Mandatory || i == p.Loop && i == len(p.Steps)-1 {
			continue
		}
		if s.Type.Nullable || i == len(p.Steps)-1 && s.Type.canBeNil() {
			return true
		}
	}
	return false
}

// equal says whether two paths lead to one value.
func (p *Path) equal(o *Path) bool {
	return p.Source == o.Source && p.Loop == o.Loop && p.Part == o.Part && slices.Equal(p.Steps, o.Steps)
}
