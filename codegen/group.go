package codegen

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
)

// encodeAttribute gives the statement that writes an attribute of v. What names the alternative in use follows from the
// alternatives, whatever a field of that name holds.
func (c *codecs) encodeAttribute(a *model.Attribute, o *model.Object, goType string) string {
	if g := a.Disjunction; g != nil && g.Column == a {
		return "e.Choice(" + c.choose(g, o, goType) + "(v))"
	}
	return c.encode(a.Type, fieldOf(a), o.Struct)
}

// decodeAttribute gives the statement that reads an attribute into v. No field holds a hidden one.
func (c *codecs) decodeAttribute(a *model.Attribute, s *model.Struct) string {
	if a.Hidden() {
		return "d.Skip()"
	}
	return c.decode(a.Type, fieldOf(a), s)
}

func fieldOf(a *model.Attribute) string { return "v." + strings.Join(a.Path, ".") }

// choose asks for the function that names the alternative in use; "" for none.
func (c *codecs) choose(g *model.Disjunction, o *model.Object, goType string) string {
	return c.ask("choose "+structKey(o)+"."+g.Name, "choose"+c.structName(o.Struct)+g.Name, o.Struct, func(name string) Function {
		f := Function{Signature: name + "(v *" + goType + ") string", Body: []string{"switch {"}}
		for _, m := range g.Members {
			f.Body = append(f.Body, "case "+c.imports.present(m, fieldOf(m))+":", "return "+strconv.Quote(m.Name))
		}
		f.Body = append(f.Body, "}", `return ""`)
		return f
	})
}

// checkGroups gives the statements that count the values of the groups among the attributes.
func (c *codecs) checkGroups(in []*model.Attribute) (out []string) {
	var done []any
	for _, a := range in {
		if g := a.Disjunction; g != nil && !slices.Contains(done, any(g)) {
			done = append(done, g)
			verb := "AtMostOne"
			if g.Mandatory {
				verb = "ExactlyOne"
			}
			out = append(out, c.checkGroup(verb, g.Members))
		}
		if g := a.Alternative; g != nil && !slices.Contains(done, any(g)) {
			done = append(done, g)
			out = append(out, c.checkGroup("AtLeastOne", g.Members))
		}
	}
	return out
}

func (c *codecs) checkGroup(verb string, members []*model.Attribute) string {
	var names, present []string
	for _, m := range members {
		names = append(names, m.GoName())
		present = append(present, c.imports.present(m, fieldOf(m)))
	}
	return "f." + verb + "(" + strconv.Quote(strings.Join(names, ", ")) + ", " + strings.Join(present, ", ") + ")"
}
