package catalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// Compare returns all differences of a keyspace from a wanted one: in types and the order of their fields, and in tables with
// their columns (type, frozen, position and order in the key, static), properties and indexes. The order of tables, and of columns
// outside the key, does not matter. Types are first, then tables, in the order of the wanted keyspace, followed by additional ones.
func Compare(have, want *Keyspace) []Difference {
	var out []Difference
	for _, name := range mergeNames(typeNames(want), typeNames(have)) {
		out = append(out, compareTypes(name, have.Type(name), want.Type(name))...)
	}
	for _, name := range mergeNames(tableNames(want), tableNames(have)) {
		out = append(out, compareTables(name, have.Table(name), want.Table(name))...)
	}
	return out
}

func typeNames(k *Keyspace) []string {
	return collectNames(k.Types, func(u *schema.UDT) string { return u.Name })
}

func tableNames(k *Keyspace) []string {
	return collectNames(k.Tables, func(t *schema.Table) string { return t.Name })
}

func collectNames[T any](in []T, name func(T) string) []string {
	var out []string
	for _, x := range in {
		out = append(out, name(x))
	}
	return out
}

// mergeNames returns names in their order, followed by the other names, sorted.
func mergeNames(first, others []string) []string {
	more := slices.DeleteFunc(slices.Clone(others), func(n string) bool { return slices.Contains(first, n) })
	slices.Sort(more)
	return slices.Concat(first, more)
}

func compareTypes(name string, have, want *schema.UDT) []Difference {
	switch {
	case have == nil:
		return []Difference{{Type: name, Want: want.CQL()}}
	case want == nil:
		return []Difference{{Type: name, Have: have.CQL()}}
	}
	of := func(in *schema.UDT, field string) string {
		i := slices.IndexFunc(in.Fields, func(f *schema.Field) bool { return f.Name == field })
		if i < 0 {
			return ""
		}
		return fmt.Sprintf("%s, field %d", in.Fields[i].Type, i+1)
	}
	field := func(f *schema.Field) string { return f.Name }
	var out []Difference
	for _, f := range mergeNames(collectNames(want.Fields, field), collectNames(have.Fields, field)) {
		if h, w := of(have, f), of(want, f); h != w {
			out = append(out, Difference{Type: name, Column: f, Have: h, Want: w})
		}
	}
	return out
}

func compareTables(name string, have, want *schema.Table) []Difference {
	switch {
	case have == nil:
		return []Difference{{Table: name, Want: want.CQL()}}
	case want == nil:
		return []Difference{{Table: name, Have: have.CQL()}}
	}
	var out []Difference
	column := func(c *schema.Column) string { return c.Name }
	for _, c := range mergeNames(collectNames(want.Ordered(), column), collectNames(have.Ordered(), column)) {
		if h, w := describe(have, c), describe(want, c); h != w {
			out = append(out, Difference{Table: name, Column: c, Have: h, Want: w})
		}
	}
	property := func(p schema.Property) string { return p.Name }
	for _, p := range mergeNames(collectNames(want.Properties, property), collectNames(have.Properties, property)) {
		if h, w := propertyValue(have, p), propertyValue(want, p); h != w {
			out = append(out, Difference{Table: name, Property: p, Have: h, Want: w})
		}
	}
	index := func(i *schema.Index) string { return i.Name }
	for _, i := range mergeNames(collectNames(want.Indexes, index), collectNames(have.Indexes, index)) {
		if h, w := indexText(have, i), indexText(want, i); h != w {
			out = append(out, Difference{Table: name, Index: i, Have: h, Want: w})
		}
	}
	return out
}

// describe returns the definition of a column; "" if it does not exist.
func describe(t *schema.Table, name string) string {
	c := Column(t, name)
	if c == nil {
		return ""
	}
	text := c.Type.String()
	switch c.Kind {
	case schema.PartitionKey:
		text += fmt.Sprintf(", partition key %d of %d", 1+slices.Index(t.PartitionKey, c), len(t.PartitionKey))
	case schema.ClusteringKey:
		order := [...]string{model.Ascending: "asc", model.Descending: "desc"}[c.Order]
		text += fmt.Sprintf(", clustering key %d %s", 1+slices.Index(t.ClusteringKey, c), order)
	case schema.Static:
		text += ", static"
	}
	return text
}

func propertyValue(t *schema.Table, name string) string {
	for _, p := range t.Properties {
		if p.Name == name {
			return p.Value
		}
	}
	return ""
}

// indexText returns the definition of an index; "" if it does not exist.
func indexText(t *schema.Table, name string) string {
	for _, i := range t.Indexes {
		if i.Name == name {
			return IndexText(i)
		}
	}
	return ""
}

// IndexText returns the definition of an index without its name, such as "on email".
func IndexText(i *schema.Index) string {
	text := "on " + i.Target
	if i.Class != "" {
		text += " using " + i.Class
	}
	if i.Options != nil {
		text += " with " + i.Entries()
	}
	return text
}

// Difference is one difference between two keyspaces. Have and Want are the two definitions in CQL, and for a whole type or table
// the statement that creates it; "" if the object does not exist.
type Difference struct {
	Type     string // the name of a user-defined type, or
	Table    string // the name of a table, and in it
	Column   string // a column of the table or a field of the type,
	Index    string // an index of the table,
	Property string // or a property of the table; if all three are "", the type or table itself
	Have     string
	Want     string
}

// String returns one line, such as "table customers, column name: has int, not text".
func (d Difference) String() string { return d.Subject() + ": " + d.verdict() }

// Subject returns the object that differs, such as "table customers, column name".
func (d Difference) Subject() string {
	of := "table " + d.Table
	member := "column"
	if d.Type != "" {
		of, member = "type "+d.Type, "field"
	}
	switch {
	case d.Column != "":
		return of + ", " + member + " " + d.Column
	case d.Index != "":
		return of + ", index " + d.Index
	case d.Property != "":
		return of + ", property " + d.Property
	}
	return of
}

func (d Difference) verdict() string {
	whole := d.Column == "" && d.Index == "" && d.Property == ""
	switch {
	case whole && d.Have == "":
		return "is missing"
	case whole && d.Want == "":
		return "exists, but should not"
	case d.Property != "" && d.Have == "":
		return "has the server's default, not " + oneLine(d.Want)
	case d.Property != "" && d.Want == "":
		return "has " + oneLine(d.Have) + ", not the server's default"
	case d.Have == "":
		return "is missing: " + oneLine(d.Want)
	case d.Want == "":
		return "exists, but should not: " + oneLine(d.Have)
	}
	return "has " + oneLine(d.Have) + ", not " + oneLine(d.Want)
}

// oneLine joins the lines of a statement.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
