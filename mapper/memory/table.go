package memory

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/cqltype"
	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/form"
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// table is a table and its data.
type table struct {
	plan.Table // has the columns of every store that was opened
	paths      []*cell.Form
	values     []*cell.Form // forms of the clustering columns, ascending even if the table's order is descending
	partitions map[string]*partition
}

// layout maps the columns of a store's descriptor to the columns of the table.
type layout struct {
	*table
	columns []int
}

// extend creates the tables of a schema and adds missing columns, or changes nothing.
func (b *Backend) extend(schema *descriptor.Schema) error {
	keyspace, err := b.keyspace.Extend(schema)
	if err != nil {
		return err
	}
	types := newTypes(keyspace)
	tables := make(map[string]*table, len(b.tables))
	for name, t := range b.tables {
		tables[name] = t.extend(&t.Table)
	}
	for _, t := range schema.Tables {
		tables[t.Name] = tables[t.Name].extend((*plan.Table)(t))
	}
	for name, t := range tables {
		if err := types.arrange(t); err != nil {
			return fmt.Errorf("%w (table %s)", err, name)
		}
	}
	b.keyspace, b.tables = keyspace, tables
	for _, t := range slices.Concat(schema.Tables, schema.Views) {
		b.layouts[(*plan.Table)(t)] = layout{}
	}
	for d := range b.layouts {
		b.layouts[d] = b.newLayout(d)
	}
	return nil
}

// extend returns the table with the columns of a descriptor added. The data is shared. t is nil for a new table.
func (t *table) extend(with *plan.Table) *table {
	out := &table{Table: *with, partitions: map[string]*partition{}}
	if t != nil {
		out.Table, out.partitions = t.Table, t.partitions
	}
	out.Columns = slices.Clone(out.Columns)
	for _, c := range with.Columns {
		if i := out.ColumnIndex(c.Name); i >= 0 {
			out.Columns[i].Fields = max(out.Columns[i].Fields, c.Fields)
		} else {
			out.Columns = append(out.Columns, c)
		}
	}
	return out
}

// arrange sets the order of the table's rows and of the cells of its columns.
func (u types) arrange(t *table) error {
	t.values, t.paths = nil, nil
	for i := range t.Columns {
		o, err := u.pathOrder(&t.Columns[i])
		if err != nil {
			return fmt.Errorf("%w, of column %s", err, t.Columns[i].Name)
		}
		if t.paths = append(t.paths, o); t.Columns[i].Kind == projection.ClusteringKey {
			t.values = append(t.values, o)
		}
	}
	return nil
}

// pathOrder returns the order of the values of a clustering column, of the elements of a set, or of the keys of a map. The cells
// of a list or a UDT are in the order of their numbers.
func (u types) pathOrder(c *descriptor.Column) (*cell.Form, error) {
	switch {
	case c.Kind == projection.ClusteringKey:
		return form.Parse(c.Type, u)
	case c.Cells == projection.Set || c.Cells == projection.Map:
		return u.ofElements(c.Type)
	}
	return nil, nil
}

// types returns the types of a UDT's fields.
type types func(udt string) ([]string, bool)

func newTypes(k *store.Keyspace) types {
	return func(udt string) (out []string, ok bool) {
		fields, ok := k.Types[udt]
		for _, f := range fields {
			out = append(out, f.Type)
		}
		return out, ok
	}
}

// ofElements returns the order of a collection's elements or keys.
func (u types) ofElements(collection string) (*cell.Form, error) {
	t, err := cqltype.Parse(collection)
	if err != nil {
		return nil, err
	}
	return form.Parse(t.Unfrozen().Args[0].String(), u)
}

// rowOrder compares two clustering keys, or the first columns of them.
type rowOrder func(a, b cell.Row) int

// compare compares two clustering keys, or the first columns of them, in the table's order.
func (t *table) compare(a, b cell.Row) int {
	for i := range min(len(a), len(b)) {
		c := t.values[i].Compare(a[i], b[i])
		if t.Columns[t.Partition+i].Desc {
			c = -c
		}
		if c != 0 {
			return c
		}
	}
	return 0
}

func (b *Backend) newLayout(d *plan.Table) layout {
	l := layout{table: b.tables[d.Name]}
	for _, c := range d.Columns {
		l.columns = append(l.columns, l.ColumnIndex(c.Name))
	}
	return l
}

// partition returns the partition of a key, which may be new.
func (t *table) partition(key cell.Row) *partition {
	k := joinPartitionKey(key)
	if t.partitions[k] == nil {
		t.partitions[k] = newPartition(clone(key))
	}
	return t.partitions[k]
}

// order returns the keys of partitions, those for which has is true, in the order of their tokens.
func (t *table) order(has func(key string, p *partition) bool) []string {
	var keys []string
	for k, p := range t.partitions {
		if has(k, p) {
			keys = append(keys, k)
		}
	}
	slices.SortFunc(keys, t.compareKeys)
	return keys
}

// compareKeys compares two partition keys by their tokens. Keys with the same token are in the order of their bytes.
func (t *table) compareKeys(a, b string) int {
	return cmp.Or(cmp.Compare(t.token(a), t.token(b)), strings.Compare(a, b))
}

// token returns the token of a partition key, which may have no partition anymore.
func (t *table) token(key string) int64 {
	if p := t.partitions[key]; p != nil {
		return p.token
	}
	return computeToken(splitPartitionKey(key))
}

// joinPartitionKey returns a partition key as a string. The bytes of a key distinguish partitions, whatever the types.
func joinPartitionKey(key cell.Row) string {
	var b []byte
	for _, c := range key {
		b = append(binary.BigEndian.AppendUint32(b, uint32(len(c))), c...)
	}
	return string(b)
}

// splitPartitionKey returns the columns of a partition key from the result of joinPartitionKey. A damaged key has no or other columns.
func splitPartitionKey(key string) (out cell.Row) {
	for w := cell.Members([]byte(key)); w.More(); {
		out = append(out, w.Next())
	}
	return out
}

func clone(row cell.Row) cell.Row {
	out := make(cell.Row, len(row))
	for i, c := range row {
		out[i] = slices.Clone(c)
	}
	return out
}
