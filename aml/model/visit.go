package model

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// visit is a struct that is being read, and the field of it that has been reached; nil for none.
type visit struct {
	of    *Struct
	field *Field
}

// enter begins to read a struct; the function that it returns ends it.
func (b *builder) enter(s *Struct) (leave func()) {
	b.visits = append(b.visits, visit{of: s})
	return func() { b.visits = b.visits[:len(b.visits)-1] }
}

// reach moves to a field of the struct that is being read.
func (b *builder) reach(f *Field) { b.visits[len(b.visits)-1].field = f }

// written reports whether the user can change the struct itself: it belongs to the package and is not an instance of a generic
// struct.
func (b *builder) written(s *Struct) bool {
	return s.Path == b.model.Package.Path && !s.instance()
}

// instance reports whether the struct is a generic one with its type arguments.
func (s *Struct) instance() bool { return strings.Contains(s.Name, "[") && !s.Generic }

// user returns the innermost field on the path that the user can change; nil for none.
func (b *builder) user(way []visit) *visit {
	for i := len(way) - 1; i >= 0; i-- {
		if way[i].field != nil && b.written(way[i].of) {
			return &way[i]
		}
	}
	return nil
}

// toUser moves a diagnostic to the position where the user can fix it: a fault in a struct of an imported package, or in a
// field whose type is a type argument, is fixed at the field that composes the struct.
func (b *builder) toUser(d Diagnostic) Diagnostic {
	if len(b.visits) == 0 {
		return d
	}
	last := b.visits[len(b.visits)-1]
	foreign, bound := last.of.Path != b.model.Package.Path, last.of.instance() && last.field != nil && last.field.Bound
	u := b.user(b.visits)
	if u == nil || !foreign && !bound {
		return d
	}
	d.Pos = u.field.Pos
	name := b.spelled(last.of)
	if last.field != nil {
		name += "." + last.field.Name
	}
	d.What = name + ": " + d.What
	if foreign || d.Rule == RuleNoComposition {
		d.Fix = "compose a struct of your own instead, and there: " + d.Fix
	}
	return d
}

// spelled returns the name of a struct as the package's source writes it.
func (b *builder) spelled(s *Struct) string {
	if s.Path == b.model.Package.Path {
		return s.Name
	}
	return s.Pkg + "." + s.Name
}

// rename returns where and how the user can rename an object: in its marker, or, for a struct of another package or an instance
// of a generic struct, by a type that is defined on top of it.
func (b *builder) rename(o *Object) (Pos, string) {
	u := b.user(o.way)
	if b.written(o.Struct) || u == nil {
		if t, err := ParseTag(o.Struct.Tag); err == nil {
			return t.placeOr(o.Struct.Pos), "embed aml.ValueObject with another name in its tag"
		}
		return o.Struct.Pos, "embed aml.ValueObject with another name in its tag"
	}
	name := upperFirst(o.Struct.Pkg) + o.Struct.Name
	if o.Struct.instance() {
		name = u.field.Name + o.Struct.Name[:strings.Index(o.Struct.Name, "[")]
	}
	return u.field.Pos, fmt.Sprintf("declare your own type, such as type %s %s, and compose that", name, b.spelled(o.Struct))
}

func upperFirst(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// ofOther describes an object that the user has not written by the field that composes it; "" for any other object.
func (b *builder) ofOther(o *Object) string {
	u := b.user(o.way)
	if b.written(o.Struct) || u == nil {
		return ""
	}
	return fmt.Sprintf(" of %s in %s.%s", b.spelled(o.Struct), u.of.Name, u.field.Name)
}

// The limits of a model. Rules follow every path to a value, so they need limits to terminate.
const (
	maxValues = 2048 // in one attribute, with those of the objects in it
	maxDepth  = 32   // levels of objects in one attribute
	maxFields = 1024 // of one struct, with those of the structs that it embeds
)

// extent returns the number of values in a type and of levels of objects.
func (t *Type) extent() (values, depth int) {
	if t.Object != nil {
		return t.Object.values, t.Object.depth
	}
	inside := t.inside()
	if len(inside) == 0 {
		return 1, 0
	}
	for _, i := range inside {
		v, d := i.extent()
		values, depth = values+v, max(depth, d)
	}
	return values, depth
}

// measure counts the values in an object, and reports whether they are within the limits.
func (b *builder) measure(o *Object) bool {
	for _, at := range o.Attributes {
		v, d := at.Type.extent()
		o.values, o.depth = o.values+v, max(o.depth, d)
	}
	o.depth++
	switch {
	case o.values > maxValues:
		b.add(o.Struct.Pos, RuleTooDeep, "store identifiers instead of values", "%s contains %d values, including those of the structs that it composes; the limit is %d", o.Struct.Name, o.values, maxValues)
	case o.depth > maxDepth:
		b.add(o.Struct.Pos, RuleTooDeep, "store an identifier instead of a value", "%s composes structs %d levels deep; the limit is %d", o.Struct.Name, o.depth, maxDepth)
	default:
		return true
	}
	return false
}

// tooMany counts a field of a holder, and reports whether there are too many. The first such field is reported.
func (b *builder) tooMany(f *Field, h holder) bool {
	b.fields[h]++
	if b.fields[h] == maxFields+1 {
		b.add(f.Pos, RuleTooDeep, "embed fewer structs", "the struct has more than %d fields, including those of the structs that it embeds", maxFields)
		if h.aggregate != nil {
			h.aggregate.unread = true
		}
	}
	return b.fields[h] > maxFields
}
