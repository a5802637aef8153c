package projection

import (
	"encoding/hex"
	"fmt"
	"maps"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// cells is a set of names of cells in a row of the root: "3" is column 3 if it is one cell, "3.1" is a field of a UDT that
// is not frozen, "3[61]" is an element of a set or an entry of a map that is not frozen. "3.*" and "3[*]" are all of them. A
// list counts as one cell, because its elements have no names.
type cells map[string]bool

func union(of ...cells) cells {
	out := cells{}
	for _, c := range of {
		maps.Copy(out, c)
	}
	return out
}

func (c cells) intersects(o cells) bool {
	for x := range c {
		if o[x] {
			return true
		}
	}
	return false
}

// traced is a value and its sources.
type traced struct {
	value Value
	from  cells
	when  cells    // sources of the existence of the UDT that contains the field
	parts []traced // the fields of a UDT, elements of a set or entries of a map, if their sources differ
}

// member returns a field of a struct.
func (t traced) member(i int) traced {
	if t.parts != nil {
		return t.parts[i]
	}
	if r, ok := t.value.(Record); ok && i < len(r) {
		return traced{value: r[i], from: t.from}
	}
	return traced{from: t.from}
}

// entryOf is an element of a loop: of a map with its key, of a list with its index.
type entryOf struct{ key, value, place traced }

// tracer evaluates paths of a model over one row of the root.
type tracer struct {
	root  *Table
	row   Record
	entry entryOf
}

// column returns the value of a column.
func (t *tracer) column(a *model.Attribute) traced {
	i := t.root.index(a)
	return traceColumn(i, t.row[i], t.root.columnType(a))
}

// columnType returns the type of an attribute's column.
func (t *Table) columnType(a *model.Attribute) *schema.Type {
	for _, c := range t.Columns {
		if c.Attribute == a {
			return c.Type
		}
	}
	panic("projection: " + a.Name + " is not a column of " + t.Name)
}

func traceColumn(i int, v Value, in *schema.Type) traced {
	name := fmt.Sprint(i)
	switch {
	case !in.MultiCell() || in.Name == "list" && !in.UDT:
		return traced{value: v, from: cells{name: true}}
	case in.UDT:
		out := traced{value: v, from: cells{name + ".*": true}}
		r, _ := v.(Record)
		for k := range max(len(r), maxFields) {
			field := traced{from: cells{fmt.Sprint(name, ".", k): true}}
			if k < len(r) {
				field.value = r[k]
			}
			out.parts = append(out.parts, field)
		}
		return out
	}
	out := traced{value: v, from: cells{name + "[*]": true}, parts: []traced{}}
	for _, e := range splitElements(v) {
		out.parts = append(out.parts, traced{value: e, from: cells{elementCell(i, e): true}})
	}
	return out
}

// maxFields is greater than the number of fields of any struct of a random model.
const maxFields = 12

// elementCell returns the name of the cell of an element or an entry.
func elementCell(i int, e Value) string {
	if x, ok := e.(Entry); ok {
		e = x.Key
	}
	return fmt.Sprintf("%d[%s]", i, hex.EncodeToString(Encode(e)))
}

// splitElements returns the elements of a collection, or the entries of a map.
func splitElements(v Value) (out []Value) {
	switch x := v.(type) {
	case List:
		return x
	case Set:
		return x
	case Map:
		for _, e := range x {
			out = append(out, e)
		}
	}
	return out
}

// path returns the value at the end of a path.
func (t *tracer) path(p *model.Path) traced {
	var at traced
	var steps []*model.Attribute
	var in *model.Type
	if p.Loop < 0 {
		at, steps, in = t.column(p.Steps[0]), p.Steps[1:], p.Steps[0].Type
	} else {
		of := p.Steps[p.Loop].Type
		at, steps, in = t.entry.value, p.Steps[p.Loop+1:], of.Elem
		switch p.Part {
		case model.EntryKey:
			at, in = t.entry.key, of.Key
		case model.Position:
			return t.entry.place
		}
	}
	for _, s := range steps {
		at, in = at.member(attributeIndex(in.Object.Attributes, s)), s.Type
	}
	return at
}

// origin computes a value of a redundant aggregate.
func (t *tracer) origin(o *model.Origin) traced {
	if o.Object == nil {
		return t.path(o.Path)
	}
	out := traced{from: cells{}}
	var r Record
	for _, f := range o.Fields {
		x := t.origin(f)
		r, out.parts, out.from = append(r, x.value), append(out.parts, x), union(out.from, x.from)
	}
	out.value = r
	if len(o.Path.Steps) > 0 {
		of := t.path(o.Path)
		for i := range out.parts {
			out.parts[i].when = of.from
		}
		if out.from = union(out.from, of.from); of.value == nil {
			out.value, out.parts = nil, nil
		}
	}
	return out
}

// changed returns the names of the cells that a write of new over old rewrites.
func (t *Table) changed(old, new Record) cells {
	out := cells{}
	for i, a := range t.Aggregate.Attributes {
		in, name := t.columnType(a), fmt.Sprint(i)
		switch {
		case same(old[i], new[i]):
		case in.MultiCell() && in.UDT:
			out[name+".*"] = true
			before, after := traceColumn(i, old[i], in), traceColumn(i, new[i], in)
			for k := range before.parts {
				if old[i] == nil || new[i] == nil || !same(before.parts[k].value, after.parts[k].value) {
					out[fmt.Sprint(name, ".", k)] = true
				}
			}
		case in.MultiCell() && in.Name != "list":
			out[name+"[*]"] = true
			changedElements(out, i, old[i], new[i])
		default:
			out[name] = true
		}
	}
	return out
}

func changedElements(out cells, i int, old, new Value) {
	before := map[string]string{}
	for _, e := range splitElements(old) {
		before[elementCell(i, e)] = elementText(e)
	}
	after := map[string]bool{}
	for _, e := range splitElements(new) {
		name := elementCell(i, e)
		text, there := before[name]
		if after[name] = true; !there || text != elementText(e) {
			out[name] = true
		}
	}
	for name := range before {
		if !after[name] {
			out[name] = true
		}
	}
}

func elementText(e Value) string {
	if x, ok := e.(Entry); ok {
		e = x.Value
	}
	return string(Encode(e))
}

// whole returns the names of all cells of a column, existing and new.
func (t *Table) whole(a *model.Attribute, old, new Record) cells {
	i := t.index(a)
	out := cells{fmt.Sprint(i): true, fmt.Sprint(i, ".*"): true, fmt.Sprint(i, "[*]"): true}
	for k := range maxFields {
		out[fmt.Sprint(i, ".", k)] = true
	}
	for _, v := range []Value{old[i], new[i]} {
		if _, list := v.(List); list {
			continue
		}
		for _, e := range splitElements(v) {
			out[elementCell(i, e)] = true
		}
	}
	return out
}

// member returns the names of the cells that a write of one field of a UDT rewrites.
func (t *Table) member(a *model.Attribute, number int) cells {
	i := t.index(a)
	return cells{fmt.Sprint(i, ".*"): true, fmt.Sprint(i, ".", number): true}
}
