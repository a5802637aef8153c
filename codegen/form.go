package codegen

import (
	"strconv"

	"github.com/cassaml/cassaml/aml/cqltype"
	"github.com/cassaml/cassaml/aml/form"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// flat returns a type with each UDT as a tuple of its fields: Cassandra compares both field by field.
func flat(t *model.Type) *cqltype.Type {
	switch t.Kind {
	case model.List:
		return &cqltype.Type{Name: "list", Args: []*cqltype.Type{flat(t.Elem)}}
	case model.Set:
		return &cqltype.Type{Name: "set", Args: []*cqltype.Type{flat(t.Elem)}}
	case model.MapType:
		return &cqltype.Type{Name: "map", Args: []*cqltype.Type{flat(t.Key), flat(t.Elem)}}
	case model.Vector:
		return &cqltype.Type{Name: "vector", Args: []*cqltype.Type{flat(t.Elem)}, Size: t.Size}
	case model.Composed:
		var fields []*model.Type
		for _, a := range t.Object.Attributes {
			fields = append(fields, a.Type)
		}
		return flatTuple(fields)
	case model.Tuple:
		return flatTuple(t.Members)
	case model.Declared:
		return t.Spelled
	}
	return &cqltype.Type{Name: t.CQL}
}

func flatTuple(members []*model.Type) *cqltype.Type {
	out := &cqltype.Type{Name: "tuple"}
	for _, m := range members {
		out.Args = append(out.Args, flat(m))
	}
	return out
}

// form returns the variable with the form of a type, in which Cassandra compares its values; "" for a type that is compared by
// its bytes, and for a type without an order, which no set or key contains.
func (c *codecs) form(t *cqltype.Type) string {
	text := t.String()
	if f, err := form.Of(text, nil); err != nil || f == nil {
		return ""
	}
	if n, ok := c.done["form "+text]; ok {
		return n
	}
	n := c.names.function("form"+camel(text), &model.Struct{Name: "type " + text})
	c.done["form "+text] = n
	c.infos = append(c.infos, variable{n, "gen.MustForm(" + strconv.Quote(text) + ")"})
	return n
}

// variants returns the form of a type whose equal values can have different bytes; "" for any other type.
func (c *codecs) variants(t *model.Type) string {
	if f, err := form.Of(flat(t).String(), nil); err != nil || !f.Variants() {
		return ""
	}
	return c.form(flat(t))
}

// formOfElements returns the form of a set's elements or a map's keys.
func (c *codecs) formOfElements(t *model.Type) string {
	if of := flat(t).Unfrozen(); of.Name == "set" || of.Name == "map" {
		return c.form(of.Args[0])
	}
	return ""
}

// formOf returns the form of a column with the values of an attribute, for the planner and for reads of several partitions.
func (b *viewer) formOf(c *schema.Column, a *model.Attribute) string {
	switch {
	case c.Kind == schema.ClusteringKey:
		return b.codecs.form(flat(a.Type))
	case c.InKey():
		return b.codecs.variants(a.Type)
	case c.Type.MultiCell() && !c.Type.UDT:
		return b.codecs.formOfElements(a.Type)
	}
	return ""
}
