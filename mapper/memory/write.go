package memory

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// Apply executes all mutations, or none.
func (d database) Apply(ctx context.Context, mutations []plan.Mutation, w store.Write) error {
	if err := store.Ended(ctx); err != nil {
		return err
	}
	outcome := d.b.outcome(newRequest(mutations, w))
	if outcome == Done || outcome == LostAnswer {
		if err := d.b.apply(mutations, w); err != nil {
			return &store.Error{Outcome: store.Refused, Err: err}
		}
	}
	return outcome.ofWrite(w)
}

func (b *Backend) apply(mutations []plan.Mutation, w store.Write) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := range mutations {
		if err := b.check(&mutations[i]); err != nil {
			return err
		}
	}
	now := b.now().Unix()
	for i := range mutations {
		m := &mutations[i]
		c := change{m: m, layout: b.layouts[m.Table], list: &b.list, written: written{at: w.Timestamp - int64(m.Back)}}
		if m.At != 0 {
			c.written.at = m.At
		}
		if m.Table.Counts() {
			c.written.at = b.chosen()
		}
		if m.TTL > 0 {
			c.written.expires = now + int64(m.TTL) - w.Age
		}
		c.apply()
	}
	return nil
}

// check refuses mutations that a server refuses.
func (b *Backend) check(m *plan.Mutation) error {
	if _, ok := b.layouts[m.Table]; !ok {
		return fmt.Errorf("memory: no store with table %s is open", m.Table.Name)
	}
	for i := range m.KeyColumns() {
		if *m.Cell(i) == nil {
			return fmt.Errorf("memory: %s of table %s is null, but is in the key", m.Table.Columns[i].Name, m.Table.Name)
		}
	}
	if m.Action == plan.Update && m.Table.Columns[m.Column].Cells == projection.Single {
		return fmt.Errorf("memory: %s of table %s has no parts to update", m.Table.Columns[m.Column].Name, m.Table.Name)
	}
	if m.Action == plan.Add {
		return b.checkAdd(m)
	}
	return checkVectors(m)
}

// change executes one mutation.
type change struct {
	m *plan.Mutation
	layout
	written written
	list    *uint64
}

func (c *change) apply() {
	var key cell.Row
	for i := range c.m.KeyColumns() {
		key = append(key, *c.m.Cell(i))
	}
	p := c.partition(key[:c.Partition])
	clustering := clone(key[c.Partition:])
	switch {
	case c.m.Action == plan.Delete && len(key) < c.Key:
		p.delete(c.span(clustering))
	case c.m.Action == plan.Delete:
		r := p.row(clustering, c.compare)
		r.deleted = max(r.deleted, c.written.at)
	case c.m.Action == plan.Add:
		c.increase(p, p.row(clustering, c.compare))
	case len(key) < c.Key:
		c.static(p)
	case c.m.Action == plan.Put:
		c.put(p, p.row(clustering, c.compare))
	case c.m.Action == plan.Fill:
		c.fill(p.row(clustering, c.compare), projection.Regular)
	default:
		c.update(p.row(clustering, c.compare))
	}
}

// static executes a mutation of static columns, which has only the partition key.
func (c *change) static(p *partition) {
	switch c.m.Action {
	case plan.Put, plan.PutStatic:
		c.putStatic(p)
	case plan.Fill:
		c.fill(p.static, projection.Regular)
	case plan.FillStatic:
		c.fill(p.static, projection.Static)
	default:
		c.update(p.static)
	}
}

// span returns the range that a mutation deletes.
func (c *change) span(prefix cell.Row) span {
	s := span{prefix: prefix, deleted: c.written.at}
	s.low, s.up = c.m.Bounds()
	s.low.Values, s.up.Values = clone(s.low.Values), clone(s.up.Values)
	return s
}

// put writes complete values of columns, and the row's marker.
func (c *change) put(p *partition, r *row) {
	if c.written.supersedes(r.marker) {
		r.marker = c.written
	}
	c.assignAll(p, r)
}

// assignAll writes complete values of columns.
func (c *change) assignAll(p *partition, r *row) {
	for i := c.m.Table.Key; i < len(c.m.Table.Columns); i++ {
		switch {
		case !c.m.Write.Has(i):
		case c.m.Table.Columns[i].Kind == projection.Static:
			c.assign(p.static, i, *c.m.Cell(i))
		default:
			c.assign(r, i, *c.m.Cell(i))
		}
	}
}

// putStatic writes complete values of static columns.
func (c *change) putStatic(p *partition) {
	for i := c.m.Table.Key; i < len(c.m.Table.Columns); i++ {
		if c.m.Write.Has(i) {
			c.assign(p.static, i, *c.m.Cell(i))
		}
	}
}

// assign writes the complete value of a column. In a column of several cells it deletes the cells with earlier timestamps.
func (c *change) assign(r *row, i int, value cell.Cell) {
	kind := c.m.Table.Columns[i].Cells
	if kind == projection.Single {
		c.write(r, i, nil, value)
		return
	}
	column := r.column(c.columns[i] - c.Key)
	column.deleted = max(column.deleted, c.written.at-1)
	switch kind {
	case projection.UDT:
		for k, v := range members(value) {
			if v != nil {
				c.write(r, i, fieldPath(k), v)
			}
		}
	case projection.List:
		c.extend(r, i, value, false)
	default:
		c.add(r, i, value)
	}
}

// middle is the position of the first element of a list.
const middle = 1 << 63

// extend writes elements after all others of a list, or before them. Their positions follow from the order of the writes,
// whatever their timestamps are.
func (c *change) extend(r *row, i int, value cell.Cell, before bool) {
	var all []cell.Cell
	for e := range elements(value, 1) {
		all = append(all, e[0])
	}
	if before {
		slices.Reverse(all)
	}
	for _, e := range all {
		*c.list++
		at := middle + *c.list
		if before {
			at = middle - *c.list
		}
		c.write(r, i, binary.BigEndian.AppendUint64(nil, at), e)
	}
}

// update writes a part of one column.
func (c *change) update(r *row) {
	i := int(c.m.Column)
	if c.m.Table.Columns[i].Cells == projection.List {
		c.extend(r, i, c.m.Values[0], c.m.Front)
		return
	}
	if c.m.Table.Columns[i].Cells == projection.UDT {
		for k, v := range c.m.Values {
			if c.m.Write.Has(k) {
				c.write(r, i, fieldPath(k), v)
			}
		}
		return
	}
	if c.m.Write.Has(0) {
		c.add(r, i, c.m.Values[0])
	}
	if c.m.Write.Has(1) {
		for e := range elements(c.m.Values[1], 1) {
			c.write(r, i, e[0], nil)
		}
	}
}

// fill writes cells of the columns of a kind, and does not change columns without a value.
func (c *change) fill(r *row, kind projection.Kind) {
	slot := 0
	for i := c.m.Table.Key; i < len(c.m.Table.Columns); i++ {
		column := &c.m.Table.Columns[i]
		if column.Kind != kind {
			continue
		}
		n := 1
		if column.Cells == projection.UDT {
			n = column.Fields
		}
		for k, v := range c.m.Values[slot : slot+n] {
			switch {
			case v == nil:
			case column.Cells == projection.UDT:
				c.write(r, i, fieldPath(k), v)
			case column.Cells == projection.Set, column.Cells == projection.Map:
				c.add(r, i, v)
			default:
				c.assign(r, i, v)
			}
		}
		slot += n
	}
}

// add writes the elements of a set, or the entries of a map.
func (c *change) add(r *row, i int, value cell.Cell) {
	if c.m.Table.Columns[i].Cells == projection.Set {
		for e := range elements(value, 1) {
			c.write(r, i, e[0], cell.Cell{})
		}
		return
	}
	for e := range elements(value, 2) {
		c.write(r, i, e[0], e[1])
	}
}

// write writes one cell; null is a tombstone.
func (c *change) write(r *row, i int, path, value cell.Cell) {
	at := c.columns[i]
	r.column(at-c.Key).write(version{c.written, slices.Clone(path), slices.Clone(value)}, c.paths[at])
}

func fieldPath(k int) cell.Cell { return binary.BigEndian.AppendUint16(nil, uint16(k)) }
