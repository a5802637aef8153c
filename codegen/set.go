package codegen

import (
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// setView is a method that gives one column a new value without reading the row.
type setView struct {
	Name   string
	Doc    string
	Params string // id gocql.UUID, name string
	Call   string
}

// sets gives the Set methods of a root: one for every field that needs nothing of what the row holds.
func (b *viewer) sets(v *tableView) {
	if !v.Root {
		return
	}
	for i, c := range v.source.Ordered() {
		if v.source.Settable(c) == "" {
			v.Sets = append(v.Sets, b.set(v, c, i))
		}
	}
}

func (b *viewer) set(v *tableView, c *schema.Column, column int) setView {
	a, at := v.source.Aggregate, c.Attribute
	key, doc := a.Key(), strings.Join(at.Path, ".")+" alone, without reading"
	if c.Kind == schema.Static {
		key, doc = a.Identifier, doc+"; every row of the partition has it"
	}
	all := append(append([]*model.Attribute(nil), key...), at)
	b.imports.goType(at.Field.Type) // imports what the body names, so that no parameter hides it
	names := b.names.parameters(all)
	for i := range names {
		if b.imports.taken(names[i]) {
			names[i] += "_"
		}
	}
	value := names[len(names)-1]
	call := "gen.SetColumn(ctx, t.Root, " + b.keyCall(v, c.Kind == schema.Static, names[:len(key)]) + ", " +
		strconv.Itoa(column) + ", " + value + ", " + b.setter(at, a.Struct) + ", " + b.checkValue(at) + ")"
	s := setView{Name: "Set" + at.GoName(), Doc: doc, Params: b.parameterList(all, names), Call: call}
	b.names.distinct(a.Struct, v.Type, []string{"Insert", "Put", "Change", "Update", "Delete", "Get", "Of", "All"}, s.Name)
	return s
}

// keyCall gives the call that encodes a key, and has its method written.
func (b *viewer) keyCall(v *tableView, static bool, names []string) string {
	method := "key"
	if static {
		method, v.PartitionMethod = "partition", true
	}
	return "t." + method + "(" + strings.Join(names, ", ") + ")"
}

// checkValue gives a function that notes what a value of an attribute breaks of the model's rules.
func (b *viewer) checkValue(a *model.Attribute) string {
	body := b.codecs.checkAttribute(a, "v")
	if len(body) == 0 {
		return "nil"
	}
	return "func(f *gen.Faults, v " + b.imports.goType(a.Field.Type) + ") {\n" + strings.Join(body, "\n") + "\n}"
}

// setter gives a function value that writes a value of an attribute.
func (b *viewer) setter(a *model.Attribute, of *model.Struct) string {
	if _, composite := shapeOf(a.Type); !composite {
		if f := b.codecs.scalar(a.Type).encoder(); f != "" {
			return f
		}
	}
	return "func(e *gen.Encoder, v " + b.imports.goType(a.Field.Type) + ") { " + b.codecs.encode(a.Type, "v", of) + " }"
}
