package describe

import (
	"github.com/cassaml/cassaml/aml/cqltype"
	"github.com/cassaml/cassaml/aml/form"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// Flat returns a type with each UDT as a tuple of its fields: Cassandra compares both field by field.
func Flat(t *model.Type) *cqltype.Type {
	switch t.Kind {
	case model.List:
		return &cqltype.Type{Name: "list", Args: []*cqltype.Type{Flat(t.Elem)}}
	case model.Set:
		return &cqltype.Type{Name: "set", Args: []*cqltype.Type{Flat(t.Elem)}}
	case model.MapType:
		return &cqltype.Type{Name: "map", Args: []*cqltype.Type{Flat(t.Key), Flat(t.Elem)}}
	case model.Vector:
		return &cqltype.Type{Name: "vector", Args: []*cqltype.Type{Flat(t.Elem)}, Size: t.Size}
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
		out.Args = append(out.Args, Flat(m))
	}
	return out
}

// Variants returns the flat type of values of which equal ones can have different bytes; nil for any other type.
func Variants(t *model.Type) *cqltype.Type {
	flat := Flat(t)
	if f, err := form.Parse(flat.String(), nil); err != nil || !f.Variants() {
		return nil
	}
	return flat
}

// ElementType returns the flat type of a set's elements or a map's keys; nil for any other type.
func ElementType(t *model.Type) *cqltype.Type {
	if of := Flat(t).Unfrozen(); of.Name == "set" || of.Name == "map" {
		return of.Args[0]
	}
	return nil
}

// columnForm returns the form of a column with the values of an attribute, for the planner and for reads of several partitions.
func (d *Store) columnForm(c *schema.Column, a *model.Attribute) *form.Form {
	switch {
	case c.Kind == schema.ClusteringKey:
		return d.form(Flat(a.Type))
	case c.InKey():
		return d.form(Variants(a.Type))
	case c.Type.MultiCell() && !c.Type.UDT:
		return d.form(ElementType(a.Type))
	}
	return nil
}

// form returns the form of a type, in which Cassandra compares its values; nil for a type that is compared by its bytes, and for a type
// without an order, which no set or key contains.
func (d *Store) form(t *cqltype.Type) *form.Form {
	if t == nil {
		return nil
	}
	text := t.String()
	if f, ok := d.forms[text]; ok {
		return f
	}
	f, err := form.Parse(text, nil)
	if err != nil || f == nil {
		return nil
	}
	// A native type has one form for several names; each type has a form of its own here, so that it has a name.
	own := *f
	d.forms[text], d.Forms[&own] = &own, t
	return &own
}
