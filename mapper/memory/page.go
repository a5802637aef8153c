package memory

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// Page reads one page. Its state is the position where the previous page ended.
func (d database) Page(ctx context.Context, r store.Read, state []byte) (store.Page, error) {
	if err := d.b.outcome(Request{Tables: []string{r.Table.Name}}).ofRead(r.Consistency); err != nil {
		return store.Page{}, err
	}
	if err := ctx.Err(); err != nil {
		return store.Page{}, err
	}
	q := &query{Read: r, left: r.Limit}
	if err := q.resume(state); err != nil {
		return store.Page{}, err
	}
	rows, more, err := d.b.page(q)
	if err != nil || !more {
		return store.NewPage(rows, nil), err
	}
	return store.NewPage(rows, q.state()), nil
}

// page returns the rows of the next page, and whether there may be more.
func (b *Backend) page(q *query) (rows []cell.Row, more bool, err error) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	if err := b.begin(q); err != nil {
		return nil, false, err
	}
	if q.Together {
		return b.joinedRows(q), false, q.err
	}
	n := q.size()
	for at, p := range q.partitions() {
		rows = q.partitionRows(rows, n, at, p)
		if len(rows) == n || q.err != nil {
			break
		}
	}
	switch {
	case q.err != nil:
		return nil, false, q.err
	case q.find != nil && q.find.Index.Read == projection.Near:
		rows, err = q.nearest(rows)
		return rows, false, err
	}
	if q.Only != store.EveryColumn {
		for i := range rows {
			rows[i] = q.Pick(rows[i])
		}
	}
	q.left -= len(rows)
	return rows, len(rows) == n && (q.Limit == 0 || q.left > 0), nil
}

// joinedRows returns the rows of several partitions in their order.
func (b *Backend) joinedRows(q *query) (rows []cell.Row) {
	last := q.Table.Partition - 1
	w, n := cell.Elements(q.Key[last], 1)
	for range n {
		one := &query{Read: q.Read, t: q.t, now: q.now}
		one.Key, one.Together = slices.Clone(q.Key), false
		one.Key[last] = w.Next()
		for at, p := range one.partitions() {
			rows = append(rows, one.partitionRows(nil, q.Limit, at, p)...)
		}
	}
	from, to := q.Table.Partition, q.Table.Key
	slices.SortStableFunc(rows, func(a, b cell.Row) int {
		switch order := cmp.Compare(min(1, len(a[to-1])), min(1, len(b[to-1]))); {
		case a[to-1] == nil || b[to-1] == nil: // only static values
			return order
		case q.Reverse:
			return q.t.compare(b[from:to], a[from:to])
		}
		return q.t.compare(a[from:to], b[from:to])
	})
	return rows[:min(q.Limit, len(rows))]
}

// begin prepares the next page.
func (b *Backend) begin(q *query) (err error) {
	var ok bool
	if q.t, ok = b.layouts[q.Table]; !ok {
		return fmt.Errorf("memory: no store with table %s is open", q.Table.Name)
	}
	for i, c := range q.Key {
		if c == nil {
			return fmt.Errorf("memory: invalid null value in the condition for column %s", q.Table.Columns[i].Name)
		}
	}
	for _, position := range [...]cell.Cell{q.After, q.Until} {
		if position != nil && len(position) != tokenSize {
			return fmt.Errorf("memory: the position %x is not a token, which has %d bytes", position, tokenSize)
		}
	}
	if q.Find.Index != nil {
		q.find, err = newFinder(&q.Read, newTypes(b.keyspace))
	}
	q.now = b.now().Unix()
	return err
}

// size returns the number of rows to read: all for nearest vectors.
func (q *query) size() int {
	n := q.PageSize
	switch {
	case n < 0:
		return math.MaxInt
	case n == 0:
		n = pageSize
	}
	if q.Limit > 0 {
		n = min(n, q.left)
	}
	return n
}

// errState is returned for an invalid state.
var errState = fmt.Errorf("memory: %w: its state is damaged", mapper.ErrPageToken)

// state returns the position where a query continues: the remaining rows of its limit, the partition and the clustering key.
func (q *query) state() []byte {
	out := binary.BigEndian.AppendUint64(nil, uint64(q.left))
	out = cell.AppendValue(out, cell.Cell(q.after.partition))
	for _, c := range q.after.clustering {
		out = cell.AppendValue(out, c)
	}
	return out
}

// resume sets the position of a query from a state. An empty state is the beginning.
func (q *query) resume(state []byte) error {
	if len(state) == 0 {
		return nil
	}
	if len(state) < 8 {
		return errState
	}
	q.left = int(binary.BigEndian.Uint64(state))
	w := cell.Members(state[8:])
	q.after = &place{partition: string(w.Next())}
	for w.More() {
		q.after.clustering = append(q.after.clustering, w.Next())
	}
	return nil
}
