package projection

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// Row is an expected row of a table: the values of its columns beyond the key.
type Row struct {
	Key       string // equal to [Cell.Key]
	Partition string // the partition key only
	Cells     map[Place]Derived

	elements int   // number of elements with this row
	exists   cells // the sources of its key, of its element and of its condition
}

// Place is the name of a cell in a row.
type Place struct {
	Column string
	Path   string // the element of a set, the key of a map, the index of a list or UDT: in hexadecimal
	Static bool
}

// Derived is the value of a cell, and the cells of the root that it derives from.
type Derived struct {
	Value string
	From  cells

	when cells // sources of the existence of the UDT that has the field
}

// Rows returns the rows of a copy for an instance: a plain evaluation of the model. If the instance is invalid, problem is
// the reason.
func (c *Compiled) Rows(copy *Table, instance Record) (rows []Row, problem string) {
	if instance == nil {
		return nil, ""
	}
	r := copy.Aggregate.Redundancy
	t := &tracer{root: c.Root, row: instance}
	if r.Path == nil {
		rows, problem = t.addRow(nil, copy)
		return rows, problem
	}
	for _, e := range t.entries(r.Path) {
		t.entry = e
		if rows, problem = t.addRow(rows, copy); problem != "" {
			return nil, problem
		}
	}
	return rows, ""
}

// entries returns the elements of the collection at the end of a path.
func (t *tracer) entries(p *model.Path) (out []entryOf) {
	at, in := t.column(p.Steps[0]), p.Steps[0].Type
	for _, s := range p.Steps[1:] {
		at, in = at.member(attributeIndex(in.Object.Attributes, s)), s.Type
	}
	for i, e := range splitElements(at.value) {
		from := at.from
		if at.parts != nil {
			from = at.parts[i].from
		}
		entry := entryOf{value: traced{value: e, from: from}, place: traced{value: int32(i), from: from}}
		if x, ok := e.(Entry); ok {
			entry.key, entry.value.value = traced{value: x.Key, from: from}, x.Value
		}
		out = append(out, entry)
	}
	return out
}

// addRow adds the row of the tracer's instance, or of its entry. Equal rows are one row; different rows with the same key
// are a problem.
func (t *tracer) addRow(rows []Row, copy *Table) ([]Row, string) {
	row := Row{Cells: map[Place]Derived{}, elements: 1, exists: union(t.entry.value.from)}
	if r := copy.Aggregate.Redundancy; r.When != nil {
		needed := t.path(r.When)
		if row.exists = union(row.exists, needed.from); !holds(needed.value, r.OneOf) {
			return rows, ""
		}
	}
	var key []string
	for i, x := range copy.Columns {
		v := t.origin(x.Attribute.Origin)
		if x.Kind != schema.PartitionKey && x.Kind != schema.ClusteringKey {
			row.add(x, v)
			continue
		}
		if v.value == nil {
			return rows, fmt.Sprintf("%s of %s is null", x.Name, copy.Name)
		}
		if v.value == "" && i == 0 && len(copy.PartitionKey) == 1 {
			return rows, fmt.Sprintf("%s of %s is empty", x.Name, copy.Name)
		}
		key, row.exists = append(key, x.Name+"="+KeyText(v.value)), union(row.exists, v.from)
		if row.Key = strings.Join(key, ", "); x.Kind == schema.PartitionKey {
			row.Partition = row.Key
		}
	}
	for i := range rows {
		if rows[i].Key != row.Key {
			continue
		}
		if !rows[i].equal(row) {
			return rows, fmt.Sprintf("two rows of %s differ at %s", copy.Name, row.Key)
		}
		rows[i].elements++
		rows[i].exists = union(rows[i].exists, row.exists)
		for at, d := range rows[i].Cells {
			o := row.Cells[at]
			rows[i].Cells[at] = Derived{d.Value, union(d.From, o.From), union(d.when, o.when)}
		}
		return rows, ""
	}
	return append(rows, row), ""
}

// holds reports whether a value is one of some constants or, if there are none, true or not nil.
func holds(v Value, of []model.Constant) bool {
	if of != nil {
		return v != nil && slices.ContainsFunc(of, func(c model.Constant) bool { return c.Value == fmt.Sprint(v) })
	}
	b, isBool := v.(bool)
	return v != nil && (!isBool || b)
}

func (r Row) equal(o Row) bool {
	if len(r.Cells) != len(o.Cells) {
		return false
	}
	for at, d := range r.Cells {
		if x, ok := o.Cells[at]; !ok || x.Value != d.Value {
			return false
		}
	}
	return true
}

// add adds the cells of the value of a column.
func (r Row) add(x *schema.Column, v traced) {
	at := Place{Column: x.Name, Static: x.Kind == schema.Static}
	if v.value == nil {
		return
	}
	if !x.Type.MultiCell() {
		r.Cells[at] = Derived{Value: string(Encode(v.value)), From: v.from}
		return
	}
	if record, ok := v.value.(Record); ok {
		for k, f := range record {
			at.Path = hex.EncodeToString(binary.BigEndian.AppendUint16(nil, uint16(k)))
			if m := v.member(k); f != nil {
				r.Cells[at] = Derived{string(Encode(f)), m.from, m.when}
			}
		}
		return
	}
	for i, e := range splitElements(v.value) {
		from := v.from
		if v.parts != nil {
			from = v.parts[i].from
		}
		var value Value
		value, at.Path = elementPath(i, e, v.value)
		r.Cells[at] = Derived{Value: string(Encode(value)), From: from}
	}
}

// elementPath returns the value and the path of the cell of an element.
func elementPath(i int, e, of Value) (value Value, path string) {
	if x, ok := e.(Entry); ok {
		return x.Value, hex.EncodeToString(Encode(x.Key))
	}
	if _, list := of.(List); list {
		return e, hex.EncodeToString(binary.BigEndian.AppendUint64(nil, uint64(i)))
	}
	return "", hex.EncodeToString(Encode(e))
}

// RootRow returns the row of an instance in the table of the root.
func (c *Compiled) RootRow(instance Record) Row {
	row := Row{Cells: map[Place]Derived{}, elements: 1}
	var key []string
	for _, x := range c.Root.Columns {
		i := c.Root.index(x.Attribute)
		if x.Kind != schema.PartitionKey && x.Kind != schema.ClusteringKey {
			row.add(x, traceColumn(i, instance[i], x.Type))
			continue
		}
		key = append(key, x.Name+"="+KeyText(instance[i]))
		if row.Key = strings.Join(key, ", "); x.Kind == schema.PartitionKey {
			row.Partition = row.Key
		}
	}
	return row
}

// Normal returns an instance in the form in which it is stored. The name of the alternative in use is computed from the
// alternatives.
func (c *Compiled) Normal(instance Record) Record {
	out := append(Record{}, instance...)
	for _, d := range c.Root.Aggregate.Disjunctions {
		out[c.Root.index(d.Column)] = c.choice(d, out)
	}
	return c.Stored(out)
}

// Stored returns a row in the form in which Cassandra returns it: a column of several cells that has none is null.
func (c *Compiled) Stored(row Record) Record {
	out := append(Record{}, row...)
	for i, a := range c.Root.Aggregate.Attributes {
		if c.Root.columnType(a).MultiCell() && empty(out[i]) {
			out[i] = nil
		}
	}
	return out
}

func (c *Compiled) choice(d *model.Disjunction, row Record) Value {
	for _, m := range d.Members {
		if row[c.Root.index(m)] != nil {
			return m.Name
		}
	}
	return nil
}

func empty(v Value) bool {
	if r, ok := v.(Record); ok {
		for _, f := range r {
			if f != nil {
				return false
			}
		}
		return true
	}
	return len(splitElements(v)) == 0
}
