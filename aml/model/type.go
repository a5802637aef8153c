package model

import (
	"fmt"
	"go/token"
	"slices"
	"strings"
)

// natives gives the CQL types that a Go kind can be stored as, the default first.
var natives = map[GoKind][]string{
	Bool: {"boolean"}, Int8: {"tinyint"}, Int16: {"smallint"}, Int32: {"int"}, Int64: {"bigint"}, Int: {"bigint"},
	Float32: {"float"}, Float64: {"double"}, String: {"text", "ascii", "varchar"}, Bytes: {"blob"},
	Time: {"timestamp", "date", "time"}, GoDuration: {"time"}, CQLDuration: {"duration"}, UUID: {"uuid", "timeuuid"},
	IP: {"inet"}, Addr: {"inet"}, BigInt: {"varint"}, InfDec: {"decimal"},
}

// String gives the type in CQL's words, for messages: what is frozen depends on where it stands.
func (t *Type) String() string {
	switch t.Kind {
	case List:
		return "list<" + t.Elem.String() + ">"
	case Set:
		return "set<" + t.Elem.String() + ">"
	case MapType:
		return "map<" + t.Key.String() + ", " + t.Elem.String() + ">"
	case Composed:
		return t.Object.UDT
	}
	return t.CQL
}

// scalar says whether the value is no collection and no struct.
func (t *Type) scalar() bool { return t.Kind == Scalar }

// canBeNil says whether Go can hold no value at all.
func (t *Type) canBeNil() bool {
	return t.Nullable || t.Kind != Scalar && t.Kind != Composed ||
		t.Kind == Scalar && slices.Contains([]GoKind{Bytes, IP, BigInt, InfDec}, t.Go.Kind)
}

// object gives the struct of a composition of one or many; nil for none.
func (t *Type) object() *Object {
	switch {
	case t.Kind == Composed:
		return t.Object
	case t.Kind != Scalar:
		return t.Elem.object()
	}
	return nil
}

// holds says whether a native type occurs anywhere in t.
func (t *Type) holds(native string) bool {
	switch t.Kind {
	case Scalar:
		return t.CQL == native
	case MapType:
		return t.Key.holds(native) || t.Elem.holds(native)
	case Composed:
		return slices.ContainsFunc(t.Object.Attributes, func(a *Attribute) bool { return a.Type.holds(native) })
	}
	return t.Elem.holds(native)
}

// same says whether two values are stored alike; a pointer and what it points to are.
func (t *Type) same(o *Type) bool {
	if t.Kind != o.Kind {
		return false
	}
	switch t.Kind {
	case Scalar:
		return t.CQL == o.CQL
	case MapType:
		return t.Key.same(o.Key) && t.Elem.same(o.Elem)
	case Composed:
		return t.Object == o.Object
	}
	return t.Elem.same(o.Elem)
}

// typing resolves the type of one attribute.
type typing struct {
	b    *builder
	at   *Field
	tag  Tag
	stop bool // a fault has been reported
}

func (y *typing) refuse(r Rule, mend, what string, args ...any) *Type {
	if !y.stop {
		y.b.add(y.at.Pos, r, mend, what, args...)
	}
	y.stop = true
	return nil
}

// column resolves the type of a whole attribute.
func (y *typing) column(g *GoType) *Type {
	if g.Kind == Pointer {
		t := y.value(g.Elem)
		if t == nil {
			return nil
		}
		if t.Kind != Scalar && t.Kind != Composed {
			return y.refuse(RuleUnsupportedType, "a nil slice or map is null by itself", "%s has no CQL type", g.Text)
		}
		t.Nullable = true
		return t
	}
	return y.value(g)
}

// value resolves what cannot be null by a pointer: attributes and the elements of collections.
func (y *typing) value(g *GoType) *Type {
	switch g.Kind {
	case Slice:
		if e := y.value(g.Elem); e != nil {
			return &Type{Kind: List, Go: g, Elem: e}
		}
		return nil
	case Map:
		return y.mapping(g)
	case StructKind:
		return y.composed(g)
	case Pointer:
		return y.refuse(RuleUnsupportedType, "use "+g.Elem.Text+" itself: only a whole attribute can be null", "%s has no CQL type here", g.Text)
	}
	if y.b.hidden(g.Named) {
		return y.refuse(RuleUnsupportedType, "export the type, or use another", "%s is not exported by its package, so generated code cannot name it", g.Text)
	}
	return y.native(g)
}

func (y *typing) mapping(g *GoType) *Type {
	if g.Elem.Kind != EmptyStruct && g.Key.Kind == StructKind {
		return y.refuse(RuleUnsupportedYet, "use one value as the key", "%s: a struct as the key of a map is not supported yet", g.Text)
	}
	key := &typing{b: y.b, at: y.at} // type= names the value of a map, not its key
	if g.Elem.Kind == EmptyStruct {
		key.tag = y.tag
	}
	k := key.value(g.Key)
	if k == nil {
		y.stop = true
		return nil
	}
	if k.holds("duration") {
		return y.refuse(RuleUnsupportedType, "use another key", "%s: a duration cannot be the key of a map or the element of a set", g.Text)
	}
	if g.Elem.Kind == EmptyStruct {
		return &Type{Kind: Set, Go: g, Elem: k}
	}
	if v := y.value(g.Elem); v != nil {
		return &Type{Kind: MapType, Go: g, Key: k, Elem: v}
	}
	return nil
}

// hidden says whether a type is another package's own.
func (b *builder) hidden(n *GoName) bool {
	return n != nil && n.Path != "" && n.Path != b.model.Package.Path && !token.IsExported(n.Name)
}

func (y *typing) composed(g *GoType) *Type {
	if y.b.hidden(g.Named) {
		return y.refuse(RuleUnsupportedType, "export the type, or use another", "%s is not exported by its package, so generated code cannot name it", g.Text)
	}
	if g.Struct.Marker == AggregateMarker {
		return y.refuse(RuleComposedRoot, "only a root may be referenced from outside, and it is stored in its own table: hold its identifier",
			"%s is the root of an aggregate and cannot be composed", g.Struct.Name)
	}
	if !y.tag.Has("composition") {
		return y.refuse(RuleNoComposition, "add composition to the tag", "%s is a struct", g.Text)
	}
	o := y.b.object(g.Struct, y.at)
	if o == nil {
		y.stop = true
		return nil
	}
	return &Type{Kind: Composed, Go: g, Object: o, Final: o.Final}
}

func (y *typing) native(g *GoType) *Type {
	can := natives[g.Kind]
	if len(can) == 0 {
		return y.refuse(RuleUnsupportedType, "use a type of the table in package aml's documentation, or aml:\"-\" to leave the field out",
			"%s has no CQL type", g.Text)
	}
	cql := can[0]
	if o, given := y.tag.Option("type"); given {
		if cql = strings.ToLower(o.Value); !slices.Contains(can, cql) {
			y.stop = true
			y.b.badType(o, g, can)
			return nil
		}
	}
	if cql == "varchar" { // CQL's other name of text
		cql = "text"
	}
	return &Type{Kind: Scalar, Go: g, CQL: cql}
}

func (b *builder) badType(o Option, g *GoType, can []string) {
	if strings.ContainsRune(o.Value, '<') {
		b.add(o.Pos, RuleUnsupportedYet, "name the element's type alone", "type=%s is not supported yet", o.Value)
		return
	}
	b.add(o.Pos, RuleTypeOption, fmt.Sprintf("%s can be %s", g.Text, strings.Join(can, ", ")), "%s cannot hold a CQL %s", g.Text, o.Value)
}
