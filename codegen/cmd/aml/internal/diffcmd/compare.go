package diffcmd

import (
	"slices"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/diagram"
	"github.com/cassaml/cassaml/codegen/diagram/change"
	"github.com/cassaml/cassaml/migrate/catalog"
)

// compareKeyspaces returns the types and tables that differ in two keyspaces, and the numbers of types and tables that do not.
func compareKeyspaces(before, after *catalog.Keyspace) (out []change.Object, same []change.Count) {
	k := &keyspaces{before, after, catalog.Compare(before, after)}
	sameTables, sameTypes := 0, 0
	for _, name := range k.names(types) {
		if o := k.object(catalog.Difference{Type: name}); o != nil {
			o.Rows = k.fields(name)
			out = append(out, *o)
		} else {
			sameTypes++
		}
	}
	for _, name := range k.names(tables) {
		if o := k.object(catalog.Difference{Table: name}); o != nil {
			o.Rows = k.rows(name)
			out = append(out, *o)
		} else {
			sameTables++
		}
	}
	return out, []change.Count{{Number: sameTables, Kind: "table"}, {Number: sameTypes, Kind: "type"}}
}

// keyspaces are two keyspaces and their differences.
type keyspaces struct {
	before, after *catalog.Keyspace
	differences   []catalog.Difference
}

func tables(k *catalog.Keyspace) []string {
	return mapped(k.Tables, func(t *schema.Table) string { return t.Name })
}

func types(k *catalog.Keyspace) []string {
	return mapped(k.Types, func(u *schema.UDT) string { return u.Name })
}

// names returns names of the later keyspace, and then the names that only the earlier one has.
func (k *keyspaces) names(of func(*catalog.Keyspace) []string) []string {
	out := of(k.after)
	for _, n := range of(k.before) {
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// object returns a type or table if it differs, without its rows.
func (k *keyspaces) object(of catalog.Difference) *change.Object {
	o := &change.Object{Kind: "table", Name: of.Table, Sign: change.Changed}
	if of.Type != "" {
		o.Kind, o.Name = "type", of.Type
	}
	found := false
	for _, d := range k.differences {
		if d.Table != of.Table || d.Type != of.Type {
			continue
		}
		found = true
		if d.Column == "" && d.Index == "" && d.Property == "" {
			o.Sign = sign(d.Have != "", d.Want != "", true)
		}
	}
	if !found {
		return nil
	}
	return o
}

// sign returns the sign of an element that exists before, after, or both and differs.
func sign(before, after, differs bool) change.Sign {
	switch {
	case !before:
		return change.Added
	case !after:
		return change.Removed
	case differs:
		return change.Changed
	}
	return change.Same
}

// fields returns the fields of a type.
func (k *keyspaces) fields(name string) []change.Row {
	cells := func(of *catalog.Keyspace) (out []change.Cell) {
		if u := of.Type(name); u != nil {
			for _, f := range u.Fields {
				out = append(out, change.Cell{Name: f.Name, Type: f.Type.String()})
			}
		}
		return out
	}
	before, after := cells(k.before), cells(k.after)
	return pairs(before, after, func(i int) string { return earlierName(before, after, i) })
}

// rows returns the columns, indexes and properties of a table.
func (k *keyspaces) rows(name string) []change.Row {
	before, after := k.before.Table(name), k.after.Table(name)
	keys, keysNow := keyCells(before), keyCells(after)
	rows := pairs(keys, keysNow, func(i int) string { return earlierName(keys, keysNow, i) })
	none := func(int) string { return "" }
	for _, of := range []func(*schema.Table) []change.Cell{valueCells, indexCells, propertyCells} {
		rows = append(rows, pairs(of(before), of(after), none)...)
	}
	return rows
}

// pairs returns the rows of two lists, in the order of the second; elements that only the first one has come last. earlier returns
// the name that an element of the second list has in the first, if it was renamed.
func pairs(before, after []change.Cell, earlier func(i int) string) (rows []change.Row) {
	paired := map[string]bool{}
	for i := range after {
		row := change.Row{After: &after[i]}
		for j := range before {
			if before[j].Name == after[i].Name || before[j].Name == earlier(i) {
				row.Before = &before[j]
				paired[before[j].Name] = true
			}
		}
		row.Sign = sign(row.Before != nil, true, row.Before != nil && *row.Before != after[i])
		rows = append(rows, row)
	}
	for j := range before {
		if !paired[before[j].Name] {
			rows = append(rows, change.Row{Sign: change.Removed, Before: &before[j]})
		}
	}
	return rows
}

// earlierName returns the earlier name of an element, or "". No statement adds or removes a column of a key or removes a field of a type,
// so another name at the same position is a new name of the same element.
func earlierName(before, after []change.Cell, i int) string {
	has := func(in []change.Cell, name string) bool {
		return slices.ContainsFunc(in, func(c change.Cell) bool { return c.Name == name })
	}
	if i >= len(before) || has(after, before[i].Name) || has(before, after[i].Name) || before[i].Type != after[i].Type {
		return ""
	}
	return before[i].Name
}

func keyCells(t *schema.Table) []change.Cell {
	if t == nil {
		return nil
	}
	return mapped(t.Key(), columnCell)
}

func valueCells(t *schema.Table) (out []change.Cell) {
	if t == nil {
		return nil
	}
	for _, c := range t.Columns {
		if !c.InKey() {
			out = append(out, columnCell(c))
		}
	}
	return out
}

func columnCell(c *schema.Column) change.Cell {
	return change.Cell{Name: c.Name, Type: c.Type.String(), Mark: diagram.KindSign(c)}
}

func indexCells(t *schema.Table) (out []change.Cell) {
	if t == nil {
		return nil
	}
	return mapped(t.Indexes, func(i *schema.Index) change.Cell {
		return change.Cell{Name: "index " + i.Name, Type: catalog.IndexText(i)}
	})
}

func propertyCells(t *schema.Table) (out []change.Cell) {
	if t == nil {
		return nil
	}
	return mapped(t.Properties, func(p schema.Property) change.Cell { return change.Cell{Name: p.Name, Type: p.Value} })
}

// mapped returns the results of a function for each element of a list.
func mapped[A, B any](list []A, to func(A) B) (out []B) {
	for _, a := range list {
		out = append(out, to(a))
	}
	return out
}
