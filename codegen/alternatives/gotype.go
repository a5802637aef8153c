package alternatives

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/codegen/internal/article"
)

// isComparable reports whether a type is comparable in Go, as the key type of a map must be.
func isComparable(t *model.GoType) bool {
	switch {
	case t == nil:
		return true
	case t.Kind == model.StructKind && t.Struct != nil:
		return !slices.ContainsFunc(t.Struct.Fields, func(f *model.Field) bool { return !isComparable(f.Type) })
	case t.Kind == model.Array, t.Kind == model.SQLNull:
		return isComparable(t.Elem)
	case t.Kind == model.NoData:
		return !strings.HasPrefix(t.Text, "func(")
	}
	return !slices.Contains([]model.GoKind{model.Bytes, model.IP, model.Slice, model.Map}, t.Kind)
}

// holds reports whether a value of a type contains a struct of the model, other than by a pointer, a slice or a map.
func (r *Relationship) holds(t *model.GoType, name string) bool {
	switch {
	case t == nil:
		return false
	case t.Kind == model.StructKind && t.Struct != nil:
		return t.Struct.Name == name && t.Struct.Path == r.model.Package.Path || slices.ContainsFunc(t.Struct.Fields, func(f *model.Field) bool { return r.holds(f.Type, name) })
	case t.Kind == model.Array, t.Kind == model.SQLNull:
		return r.holds(t.Elem, name)
	}
	return false
}

// declared returns the fields of a struct of the package that designs keep.
func (r *Relationship) declared(name string) (out []*model.Field) {
	for _, s := range r.structs() {
		if s.Name == name {
			for _, f := range s.Fields {
				if f.Name != r.fields[name] {
					out = append(out, f)
				}
			}
			return out
		}
	}
	return nil
}

// structs returns the structs of the package of the model.
func (r *Relationship) structs() []*model.Struct {
	out := slices.Clone(r.model.Package.Structs)
	for _, o := range r.model.Objects {
		if o.Struct.Path == r.model.Package.Path && !slices.Contains(out, o.Struct) {
			out = append(out, o.Struct)
		}
	}
	return out
}

// keyOfMap returns the field that has elements in the keys of a map outside the relationship, as Struct.Field; "" for none.
func (r *Relationship) keyOfMap() string {
	var keyed func(t *model.GoType) bool
	keyed = func(t *model.GoType) bool {
		return t != nil && (t.Kind == model.Map && r.holds(t.Key, r.Element.Struct) || keyed(t.Elem))
	}
	for _, s := range r.structs() {
		if slices.Contains(r.removed, s.Name) {
			continue
		}
		for _, f := range r.declared(s.Name) {
			if keyed(f.Type) {
				return s.Name + "." + f.Name
			}
		}
	}
	return ""
}

// asKey returns why an element cannot have fields that are not comparable; "" if it can.
func (r *Relationship) asKey(fields string) string {
	of := r.keyOfMap()
	if of == "" {
		return ""
	}
	return fmt.Sprintf("%s has elements in the keys of a map, and %s that contains %s is not comparable in Go: store them there in a list", of, article.With(r.Element.Struct), fields)
}

// inMap returns why elements cannot be in a map by their keys; "" if they can.
func inMap(r *Relationship) string {
	if why := needsKey(element)(r); why != "" {
		return why
	}
	if k := r.Element.single(); !isComparable(k.attribute.Field.Type) {
		return fmt.Sprintf("%s, the type of %s.%s, is not comparable in Go, so no map has it as a key: embedded-list has elements with keys of any type", k.Type, r.Element.Struct, k.Name)
	}
	return ""
}

// containing returns why an element cannot contain its whole root; "" if it can.
func containing(r *Relationship) string {
	fields := r.declared(r.Root.Struct)
	for _, f := range fields {
		if r.holds(f.Type, r.Element.Struct) {
			return fmt.Sprintf("%s.%s contains %s, which would contain its %s, and no struct contains itself: inverse-shared and inverse-copied-versioned have the fields of the %s in another struct",
				r.Root.Struct, f.Name, article.With(r.Element.Struct), r.Root.Struct, r.Root.Struct)
		}
	}
	if i := slices.IndexFunc(fields, func(f *model.Field) bool { return !isComparable(f.Type) }); i >= 0 {
		return r.asKey(r.Root.Struct + "." + fields[i].Name)
	}
	return ""
}

// withFields returns why an element cannot contain the key and the other scalar fields of its root; "" if it can.
func withFields(r *Relationship) string {
	return r.withValues(slices.Concat(r.Root.Key, r.Root.Others))
}

// withKey returns why an element cannot contain the key of its root; "" if it can.
func withKey(r *Relationship) string { return r.withValues(r.Root.Key) }

func (r *Relationship) withValues(fields []Field) string {
	for _, f := range fields {
		if f.Scalar && !isComparable(f.attribute.Field.Type) {
			return r.asKey(r.Root.Struct + "." + f.Name)
		}
	}
	return ""
}

// withKeys returns why an element cannot contain the keys of several roots; "" if it can.
func withKeys(r *Relationship) string {
	if why := needsKey(root)(r); why != "" {
		return why
	}
	return r.asKey("a list of keys")
}
