package codegen

import "github.com/cassaml/cassaml/aml/model"

// identified reports whether a value is a collection of entities, which have an identity within it.
func identified(t *model.Type) bool {
	return t.Kind != model.Scalar && t.Elem != nil && isStruct(t.Elem) && t.Elem.Object.Entity && len(t.Elem.Object.Identity) > 0
}

// checkIdentity returns the statement that looks for two entities of one identity.
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

// identify asks for the function that writes the identity of an entity.
func (c *codecs) identify(o *model.Object, goType string) string {
	s := o.Struct
	return c.ask("identify "+structKey(o), "identify"+c.structName(s), s, func(name string) Function {
		f := Function{Signature: name + "(e *gen.Encoder, v *" + goType + ")"}
		for _, a := range o.Identity {
			line := c.encode("e", a.Type, fieldOf(a), s)
			if of := c.variants(a.Type); of != "" {
				line = "e.As(" + of + ", func() { " + line + " })"
			}
			f.Body = append(f.Body, line)
		}
		return f
	})
}
