package codegen

import (
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/aml/form"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// flat writes a type with each UDT as a tuple of its fields: Cassandra compares both member by member.
func flat(t *model.Type) string {
	switch t.Kind {
	case model.List:
		return "list<" + flat(t.Elem) + ">"
	case model.Set:
		return "set<" + flat(t.Elem) + ">"
	case model.MapType:
		return "map<" + flat(t.Key) + ", " + flat(t.Elem) + ">"
	case model.Composed:
		var fields []*model.Type
		for _, a := range t.Object.Attributes {
			fields = append(fields, a.Type)
		}
		return flatTuple(fields)
	case model.Tuple:
		return flatTuple(t.Members)
	}
	return t.String()
}

func flatTuple(members []*model.Type) string {
	text := make([]string, len(members))
	for i, m := range members {
		text[i] = flat(m)
	}
	return "tuple<" + strings.Join(text, ", ") + ">"
}

// form asks for the variable that knows how Cassandra compares the values of a type; "" for one that compares by its bytes,
// and for one without an order, whose values are in no set and no key.
func (c *codecs) form(cqlType string) string {
	if f, err := form.Of(cqlType, nil); err != nil || f == nil {
		return ""
	}
	if n, ok := c.done["form "+cqlType]; ok {
		return n
	}
	n := c.names.function("form"+camel(cqlType), &model.Struct{Name: "type " + cqlType})
	c.done["form "+cqlType] = n
	c.infos = append(c.infos, variable{n, "gen.MustForm(" + strconv.Quote(cqlType) + ")"})
	return n
}

// variants asks for the form of a type of which equal values can have different bytes; "" for any other.
func (c *codecs) variants(t *model.Type) string {
	if f, err := form.Of(flat(t), nil); err != nil || !f.Variants() {
		return ""
	}
	return c.form(flat(t))
}

// formOfElements asks for the form of a set's elements or a map's keys.
func (c *codecs) formOfElements(t *model.Type) string {
	if name := collectionName(t); name != "set" && name != "map" {
		return ""
	}
	element, err := form.Key(flat(t))
	if err != nil {
		return ""
	}
	return c.form(element)
}

func collectionName(t *model.Type) string {
	name, _, _ := strings.Cut(flat(t), "<")
	if t.Kind == model.Declared {
		name = thawed(t.Spelled).Name
	}
	return name
}

// formOf returns the form of a column, where the planner needs it.
func (b *viewer) formOf(c *schema.Column) string {
	switch {
	case c.InKey():
		return b.codecs.variants(c.Attribute.Type)
	case c.Type.MultiCell() && !c.Type.UDT:
		return b.codecs.formOfElements(c.Attribute.Type)
	}
	return ""
}
