package memory

import (
	"bytes"
	"context"

	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// CAS carries out a conditional statement. The backend chooses its timestamp.
func (d database) CAS(ctx context.Context, c *plan.Conditional, w store.CAS) (store.Answer, error) {
	if err := store.Ended(ctx); err != nil {
		return store.Answer{}, err
	}
	outcome := d.b.outcome(Request{Write: true, Conditional: true, Tables: []string{c.Table.Name}})
	var answer store.Answer
	if outcome == Done || outcome == LostAnswer {
		var err error
		if answer, err = d.b.locked(c); err != nil {
			return store.Answer{}, &store.Error{Outcome: store.Refused, Err: err}
		}
	}
	if err := outcome.ofCAS(w); err != nil {
		return store.Answer{}, err
	}
	return answer, nil
}

// locked locks the backend and carries out a conditional statement.
func (b *Backend) locked(c *plan.Conditional) (store.Answer, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.compareAndSet(c)
}

// compareAndSet carries out a conditional statement. The caller has locked b.mu.
func (b *Backend) compareAndSet(c *plan.Conditional) (store.Answer, error) {
	put := plan.Mutation{Table: c.Table, Row: c.Row, Action: plan.Put, Write: c.Write}
	if err := b.check(&put); err != nil {
		return store.Answer{}, err
	}
	if err := b.checkParts(c); err != nil {
		return store.Answer{}, err
	}
	if err := c.Check(); err != nil {
		return store.Answer{}, err
	}
	there := b.rowAt(c.Table, c.Row[:c.Table.Key])
	if !holds(c, there) {
		return store.Answer{Row: refusal(c, there)}, nil
	}
	if !b.partsHold(c) {
		return store.Answer{}, nil
	}
	x := change{m: &put, layout: b.layouts[c.Table], list: &b.list, written: written{at: b.chosen()}}
	if c.Kept != nil {
		x.written.expires = b.expiry(*c.Kept)
	}
	switch {
	case c.Insert && c.Kept != nil:
		x.apply()
	case c.Insert:
		put.Write = c.Table.BeyondKey()
		x.apply()
	case c.Delete && c.Table.Statics:
		put.Row, put.Write = nullsAt(c), c.Table.BeyondKey()
		x.apply()
	case c.Delete:
		put.Action = plan.Delete
		x.apply()
	default:
		x.set(c)
	}
	if c.Values != nil {
		put.Write, x.written.expires = c.Values.Write, b.expiry(c.Values.TTL)
		x.assignAll(x.place(c.Row))
	}
	b.writeParts(c, x.written)
	return store.Answer{Applied: true}, nil
}

// expiry returns the time at which cells with a TTL expire, in seconds since 1970; 0: never.
func (b *Backend) expiry(ttl plan.TTL) int64 {
	if ttl == 0 {
		return 0
	}
	return b.now().Unix() + int64(ttl)
}

// place returns the place of a row with a primary key.
func (c *change) place(key cell.Row) (*partition, *row) {
	p := c.partition(key[:c.Partition])
	return p, p.row(clone(key[c.Partition:c.Key]), c.compare)
}

// nullsAt returns the row of a statement with null in all columns outside the key.
func nullsAt(c *plan.Conditional) cell.Row {
	row := make(cell.Row, len(c.Table.Columns))
	copy(row, c.Row[:c.Table.Key])
	return row
}

// checkParts returns an error for writes of parts that a server refuses.
func (b *Backend) checkParts(c *plan.Conditional) error {
	for i := range c.Parts {
		m := c.Parts[i].Mutation()
		if err := b.check(&m); err != nil {
			return err
		}
	}
	return nil
}

// partsHold reports whether the conditions of the writes of parts hold.
func (b *Backend) partsHold(c *plan.Conditional) bool {
	for i := range c.Parts {
		p := &c.Parts[i]
		if must, conditional := p.Exists(); conditional && must != (b.rowAt(p.Of.Table, p.Row[:p.Of.Table.Key]) != nil) {
			return false
		}
	}
	return true
}

// writeParts carries out the writes of parts. A deletion of the partition or of a range takes effect before the other writes, as on a server.
func (b *Backend) writeParts(c *plan.Conditional, at written) {
	for i := range c.Parts {
		p := &c.Parts[i]
		m := p.Mutation()
		x := change{m: &m, layout: b.layouts[m.Table], list: &b.list, written: at}
		switch p.Action {
		case plan.ChangePart, plan.ChangePartIf:
			at := x.partition(p.Row[:x.Partition])
			x.assignAll(at, at.row(clone(p.Row[x.Partition:x.Key]), x.compare))
			continue
		case plan.ClearParts, plan.DeletePartRange:
			if p.Key() < m.Table.Key {
				x.written.at--
			}
		}
		x.apply()
	}
}

// rowAt returns the row with a primary key, or nil if there is none.
func (b *Backend) rowAt(t *plan.Table, key cell.Row) cell.Row {
	q := &query{Read: store.Read{Table: t, Key: key}, t: b.layouts[t], now: b.now().Unix()}
	at := joinPartitionKey(key[:t.Partition])
	p := q.t.partitions[at]
	if p == nil {
		return nil
	}
	for _, row := range q.partitionRows(nil, 1, at, p) {
		return row
	}
	return nil
}

// chosen returns a timestamp that the backend chooses, after those that it has chosen. The caller has locked b.mu.
func (b *Backend) chosen() int64 {
	b.ballot = max(b.ballot+1, b.now().UnixMicro())
	return b.ballot
}

// holds reports whether the conditions of a statement hold for a row, which is nil if there is none.
func holds(c *plan.Conditional, row cell.Row) bool {
	if c.Insert {
		return row == nil
	}
	for _, x := range c.If {
		var value cell.Cell
		if row != nil {
			value = row[x.Column]
		}
		if (value == nil) != (x.Value == nil) || !bytes.Equal(value, x.Value) {
			return false
		}
	}
	return true
}

// refusal returns the cells of a row that a store returns if the server refuses a statement. It returns none for a batch.
func refusal(c *plan.Conditional, row cell.Row) cell.Row {
	switch {
	case len(c.Parts) > 0:
		return nil
	case row == nil, c.Insert:
		return row
	}
	out := make(cell.Row, len(row))
	for _, x := range c.If {
		out[x.Column] = row[x.Column]
	}
	return out
}

// set carries out a conditional UPDATE. Unlike an INSERT, it writes no row marker.
func (c *change) set(s *plan.Conditional) {
	p := c.partition(s.Row[:c.Partition])
	r := p.static
	if !s.Table.Statics {
		r = p.row(clone(s.Row[c.Partition:c.Key]), c.compare)
	}
	c.assignAll(p, r)
	for e := range elements(s.Removed, 1) {
		c.write(r, s.Map, e[0], nil)
	}
	c.add(r, s.Map, s.Added)
}
