package codegen

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/aml/cqltype"
	"github.com/cassaml/cassaml/aml/model"
)

// check returns the name of the function that checks the rules of a struct; "" for a struct without rules.
func (c *codecs) check(o *model.Object, goType string) string {
	if !constrained(o.Attributes) {
		return ""
	}
	return c.request("check "+structKey(o), "check"+c.structName(o.Struct), o.Struct, func(name string) Function {
		f := Function{Signature: name + "(f *gen.Faults, v *" + goType + ")"}
		for _, a := range o.Attributes {
			if !a.Hidden() {
				f.Body = append(f.Body, c.checkAttribute(a, fieldText(a))...)
			}
		}
		f.Body = append(f.Body, c.checkGroups(o.Attributes)...)
		return f
	})
}

// constrained reports whether the attributes, or values inside them, have rules to check.
func constrained(in []*model.Attribute) bool {
	for _, a := range in {
		if a.Mandatory && canBeAbsent(a) || a.Disjunction != nil || a.Alternative != nil || a.Multiplicity.Min > 0 || a.Multiplicity.Max >= 0 || constrainedType(a.Type) {
			return true
		}
	}
	return false
}

func constrainedType(t *model.Type) bool {
	switch {
	case t == nil:
		return false
	case identified(t):
		return true
	case isStruct(t):
		return constrained(t.Object.Attributes)
	}
	return constrainedType(t.Elem) // the key of a map is not a struct
}

// checkAttribute returns the statements that check the value x of an attribute.
func (c *codecs) checkAttribute(a *model.Attribute, x string) []string {
	return c.checkAt(a, x, valuePath{format: a.GoName()})
}

// checkAt returns the statements that check the value x of an attribute, which has a path in errors.
func (c *codecs) checkAt(a *model.Attribute, x string, path valuePath) []string {
	var out []string
	if a.Mandatory && a.Disjunction == nil { // alternatives are checked as a group
		if p := c.present(a, x); p != "" {
			out = append(out, "f.Required("+c.imports.path(path)+", "+p+")")
		}
	}
	if m := a.Multiplicity; m.Min > 0 || m.Max >= 0 {
		out = append(out, fmt.Sprintf("f.Count(%s, len(%s), %d, %d)", c.imports.path(path), x, m.Min, m.Max))
	}
	return append(out, c.checkValue(a.Type, x, path, 0)...)
}

// valuePath is the path of a value in an error: Homes[%q][%v], and the variables of the keys.
type valuePath struct {
	format string
	keys   []string
}

// entry appends an entry of a collection, whose key or index is in a variable.
func (p valuePath) entry(t *model.Type, variable string) valuePath {
	verb := "[%v]"
	if key := t.Key; key != nil && key.Kind == model.Scalar && key.Go.Kind == model.String {
		verb = "[%q]"
	}
	return valuePath{p.format + verb, append(slices.Clone(p.keys), variable)}
}

// path returns a path as a Go expression.
func (i *imports) path(p valuePath) string {
	if p.keys == nil {
		return strconv.Quote(p.format)
	}
	return i.pkg("fmt", "fmt") + ".Sprintf(" + strconv.Quote(p.format) + ", " + strings.Join(p.keys, ", ") + ")"
}

// present returns the condition under which a required attribute has a value: it is stored as one, and is not an empty text or the zero UUID. It
// returns "" if the attribute always has one: 0 and false are values.
func (c *codecs) present(a *model.Attribute, x string) string {
	p := presence{c.imports.goType, func(t *model.Type, x string) string { return c.encode("e", t, x, nil) }}
	return p.present(a, x)
}

// canBeAbsent reports whether an attribute can have no value.
func canBeAbsent(a *model.Attribute) bool {
	p := presence{func(g *model.GoType) string { return g.Text }, func(*model.Type, string) string { return "" }}
	return p.present(a, "v") != ""
}

// presence writes conditions.
type presence struct {
	goType func(*model.GoType) string
	encode func(t *model.Type, x string) string // the statement that writes a value to e
}

func (p presence) present(a *model.Attribute, x string) string {
	if g, ok := a.Type.Native(); ok && !a.Type.Nullable && g.Required != "" {
		return p.condition(g.Required, a.Type, x)
	}
	return p.stored(a.Type, x, !a.Nested && !a.Frozen())
}

// condition returns a condition of a row of package cqltype for the value x.
func (p presence) condition(of string, t *model.Type, x string) string {
	goType := ""
	if strings.Contains(of, "$T") {
		goType = p.goType(t.Go)
	}
	return cqltype.Condition(of, x, goType)
}

// stored returns the condition under which the value x is not stored as null; "" if it never is. cells is true for a column that has
// several cells if its type can: an empty collection in it is null, and so is a UDT whose fields are all null.
func (p presence) stored(t *model.Type, x string, cells bool) string {
	switch {
	case t.SQLNull:
		return and(x+".Valid", p.inner(t, x+".V", cells))
	case isStruct(t):
		return p.structStored(t, x, cells)
	case t.Nullable:
		return and(x+" != nil", p.inner(t, "(*"+x+")", cells))
	}
	if g, ok := t.Native(); ok {
		return p.condition(g.Stored, t, x)
	}
	switch t.Go.Kind {
	case model.Slice, model.Map, model.Bytes:
		switch {
		case ownNull(t):
			return and(x+" != nil", p.encoded(t, x, cells))
		case cells && t.MultiCell():
			return "len(" + x + ") > 0"
		}
		return x + " != nil"
	}
	return ""
}

// inner is stored for the value x that a pointer to a value or a sql.Null contains.
func (p presence) inner(t *model.Type, x string, cells bool) string {
	if inner := notNull(t); !ownNull(t) {
		return p.stored(inner, x, cells)
	}
	return p.encoded(notNull(t), x, cells)
}

// ownNull reports whether the methods of a type determine which of its values are null. MarshalText has no null.
func ownNull(t *model.Type) bool { return t.Conversion == model.ByCQL || t.Conversion == model.BySQL }

// encoded returns the condition under which a value is not encoded as null or, with cells, as an empty collection.
func (p presence) encoded(t *model.Type, x string, cells bool) string {
	name := "gen.IsStored"
	if cells && t.MultiCell() {
		name = "gen.HasCells"
	}
	return name + "(func(e *gen.Encoder) { " + p.encode(t, x) + " })"
}

// and returns the condition that both conditions hold, of which the second can be "".
func and(a, b string) string {
	if b == "" {
		return a
	}
	return a + " && " + b
}

// structStored is stored for a struct.
func (p presence) structStored(t *model.Type, x string, cells bool) string {
	fields := ""
	if cells && t.Kind == model.Composed {
		fields = p.fieldStored(t.Object, x)
	}
	if t.Nullable {
		return and(x+" != nil", fields)
	}
	return fields
}

// fieldStored returns the condition under which one of the fields of a struct is not stored as null; "" if one never is.
func (p presence) fieldStored(o *model.Object, x string) string {
	var conditions []string
	for _, a := range o.Attributes {
		if a.Disjunction != nil && a.Disjunction.Column == a {
			continue // it is null if the members of the group are
		}
		field := x + "." + strings.Join(a.Path, ".")
		condition := p.stored(a.Type, field, false)
		if condition == "" && ownNull(a.Type) {
			condition = p.encoded(a.Type, field, false)
		}
		if condition == "" {
			return ""
		}
		if strings.Contains(condition, " && ") {
			condition = "(" + condition + ")"
		}
		conditions = append(conditions, condition)
	}
	if len(conditions) == 1 {
		return conditions[0]
	}
	return "(" + strings.Join(conditions, " || ") + ")"
}

// checkValue returns the statements that check the structs inside a value.
func (c *codecs) checkValue(t *model.Type, x string, path valuePath, depth int) []string {
	if !constrainedType(t) {
		return nil
	}
	if identified(t) {
		out := []string{c.checkIdentity(t, x, path)}
		if constrained(t.Elem.Object.Attributes) {
			out = append(out, c.checkParts(t, x, path, depth)...)
		}
		return out
	}
	return c.checkParts(t, x, path, depth)
}

func (c *codecs) checkParts(t *model.Type, x string, path valuePath, depth int) []string {
	s, _ := newShape(t)
	if s.check == "" {
		return c.checkElements(t, x, path, depth)
	}
	inner := s.parts[len(s.parts)-1]
	return []string{"gen.Check" + s.check + "(f, " + c.imports.path(path) + ", " + s.reference + x + ", " + c.check(inner.Object, c.imports.goType(inner.Go)) + ")"}
}

// checkElements returns a loop over a set of structs, or over a collection whose elements are collections.
func (c *codecs) checkElements(t *model.Type, x string, path valuePath, depth int) []string {
	key, elem := fmt.Sprintf("i%d", depth), fmt.Sprintf("e%d", depth)
	head, value := "for "+key+", "+elem+" := range "+x+" {", elem
	if t.Kind == model.Set && t.Go.Kind == model.Map {
		head, value = "for "+key+" := range "+x+" {", key
	}
	body := c.checkValue(t.Elem, value, path.entry(t, key), depth+1)
	return append(append([]string{head}, body...), "}")
}

// identified reports whether a value is a collection of entities, which have an identity in the collection.
func identified(t *model.Type) bool {
	return t.Kind != model.Scalar && t.Elem != nil && isStruct(t.Elem) && t.Elem.Object.Entity && len(t.Elem.Object.Identity) > 0
}

// checkIdentity returns the statement that reports two entities with the same identity.
func (c *codecs) checkIdentity(t *model.Type, x string, path valuePath) string {
	verb := "CheckIdentities"
	switch {
	case t.Go.Kind == model.Map && t.Kind == model.Set:
		verb = "CheckMemberIdentities"
	case t.Go.Kind == model.Map:
		verb = "CheckEntryIdentities"
	}
	return "gen." + verb + "(f, " + c.imports.path(path) + ", " + x + ", " + c.identify(t.Elem.Object, c.imports.goType(t.Elem.Go)) + ")"
}

// identify returns the name of the function that writes the identity of an entity.
func (c *codecs) identify(o *model.Object, goType string) string {
	s := o.Struct
	return c.request("identify "+structKey(o), "identify"+c.structName(s), s, func(name string) Function {
		f := Function{Signature: name + "(e *gen.Encoder, v *" + goType + ")"}
		for _, a := range o.Identity {
			line := c.encode("e", a.Type, fieldText(a), s)
			if of := c.variants(a.Type); of != "" {
				line = "e.As(" + of + ", func() { " + line + " })"
			}
			f.Body = append(f.Body, line)
		}
		return f
	})
}
