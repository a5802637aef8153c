package codegen

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
)

// check asks for the function that reports what a struct must have and has not; "" where it may have anything.
func (c *codecs) check(s *model.Struct, attributes []*model.Attribute) string {
	if !constrained(attributes) {
		return ""
	}
	return c.ask("check "+structKey(s), "check"+c.structName(s), s, func(name string) Function {
		f := Function{Signature: name + "(f *gen.Faults, v *" + c.imports.structType(s) + ")"}
		for _, a := range attributes {
			f.Body = append(f.Body, c.checkAttribute(a)...)
		}
		return f
	})
}

// constrained says whether any value of the attributes, or inside them, is required.
func constrained(in []*model.Attribute) bool {
	for _, a := range in {
		if a.Mandatory && present(a, "") != "" || a.Multiplicity.Min > 0 || a.Multiplicity.Max >= 0 || constrainedType(a.Type) {
			return true
		}
	}
	return false
}

func constrainedType(t *model.Type) bool {
	switch {
	case t == nil || t.Kind == model.Scalar:
		return false
	case t.Kind == model.Composed:
		return constrained(t.Object.Attributes)
	}
	return constrainedType(t.Elem) // the key of a map is no struct
}

func (c *codecs) checkAttribute(a *model.Attribute) []string {
	x, path := "v."+strings.Join(a.Path, "."), valuePath{format: a.GoName()}
	var out []string
	if a.Mandatory {
		if p := c.imports.present(a, x); p != "" {
			out = append(out, "f.Required("+c.imports.path(path)+", "+p+")")
		}
	}
	if m := a.Multiplicity; m.Min > 0 || m.Max >= 0 {
		out = append(out, fmt.Sprintf("f.Count(%s, len(%s), %d, %d)", c.imports.path(path), x, m.Min, m.Max))
	}
	return append(out, c.checkValue(a.Type, x, path, 0)...)
}

// valuePath is how an error names a value: Homes[%q][%v], and the variables that hold the keys.
type valuePath struct {
	format string
	keys   []string
}

// entry goes on to an entry of a collection, whose key or index is in a variable.
func (p valuePath) entry(t *model.Type, variable string) valuePath {
	verb := "[%v]"
	if key := t.Key; key != nil && key.Kind == model.Scalar && key.Go.Kind == model.String {
		verb = "[%q]"
	}
	return valuePath{p.format + verb, append(slices.Clone(p.keys), variable)}
}

// path writes a path as a Go expression.
func (i *imports) path(p valuePath) string {
	if p.keys == nil {
		return strconv.Quote(p.format)
	}
	return i.pkg("fmt", "fmt") + ".Sprintf(" + strconv.Quote(p.format) + ", " + strings.Join(p.keys, ", ") + ")"
}

// present gives the condition under which a required attribute has a value; "" where it always has: 0 and false are values.
func (i *imports) present(a *model.Attribute, x string) string {
	if p := present(a, x); p != "uuid" {
		return p
	}
	return x + " != (" + i.goType(a.Type.Go) + "{})"
}

func present(a *model.Attribute, x string) string {
	t := a.Type
	if t.Nullable || t.Kind != model.Scalar && t.Kind != model.Composed {
		return x + " != nil"
	}
	switch t.Go.Kind {
	case model.String:
		return x + ` != ""`
	case model.Time:
		return "!" + x + ".IsZero()"
	case model.UUID:
		return "uuid"
	case model.Addr:
		return x + ".IsValid()"
	case model.Bytes, model.IP, model.BigInt, model.InfDec:
		return x + " != nil"
	}
	return ""
}

// checkValue gives the statements that check the structs inside a value.
func (c *codecs) checkValue(t *model.Type, x string, path valuePath, depth int) []string {
	if !constrainedType(t) {
		return nil
	}
	switch {
	case t.Kind == model.Composed && t.Nullable:
		return []string{c.call("CheckStruct", path, x, t)}
	case t.Kind == model.Composed:
		return []string{c.call("CheckStruct", path, "&"+x, t)}
	case t.Kind != model.MapType && t.Go.Kind == model.Slice && t.Elem.Kind == model.Composed:
		return []string{c.call("CheckStructs", path, x, t.Elem)}
	case t.Kind == model.MapType && t.Elem.Kind == model.Composed:
		return []string{c.call("CheckMap", path, x, t.Elem)}
	}
	return c.checkElements(t, x, path, depth)
}

func (c *codecs) call(function string, path valuePath, x string, t *model.Type) string {
	return "gen." + function + "(f, " + c.imports.path(path) + ", " + x + ", " + c.check(t.Object.Struct, t.Object.Attributes) + ")"
}

// checkElements loops over a set of structs, or over a collection whose elements are collections themselves.
func (c *codecs) checkElements(t *model.Type, x string, path valuePath, depth int) []string {
	key, elem := fmt.Sprintf("i%d", depth), fmt.Sprintf("e%d", depth)
	head, value := "for "+key+", "+elem+" := range "+x+" {", elem
	if t.Kind == model.Set && t.Go.Kind == model.Map {
		head, value = "for "+key+" := range "+x+" {", key
	}
	body := c.checkValue(t.Elem, value, path.entry(t, key), depth+1)
	return append(append([]string{head}, body...), "}")
}
