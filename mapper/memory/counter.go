package memory

import (
	"encoding/binary"
	"fmt"

	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// checkAdd refuses to add to a counter that has been deleted. A server accepts it, and continues from the old value or from 0: which of
// them depends on the caches of its nodes.
func (b *Backend) checkAdd(m *plan.Mutation) error {
	l := b.layouts[m.Table]
	p := l.partitions[joinPartitionKey(m.Row[:l.Partition])]
	if p == nil {
		return nil
	}
	r := p.row(clone(m.Row[l.Partition:l.Key]), l.compare)
	for i := range m.Values {
		k := l.Key + i
		if m.Table.Columns[k].Kind == projection.Static || !m.Write.Has(i) {
			continue
		}
		if cells := r.cells(l.columns[k] - l.Key).cells; len(cells) > 0 && cells[0].at <= r.deleted {
			return fmt.Errorf("memory: %s of table %s was deleted, and what a deleted counter contains after it is added to depends on the server",
				m.Table.Columns[k].Name, m.Table.Name)
		}
	}
	return nil
}

// increase adds to counters. The sum wraps around, as on a server.
func (c *change) increase(p *partition, r *row) {
	for i, delta := range c.m.Values {
		k := c.m.Table.Key + i
		switch {
		case !c.m.Write.Has(i):
		case c.m.Table.Columns[k].Kind == projection.Static:
			c.add64(p.static, k, delta)
		default:
			c.add64(r, k, delta)
		}
	}
}

// add64 adds to the counter in column k.
func (c *change) add64(r *row, k int, delta cell.Cell) {
	sum := binary.BigEndian.Uint64(delta)
	if cells := r.cells(c.columns[k] - c.Key).cells; len(cells) > 0 {
		sum += binary.BigEndian.Uint64(cells[0].value)
	}
	c.write(r, k, nil, binary.BigEndian.AppendUint64(nil, sum))
}
