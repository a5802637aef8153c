package model

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/cqltype"
)

// String returns the type in CQL for messages, without frozen<>, which depends on its place.
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
	case Tuple:
		var members []string
		for _, m := range t.Members {
			members = append(members, m.String())
		}
		return "tuple<" + strings.Join(members, ", ") + ">"
	case Vector:
		return fmt.Sprintf("vector<%s, %d>", t.Elem, t.Size)
	case Declared:
		return t.Spelled.String()
	}
	return t.CQL
}

// collection reports whether a path can go into the value's elements.
func (t *Type) collection() bool { return t.Kind == List || t.Kind == Set || t.Kind == MapType }

// MultiCell reports whether Cassandra keeps the value in several cells unless it is frozen.
func (t *Type) MultiCell() bool {
	return t.collection() || t.Kind == Composed || t.Kind == Declared && slices.Contains([]string{"list", "set", "map"}, t.Spelled.Name)
}

// canBeNil reports whether the Go value can be nil.
func (t *Type) canBeNil() bool {
	if t.Nullable || t.collection() {
		return true
	}
	return t.Go != nil && t.Kind != Composed && t.Kind != Tuple && t.Kind != Vector &&
		(t.Go.Kind.native().Nil() || slices.Contains([]GoKind{Slice, Map, Pointer}, t.Go.Kind))
}

// byKind reports whether the kind of the Go type determines how a scalar is stored.
func (t *Type) byKind() bool { return t.Kind == Scalar && t.Conversion == ByKind }

// canBeEmpty reports whether a value can be absent: nil, or a zero that is stored as null.
func (t *Type) canBeEmpty() bool {
	return t.canBeNil() || t.byKind() && t.Go.Kind.native().Stored != ""
}

// canBeMissing reports whether required has an effect on the value.
func (t *Type) canBeMissing() bool {
	return t.canBeEmpty() || t.hasEmptyValue()
}

// hasEmptyValue reports whether a value that is stored counts as missing where one is required: an empty text, the zero UUID.
func (t *Type) hasEmptyValue() bool { return t.byKind() && t.Go.Kind.native().Required != "" }

// requiredIsNotEmpty reports whether a required value is never a text or a blob without content: it is compared with "", not with nil.
func (t *Type) requiredIsNotEmpty() bool {
	return !t.Nullable && t.hasEmptyValue()
}

// object returns the struct of a single composition or of a collection of them; nil for none.
func (t *Type) object() *Object {
	switch {
	case t.Kind == Composed:
		return t.Object
	case t.collection():
		return t.Elem.object()
	}
	return nil
}

// parts returns the types that t is made of.
func (t *Type) parts() []*Type {
	switch t.Kind {
	case List, Set, Vector:
		return []*Type{t.Elem}
	case MapType:
		return []*Type{t.Key, t.Elem}
	case Tuple:
		return t.Members
	case Composed:
		var out []*Type
		for _, a := range t.Object.Attributes {
			out = append(out, a.Type)
		}
		return out
	}
	return nil
}

// holds reports whether a native type occurs anywhere in t.
func (t *Type) holds(native string) bool {
	if t.Kind == Declared {
		return t.Spelled.Holds(native)
	}
	return t.Kind == Scalar && t.CQL == native ||
		slices.ContainsFunc(t.parts(), func(i *Type) bool { return i.holds(native) })
}

// same reports whether two values are stored in the same way, as T and *T are.
func (t *Type) same(o *Type) bool {
	if t.Kind != o.Kind {
		return false
	}
	switch t.Kind {
	case Scalar:
		return t.CQL == o.CQL
	case Composed:
		return t.Object == o.Object
	case Vector:
		return t.Size == o.Size && t.Elem.same(o.Elem)
	case Declared:
		return t.Spelled.String() == o.Spelled.String()
	}
	return slices.EqualFunc(t.parts(), o.parts(), (*Type).same)
}

// comparable reports whether a value is encoded like a constant of its type: a text, an integer or a bool without methods of its own.
func (t *Type) comparable() bool {
	g, _ := t.Native()
	return t.byKind() && g.Constant
}

// Native returns the entry of the Go type in the native type that a scalar is stored as; ok is false for a value that is not stored by the
// kind of its Go type.
func (t *Type) Native() (g cqltype.Go, ok bool) {
	n, known := cqltype.Lookup(t.CQL)
	if !t.byKind() || !known {
		return g, false
	}
	return n.Holds(t.Go.Kind.Native())
}

// size returns the bytes of a value of the native type that a scalar is stored as; 0 if they vary.
func (t *Type) size() int {
	if n, ok := cqltype.Lookup(t.CQL); ok {
		return n.Size
	}
	return 0
}

// fields returns the attributes of a value that is a struct.
func (t *Type) fields() []*Attribute {
	if t != nil && t.Object != nil && (t.Kind == Composed || t.Kind == Tuple) {
		return t.Object.Attributes
	}
	return nil
}

// extent returns the number of values in a type and of levels of objects.
func (t *Type) extent() (values, depth int) {
	if t.Object != nil {
		return t.Object.values, t.Object.depth
	}
	inside := t.parts()
	if len(inside) == 0 {
		return 1, 0
	}
	for _, i := range inside {
		v, d := i.extent()
		values, depth = values+v, max(depth, d)
	}
	return values, depth
}
