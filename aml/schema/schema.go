package schema

import (
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
)

// Schema is what a model stores in one keyspace.
type Schema struct {
	Types  []*UDT   // each after those it needs
	Tables []*Table // in the order of the model
}

// UDT is a user-defined type.
type UDT struct {
	Name   string
	Fields []*Field
	Object *model.Object
}

// Field is a field of a user-defined type.
type Field struct {
	Name      string
	Type      *Type
	Attribute *model.Attribute
}

// Table is a table; its columns come as they were declared.
type Table struct {
	Name          string
	Columns       []*Column
	PartitionKey  []*Column
	ClusteringKey []*Column
	Aggregate     *model.Aggregate
	Projections   []*Projection // of a root: how its redundant tables follow from a row of it
}

// Column is a column of a table.
type Column struct {
	Name      string
	Type      *Type
	Kind      Kind
	Order     model.Order // of a clustering column
	Attribute *model.Attribute
}

// Kind is the part that a column plays.
type Kind int

// The kinds of columns.
const (
	Regular Kind = iota
	PartitionKey
	ClusteringKey
)

// Key gives the whole primary key.
func (t *Table) Key() []*Column { return slices.Concat(t.PartitionKey, t.ClusteringKey) }

// Ordered gives the columns as the runtime numbers them: the primary key first, then the others as declared.
func (t *Table) Ordered() []*Column {
	out := t.Key()
	for _, c := range t.Columns {
		if c.Kind == Regular {
			out = append(out, c)
		}
	}
	return out
}

// Type is a CQL type.
type Type struct {
	Name   string  // native type, "list", "set", "map" or the name of a UDT
	Args   []*Type // list, set, map
	UDT    bool
	Frozen bool
}

// String writes the type as CQL does and as Cassandra's own tables print it.
func (t *Type) String() string {
	s := t.Name
	if t.UDT {
		s = model.Quote(s)
	}
	if len(t.Args) > 0 {
		var args []string
		for _, a := range t.Args {
			args = append(args, a.String())
		}
		s += "<" + strings.Join(args, ", ") + ">"
	}
	if t.Frozen {
		return "frozen<" + s + ">"
	}
	return s
}

// MultiCell says whether Cassandra keeps each element or field of the value as a cell of its own.
func (t *Type) MultiCell() bool { return !t.Frozen && (t.UDT || len(t.Args) > 0) }

// Of gives the schema of a model, which must be free of diagnostics.
func Of(m *model.Model) *Schema {
	s := &Schema{}
	for _, o := range m.Objects {
		s.Types = append(s.Types, typeOf(o))
	}
	for _, a := range m.Aggregates {
		s.Tables = append(s.Tables, tableOf(a))
	}
	for _, t := range s.Tables {
		if r := t.Aggregate.Redundancy; r != nil {
			root := s.tableOf(r.Source)
			root.Projections = append(root.Projections, project(root, t))
		}
	}
	return s
}

func (s *Schema) tableOf(a *model.Aggregate) *Table {
	return s.Tables[slices.IndexFunc(s.Tables, func(t *Table) bool { return t.Aggregate == a })]
}

// typeOf gives the UDT of an object; Cassandra wants everything inside one frozen.
func typeOf(o *model.Object) *UDT {
	u := &UDT{Name: o.UDT, Object: o}
	for _, a := range o.Attributes {
		u.Fields = append(u.Fields, &Field{Name: a.Name, Type: columnType(a.Type, true), Attribute: a})
	}
	return u
}

func tableOf(a *model.Aggregate) *Table {
	t := &Table{Name: a.Table, Aggregate: a}
	for _, at := range a.Attributes {
		// A list of a redundant table is frozen: a write of a list that is not cannot be repeated.
		frozen := at.Frozen() || !a.Root() && at.Type.Kind == model.List
		t.Columns = append(t.Columns, &Column{Name: at.Name, Type: columnType(at.Type, frozen), Attribute: at})
	}
	for _, at := range a.Identifier {
		t.PartitionKey = append(t.PartitionKey, t.column(at, PartitionKey, model.Ascending))
	}
	for _, d := range a.Discriminators {
		t.ClusteringKey = append(t.ClusteringKey, t.column(d.Attribute, ClusteringKey, d.Order))
	}
	return t
}

// column finds the column of an attribute and gives it its part in the key.
func (t *Table) column(a *model.Attribute, k Kind, o model.Order) *Column {
	c := t.Columns[slices.IndexFunc(t.Columns, func(c *Column) bool { return c.Attribute == a })]
	c.Kind, c.Order = k, o
	return c
}

// columnType gives the CQL type of a value: what stands inside a collection is frozen.
func columnType(t *model.Type, frozen bool) *Type {
	switch t.Kind {
	case model.List:
		return &Type{Name: "list", Args: []*Type{columnType(t.Elem, true)}, Frozen: frozen}
	case model.Set:
		return &Type{Name: "set", Args: []*Type{columnType(t.Elem, true)}, Frozen: frozen}
	case model.MapType:
		return &Type{Name: "map", Args: []*Type{columnType(t.Key, true), columnType(t.Elem, true)}, Frozen: frozen}
	case model.Composed:
		return &Type{Name: t.Object.UDT, UDT: true, Frozen: frozen || t.Final}
	}
	return &Type{Name: t.CQL}
}
