package corpus

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Projected generates a plain model of one root and one to three redundant aggregates of it, with more ways to derive values
// from the root than other models: it is for tests that execute projections. All of its tables and types have names with the
// prefix, so that models can share a keyspace. Some models have fewer copies, and a few are rejected: the caller checks.
func Projected(r *rand.Rand, prefix string) *Model { return projected(r, prefix, false) }

// ProjectedPart generates a model like the models of [Projected], in which the source of the redundant aggregates is a part of another
// root, the struct Owner, in a separate table or in the table of its root.
func ProjectedPart(r *rand.Rand, prefix string) *Model { return projected(r, prefix, true) }

// ProjectedVersioned generates a model like the models of [Projected], in which the source of the redundant aggregates has a version, and a
// part, the struct Part, whose rows are in its table.
func ProjectedVersioned(r *rand.Rand, prefix string) *Model {
	p := &projector{Generator: &Generator{rand: r, m: &Model{Name: "random", prefix: prefix}}, versioned: true}
	p.makeRoot()
	for i := range 1 + r.IntN(3) {
		p.makeCopy(i)
	}
	p.add(p.source, "Version", scalar("int64", "bigint"), "version")
	p.makePart()
	return p.m
}

func projected(r *rand.Rand, prefix string, part bool) *Model {
	p := &projector{Generator: &Generator{rand: r, m: &Model{Name: "random", prefix: prefix}}, part: part}
	p.makeRoot()
	for i := range 1 + r.IntN(3) {
		p.makeCopy(i)
	}
	return p.m
}

// projector generates the structs of a projected model.
type projector struct {
	*Generator
	source  *Struct
	part    bool // the source is a part
	expires bool
	static  *Field // static field of the source, or nil

	versioned bool // the source has a version
}

// put adds a struct to the model.
func (p *projector) put(s *Struct) { p.m.Structs = append(p.m.Structs, s) }

// add adds a field. Its tag has the options that its type needs.
func (p *projector) add(s *Struct, name string, t *Type, options ...string) *Field {
	if t.composes() {
		options = append(options, "composition")
	}
	if t.Set {
		options = append(options, "unique")
	}
	f := &Field{Name: name, Type: t}
	for _, o := range options {
		f.option(o)
	}
	s.Fields = append(s.Fields, f)
	return f
}

// makeRoot adds the source of the projections.
func (p *projector) makeRoot() {
	s := &Struct{Name: "Root", Role: Root, Marker: Aggregate, Tag: tag(p.m.prefix + "root")}
	if p.expires = !p.part && !p.versioned && p.chance(6); p.expires {
		s.marker("ttl=40")
	}
	p.source = s
	p.add(s, "ID", scalar("int32", "int"), "identifier")
	if p.chance(25) {
		p.add(s, "Zone", scalar("string", "text"), "identifier")
	}
	if !p.versioned && p.chance(35) {
		f := p.add(s, "Place", []*Type{scalar("string", "text"), scalar("int32", "int"), scalar("bool", "boolean")}[p.rand.IntN(3)], "discriminator")
		p.randomOption(40, f, "desc")
		if p.chance(50) && !p.expires && !p.part {
			t := p.plainScalar()
			if p.chance(60) {
				t = &Type{Kind: Pointer, Elem: t}
			}
			p.static = p.add(s, "Common", t, "static")
		}
	}
	for i := range 3 + p.rand.IntN(5) {
		f := p.add(s, fmt.Sprintf("F%d", i), p.anyType(2))
		if p.chance(25) && !f.Type.single() || p.chance(15) && f.Type.single() {
			f.option("final")
		}
	}
	if p.m.grades = p.chance(20); p.m.grades {
		grade := []*Type{scalar("Grade", "text"), {Kind: Pointer, Elem: scalar("Grade", "text")}}[p.rand.IntN(2)]
		p.randomOption(15, p.add(s, "Grade", grade, "enum"), "final")
	}
	if p.chance(15) {
		p.add(s, "Either", &Type{Kind: Pointer, Elem: p.plainScalar()}, "xor=Way")
		p.add(s, "Or", &Type{Kind: Pointer, Elem: p.plainScalar()}, "xor=Way")
		p.add(s, "Way", scalar("string", "text"))
	}
	if p.part {
		p.makeOwner(s)
	}
	p.put(s)
}

// makeOwner adds the root of which the source is a part. The source can be in its table if it has a discriminator.
func (p *projector) makeOwner(part *Struct) {
	s := &Struct{Name: "Owner", Role: Root, Marker: Aggregate, Tag: tag(p.m.prefix + "owner")}
	for _, f := range part.with("identifier") {
		p.add(s, f.Name, f.Type, "identifier")
	}
	p.add(s, "State", scalar("string", "text"), "required")
	p.put(s)
	part.Marker = Entity
	part.marker("part=Owner")
	if len(part.with("discriminator")) > 0 && p.chance(60) {
		part.Tag.Name = s.Tag.Name
	}
}

// makePart adds a part in the table of the source.
func (p *projector) makePart() {
	s := &Struct{Name: "Part", Role: Root, Marker: Entity, Tag: tag(p.source.Tag.Name, "part=Root")}
	if p.chance(50) {
		p.source.marker("headrow")
	}
	for _, f := range p.source.with("identifier") {
		p.add(s, f.Name, f.Type, "identifier")
	}
	for i := range 1 + p.rand.IntN(2) {
		types := []*Type{scalar("string", "text"), scalar("int32", "int"), scalar("int64", "bigint")}
		p.randomOption(40, p.add(s, fmt.Sprintf("D%d", i), types[p.rand.IntN(len(types))], "discriminator"), "desc")
	}
	for i := range p.rand.IntN(5) {
		p.add(s, fmt.Sprintf("P%d", i), p.anyType(2))
	}
	p.put(s)
}

// plainScalar returns the type of a single value.
func (p *projector) plainScalar() *Type {
	among := []*Type{scalar("string", "text"), scalar("string", "text"), scalar("string", "text"), scalar("int32", "int"), scalar("int32", "int"),
		scalar("int64", "bigint"), scalar("bool", "boolean"), scalar("time.Time", "timestamp"), scalar("gocql.UUID", "uuid")}
	return among[p.rand.IntN(len(among))]
}

// plain returns the type of a single value that can be nil.
func (p *projector) plain() *Type {
	if p.chance(30) {
		return &Type{Kind: Pointer, Elem: p.plainScalar()}
	}
	return p.plainScalar()
}

// present returns the type of a single value that is never null, as elements of collections are.
func (p *projector) present() *Type {
	for {
		if t := p.plainScalar(); t.Go != "time.Time" && t.Go != "bool" {
			return t
		}
	}
}

// anyType returns a type of any kind.
func (p *projector) anyType(depth int) *Type {
	text := scalar("string", "text")
	switch n := p.rand.IntN(12); {
	case n < 5 || depth == 0:
		return p.plain()
	case n == 5:
		return &Type{Kind: Slice, Elem: p.present()}
	case n == 6:
		elem := p.present()
		if p.chance(50) {
			return &Type{Kind: MapSet, Key: elem}
		}
		return &Type{Kind: Slice, Elem: elem, Set: true}
	case n == 7:
		return &Type{Kind: Map, Key: text, Elem: p.present()}
	case n == 8:
		return &Type{Kind: Slice, Elem: p.object(depth)}
	case n == 9:
		return &Type{Kind: Map, Key: text, Elem: p.object(depth)}
	case n == 10 && p.chance(60):
		return &Type{Kind: Slice, Elem: p.object(depth), Set: true}
	}
	o := p.object(depth)
	if p.chance(40) {
		return &Type{Kind: Pointer, Elem: o}
	}
	return o
}

// object adds a struct that is composed.
func (p *projector) object(depth int) *Type {
	s := &Struct{Name: fmt.Sprintf("S%d", len(p.m.Structs)+1), Role: Object, Marker: ValueObject}
	s.Tag = tag(p.m.prefix + strings.ToLower(s.Name))
	if p.chance(10) {
		s.marker("final")
	}
	p.put(s)
	for i := range 1 + p.rand.IntN(3) {
		p.add(s, fmt.Sprintf("A%d", i), p.anyType(depth-1))
	}
	return &Type{Kind: Value, Struct: s}
}

// single reports whether the type holds a single value, or a pointer to one.
func (t *Type) single() bool { return t.bare(Native) }

// element returns the type of the elements of a collection.
func (t *Type) element() *Type {
	if t.Kind == MapSet {
		return t.Key
	}
	return t.Elem
}

// flat reports whether a type is a single value or a struct of single values.
func (t *Type) flat() bool {
	if t.Kind == Pointer {
		return t.Elem.flat()
	}
	return t.Kind == Native || t.Kind == Value && !slices.ContainsFunc(t.Struct.Fields, func(f *Field) bool { return !f.Type.single() })
}
