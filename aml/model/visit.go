package model

import (
	"fmt"
	"strings"
)

// visits are the structs that are being read. They determine the position where the user can fix a fault.
type visits struct {
	pkg *Package // the user's
	way []visit  // outermost first
}

// enter begins to read a struct; the function that it returns ends it.
func (v *visits) enter(s *Struct) (leave func()) {
	v.way = append(v.way, visit{of: s})
	return func() { v.way = v.way[:len(v.way)-1] }
}

// reach moves to a field of the struct that is being read.
func (v *visits) reach(f *Field) { v.way[len(v.way)-1].field = f }

// written reports whether the user can change the struct itself: it belongs to the package and is not an instance of a generic
// struct.
func (v *visits) written(s *Struct) bool {
	return s.Path == v.pkg.Path && !s.instance()
}

// user returns the innermost field on the path that the user can change; nil for none.
func (v *visits) user(way []visit) *visit {
	for i := len(way) - 1; i >= 0; i-- {
		if way[i].field != nil && v.written(way[i].of) {
			return &way[i]
		}
	}
	return nil
}

// toUser moves a diagnostic to the position where the user can fix it: a fault in a struct of an imported package, or in a
// field whose type is a type argument, is fixed at the field that composes the struct.
func (v *visits) toUser(d Diagnostic) Diagnostic {
	if len(v.way) == 0 {
		return d
	}
	last := v.way[len(v.way)-1]
	foreign, bound := last.of.Path != v.pkg.Path, last.of.instance() && last.field != nil && last.field.Bound
	u := v.user(v.way)
	if u == nil || !foreign && !bound {
		return d
	}
	d.Pos = u.field.Pos
	name := v.spelled(last.of)
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
func (v *visits) spelled(s *Struct) string {
	if s.Path == v.pkg.Path {
		return s.Name
	}
	return s.Pkg + "." + s.Name
}

// rename returns where and how the user can rename an object: in its marker, or, for a struct of another package or an instance
// of a generic struct, by a type that is defined on top of it.
func (v *visits) rename(o *Object) (Pos, string) {
	u := v.user(o.way)
	if v.written(o.Struct) || u == nil {
		if t, err := ParseTag(o.Struct.Tag); err == nil {
			return t.placeOr(o.Struct.Pos), "embed aml.ValueObject with another name in its tag"
		}
		return o.Struct.Pos, "embed aml.ValueObject with another name in its tag"
	}
	name := upperFirst(o.Struct.Pkg) + o.Struct.Name
	if o.Struct.instance() {
		name = u.field.Name + o.Struct.Name[:strings.Index(o.Struct.Name, "[")]
	}
	return u.field.Pos, fmt.Sprintf("declare your own type, such as type %s %s, and compose that", name, v.spelled(o.Struct))
}

// ofOther describes an object that the user has not written by the field that composes it; "" for any other object.
func (v *visits) ofOther(o *Object) string {
	u := v.user(o.way)
	if v.written(o.Struct) || u == nil {
		return ""
	}
	return fmt.Sprintf(" of %s in %s.%s", v.spelled(o.Struct), u.of.Name, u.field.Name)
}
