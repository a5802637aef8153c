package model

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cassaml/cassaml/aml/cqltype"
)

// typing resolves the type of one attribute.
type typing struct {
	r      *reader
	at     *Field
	tag    Tag
	whole  *cqltype.Type // type= with <>
	leaf   *cqltype.Type // type= without <>: of the element
	tuple  bool          // type=tuple
	result bool          // the type is the result of a method, which is not stored
	used   bool          // type= has been taken into account
	stop   bool          // a fault has been reported
}

func (y *typing) refuse(r Rule, fix, what string, args ...any) *Type {
	if !y.stop {
		y.r.add(y.at.Pos, r, fix, what, args...)
	}
	y.stop = true
	return nil
}

func (y *typing) refuseType(fix, what string, args ...any) *Type {
	o, _ := y.tag.Option("type")
	if !y.stop {
		y.r.add(o.Pos, RuleTypeOption, fix, what, args...)
	}
	y.stop = true
	return nil
}

// resolve returns the type of the attribute; nil if it is invalid.
func (y *typing) resolve() *Type {
	o, given := y.tag.Option("type")
	if given && !y.option(o) {
		return nil
	}
	t := y.column(y.at.Type, y.whole)
	if t != nil && given && !y.used {
		return y.refuseType("delete type=", "%s has no element that can be a CQL %s", y.at.Type.Text, o.Value)
	}
	return t
}

func (y *typing) option(o Option) bool {
	if y.tuple = strings.EqualFold(o.Value, "tuple"); y.tuple {
		return true
	}
	t, err := parseSpelled(o.Value)
	if err != nil {
		y.refuseType(meantType(o.Value), "type=%s: %v", o.Value, err)
		return false
	}
	if why := spelledFault(t); why != "" {
		y.refuseType("use another type", "type=%s: %s", o.Value, why)
		return false
	}
	if len(t.Args) == 0 {
		y.leaf = t
	} else {
		y.whole, y.used = t, true
	}
	return true
}

// column resolves the type of a whole attribute, which can be null.
func (y *typing) column(g *GoType, want *cqltype.Type) *Type {
	if (g.Kind != Pointer && g.Kind != SQLNull) || g.CQLMarshaler {
		return y.value(g, want)
	}
	t := y.value(g.Elem, want)
	if t == nil {
		return nil
	}
	if t.collection() {
		return y.refuse(RuleUnsupportedType, "use the slice or map itself: nil is null", "%s has no CQL type", g.Text)
	}
	if g.Kind == SQLNull && (t.Kind == Composed || t.Kind == Tuple) {
		return y.refuse(RuleUnsupportedType, "use a pointer", "%s has no CQL type", g.Text)
	}
	t.Nullable, t.SQLNull = true, g.Kind == SQLNull
	return t
}

// value resolves a type that a pointer cannot make null: attributes and the elements of collections.
func (y *typing) value(g *GoType, want *cqltype.Type) *Type {
	if g.Kind == TooDeep {
		return y.refuse(RuleTooDeep, "store an identifier instead of a value", "%s is infinite or contains too many types", g.Text)
	}
	if n := g.Named; n != nil && y.r.hidden(n) {
		return y.refuse(RuleUnsupportedType, "use an exported type", "%s is not exported by its package, so generated code cannot use it", g.Text)
	}
	if t, own := y.own(g, want); own {
		return t
	}
	frozen := want != nil && want.Name == "frozen"
	if frozen {
		want = want.Args[0]
	}
	switch g.Kind {
	case Slice:
		return y.slice(g, want)
	case Map:
		return y.mapping(g, want)
	case StructKind:
		return y.structure(g, want)
	case Array:
		return y.array(g, want)
	case Pointer, SQLNull:
		return y.refuse(RuleUnsupportedType, "use "+g.Elem.Text+": only a whole attribute can be null", "%s has no CQL type here", g.Text)
	}
	return y.native(g, want)
}

func exported(name string) bool {
	r, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(r)
}

// own resolves a type that the user's own code converts.
func (y *typing) own(g *GoType, want *cqltype.Type) (*Type, bool) {
	var c Conversion
	named := want
	if named == nil {
		named = y.leaf
	}
	if named == nil && !y.tuple && !y.tag.Has("composition") {
		named = usualType(g)
	}
	switch {
	case g.CQLMarshaler:
		c = ByCQL
	case g.TextMarshaler && isText(named):
		c = ByText
	case g.Valuer && named == nil && storable(g.Kind) == nil && !y.tag.Has("composition") && !y.tuple:
		return y.refuse(RuleUnsupportedType, "add type= with the CQL type that Value returns", "%s has Value and Scan, and its CQL type is not declared", g.Text), true
	case g.Valuer && named != nil && !slices.Contains(storable(g.Kind), named.Name):
		c = BySQL
	default:
		return nil, false
	}
	if want == nil {
		want, y.used = named, true
	}
	if want == nil {
		return y.refuse(RuleUnsupportedType, "add type= with the CQL type that MarshalCQL writes", "%s has MarshalCQL and UnmarshalCQL, and its CQL type is not declared", g.Text), true
	}
	t := &Type{Kind: Declared, Go: g, Conversion: c, Spelled: want}
	if len(want.Args) == 0 {
		t.Kind, t.CQL = Scalar, want.Name
	}
	return t, true
}

// usualType returns the CQL type of a Go type whose methods convert it, without type=; nil if only type= can declare it.
func usualType(g *GoType) *cqltype.Type {
	switch {
	case g.Kind == UUID && g.CQLMarshaler:
		return &cqltype.Type{Name: "uuid"}
	case g.Named == nil:
		return nil
	}
	if n := cqltype.Converted(g.Named.Path, g.Named.Name); n != nil {
		return &cqltype.Type{Name: n.Name}
	}
	return nil
}

func isText(t *cqltype.Type) bool { return t != nil && (t.Name == "text" || t.Name == "ascii") }

// wanted reports whether type= allows a shape; if it does not, the fault is reported.
func (y *typing) wanted(g *GoType, want *cqltype.Type, name string, args int) bool {
	if want == nil || want.Name == name && len(want.Args) == args {
		return true
	}
	y.refuseType("write the type that it has, or delete type=", "%s cannot be stored as a CQL %s", g.Text, want)
	return false
}

func arg(want *cqltype.Type, i int) *cqltype.Type {
	if want == nil {
		return nil
	}
	return want.Args[i]
}

func (y *typing) slice(g *GoType, want *cqltype.Type) *Type {
	set := want != nil && want.Name == "set"
	if !set && !y.wanted(g, want, "list", 1) {
		return nil
	}
	e := y.value(g.Elem, arg(want, 0).Unfrozen())
	if e == nil {
		return nil
	}
	if set {
		return &Type{Kind: Set, Go: g, Elem: e}
	}
	return &Type{Kind: List, Go: g, Elem: e}
}

func (y *typing) mapping(g *GoType, want *cqltype.Type) *Type {
	set := g.Elem.Kind == EmptyStruct
	key := &typing{r: y.r, at: y.at} // type= without <> is the type of the values of a map, not of its keys
	name, args := "map", 2
	if set {
		key.leaf, key.tuple, key.tag = y.leaf, y.tuple, y.tag
		name, args = "set", 1
	} else if g.Key.Kind == StructKind {
		key.tuple = true
	}
	if !y.wanted(g, want, name, args) {
		return nil
	}
	k := key.value(g.Key, arg(want, 0).Unfrozen())
	y.used = y.used || key.used && set
	if k == nil {
		y.stop = true
		return nil
	}
	if k.holds("duration") {
		return y.refuse(RuleUnsupportedType, "use another key", "%s: a duration cannot be the key of a map or the element of a set", g.Text)
	}
	if set {
		return &Type{Kind: Set, Go: g, Elem: k}
	}
	if v := y.value(g.Elem, arg(want, 1).Unfrozen()); v != nil {
		return &Type{Kind: MapType, Go: g, Key: k, Elem: v}
	}
	return nil
}

// structure resolves a struct: a composition or a tuple.
func (y *typing) structure(g *GoType, want *cqltype.Type) *Type {
	switch s := g.Struct; {
	case libraryPointer(g) != "":
		return y.refuse(RuleUnsupportedType, "use "+libraryPointer(g), "%s has no CQL type as a value", g.Text)
	case s.Marker == AggregateMarker:
		return y.refuse(RuleComposedRoot, "store its identifier: a root has its own table",
			"%s is the root of an aggregate and cannot be composed", s.Name)
	case y.tuple || want != nil && want.Name == "tuple":
		return y.members(g, want)
	case want != nil:
		return y.refuseType("delete type=: the marker of the struct declares its type", "%s is stored as a user-defined type", g.Text)
	case !y.tag.Has("composition"):
		return y.refuse(RuleNoComposition, "add composition to the tag, or type=tuple", "%s is a struct", g.Text)
	}
	o := y.r.object(g.Struct, y.at)
	if o == nil {
		y.stop = true
		return nil
	}
	return &Type{Kind: Composed, Go: g, Object: o, Final: o.Final}
}

// members resolves a struct that is stored as a tuple.
func (y *typing) members(g *GoType, want *cqltype.Type) *Type {
	y.used = true
	o := y.r.tuple(g.Struct, y.at, y.tag)
	if o == nil {
		y.stop = true
		return nil
	}
	if !y.result {
		y.r.plainMembers(o)
	}
	t := &Type{Kind: Tuple, Go: g, Object: o}
	for _, a := range o.Attributes {
		t.Members = append(t.Members, a.Type)
	}
	if want != nil && want.String() != t.String() {
		return y.refuseType("write the type that it has, or type=tuple", "%s is %s, not %s", g.Text, t, want)
	}
	return t
}

// array resolves [N]float32, the only array with a CQL type.
func (y *typing) array(g *GoType, want *cqltype.Type) *Type {
	if g.Elem.Kind != Float32 {
		return y.refuse(RuleUnsupportedType, "use a slice, or [N]float32 for a vector", "%s has no CQL type", g.Text)
	}
	if g.Len < 1 || g.Len > cqltype.MaxDimensions {
		return y.refuse(RuleUnsupportedType, fmt.Sprintf("use 1 to %d elements", cqltype.MaxDimensions), "%s: a vector cannot have %d elements", g.Text, g.Len)
	}
	if want != nil && (want.Name != "vector" || want.Args[0].Name != "float" || want.Size != g.Len) {
		return y.refuseType("write the type that it has, or delete type=", "%s cannot be stored as a CQL %s", g.Text, want)
	}
	return &Type{Kind: Vector, Go: g, Size: g.Len, Elem: &Type{Kind: Scalar, Go: g.Elem, CQL: "float"}}
}

func (y *typing) native(g *GoType, want *cqltype.Type) *Type {
	can := storable(g.Kind)
	if len(can) == 0 {
		return y.refuse(RuleUnsupportedType, replacement(g), "%s has no CQL type", g.Text)
	}
	if want == nil && y.leaf != nil {
		want, y.used = y.leaf, true
	}
	if y.tuple {
		return y.refuseType("delete type=", "%s is not a struct and cannot be a tuple", g.Text)
	}
	if want == nil && g.Kind == GoDuration && !y.result {
		return y.refuse(RuleUnsupportedType, "use gocql.Duration for a duration, or add type=time for a time of day", "%s is not stored as a CQL duration", g.Text)
	}
	if want == nil {
		return &Type{Kind: Scalar, Go: g, CQL: can[0]}
	}
	if !slices.Contains(can, want.Name) {
		fix := fmt.Sprintf("%s can be stored as %s", g.Text, strings.Join(can, ", "))
		if other := nativeGoType(want.Name); other != "" {
			fix = fmt.Sprintf("use %s, which can be stored as a CQL %s; ", other, want.Name) + fix
		}
		return y.refuseType(fix, "%s cannot be stored as a CQL %s", g.Text, want)
	}
	return &Type{Kind: Scalar, Go: g, CQL: want.Name}
}
