package conceptual

import (
	"slices"
	"strings"
)

// noteForms are the comments, by their first word.
var noteForms = map[string]string{
	"specialisation": "%% aml: specialisation Person: Student, Teacher total disjoint",
	"weak":           "%% aml: weak Dependent of Employee",
	"composite":      "%% aml: composite Customer.address: street, city",
	"multivalued":    "%% aml: multivalued Customer.phones",
	"relationship":   "%% aml: relationship Supplies: Supplier, Part, Project",
}

var (
	listNote = pattern(`^` + entityName + `\s*:\s*(.+)$`)
	pathNote = pattern(`^` + entityName + `\.([\p{L}_][\p{L}\p{N}_-]*)\s*(?::\s*(.+))?$`)
	weakNote = pattern(`^` + entityName + `\s+of\s+` + entityName + `$`)
)

// note reads a comment.
func (p *parser) note(verb, text string) {
	form, known := noteForms[verb]
	if !known {
		p.fault("unknown comment %q: the comments are specialisation, weak, composite, multivalued and relationship", verb)
		return
	}
	read := map[string]func(string) bool{
		"specialisation": p.specialisation, "weak": p.weak, "composite": p.composite, "multivalued": p.multivalued, "relationship": p.nary,
	}[verb]
	if !read(text) {
		p.fault("the comment %s has another form: write %s", verb, form)
	}
}

// named returns the entity that a comment names, or nil after a fault.
func (p *parser) named(name string) *Entity {
	e := p.d.Entity(strings.Trim(strings.TrimSpace(name), `"`))
	if e == nil {
		p.fault("there is no entity %s: add it to the diagram", strings.TrimSpace(name))
	}
	return e
}

// specialisation reads "Person: Student, Teacher total disjoint", in which both last words can be missing: partial, disjoint.
func (p *parser) specialisation(text string) bool {
	m := listNote().FindStringSubmatch(text)
	if m == nil {
		return false
	}
	s := &Specialisation{Pos: p.pos, Super: p.named(m[1])}
	names := m[2]
	for cut := true; cut; {
		cut = false
		for _, word := range []string{"total", "partial", "disjoint", "overlapping"} {
			rest, found := strings.CutSuffix(strings.TrimSpace(names), " "+word)
			if !found {
				continue
			}
			names, cut = rest, true
			s.Total, s.Overlapping = s.Total || word == "total", s.Overlapping || word == "overlapping"
		}
	}
	for name := range strings.SplitSeq(names, ",") {
		e := p.named(name)
		switch {
		case e == nil:
			continue
		case e.super != nil:
			p.fault("%s is a subtype of %s already: a subtype has one supertype", e.Name, e.super.Super.Name)
			continue
		case s.Super != nil && s.Super.isSubtype(e):
			p.fault("%s cannot be a subtype of itself", e.Name)
			continue
		}
		e.super = s
		s.Subtypes = append(s.Subtypes, e)
	}
	if s.Super != nil {
		p.d.Specialisations = append(p.d.Specialisations, s)
	}
	return true
}

// isSubtype reports whether an entity is another one, or a subtype of it or of its subtypes.
func (e *Entity) isSubtype(of *Entity) bool {
	for e != of && e.super != nil && e.super.Super != nil {
		e = e.super.Super
	}
	return e == of
}

// weak reads "Dependent of Employee".
func (p *parser) weak(text string) bool {
	m := weakNote().FindStringSubmatch(text)
	if m == nil {
		return false
	}
	e, owner := p.named(m[1]), p.named(m[2])
	switch {
	case e == nil || owner == nil:
	case e == owner:
		p.fault("%s cannot be weak of itself", e.Name)
	case e.super != nil:
		p.fault("%s is a subtype of %s, in whose row it is, and cannot be weak of another entity: remove it from one of the comments", e.Name, e.super.Super.Name)
	case e.owner != nil && e.owner != owner:
		p.fault("%s is weak of %s already: write a relationship of its owners", e.Name, e.owner.Name)
	default:
		e.owner = owner
	}
	return true
}

// path returns the entity and the attribute that a comment names. An attribute that the entity does not have is a new one, a text.
func (p *parser) path(text string) (a *Attribute, list string, ok bool) {
	m := pathNote().FindStringSubmatch(text)
	if m == nil {
		return nil, "", false
	}
	e := p.named(m[1])
	if e == nil {
		return nil, m[3], true
	}
	if a = find(e.Attributes, m[2]); a == nil {
		a = &Attribute{Pos: p.pos, Type: "string", Name: m[2]}
		e.Attributes = append(e.Attributes, a)
	}
	return a, m[3], true
}

// composite reads "Customer.address: street, city". The parts are attributes of the entity, or new ones, which are texts.
func (p *parser) composite(text string) bool {
	a, list, ok := p.path(text)
	if !ok || list == "" {
		return false
	}
	m := pathNote().FindStringSubmatch(text)
	e := p.d.Entity(strings.Trim(m[1], `"`))
	if a == nil || e == nil {
		return true
	}
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		part := e.attribute(name)
		switch {
		case name == "" || part == a:
			return false
		case part != nil && find(part.Parts, a.Name) == a:
			p.fault("%s is a part of %s already, and cannot contain it: remove %s from the parts of %s", a.Name, name, name, a.Name)
			continue
		case find(a.Parts, name) != nil:
			p.fault("%s is a part of %s already: name it once", name, a.Name)
			continue
		case part == nil:
			part = &Attribute{Pos: p.pos, Type: "string", Name: name}
		case part.PK:
			p.fault("%s is a part of the key of %s, and cannot be a part of %s", name, e.Name, a.Name)
			continue
		}
		e.Attributes = removed(e.Attributes, part)
		a.Parts = append(a.Parts, part)
	}
	return true
}

// find returns the attribute with a name among attributes and their parts, or nil.
func find(all []*Attribute, name string) *Attribute {
	for _, a := range all {
		if a.Name == name {
			return a
		}
		if part := find(a.Parts, name); part != nil {
			return part
		}
	}
	return nil
}

// removed returns a list without one of its values.
func removed(all []*Attribute, one *Attribute) (out []*Attribute) {
	for _, a := range all {
		if a != one {
			out = append(out, a)
		}
	}
	return out
}

// multivalued reads "Customer.phones".
func (p *parser) multivalued(text string) bool {
	a, list, ok := p.path(text)
	if !ok || list != "" {
		return false
	}
	if a != nil {
		if a.Multivalued = true; a.PK {
			p.fault("%s is a key, and cannot have several values", a.Name)
		}
	}
	return true
}

// nary reads "Supplies: Supplier, Part, Project".
func (p *parser) nary(text string) bool {
	m := listNote().FindStringSubmatch(text)
	if m == nil {
		return false
	}
	n := &NAry{Pos: p.pos, Name: strings.Trim(m[1], `"`)}
	for name := range strings.SplitSeq(m[2], ",") {
		if e := p.named(name); e != nil {
			n.Of = append(n.Of, e)
		}
	}
	if len(n.Of) < 2 {
		return false
	}
	if slices.ContainsFunc(p.d.NAry, func(o *NAry) bool { return o.Name == n.Name }) {
		p.fault("there is another relationship %s: give it another name", n.Name)
	}
	p.d.NAry = append(p.d.NAry, n)
	return true
}
