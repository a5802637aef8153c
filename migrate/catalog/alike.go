package catalog

import (
	"slices"

	"github.com/cassaml/cassaml/aml/schema"
)

// Alike reports whether a field of a user-defined type is stored as the keyspace asks for, also where the type that is
// there says it in other words: a collection that a type does not freeze is frozen with every value of it, unless a column of the
// keyspace holds such values field by field.
func (k *Keyspace) Alike(udt string, have, want *schema.Type) bool {
	if have.String() == want.String() {
		return true
	}
	if !have.MultiCell() || have.UDT {
		return false
	}
	frozen := *have
	frozen.Frozen = true
	return frozen.String() == want.String() && !k.FieldByField(udt)
}

// FieldByField reports whether a column holds values of a user-defined type that are not frozen.
func (k *Keyspace) FieldByField(udt string) bool {
	return slices.ContainsFunc(k.Tables, func(t *schema.Table) bool {
		return slices.ContainsFunc(t.Columns, func(c *schema.Column) bool {
			return c.Type.UDT && c.Type.Name == udt && c.Type.MultiCell()
		})
	})
}

// AlikeField reports whether a field of a type stands in its place and is stored as a wanted keyspace asks for, whether or not
// the type says it in the same words: see [Keyspace.Alike].
func AlikeField(have, want *Keyspace, udt, field string) bool {
	h, w := have.Type(udt), want.Type(udt)
	if h == nil || w == nil {
		return false
	}
	at := func(u *schema.UDT) int {
		return slices.IndexFunc(u.Fields, func(f *schema.Field) bool { return f.Name == field })
	}
	i := at(w)
	return i >= 0 && at(h) == i && want.Alike(udt, h.Fields[i].Type, w.Fields[i].Type)
}
