package codegen

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
)

// encodeAttribute returns the statement that writes an attribute of v. The name of the alternative in use is derived from the
// alternatives, even if a field contains that name.
func (c *codecs) encodeAttribute(a *model.Attribute, o *model.Object, goType string) string {
	if g := a.Disjunction; g != nil && g.Column == a {
		return "e.Choice(" + c.choose(g, o, goType) + "(v))"
	}
	return c.encode("e", a.Type, fieldText(a), o.Struct)
}

// decodeAttribute returns the statement that reads an attribute into v. A hidden attribute has no field. The name of the
// alternative in use is read into a variable.
func (c *codecs) decodeAttribute(a *model.Attribute, o *model.Object) string {
	switch {
	case !a.Hidden():
		return c.decode(a.Type, fieldText(a), o.Struct)
	case chooses(a, o):
		return choiceText(a) + " := d.Text()"
	}
	return "d.Skip()"
}

// chooses reports whether an attribute is the name of the alternative in use, among others of the object.
func chooses(a *model.Attribute, o *model.Object) bool {
	g := a.Disjunction
	return g != nil && g.Column == a && !slices.ContainsFunc(g.Members, func(m *model.Attribute) bool { return !slices.Contains(o.Attributes, m) })
}

// choiceText returns the expression of the name that was read.
func choiceText(a *model.Attribute) string {
	if a.Hidden() {
		return "choice" + a.Disjunction.Name
	}
	return fieldText(a)
}

// checkChoices returns the statements that compare the values of each group with the name of the alternative in use.
func (c *codecs) checkChoices(o *model.Object) (out []string) {
	for i, a := range o.Attributes {
		if !chooses(a, o) {
			continue
		}
		args := []string{strconv.Itoa(i), choiceText(a)}
		for _, m := range a.Disjunction.Members {
			args = append(args, "gen.Alternative{Name: "+strconv.Quote(m.Name)+", Present: "+c.present(m, fieldText(m))+"}")
		}
		out = append(out, "d.CheckChoice("+strings.Join(args, ", ")+")")
	}
	return out
}

// choose returns the name of the function that returns the alternative in use; "" for none.
func (c *codecs) choose(g *model.Disjunction, o *model.Object, goType string) string {
	return c.request("choose "+structKey(o)+"."+g.Name, "choose"+c.structName(o.Struct)+g.Name, o.Struct, func(name string) Function {
		f := Function{Signature: name + "(v *" + goType + ") string", Body: []string{"switch {"}}
		for _, m := range g.Members {
			f.Body = append(f.Body, "case "+c.present(m, fieldText(m))+":", "return "+strconv.Quote(m.Name))
		}
		f.Body = append(f.Body, "}", `return ""`)
		return f
	})
}

// checkGroups returns the statements that count the values of the groups among the attributes.
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
		present = append(present, c.present(m, fieldText(m)))
	}
	return "f." + verb + "(" + strconv.Quote(strings.Join(names, ", ")) + ", " + strings.Join(present, ", ") + ")"
}
