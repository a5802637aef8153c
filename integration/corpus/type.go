package corpus

import (
	"fmt"
	"strings"

	"github.com/cassaml/cassaml/aml/cqltype"
)

// Kind is the shape of a type.
type Kind int

// The shapes.
const (
	Native  Kind = iota // a Go type with a CQL type
	Vector              // [N]float32
	Coded               // a type that converts itself into the type of type=
	Texted              // a type that is a text by MarshalText
	Pointer             // pointer to Elem
	Null                // sql.Null of Elem
	Slice               // slice of Elem
	Map                 // map from Key to Elem
	MapSet              // map[Key]struct{}
	Value               // a struct stored as a user-defined type
	Tuple               // a struct stored as a tuple
)

// Type is a Go type with the CQL type in which it is stored.
type Type struct {
	Kind      Kind
	Go        string // Native, Coded, Texted; for any kind: the name of a defined type
	CQL       string // Native, Coded, Texted
	Odd       bool   // Native: not the default CQL type of the Go type
	Elem, Key *Type
	Struct    *Struct
	Size      int  // Vector
	Set       bool // Slice: a set, according to the tag of the field
}

// String returns the type in Go.
func (t *Type) String() string {
	switch {
	case t.Go != "":
		return t.Go
	case t.Kind == Vector:
		return fmt.Sprintf("[%d]float32", t.Size)
	case t.Kind == Pointer:
		return "*" + t.Elem.String()
	case t.Kind == Null:
		return "sql.Null[" + t.Elem.String() + "]"
	case t.Kind == Slice:
		return "[]" + t.Elem.String()
	case t.Kind == Map:
		return "map[" + t.Key.String() + "]" + t.Elem.String()
	case t.Kind == MapSet:
		return "map[" + t.Key.String() + "]struct{}"
	}
	return t.Struct.Name + t.Struct.Args
}

// spelled returns the type in CQL, without frozen<>. A tag can contain only types without a UDT.
func (t *Type) spelled() string {
	switch t.Kind {
	case Vector:
		return fmt.Sprintf("vector<float, %d>", t.Size)
	case Pointer, Null:
		return t.Elem.spelled()
	case Slice:
		return "list<" + t.Elem.spelled() + ">"
	case Map:
		return "map<" + t.Key.spelled() + ", " + t.Elem.spelled() + ">"
	case MapSet:
		return "set<" + t.Key.spelled() + ">"
	case Tuple:
		var members []string
		for _, f := range t.Struct.all() {
			members = append(members, f.spelled())
		}
		return "tuple<" + strings.Join(members, ", ") + ">"
	}
	return t.CQL
}

// spelled returns the type of a field, whose tag can make a slice a set.
func (f *Field) spelled() string {
	s := f.Type.spelled()
	if f.Has("unique") && f.Type.Kind == Slice {
		return "set<" + f.Type.Elem.spelled() + ">"
	}
	return s
}

// anywhere reports whether a type or one of its component types satisfies a condition.
func (t *Type) anywhere(is func(*Type) bool) bool {
	if t == nil {
		return false
	}
	if is(t) || t.Elem.anywhere(is) || t.Key.anywhere(is) {
		return true
	}
	if t.Kind != Value && t.Kind != Tuple {
		return false
	}
	for _, f := range t.Struct.all() {
		if f.Type.anywhere(is) {
			return true
		}
	}
	return false
}

// composes reports whether a field of this type needs the option composition.
func (t *Type) composes() bool {
	switch t.Kind {
	case Value:
		return true
	case Pointer, Slice, Map, Null:
		return t.Elem.composes()
	case MapSet:
		return t.Key.composes()
	}
	return false
}

func (t *Type) duration() bool {
	return t.anywhere(func(x *Type) bool { return strings.Contains(x.CQL, "duration") })
}

// comparable reports whether Go allows the type as the key of a map.
func (t *Type) comparable() bool {
	switch t.Kind {
	case Native:
		return t.Go != "[]byte" && t.Go != "net.IP" && t.Go != "kinds.Digest"
	case Slice, Map, MapSet:
		return false
	case Null:
		return t.Elem.comparable()
	case Value, Tuple:
		for _, f := range t.Struct.all() {
			if !f.Type.comparable() {
				return false
			}
		}
	}
	return true
}

// nilable reports whether a value of the type can be null.
func (t *Type) nilable() bool {
	switch t.Kind {
	case Pointer, Null, Slice, Map, MapSet:
		return true
	case Native:
		return strings.HasPrefix(t.Go, "*") || !t.comparable()
	}
	return false
}

// bare reports whether the type, or the type that it points to, is of a kind.
func (t *Type) bare(k Kind) bool { return t.Kind == k || t.Kind == Pointer && t.Elem.Kind == k }

// set reports whether the type is stored as a set, as far as the type alone determines it.
func (t *Type) set() bool { return t.Set || t.Kind == MapSet }

func (t *Type) collection() bool { return t.Kind == Slice || t.Kind == Map || t.Kind == MapSet }

// leaf returns the type that type= without <> refers to.
func (t *Type) leaf() *Type {
	switch t.Kind {
	case Pointer, Null, Slice, Map:
		return t.Elem.leaf()
	case MapSet:
		return t.Key.leaf()
	}
	return t
}

// whole reports whether only the complete type, written with <>, determines the stored value.
func (t *Type) whole() bool {
	switch t.Kind {
	case Pointer, Null:
		return t.Elem.whole()
	case MapSet:
		return t.parameters()
	case Slice:
		return t.parameters() || t.Elem.collection() && t.Elem.whole()
	case Map:
		return t.parameters() || t.Key.Odd || t.Key.Kind == Coded || t.Elem.collection() && t.Elem.whole()
	}
	return false
}

// parameters reports whether the leaf in type= has parameters.
func (t *Type) parameters() bool {
	l := t.leaf()
	return l.Kind == Coded && strings.Contains(l.CQL, "<")
}

// option returns the value of type=, or "" if it is not needed.
func (t *Type) option() string {
	l := t.leaf()
	switch {
	case t.whole():
		return t.spelled()
	case l.Kind == Tuple:
		return "tuple"
	case l.Odd, l.Kind == Coded, l.Kind == Texted:
		return l.CQL
	}
	return ""
}

// sayable reports whether a tag can describe the stored type.
func (t *Type) sayable() bool { return !t.whole() || t.spellable() }

// spellable reports whether the type can be written with <>.
func (t *Type) spellable() bool {
	return !t.anywhere(func(x *Type) bool { return x.Kind == Value || x.Kind == Texted })
}

// scalar is a type without a struct or a collection in it.
func scalar(g, cql string) *Type { return &Type{Kind: Native, Go: g, CQL: cql} }

// scalars are the native types of the language, by the names under which they are counted.
func scalars() []*Type {
	odd := func(g, cql string) *Type { return &Type{Kind: Native, Go: g, CQL: cql, Odd: true} }
	return []*Type{
		scalar("bool", "boolean"), scalar("int8", "tinyint"), scalar("int16", "smallint"), scalar("int32", "int"),
		scalar("int64", "bigint"), scalar("int", "bigint"), scalar("float32", "float"), scalar("float64", "double"),
		scalar("string", "text"), odd("string", "ascii"), scalar("[]byte", "blob"), scalar("time.Time", "timestamp"),
		odd("time.Time", "date"), odd("time.Time", "time"), odd("time.Duration", "time"), scalar("gocql.Duration", "duration"),
		scalar("gocql.UUID", "uuid"), odd("gocql.UUID", "timeuuid"), scalar("*inf.Dec", "decimal"), scalar("*big.Int", "varint"),
		scalar("net.IP", "inet"), scalar("netip.Addr", "inet"),
		scalar("kinds.Color", "text"), odd("kinds.Color", "ascii"), scalar("kinds.Level", "smallint"), scalar("kinds.Digest", "blob"), scalar("Mood", "text"),
		{Kind: Vector}, {Kind: Coded, Go: "kinds.Money"}, {Kind: Coded, Go: "kinds.Cash"}, {Kind: Texted, Go: "kinds.Code"},
	}
}

// name is the name under which a type is counted.
func (t *Type) name() string {
	switch t.Kind {
	case Native:
		return t.Go + " " + t.CQL
	case Vector:
		return "[N]float32"
	case Coded, Texted:
		return t.Go
	case Pointer, Null, Slice, Map, MapSet, Value, Tuple:
		return [...]string{Pointer: "pointer", Null: "sql.Null", Slice: "slice", Map: "map", MapSet: "map[T]struct{}", Value: "struct", Tuple: "tuple"}[t.Kind]
	}
	return ""
}

// plainCQL are the CQL types that a user's own type can be stored as, in any position.
var plainCQL = func() []string {
	out := []string{"varchar"}
	for _, n := range cqltype.Natives() {
		if !n.Unordered {
			out = append(out, n.Name)
		}
	}
	return out
}()

// richCQL are the CQL types that are possible only where a column or field can have any type.
var richCQL = []string{"duration", "list<int>", "set<text>", "map<text, int>", "map<text, list<int>>", "vector<text, 2>", "vector<list<int>, 2>",
	"frozen<list<int>>", "frozen<map<text, frozen<list<int>>>>", "vector<duration, 2>", "list<duration>", "map<date, duration>", "vector<vector<float, 2>, 3>",
	"set<tuple<int, text>>", "list<tuple<date, duration>>", "vector<tuple<int, text>, 1>"}
