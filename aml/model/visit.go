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

// enter begins to read a struct; what it gives ends that.
func (b *builder) enter(s *Struct) (leave func()) {
	b.visits = append(b.visits, visit{of: s})
	return func() { b.visits = b.visits[:len(b.visits)-1] }
}

// reach goes to a field of the struct that is being read.
func (b *builder) reach(f *Field) { b.visits[len(b.visits)-1].field = f }

// written reports whether a struct is the user's to change as it stands: it belongs to the package, and is no instance of a
// generic one.
func (b *builder) written(s *Struct) bool {
	return s.Path == b.model.Package.Path && !s.instance()
}

// instance reports whether the struct is a generic one with its type arguments.
func (s *Struct) instance() bool { return strings.Contains(s.Name, "[") && !s.Generic }

// user returns the innermost field on a way that is the user's to change; nil for none.
func (b *builder) user(way []visit) *visit {
	for i := len(way) - 1; i >= 0; i-- {
		if way[i].field != nil && b.written(way[i].of) {
			return &way[i]
		}
	}
	return nil
}

// toUser moves a diagnostic of what is being read to where the user can fix it: what is wrong with a struct of an imported
// package, or with a field that has the type which a generic struct was given, is fixed at the field that composes it.
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

// spelled writes the name of a struct as the package's source does.
func (b *builder) spelled(s *Struct) string {
	if s.Path == b.model.Package.Path {
		return s.Name
	}
	return s.Pkg + "." + s.Name
}

// rename returns where and how the user gives an object another name: its marker has one, and a type that is defined over a
// struct of another package, or over an instance of a generic one, is named after itself.
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

// ofOther names an object that the user has not written and the field that composes it; "" for what the user has.
func (b *builder) ofOther(o *Object) string {
	u := b.user(o.way)
	if b.written(o.Struct) || u == nil {
		return ""
	}
	return fmt.Sprintf(" of %s in %s.%s", b.spelled(o.Struct), u.of.Name, u.field.Name)
}

// What a model can have at most. Rules follow every path to a value, so a model without bounds has no end.
const (
	maxValues = 2048 // in one attribute, with those of the objects in it
	maxDepth  = 32   // levels of objects in one attribute
	maxFields = 1024 // of one struct, with those of the structs that it embeds
)

// extent returns how many values a type has in it, and how many levels of objects.
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

// measure counts what is in an object, and reports whether it is within bounds.
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

// tooMany counts a field that is read into a holder, and reports whether it is one too many. The first such field is reported.
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
