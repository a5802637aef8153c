package codegen

import (
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// follows adds the methods that follow the references in the rows of a table or a view.
func (b *viewer) follows(v *tableView, references []*schema.Reference, tables []*tableView) {
	of := v.source.Aggregate.Struct
	for _, r := range references {
		if r.No != "" {
			continue
		}
		target := tables[slices.IndexFunc(tables, func(t *tableView) bool { return !t.Derived() && t.source.Aggregate == r.Target })]
		f := followView{
			Reference: b.names.internal(v.Field+r.Name()+"Reference", of), Field: r.Field(), Target: target.Struct, Codec: target.Codec.Name, Secret: r.Secret(),
			Key: b.rowKey(v), Targets: b.targets(v, r), Method: r.FollowMethod(), All: r.FollowAllMethod(), Several: r.Several(),
		}
		f.document(r)
		for _, m := range []string{f.Method, f.All} {
			b.names.distinct(of, v.Type, v.methods(), m)
		}
		v.References.Follows = append(v.References.Follows, f)
	}
}

// document sets the comments of the methods.
func (f *followView) document(r *schema.Reference) {
	const missing = "If some do not exist, the error joins a *mapper.ReferenceError for each, and the result has the others."
	if f.Several {
		f.Doc = doc("%s reads each %s that %s refers to, with one request for each different key, at most 16 at a time. %s, with nil for each that "+
			"refers to no row. %s", f.Method, f.Target, r.Text(), resultOrder(r), missing)
		return
	}
	f.Doc = doc("%s reads the %s that %s refers to, in one request. It returns nil if v is nil or refers to none, and a *mapper.ReferenceError if there is "+
		"no such row.", f.Method, f.Target, r.Text())
	f.AllDoc = doc("%s does the same for each of values, with one request for each different key, at most 16 at a time. The result has the order of values. %s",
		f.All, missing)
}

// resultOrder returns the order of the targets of one row, as a sentence without its end.
func resultOrder(r *schema.Reference) string {
	if r.Many && r.Fields[0].Type.Go.Kind == model.Map {
		return "The result has no order"
	}
	return "The result has the order of the elements"
}

// rowKey returns the name of the function that writes the primary key of a row, as far as its struct has the key.
func (b *viewer) rowKey(v *tableView) string {
	of := v.source.Aggregate.Struct
	return b.codecs.request("row key "+v.Struct, "keyOf"+camel(v.Field), of, func(name string) Function {
		f := Function{Signature: name + "(k *gen.Encoder, v *" + v.Struct + ")"}
		for _, c := range v.source.Key() {
			at := v.attribute(c)
			if at == nil {
				break
			}
			f.Body = append(f.Body, b.codecs.encode("k", at.Type, fieldText(at), of))
		}
		return f
	})
}

// attribute returns the field of a row that has a column, or nil if a view does not have it.
func (v *tableView) attribute(c *schema.Column) *model.Attribute {
	if v.view == nil {
		return c.Attribute
	}
	return v.view.Attribute(c)
}

// targets returns the name of the function that writes the keys of the targets of a reference.
func (b *viewer) targets(v *tableView, r *schema.Reference) string {
	of := v.source.Aggregate.Struct
	return b.codecs.request("targets "+v.Struct+" "+r.Name(), "targetsOf"+camel(v.Field)+r.Name(), of, func(name string) Function {
		f := Function{Signature: name + "(v *" + v.Struct + ", next func() *gen.Encoder)"}
		f.Body = b.codecs.targets(r, of)
		return f
	})
}

// targets returns the statements that write the keys of the targets of a reference in v.
func (c *codecs) targets(r *schema.Reference, of *model.Struct) []string {
	at := r.Collection()
	if at < 0 {
		x, present := followPath("v", r.Path)
		if r.Many {
			return when(present, c.eachTarget(r.Fields[0], x, of))
		}
		return append([]string{"k := next()"}, c.oneTarget(r, x, present, of)...)
	}
	x, present := followPath("v", r.Path[:at])
	inside, within := followPath("x", r.Path[at+1:])
	loop := []string{"for i := range " + join(x, r.Path[at]) + " {", "k, x := next(), &" + join(x, r.Path[at]) + "[i]"}
	return when(present, slices.Concat(loop, c.oneTarget(r, inside, within, of), []string{"}"}))
}

// oneTarget returns the statements that write the key in the fields of x, if they refer to a target.
func (c *codecs) oneTarget(r *schema.Reference, x string, present []string, of *model.Struct) (out []string) {
	for _, at := range r.Fields {
		if p := c.present(at, join(x, at)); p != "" {
			present = append(present, p)
		}
		out = append(out, c.encode("k", at.Type, join(x, at), of))
	}
	return when(present, out)
}

// eachTarget returns a loop that writes the keys in a collection of keys.
func (c *codecs) eachTarget(at *model.Attribute, x string, of *model.Struct) []string {
	head := "for _, x := range " + join(x, at) + " {"
	if at.Type.Go.Kind == model.Map {
		head = "for x := range " + join(x, at) + " {"
	}
	out := []string{head, "k := next()"}
	if key := at.Type.Elem; key.Kind == model.Tuple && key.Object != nil {
		for _, m := range key.Object.Attributes {
			out = append(out, c.encode("k", m.Type, join("x", m), of))
		}
	} else {
		out = append(out, c.encode("k", key, "x", of))
	}
	return append(out, "}")
}

// followPath returns the expression of the value at the end of a path of single compositions, and the conditions under which it exists.
func followPath(x string, path []*model.Attribute) (value string, present []string) {
	for _, at := range path {
		if x = join(x, at); at.Type.Nullable {
			present = append(present, x+" != nil")
		}
	}
	return x, present
}

// join returns the expression of a field of x.
func join(x string, at *model.Attribute) string { return x + "." + strings.Join(at.Path, ".") }

// when returns statements that are executed under some conditions.
func when(conditions, body []string) []string {
	if conditions == nil {
		return body
	}
	return slices.Concat([]string{"if " + strings.Join(conditions, " && ") + " {"}, body, []string{"}"})
}
