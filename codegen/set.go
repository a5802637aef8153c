package codegen

import (
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// setView is a method that sets one column without reading the row.
type setView struct {
	Name   string
	Doc    string
	Params string   // id gocql.UUID, name string
	Key    string   // the call that encodes the key
	Encode string   // writes the value after the key
	Check  []string // adds the errors of the value to f
	Column string   // its name, as a Go string
}

// sets adds the Set methods of a root: one for every field that can be written without reading the row.
func (b *viewer) sets(v *tableView) {
	if !v.Root || v.Versioned != nil {
		return
	}
	for _, c := range v.source.Ordered() {
		if v.source.Settable(c) == "" {
			v.Sets = append(v.Sets, b.set(v, c))
		}
	}
}

func (b *viewer) set(v *tableView, c *schema.Column) setView {
	a, at := v.source.Aggregate, c.Attribute
	key, doc := a.Key(), "writes only "+strings.Join(at.Path, ".")+", in one request without a read"
	if c.Kind == schema.Static {
		key, doc = a.Identifier, doc+"; every row of the partition has it"
	}
	all := append(append([]*model.Attribute(nil), key...), at)
	b.imports.goType(at.Field.Type) // imports the packages that the body uses, so that no parameter hides them
	names := b.names.parameters(all)
	for i := range names {
		if b.imports.taken(names[i]) {
			names[i] += "_"
		}
	}
	value := names[len(names)-1]
	s := setView{Name: "Set" + at.GoName(), Doc: doc, Params: b.parameterList(all, names), Key: b.keyCall(v, c.Kind == schema.Static, names[:len(key)]),
		Encode: b.codecs.encode("k", at.Type, value, a.Struct), Check: b.codecs.checkAttribute(at, value), Column: strconv.Quote(c.Name)}
	b.names.distinct(a.Struct, v.Type, ownMethods, s.Name)
	return s
}

// keyCall returns the call that encodes a key, and requests its method.
func (b *viewer) keyCall(v *tableView, static bool, names []string) string {
	method := "key"
	if static {
		method, v.PartitionMethod = "partition", true
	}
	return "t." + method + "(" + strings.Join(names, ", ") + ")"
}
