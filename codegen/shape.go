package codegen

import (
	"strings"

	"github.com/cassaml/cassaml/aml/model"
)

// shape describes which functions of package gen convert a value with parts, and their arguments.
type shape struct {
	encode    string        // the suffix of gen.Encode
	decode    string        // the suffix of gen.Decode
	check     string        // the suffix of gen.Check; "" if the generated code has a loop
	reference string        // & if the functions need a pointer to the value
	parts     []*model.Type // its parts, each with a function
	inner     bool          // the function of the last part needs a pointer to a struct
}

// newShape returns the shape of a value; ok is false for a scalar.
func newShape(t *model.Type) (s shape, ok bool) {
	switch {
	case t.SQLNull:
		return shape{encode: "Null", decode: "Null", parts: []*model.Type{notNull(t)}}, true
	case isStruct(t) && t.Nullable:
		return shape{encode: "Struct", decode: "Pointer", check: "Struct", parts: []*model.Type{t}, inner: true}, true
	case isStruct(t):
		return shape{encode: "Struct", decode: "Struct", check: "Struct", reference: "&", parts: []*model.Type{t}, inner: true}, true
	case t.Nullable:
		return shape{encode: "Nullable", decode: "Nullable", parts: []*model.Type{notNull(t)}}, true
	}
	return collectionShape(t)
}

func collectionShape(t *model.Type) (s shape, ok bool) {
	switch t.Kind {
	case model.MapType:
		if t.Qualifier != nil {
			return shape{encode: "Qualified", decode: "Qualified", check: "Structs", parts: []*model.Type{t.Elem}, inner: true}, true
		}
		s = shape{encode: "Map", decode: "Map", parts: []*model.Type{t.Key, t.Elem}}
		if isStruct(t.Elem) {
			s.encode, s.decode, s.check, s.inner = "MapOfStructs", "MapOfStructs", "Map", true
		}
	case model.List, model.Set:
		s = sequenceShape(t)
	default:
		return s, false
	}
	return s, true
}

// sequenceShape returns the shape of a list, and of a set in a slice or a map.
func sequenceShape(t *model.Type) shape {
	s := shape{encode: "List", decode: "List", parts: []*model.Type{t.Elem}}
	unique := ""
	switch {
	case t.Kind == model.Set && t.Go.Kind == model.Map:
		s.encode, s.decode = "Set", "Set"
		return s
	case t.Kind == model.Set:
		s.encode, unique = "Unique", "Unique"
	}
	if isStruct(t.Elem) {
		s.encode, s.decode, s.check, s.inner = unique+"Structs", "Structs", "Structs", true
	}
	return s
}

// isStruct reports whether a value is a Go struct that is stored by its fields.
func isStruct(t *model.Type) bool {
	return t.Kind == model.Composed || t.Kind == model.Tuple && t.Object != nil
}

func fieldText(a *model.Attribute) string { return "v." + strings.Join(a.Path, ".") }

func notNull(t *model.Type) *model.Type {
	o := *t
	o.Nullable, o.SQLNull = false, false
	return &o
}
