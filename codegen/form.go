package codegen

import (
	"strconv"

	"github.com/cassaml/cassaml/aml/cqltype"
	"github.com/cassaml/cassaml/aml/form"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/codegen/describe"
)

// form returns the variable with the form of a type, in which Cassandra compares its values; "" for a type that is compared by
// its bytes, and for a type without an order, which no set or key contains.
func (c *codecs) form(t *cqltype.Type) string {
	if t == nil {
		return ""
	}
	text := t.String()
	if f, err := form.Parse(text, nil); err != nil || f == nil {
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
func (c *codecs) variants(t *model.Type) string { return c.form(describe.Variants(t)) }

// formOfElements returns the form of a set's elements or a map's keys.
func (c *codecs) formOfElements(t *model.Type) string { return c.form(describe.ElementType(t)) }
