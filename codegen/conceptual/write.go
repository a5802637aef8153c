package conceptual

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
)

// write writes the structs.
func (g *designer) write() {
	for _, e := range g.d.Entities {
		if owner := g.owners[e]; owner != nil {
			g.foreign(e, owner)
		}
	}
	for _, r := range g.d.Relationships {
		if holder, to := g.sides(r); !g.used[r] && !slices.Contains(g.identifying(holder), r) {
			g.fkOf[r] = g.foreign(holder, to)
		}
	}
	for _, e := range g.d.Entities {
		if g.places[e] == root {
			g.writeRoot(e)
		}
	}
	for _, e := range g.d.Entities {
		if g.places[e] == pairs && !slices.ContainsFunc(g.d.NAry, func(n *NAry) bool { return n.Name == e.Name }) {
			g.writePairs(e, &NAry{Pos: e.Pos, Name: e.Name, Of: g.identifiers(e)}, "it is identified by several others")
		}
	}
	for _, n := range g.d.NAry {
		g.writePairs(g.d.Entity(n.Name), n, "it is a relationship with a name")
	}
	for _, r := range g.d.Relationships {
		if !g.used[r] {
			g.writeRelationship(r)
		}
	}
	for _, e := range g.d.Entities {
		g.fillEmpty(e)
		if s := g.structs[e]; s != nil && s.marker == "Aggregate" && g.versioned(e) {
			s.add(&field{name: "Version", typ: "int64", tag: ",version", about: []string{
				"With a version, redundant tables follow each save, and a unique value belongs to one row. Delete this field if the root has neither."}})
		}
	}
}

// fillEmpty adds a field to a subtype without attributes, because no type of CQL is empty. Other entities need an attribute.
func (g *designer) fillEmpty(e *Entity) {
	s := g.structs[e]
	switch {
	case s == nil || len(s.fields) > 0 || g.places[e] == pairs: // a fault says why a table of pairs has no fields
	case g.places[e] == subtype:
		s.add(&field{name: "Present", typ: "bool", note: "the diagram has no attributes, and no type of CQL is empty"})
	default:
		g.fault(e, "%s is stored in %s, and has no attributes: add one", e.Name, g.owners[e].Name)
	}
}

// identifiers returns the entities that identify another one.
func (g *designer) identifiers(e *Entity) (out []*Entity) {
	for _, r := range g.identifying(e) {
		one, _, _ := r.oneToMany()
		out = append(out, one)
		g.used[r] = true
	}
	return out
}

// foreign marks the attributes of an entity that are the key of another one, and returns them in the order of that key; nil where there is none.
func (g *designer) foreign(e, of *Entity) []*Attribute {
	keys := g.base(of).key()
	out := make([]*Attribute, len(keys))
	for i, k := range keys {
		for _, a := range e.Attributes {
			if !a.FK || g.fks[a] || slices.Contains(out, a) {
				continue
			}
			name, owner, key := plain(a.Name), plain(of.Name), plain(k.Name)
			if strings.Contains(name, owner) || name == key || len(keys) == 1 && g.onlyForeign(e) {
				out[i] = a
				break
			}
		}
	}
	for _, a := range out {
		if a != nil {
			g.fks[a] = true
		}
	}
	return out
}

// onlyForeign reports whether an entity has one attribute with FK that no relationship uses yet.
func (g *designer) onlyForeign(e *Entity) bool {
	n := 0
	for _, a := range e.Attributes {
		if a.FK && !g.fks[a] {
			n++
		}
	}
	return n == 1
}

// plain returns a name without case and signs, for comparisons.
func plain(name string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == ' ' {
			return -1
		}
		return r
	}, name))
}

// begin adds a struct for an entity, whose name is free.
func (g *designer) begin(e *Entity, name, marker string) *structure {
	s := &structure{name: goName(name), marker: marker}
	for i := 2; g.named[s.name]; i++ {
		s.name = fmt.Sprint(goName(name), i)
	}
	g.named[s.name] = true
	g.all = append(g.all, s)
	if e != nil {
		g.structs[e] = s
	}
	return s
}

// composed begins a struct whose values are in the rows of other structs. Its type has its name.
func (g *designer) composed(e *Entity, name, marker string) *structure {
	s := g.begin(e, name, marker)
	s.tag = tagName(model.SnakeCase(s.name))
	return s
}

// table returns a name of a table that is free.
func (g *designer) table(name string) string {
	out := name
	for i := 2; g.tables[out]; i++ {
		out = fmt.Sprint(name, "_", i)
	}
	g.tables[out] = true
	return tagName(out)
}

func (g *designer) writeRoot(e *Entity) {
	s := g.begin(e, e.Name, "Aggregate")
	s.tag = g.table(tableName(s.name))
	s.about = append(s.about, s.name+" is a root, because it has a key of its own. Alternative: an element or a part of another.")
	g.writeKey(s, e)
	g.writeContent(s, e)
	for _, p := range g.d.Entities {
		if g.places[p] == part && g.base(g.owners[p]) == e {
			g.writePart(s, e, p)
		}
	}
}

// writeKey adds the key of a root: the first attribute is the partition key, or all of them if the root has parts.
func (g *designer) writeKey(s *structure, e *Entity) {
	for i, a := range e.key() {
		option := ",identifier"
		if i > 0 && !g.hasPart(e) {
			option = ",discriminator"
		}
		g.attribute(s, e, a).tag += option
	}
}

// writeContent adds the attributes outside the key, and the entities that are stored in the struct.
func (g *designer) writeContent(s *structure, e *Entity) {
	for _, a := range e.Attributes {
		if !a.PK && !g.fks[a] {
			g.writeAttribute(s, e, a)
		}
	}
	for _, x := range g.d.Specialisations {
		if x.Super == e {
			g.writeSpecialisation(s, x)
		}
	}
	for _, o := range g.d.Entities {
		if g.owners[o] != e {
			continue
		}
		switch g.places[o] {
		case element:
			g.writeElement(s, o)
		case single:
			g.writeSingle(s, o)
		}
	}
}

// attribute adds an attribute of one value.
func (g *designer) attribute(s *structure, e *Entity, a *Attribute) *field {
	typ, option, known := goType(a.Type)
	if !known {
		typ = "string" // a fault of the diagram says so
	}
	f := &field{name: goName(a.Name), typ: typ}
	if option != "" {
		f.tag += ",type=" + option
	}
	return s.add(f)
}

func (g *designer) writeAttribute(s *structure, e *Entity, a *Attribute) {
	if a.Parts != nil {
		v := g.composed(nil, e.Name+"_"+a.Name, "ValueObject")
		v.about = []string{v.name + " is a value object: the attribute " + a.Name + " of " + e.Name + " is composite. Alternative: a field for each of its parts."}
		for _, p := range a.Parts {
			g.writeAttribute(v, e, p)
		}
		f := &field{name: goName(a.Name), typ: v.name, tag: ",composition"}
		if a.Multivalued {
			f.typ, f.tag = "[]"+v.name, f.tag+",max=20"
		}
		s.add(f)
		return
	}
	f := g.attribute(s, e, a)
	switch {
	case a.Multivalued:
		f.typ, f.tag = "[]"+f.typ, f.tag+",unique,max=20"
		f.about = append(f.about, a.Name+" has several values: a set, of 20 at most. Alternative: a list, without unique.")
	case a.UK && s.marker == "Aggregate":
		f.tag += ",unique"
	case a.UK:
		f.note = "UK in the diagram: only a field of a root can be unique"
	case a.FK:
		f.note = "FK in the diagram, without a relationship"
	}
}

func (g *designer) writeSpecialisation(s *structure, x *Specialisation) {
	group := s.group("Kind")
	option, rule := ",xor="+group, "partial and disjoint, so a row has at most one of them (xor)"
	switch {
	case len(x.Subtypes) == 1 && x.Total:
		option, rule = ",required", "total with one subtype, so each row has it"
	case len(x.Subtypes) == 1:
		option, rule = "", "partial with one subtype, so a row has it or not"
	case x.Overlapping && x.Total:
		option, rule = ",any="+group, "total and overlapping, so a row has one of them at least (any)"
	case x.Overlapping:
		option, rule = "", "partial and overlapping, so a row can have any of them, or none"
	case x.Total:
		option, rule = option+",required", "total and disjoint, so a row has exactly one of them (xor, required)"
	}
	s.about = append(s.about, fmt.Sprintf("The specialisation of %s is %s. Alternative: a root for each subtype, which repeats the fields of %s.", x.Super.Name, rule, x.Super.Name))
	for _, t := range x.Subtypes {
		v := g.composed(t, t.Name, "ValueObject")
		v.about = []string{v.name + " is a subtype of " + s.name + "."}
		g.writeOwnKey(v, t)
		g.writeContent(v, t)
		s.add(&field{name: v.name, typ: "*" + v.name, tag: ",composition" + option})
	}
}

// writeOwnKey adds the key of a subtype, without the attributes that are the key of its supertype.
func (g *designer) writeOwnKey(s *structure, e *Entity) {
	base := g.base(e)
	for _, a := range e.key() {
		if !slices.ContainsFunc(base.key(), func(k *Attribute) bool {
			return plain(a.Name) == plain(k.Name) || plain(a.Name) == plain(prefixed(base.Name, k.Name))
		}) {
			g.attribute(s, e, a).note = "PK in the diagram: the key of " + base.Name + " identifies its subtypes"
		}
	}
}

func (g *designer) writeElement(s *structure, e *Entity) {
	marker := "ValueObject"
	if g.hasOwnKey(e) {
		marker = "Entity"
	}
	v := g.composed(e, e.Name, marker)
	v.about = []string{fmt.Sprintf("%s is an element of %s: %s. 20 at most are assumed. Alternatives: a part, or a root with a reference (aml alternatives %s.%s).",
		v.name, s.name, g.why[e], s.name, plural(v.name))}
	for _, a := range e.key() {
		if !g.fks[a] {
			g.attribute(v, e, a).tag += ",identifier"
		}
	}
	g.writeContent(v, e)
	s.add(&field{name: plural(v.name), typ: "[]" + v.name, tag: ",composition,max=20"})
}

func (g *designer) writeSingle(s *structure, e *Entity) {
	v := g.composed(e, e.Name, "ValueObject")
	v.about = []string{fmt.Sprintf("%s is stored in %s: %s. Alternative: a root with a reference.", v.name, s.name, g.why[e])}
	for _, a := range e.key() {
		g.attribute(v, e, a)
	}
	g.writeContent(v, e)
	typ := "*" + v.name
	if r := g.via[e]; r.Of.Min && r.To.Min {
		typ = v.name
	}
	s.add(&field{name: v.name, typ: typ, tag: ",composition"})
}

// hasOwnKey reports whether a part of the key of an entity is not the key of its owner.
func (g *designer) hasOwnKey(e *Entity) bool {
	return slices.ContainsFunc(e.key(), func(a *Attribute) bool { return !g.fks[a] })
}

// writePart adds a part of a root. Parts of a versioned root are in its table, so the names of their columns begin with the name of the part.
func (g *designer) writePart(of *structure, owner, e *Entity) {
	if !g.hasOwnKey(e) {
		g.fault(e, "the key of %s is that of %s, which has many of them: mark with PK the attribute that distinguishes them", e.Name, owner.Name)
	}
	s := g.begin(e, e.Name, "Entity")
	if !g.versioned(owner) {
		s.tag = g.table(tableName(s.name)) + ",part=" + of.name + ",rows=1000"
	} else {
		s.prefix = model.SnakeCase(plural(s.name)) + "_"
		s.tag = of.tag + ",part=" + of.name + ",rows=1000"
		of.ignore = append(of.ignore, "AML912 as far as the diagram shows, few rows of "+s.name+" are deleted")
		of.ignore = slices.Compact(of.ignore)
	}
	s.about = []string{fmt.Sprintf("%s is a part of %s: %s, and it has relationships or many attributes. 1,000 are assumed. Alternatives: an element, if there are few; a root with a reference.",
		s.name, of.name, g.why[e])}
	for _, a := range owner.key() {
		typ, option, _ := goType(a.Type)
		f := &field{name: prefixed(owner.Name, a.Name), typ: typ, tag: model.SnakeCase(prefixed(owner.Name, a.Name))}
		if s.prefix != "" {
			f.tag = model.SnakeCase(goName(a.Name))
		}
		if option != "" {
			f.tag += ",type=" + option
		}
		f.tag += ",identifier"
		s.add(f)
	}
	for _, a := range e.key() {
		if !g.fks[a] {
			g.attribute(s, e, a).tag += ",discriminator"
		}
	}
	g.writeContent(s, e)
}

// prefixed returns the name of a field for a key of another entity: CustomerID, and no CustomerCustomerID.
func prefixed(of, key string) string {
	name := goName(key)
	if strings.HasPrefix(name, goName(of)) {
		return name
	}
	return goName(of) + name
}
