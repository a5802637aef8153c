package corpus

import (
	"fmt"
	"slices"
)

// The places of a type, by the names under which they are counted.
const (
	atColumn     = "column"
	atStatic     = "static column"
	atPartition  = "partition key"
	atClustering = "clustering key"
	atField      = "field of a UDT"
	atElement    = "element of a list"
	atSetElement = "element of a set"
	atMapKey     = "key of a map"
	atMapValue   = "value of a map"
	atMember     = "member of a tuple"
	maxDepth     = 3
)

// wants restricts a type.
type wants struct {
	comparable bool // the key of a Go map
	ordered    bool // no duration in it
	present    bool // never nil
	flat       bool // no type=: possible next to a type that needs one
	attribute  bool // a complete attribute, which can be null
	depth      int
}

// scalar returns a single value for a place.
func (g *Generator) scalar(at string, w wants) *Type {
	var names []string
	all := map[string]*Type{}
	for _, t := range scalars() {
		if w.allows(t) && (!g.executed || t.executes()) {
			names = append(names, t.name())
			all[t.name()] = t
		}
	}
	t := all[g.pick("type at "+at, names)]
	switch t.Kind {
	case Vector:
		t.Size = 1 + g.rand.IntN(6)
		if g.chance(5) {
			t.Size = 8192
		}
	case Coded:
		t.CQL = g.coded(at, w)
	case Texted:
		t.CQL = g.pickOne([]string{"text", "ascii"})
	}
	return t
}

// allows reports whether a single value satisfies the restrictions.
func (w wants) allows(t *Type) bool {
	return !(w.comparable && !t.comparable() || w.ordered && t.duration() || w.present && t.nilable() ||
		w.flat && (t.Odd || t.Kind == Coded || t.Kind == Texted))
}

// coded returns the CQL type of a value that converts itself.
func (g *Generator) coded(at string, w wants) string {
	if (at == atColumn || at == atField || at == atElement || at == atMember) && !w.ordered && g.chance(50) {
		cql := g.pick("type= of Go code", richCQL)
		if at != atColumn || g.chance(90) {
			return cql
		}
	}
	return g.pick("type= of Go code", plainCQL)
}

// value returns the type of an attribute that is not part of a key.
func (g *Generator) value(at string) *Type {
	for {
		if t := g.shape(at, wants{attribute: true}); t.sayable() {
			return t
		}
	}
}

// shape returns any type for a place.
func (g *Generator) shape(at string, w wants) *Type {
	kinds := []string{"scalar", "scalar", "scalar"}
	if w.depth < maxDepth && !w.comparable {
		kinds = append(kinds, "slice", "map", "set")
	}
	if w.depth < maxDepth {
		kinds = append(kinds, "struct", "tuple")
	}
	if w.attribute && !w.comparable {
		kinds = append(kinds, "pointer", "null")
	}
	if g.executed {
		kinds = slices.DeleteFunc(kinds, func(k string) bool { return k == "tuple" || k == "null" })
	}
	kind := kinds[g.rand.IntN(len(kinds))]
	switch kind {
	case "slice":
		return g.list(w)
	case "map":
		return g.mapping(w)
	case "set":
		return g.set(w)
	case "struct":
		return g.valueObject(w)
	case "tuple":
		if at == atColumn || at == atStatic {
			break // the driver cannot bind one
		}
		return g.tuple(w)
	case "pointer":
		return g.nullable(at)
	case "null":
		return &Type{Kind: Null, Elem: g.scalar(at, wants{})}
	}
	return g.scalar(at, w)
}

// deeper returns the restrictions one level below.
func (w wants) deeper() wants {
	w.depth++
	w.attribute = false
	return w
}

func (g *Generator) list(w wants) *Type {
	if w.depth == 0 && g.chance(5) {
		return &Type{Kind: Slice, Go: "kinds.Names", Elem: scalar("string", "text")}
	}
	return &Type{Kind: Slice, Elem: g.shape(atElement, w.deeper())}
}

func (g *Generator) mapping(w wants) *Type {
	if w.depth == 0 && g.chance(5) {
		return &Type{Kind: Map, Go: "kinds.Scores", Key: scalar("string", "text"), Elem: scalar("int32", "int")}
	}
	e := g.shape(atMapValue, w.deeper())
	if w.depth < maxDepth-1 && !g.executed && g.chance(20) {
		e = g.tuple(w.deeper())
	}
	return &Type{Kind: Map, Key: g.mapKey(w, !e.spellable()), Elem: e}
}

// mapKey returns the key of a map: a single value or a tuple.
func (g *Generator) mapKey(w wants, flat bool) *Type {
	k := wants{comparable: true, ordered: true, depth: w.depth + 1, flat: flat || g.chance(40)}
	if w.depth < maxDepth-1 && !g.executed && g.chance(15) {
		return g.tuple(k)
	}
	t := g.scalar(atMapKey, k)
	for t.Kind == Texted {
		t = g.scalar(atMapKey, k)
	}
	return t
}

func (g *Generator) set(w wants) *Type {
	k := wants{comparable: true, ordered: true, depth: w.depth + 1}
	if w.depth < maxDepth-1 && g.chance(40) {
		if !g.executed && g.chance(65) {
			return &Type{Kind: MapSet, Key: g.tuple(k)}
		}
		return &Type{Kind: MapSet, Key: g.valueObject(k)}
	}
	return &Type{Kind: MapSet, Key: g.scalar(atSetElement, k)}
}

// nullable returns a pointer.
func (g *Generator) nullable(at string) *Type {
	if g.chance(25) {
		return &Type{Kind: Pointer, Elem: g.valueObject(wants{depth: 1})}
	}
	if at == atField && !g.executed && g.chance(30) {
		return &Type{Kind: Pointer, Elem: g.tuple(wants{depth: 1})}
	}
	t := g.scalar(at, wants{})
	for t.Kind == Native && t.nilable() && t.Go[0] == '*' {
		t = g.scalar(at, wants{})
	}
	return &Type{Kind: Pointer, Elem: t}
}

// valueObject adds a struct that is stored as a user-defined type, or returns one of the model.
func (g *Generator) valueObject(w wants) *Type {
	if t := g.foreign(w); t != nil {
		return t
	}
	if s := g.known(w); s != nil {
		return &Type{Kind: Value, Struct: s}
	}
	return &Type{Kind: Value, Struct: g.object(w)}
}

// known finds a struct of the family that can be composed again.
func (g *Generator) known(w wants) *Struct {
	if g.chance(60) {
		return nil
	}
	for _, s := range g.m.Structs {
		t := &Type{Kind: Value, Struct: s}
		if s.ready && s.Family == g.family && !(w.comparable && !t.comparable() || w.ordered && t.duration()) {
			return s
		}
	}
	return nil
}

// foreign returns a value object of another package or an instance of a generic one.
func (g *Generator) foreign(w wants) *Type {
	switch {
	case g.chance(8) && g.once("place"):
		return &Type{Kind: Value, Go: "kinds.Place", Struct: placeStruct()}
	case g.chance(8) && !w.comparable && !g.executed:
		args := g.pickOne([]string{"int32, string", "string, []string", "int8, map[string]int64", "bool, []byte", "int16, time.Time", "int64, kinds.Color"})
		if g.once(args) {
			g.note("struct: generic of another package")
			return &Type{Kind: Value, Go: "kinds.Pair[" + args + "]", Struct: &Struct{Name: "Pair", Role: Object}}
		}
	}
	return nil
}

// placeStruct describes kinds.Place.
func placeStruct() *Struct {
	text := scalar("string", "text")
	return &Struct{Name: "Place", Role: Object, Fields: []*Field{{Name: "City", Type: text}, {Name: "Street", Type: text}, {Name: "Number", Type: scalar("int32", "int")}}}
}

// once returns true the first time in a block of models.
func (g *Generator) once(name string) bool {
	first := !g.claimed["once "+name]
	g.claimed["once "+name] = true
	return first
}

// object adds a value object.
func (g *Generator) object(w wants) *Struct {
	s := g.structure(Object, Plain, "")
	forms := []string{"plain", "marked", "named", "final", "generic"}
	if g.executed {
		forms = forms[:4]
	}
	form := g.pick("value object", forms)
	switch form {
	case "marked":
		s.Marker = ValueObject
	case "named":
		s.Marker, s.Tag = ValueObject, tag(g.udt(s.Name))
	case "final":
		s.Marker, s.Tag = ValueObject, tag(g.udt(s.Name), "final")
	}
	if s.Marker == ValueObject {
		g.maybeMarker(20, s, fmt.Sprintf("was=old_%d", g.rand.IntN(100)))
	}
	g.note("value object: " + form)
	g.fill(s, atField, w)
	if form == "generic" && len(s.Fields) > 0 {
		g.generic(s)
	}
	s.ready = true
	return s
}

// generic adds a type parameter to a struct, the type of its first field.
func (g *Generator) generic(s *Struct) {
	f := s.Fields[0]
	if f.Tag != nil || f.Type.Kind != Native || !f.Type.comparable() {
		s.claim("Generic")
		f = &Field{Name: "Generic", Type: scalar("int32", "int")}
		s.Fields = append([]*Field{f}, s.Fields...)
	}
	s.Params, s.Args = "[T any]", "["+f.Type.Go+"]"
	f.Type = scalar("T", f.Type.CQL)
}

// fill adds the fields of a struct that is composed.
func (g *Generator) fill(s *Struct, at string, w wants) {
	for range 1 + g.rand.IntN(4) {
		t := g.shape(at, wants{comparable: w.comparable, ordered: w.ordered, depth: w.depth + 1, attribute: true})
		for !t.sayable() {
			t = g.shape(at, wants{comparable: w.comparable, ordered: w.ordered, depth: maxDepth})
		}
		f := g.add(s, t)
		g.fieldOptions(f)
	}
}

// fieldOptions adds options that are possible on a field of any struct.
func (g *Generator) fieldOptions(f *Field) {
	if !g.executed {
		g.randomOption(5, f, "secret")
	}
	g.randomOption(5, f, "was=before")
	if f.Type.missing() {
		g.randomOption(8, f, "required")
	}
	if f.Type.collection() {
		g.randomOption(40, f, fmt.Sprintf("max=%d", 3+g.rand.IntN(100)))
		g.randomOption(10, f, fmt.Sprintf("min=%d", g.rand.IntN(3)))
	}
	if f.Type.collection() || f.Type.Kind == Value {
		g.randomOption(10, f, "final")
	}
	if f.Type.Kind == Slice && !f.Type.Elem.duration() && !f.Has("type") {
		g.randomOption(20, f, "unique")
	}
}

// missing reports whether required has an effect on the type.
func (t *Type) missing() bool {
	return t.nilable() || t.Kind == Native && (t.CQL == "text" || t.CQL == "timestamp" || t.CQL == "uuid" || t.Go == "netip.Addr")
}

// tuple adds a struct that is stored as a tuple.
func (g *Generator) tuple(w wants) *Type {
	s := g.structure(TupleOf, Plain, "")
	g.note("tuple")
	for range 1 + g.rand.IntN(3) {
		t := g.shape(atMember, wants{comparable: w.comparable, ordered: w.ordered, depth: w.depth + 1, attribute: true})
		for !t.sayable() || t.anywhere(func(x *Type) bool { return x.Kind == Value }) && w.flat {
			t = g.scalar(atMember, wants{comparable: w.comparable, ordered: w.ordered})
		}
		g.add(s, t)
	}
	return &Type{Kind: Tuple, Struct: s}
}

// maybeMarker adds an option to a marker in the given percentage of cases.
func (g *Generator) maybeMarker(percent int, s *Struct, option string) {
	if g.chance(percent) {
		s.marker(option)
	}
}
