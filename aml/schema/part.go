package schema

import (
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/statement"
)

// stored returns the tables as a store sees them. A root and the part in its table are read and written separately, so that table is
// two here: the table of the root has the partition key and the static columns, which are its regular columns, and the table of the
// part has the rows.
func (s *Schema) stored() (out []*Table) {
	for _, t := range s.Tables {
		if t.Part == nil {
			out = append(out, t)
			continue
		}
		out = append(out, t.ofRoot(), t.ofPart())
	}
	return out
}

// ofRoot returns the columns of the root in a table with the rows of a part.
func (t *Table) ofRoot() *Table {
	out := t.filter(func(c *Column) bool { return c.Kind == PartitionKey || c.Kind == Static })
	out.Statics = true
	for _, c := range out.Columns {
		if c.Kind == Static {
			c.Kind = Regular
		}
	}
	return out
}

// ofPart returns the columns of the part in the table of its root. The columns of a versioned root are followed by the version and
// by the mark of a deleted root, so that a read of a row returns the version of the root, too.
func (t *Table) ofPart() *Table {
	out := t.filter(func(c *Column) bool { return c.Kind != Static })
	out.Aggregate = t.Part
	for i, c := range out.PartitionKey {
		c.Attribute = t.Part.Identifier[i]
	}
	if of := t.Aggregate; of.Versioned() {
		version := &Column{Name: of.Version.Name, Type: columnType(of.Version.Type, true), Kind: Static}
		out.Columns = append(out.Columns, version, &Column{Name: Deleted, Type: &Type{Name: "boolean"}, Kind: Static})
	}
	return out
}

// Part returns the part of a versioned root, as a store sees it, or nil if the root has none.
func (s *Schema) Part(root *Table) *Table {
	if root.Versioning == nil {
		return nil
	}
	for _, p := range root.Aggregate.Parts {
		return s.Table(p)
	}
	return nil
}

// SelectWith renders the read of the rows of a part of a versioned root together with the root, without restrictions.
func (t *Table) SelectWith(root *Table) string {
	names := Names(t.Written())
	for _, c := range root.Visible() {
		if c.Kind != PartitionKey {
			names = append(names, model.Quote(c.Name))
		}
	}
	return "SELECT " + strings.Join(append(names, Deleted), ", ") + " FROM " + model.Quote(t.Name)
}

// PutPart renders the INSERT of all columns of a part, which is sent with a save of its root.
func (t *Table) PutPart() string {
	return statement.InsertPlain(model.Quote(t.Name), Names(t.Written())...)
}

// PutHead renders the INSERT of the head row of a partition, which is sent with a save of its root.
func (t *Table) PutHead() string {
	return statement.InsertPlain(model.Quote(t.Name), Names(t.Key())...)
}

// ChangePart renders the UPDATE of all columns of a part outside the key, which is sent with a save of its root. It returns "" if
// there are none.
func (t *Table) ChangePart() string {
	own := t.Written()[len(t.Key()):]
	if len(own) == 0 {
		return ""
	}
	return "UPDATE " + model.Quote(t.Name) + " SET " + strings.Join(Names(own), " = ?, ") + " = ? WHERE " + where(t.Key())
}

// DeletePart renders the DELETE of the rows of a part with the same first n columns of the key, which is sent with a save of its
// root.
func (t *Table) DeletePart(n int) string {
	return "DELETE FROM " + model.Quote(t.Name) + " WHERE " + where(t.Key()[:n])
}

// Written returns the columns of a part of a versioned root that a write of its row sets, in the order of the runtime.
func (t *Table) Written() []*Column {
	return slices.DeleteFunc(t.Ordered(), func(c *Column) bool { return c.Kind == Static })
}

// filter returns the table with copies of some of its columns, their keys and their indexes.
func (t *Table) filter(keep func(*Column) bool) *Table {
	out := &Table{Name: t.Name, Aggregate: t.Aggregate, Properties: t.Properties, TTL: t.TTL, Lifetimes: t.Lifetimes}
	for _, of := range t.Columns {
		if !keep(of) {
			continue
		}
		c := *of
		out.Columns = append(out.Columns, &c)
		for _, i := range t.Indexes {
			if i.Column == of {
				index := *i
				index.Column = &c
				out.Indexes = append(out.Indexes, &index)
			}
		}
	}
	out.PartitionKey, out.ClusteringKey = out.same(t.PartitionKey), out.same(t.ClusteringKey)
	return out
}

// same returns the columns of the table with the names of others; it leaves out those that the table does not have.
func (t *Table) same(of []*Column) (out []*Column) {
	for _, x := range of {
		if i := slices.IndexFunc(t.Columns, func(c *Column) bool { return c.Name == x.Name }); i >= 0 {
			out = append(out, t.Columns[i])
		}
	}
	return out
}

// Ranged reports whether a store can delete a range of rows: the rows of a plain aggregate without static columns, which
// belong to the rows outside of the range, too.
func (t *Table) Ranged() bool {
	static := func(c *Column) bool { return c.Kind == Static }
	return t.Aggregate.IsSource() && !t.Aggregate.Versioned() && !t.Aggregate.Counter && !slices.ContainsFunc(t.Columns, static)
}

// Parts returns the tables of the parts of a root that are separate tables.
func (s *Schema) Parts(root *model.Aggregate) (out []*Table) {
	for _, p := range root.Parts {
		if !p.InRootTable {
			out = append(out, s.Table(p))
		}
	}
	return out
}
