package schema

import (
	"strings"

	"github.com/cassaml/cassaml/aml/model"
)

// Option returns the value of an option, or its default.
func (i *Index) Option(name, byDefault string) string {
	for _, o := range i.Options {
		if o.Name == name {
			return o.Value
		}
	}
	return byDefault
}

// index adds the indexes of the table's columns.
func (t *Table) index() {
	for _, c := range t.Columns {
		if c.Attribute != nil && c.Attribute.Index != nil {
			i := c.Attribute.Index
			t.Indexes = append(t.Indexes, &Index{Name: i.Name, Column: c, Read: lookup(c.Type), Target: target(c), Options: i.Options})
		}
	}
}

func lookup(t *Type) Lookup {
	switch {
	case t.MultiCell():
		return Contains
	case t.Name == "vector":
		return Near
	}
	return Equals
}

func target(c *Column) string {
	if c.Type.MultiCell() {
		return "values(" + model.Quote(c.Name) + ")"
	}
	return model.Quote(c.Name)
}

// CQL renders CREATE INDEX.
func (i *Index) CQL(t *Table) string {
	create, class := "CREATE INDEX", i.Class
	switch class {
	case "":
		class = "sai"
	case "legacy_local_table":
	case "SASIIndex":
		create, class = "CREATE CUSTOM INDEX", "org.apache.cassandra.index.sasi.SASIIndex"
	default:
		create = "CREATE CUSTOM INDEX"
	}
	return create + " IF NOT EXISTS " + model.Quote(i.Name) + " ON " + model.Quote(t.Name) + " (" + i.Target + ") USING '" + class + "'" + i.With()
}

// With renders the options of CREATE INDEX; "" if there are none.
func (i *Index) With() string {
	if i.Options == nil {
		return ""
	}
	return " WITH OPTIONS = {" + i.Entries() + "}"
}

// Entries renders the options as entries of a CQL map.
func (i *Index) Entries() string {
	var out []string
	for _, o := range i.Options {
		out = append(out, model.QuoteText(o.Name)+": "+model.QuoteText(o.Value))
	}
	return strings.Join(out, ", ")
}

// condition renders the clause of an index read: a restriction after WHERE or after the restrictions of a partition, or the order of the
// nearest vectors after both.
func (i *Index) condition() string {
	name := model.Quote(i.Column.Name)
	switch i.Read {
	case Contains:
		return name + " CONTAINS ?"
	case Near:
		return "ORDER BY " + name + " ANN OF ? LIMIT ?"
	}
	return name + " = ?"
}

// Find renders the read of all rows that the index finds, in all partitions.
func (i *Index) Find(t *Table) string { return i.find(t, nil) }

// FindIn renders the same read within one partition.
func (i *Index) FindIn(t *Table) string { return i.find(t, t.PartitionKey) }

func (i *Index) find(t *Table, key []*Column) string {
	var restrictions []string
	for _, k := range key {
		restrictions = append(restrictions, model.Quote(k.Name)+" = ?")
	}
	order := ""
	if i.Read == Near {
		order = " " + i.condition()
	} else {
		restrictions = append(restrictions, i.condition())
	}
	if restrictions == nil {
		return t.Select() + order
	}
	return t.Select() + " WHERE " + strings.Join(restrictions, " AND ") + order
}
