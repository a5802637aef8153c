package conformance

import (
	"fmt"
	"strings"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/aml/statement"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// Schema is the CQL of the tables that Check writes to, one statement a line.
const Schema = `CREATE TYPE conform_pair (a text, b int);
CREATE TABLE conform_cells (p int, c text, n smallint, label text static, marks set<text> static, word text, blob blob, whole frozen<conform_pair>, tags set<int>, names map<int, text>, notes list<text>, pair conform_pair, PRIMARY KEY (p, c, n)) WITH CLUSTERING ORDER BY (c DESC, n ASC);
CREATE TABLE conform_single (p int PRIMARY KEY, word text, tags set<int>, pair conform_pair);
`

var pairType = &descriptor.Type{Name: "conform_pair", Fields: []descriptor.Field{{Name: "a", Type: "text"}, {Name: "b", Type: "int"}}}

var cellsTable = complete(plan.Table{Name: "conform_cells", Aggregate: "Cells", Partition: 1, Key: 3, Columns: []descriptor.Column{
	{Name: "p", Type: "int"},
	{Name: "c", Type: "text", Kind: projection.ClusteringKey, Desc: true},
	{Name: "n", Type: "smallint", Kind: projection.ClusteringKey},
	{Name: "label", Type: "text", Kind: projection.Static},
	{Name: "marks", Type: "set<text>", Kind: projection.Static, Cells: projection.Set},
	{Name: "word", Type: "text", Kind: projection.Regular},
	{Name: "blob", Type: "blob", Kind: projection.Regular},
	{Name: "whole", Type: "frozen<conform_pair>", Kind: projection.Regular},
	{Name: "tags", Type: "set<int>", Kind: projection.Regular, Cells: projection.Set},
	{Name: "names", Type: "map<int, text>", Kind: projection.Regular, Cells: projection.Map},
	{Name: "notes", Type: "list<text>", Kind: projection.Regular, Cells: projection.List},
	{Name: "pair", Type: "conform_pair", Kind: projection.Regular, Cells: projection.UDT, Fields: 2},
}})

var singleTable = complete(plan.Table{Name: "conform_single", Aggregate: "Single", Partition: 1, Key: 1, Columns: []descriptor.Column{
	{Name: "p", Type: "int"},
	{Name: "word", Type: "text", Kind: projection.Regular},
	{Name: "tags", Type: "set<int>", Kind: projection.Regular, Cells: projection.Set},
	{Name: "pair", Type: "conform_pair", Kind: projection.Regular, Cells: projection.UDT, Fields: 2},
}})

// complete adds its statements to a table.
func complete(t plan.Table) *plan.Table {
	var names, marks, times []string
	for i := range t.Columns {
		t.Columns[i].CQL, t.Columns[i].Field = t.Columns[i].Name, t.Columns[i].Name
		names, marks = append(names, t.Columns[i].Name), append(marks, "?")
		if i >= t.Key {
			times = append(times, statement.Latest(t.Columns[i].Name, t.Columns[i].Cells == projection.Single))
			t.Columns[i].Update = update(&t, i)
		}
	}
	all := strings.Join(names, ", ")
	t.Insert = fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s) USING TIMESTAMP ? AND TTL ?", t.Name, all, strings.Join(marks, ", "))
	t.Delete = "DELETE FROM " + t.Name + " USING TIMESTAMP ? WHERE " + equals(&t, t.Key)
	for key := t.Partition; key < t.Key; key++ {
		t.Ranges = append(t.Ranges, "DELETE FROM "+t.Name+" USING TIMESTAMP ? WHERE "+equals(&t, key))
	}
	t.Select = "SELECT " + all + " FROM " + t.Name
	t.Get = t.Select + " WHERE " + equals(&t, t.Key)
	t.Load = "SELECT " + all + ", " + strings.Join(times, ", ") + " FROM " + t.Name + " WHERE " + equals(&t, t.Key)
	t.Reversed = reversed(&t)
	return &t
}

func equals(t *plan.Table, n int) string {
	var out []string
	for _, c := range t.Columns[:n] {
		out = append(out, c.Name+" = ?")
	}
	return strings.Join(out, " AND ")
}

func reversed(t *plan.Table) string {
	var out []string
	for _, c := range t.Columns[t.Partition:t.Key] {
		direction := " DESC"
		if c.Desc {
			direction = " ASC"
		}
		out = append(out, c.Name+direction)
	}
	if out == nil {
		return ""
	}
	return " ORDER BY " + strings.Join(out, ", ")
}

func update(t *plan.Table, i int) string {
	c, key := &t.Columns[i], t.Key
	if c.Kind == projection.Static {
		key = t.Partition
	}
	set := ""
	switch c.Cells {
	case projection.Set, projection.Map:
		set = fmt.Sprintf("%s = %s + ?, %s = %s - ?", c.Name, c.Name, c.Name, c.Name)
	case projection.List:
		set = fmt.Sprintf("%s = %s + ?", c.Name, c.Name)
	case projection.UDT:
		set = fmt.Sprintf("%s.a = ?, %s.b = ?", c.Name, c.Name)
	default:
		return ""
	}
	return "UPDATE " + t.Name + " USING TIMESTAMP ? AND TTL ? SET " + set + " WHERE " + equals(t, key)
}
