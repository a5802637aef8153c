package conceptual

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/codegen/internal/article"
)

// reference is a field that has one column of the key of a root.
type reference struct{ name, typ, tag, key string }

// references returns the fields that refer to an entity. role is the name of the relationship where it is needed; "" for the name of the entity. fks are the
// attributes of the diagram for them, if there are any.
func (g *designer) references(e, to *Entity, role string, fks []*Attribute) (target *structure, out []reference) {
	base := g.base(to)
	if owner := g.owners[base]; owner != nil {
		g.fault(e, "%s refers to %s, which is stored in %s: give %s a key of its own with PK, and do not declare it as weak", e.Name, to.Name, owner.Name, to.Name)
		return nil, nil
	}
	target = g.structs[base]
	if target == nil || g.places[base] != root {
		g.fault(e, "%s refers to %s, which is a relationship of others: if %[2]s is an entity, write .. in place of -- for the relationships that do not identify it", e.Name, to.Name)
		return nil, nil
	}
	of := role
	if of == "" {
		of = to.Name
	}
	for i, k := range base.key() {
		typ, option, _ := goType(k.Type)
		r := reference{name: prefixed(of, k.Name), typ: typ, key: goName(k.Name)}
		if i < len(fks) && fks[i] != nil {
			r.name = goName(fks[i].Name)
		}
		if option != "" {
			r.tag += ",type=" + option
		}
		if r.tag += ",association=" + target.name; len(base.key()) > 1 {
			r.tag += "." + goName(k.Name)
		}
		out = append(out, r)
	}
	return target, out
}

// needed returns the option required for a key that is a text, because no row has an empty one.
func needed(typ string) string {
	if typ == "string" {
		return ",required"
	}
	return ""
}

// nullable returns a type that can be nil.
func nullable(typ string) string {
	if strings.HasPrefix(typ, "*") || strings.HasPrefix(typ, "[]") {
		return typ
	}
	return "*" + typ
}

// writeRelationship writes a relationship as references.
func (g *designer) writeRelationship(r *Relationship) {
	one, many, ok := r.oneToMany()
	switch {
	case ok:
		g.writeOneToMany(r, one, many)
	case r.Of.Many:
		g.writeManyToMany(r)
	default:
		g.writeOneToOne(r)
	}
}

// role returns the name of a relationship if its entity would not be clear without it: of an entity with itself, or one of several.
func (g *designer) role(r *Relationship, of *Entity) string {
	several := r.Left == r.Right
	for _, o := range g.d.Relationships {
		several = several || o != r && (o.Left == r.Left && o.Right == r.Right || o.Left == r.Right && o.Right == r.Left)
	}
	switch {
	case !several:
		return ""
	case r.Label == "":
		return "related " + of.Name
	}
	return r.Label + " " + of.Name
}

// holder returns the struct of an entity that holds references.
func (g *designer) holder(e, to *Entity) *structure {
	s := g.structs[e]
	if s == nil {
		g.fault(e, "%s, a relationship of others, has a relationship with %s: if %[1]s is an entity, write .. in place of -- for the relationships that do not identify it", e.Name, to.Name)
	}
	return s
}

func (g *designer) writeOneToMany(r *Relationship, one, many *Entity) {
	s := g.holder(many, one)
	if s == nil {
		return
	}
	role := g.role(r, one)
	target, refs := g.references(many, one, role, g.fkOf[r])
	if target == nil {
		return
	}
	optional := !r.ofMany().Min
	about := fmt.Sprintf("1:N: %s refers to %s. Alternatives: with checked, %s must exist; the rows of %s as parts or elements of %s.", s.name, target.name, target.name, s.name, target.name)
	for i := range refs {
		typ := refs[i].typ
		f := &field{name: refs[i].name, typ: typ, tag: refs[i].tag + needed(typ)}
		if optional {
			f.typ, f.tag = nullable(typ), refs[i].tag
		}
		if i == 0 {
			f.about = []string{about}
		}
		refs[i].name = s.add(f).name
	}
	if g.places[many] != root {
		return
	}
	by := role
	if by == "" {
		by = one.Name
	}
	g.writeOtherDirection(s, many, by, refs, optional)
}

// writeOtherDirection adds the redundant table that finds the rows of an entity by a reference.
func (g *designer) writeOtherDirection(s *structure, many *Entity, by string, refs []reference, optional bool) {
	copied := g.begin(nil, s.name+" by "+by, "Aggregate")
	copied.tag = g.table(model.SnakeCase(plural(s.name))+"_by_"+model.SnakeCase(goName(by))) + ",redundant=" + s.name + ",rows=1000"
	if optional {
		copied.tag += ",when=" + s.name + "." + refs[0].name
	}
	copied.about = []string{fmt.Sprintf("%s finds the rows of %s by %s: the other direction of the relationship. Add the fields that a list shows. Alternative: none, if nobody asks for it.",
		copied.name, s.name, refs[0].name)}
	for _, r := range refs {
		copied.add(&field{name: r.name, typ: r.typ, tag: typeOption(r.tag) + ",identifier"})
	}
	for _, a := range many.key() {
		g.attribute(copied, many, a).tag += ",discriminator"
	}
}

// typeOption returns the option type= of a tag, with its comma.
func typeOption(tag string) string {
	for o := range strings.SplitSeq(tag, ",") {
		if strings.HasPrefix(o, "type=") {
			return "," + o
		}
	}
	return ""
}

func (g *designer) writeOneToOne(r *Relationship) {
	dependent, other := r.dependent()
	s := g.holder(dependent, other)
	if s == nil {
		return
	}
	target, refs := g.references(dependent, other, g.role(r, other), g.fkOf[r])
	if target == nil {
		return
	}
	always := r.Of.Min
	if dependent == r.Left {
		always = r.To.Min
	}
	rule := "neither side always has the other"
	if r.total() {
		rule = "it always has one, and has relationships of its own"
	}
	for i, f := range refs {
		x := &field{name: f.name, typ: f.typ, tag: f.tag + needed(f.typ)}
		if !always {
			x.typ, x.tag = nullable(x.typ), f.tag
		}
		if g.places[dependent] == root {
			if x.tag += ",unique"; len(refs) > 1 {
				x.tag = strings.TrimSuffix(x.tag, ",unique") + ",unique=" + goName(other.Name) + "Key"
			}
		}
		if i == 0 {
			x.about = []string{fmt.Sprintf("1:1: %s refers to %s, because %s; unique lets no other row refer to the same one. Alternative: a composition in %s.", s.name, target.name, rule, target.name)}
		}
		s.add(x)
	}
}

func (g *designer) writeManyToMany(r *Relationship) {
	holder, other, why := g.readMore(r)
	s := g.holder(holder, other)
	if s == nil {
		return
	}
	target, refs := g.references(holder, other, g.role(r, other), g.fkOf[r])
	if target == nil {
		return
	}
	about := fmt.Sprintf("N:M: %s has the keys of its %s; %s. 100 at most are assumed. Alternatives: the set in %s; a table of pairs, if the relationship has attributes or each side has many.",
		s.name, plural(target.name), why, target.name)
	f := &field{name: refs[0].name + "s", typ: "[]" + refs[0].typ, tag: refs[0].tag + ",unique,max=100", about: []string{about}}
	if len(refs) > 1 {
		key := g.begin(nil, target.name+" key", "")
		key.about = []string{key.name + " is the key of " + article.With(target.name) + "."}
		for _, x := range refs {
			key.fields = append(key.fields, &field{name: x.key, typ: x.typ, tag: typeOption(x.tag)})
		}
		f.name, f.typ, f.tag = plural(target.name), "[]"+key.name, ",association="+target.name+",type=tuple,unique,max=100"
	}
	s.add(f)
}

// writePairs writes a relationship that is a table: a root whose key has the keys of all its sides. e has its attributes, and can be nil.
func (g *designer) writePairs(e *Entity, n *NAry, why string) {
	s, of := g.begin(e, n.Name, "Aggregate"), n.Of
	s.tag = g.table(tableName(s.name)) + ",rows=1000"
	s.about = []string{fmt.Sprintf("%s is a root of references to %s: %s. Alternative for two sides without attributes: a set of references in one of them.", s.name, enumerate(of), why)}
	holder := e
	if holder == nil {
		holder = &Entity{Pos: n.Pos, Name: n.Name}
	}
	var keys [][]reference
	seen := map[*Entity]bool{}
	for i, side := range of {
		role := ""
		if seen[side] {
			role = fmt.Sprint("other ", side.Name)
		}
		seen[side] = true
		target, refs := g.references(holder, side, role, g.foreign(holder, side))
		if target == nil {
			return
		}
		option := ",identifier"
		if i > 0 {
			option = ",discriminator"
		}
		for k := range refs {
			refs[k].name = s.add(&field{name: refs[k].name, typ: refs[k].typ, tag: refs[k].tag + option + needed(refs[k].typ)}).name
		}
		keys = append(keys, refs)
	}
	if e != nil {
		for _, a := range e.key() {
			if !g.fks[a] {
				g.attribute(s, e, a).tag += ",discriminator"
			}
		}
		g.writeContent(s, e)
	}
	if len(of) != 2 {
		return
	}
	back := g.begin(nil, s.name+" by "+of[1].Name, "Aggregate")
	back.tag = g.table(model.SnakeCase(plural(s.name))+"_by_"+model.SnakeCase(goName(of[1].Name))) + ",redundant=" + s.name + ",rows=1000"
	back.about = []string{back.name + " finds the pairs from the other side."}
	for i, refs := range [][]reference{keys[1], keys[0]} {
		for _, r := range refs {
			option := ",identifier"
			if i > 0 {
				option = ",discriminator"
			}
			back.add(&field{name: r.name, typ: r.typ, tag: typeOption(r.tag) + option})
		}
	}
	if e != nil {
		for _, a := range e.key() {
			if !slices.ContainsFunc(back.fields, func(f *field) bool { return f.name == goName(a.Name) }) && !g.fks[a] {
				g.attribute(back, e, a).tag += ",discriminator"
			}
		}
	}
}

// enumerate returns the names of entities for a text: a, b and c.
func enumerate(all []*Entity) string {
	var out []string
	for _, e := range all {
		out = append(out, e.Name)
	}
	if len(out) < 2 {
		return strings.Join(out, "")
	}
	return strings.Join(out[:len(out)-1], ", ") + " and " + out[len(out)-1]
}
