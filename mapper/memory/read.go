package memory

import (
	"context"
	"encoding/binary"
	"iter"
	"slices"

	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// pageSize is the default of the driver, in rows.
const pageSize = 5000

// Rows reads page by page: the second of two pages shows a write between them. The rows of a partition are in clustering order,
// and partitions in the order of their tokens, as on a server.
func (d database) Rows(ctx context.Context, r store.Read) iter.Seq2[cell.Row, error] {
	return func(yield func(cell.Row, error) bool) {
		if err := d.b.outcome(Request{Tables: []string{r.Table.Name}}).ofRead(r.Consistency); err != nil {
			yield(nil, err)
			return
		}
		q := &query{Read: r, left: r.Limit}
		for more := true; more; {
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			var rows []cell.Row
			var err error
			if rows, more, err = d.b.page(q); err != nil {
				yield(nil, err)
				return
			}
			for _, row := range rows {
				if !yield(row, nil) {
					return
				}
			}
		}
	}
}

// Row reads only the first row.
func (d database) Row(ctx context.Context, l *store.Lookup) (cell.Row, error) {
	return store.First(d.Rows(ctx, l.Read))
}

// query is a read that continues where its last page ended.
type query struct {
	store.Read
	t     layout
	now   int64
	left  int     // rows to return, with a Limit
	after *place  // the last row returned; nil before the first
	find  *finder // nil without an index
	err   error   // error of the finder
}

// place is the position of a row: its partition and its clustering key.
type place struct {
	partition  string
	clustering cell.Row
}

// partitions returns the remaining partitions.
func (q *query) partitions() iter.Seq2[string, *partition] {
	return func(yield func(string, *partition) bool) {
		if len(q.Key) >= q.Table.Partition {
			k := joinPartitionKey(q.Key[:q.Table.Partition])
			if p := q.t.partitions[k]; p != nil {
				yield(k, p)
			}
			return
		}
		for _, k := range q.t.order(q.covers) {
			if !yield(k, q.t.partitions[k]) {
				return
			}
		}
	}
}

// covers reports whether a partition is in the range of a read with positions, and not before the one in which the query continues.
func (q *query) covers(key string, p *partition) bool {
	return (q.After == nil || p.token > tokenIn(q.After)) && (q.Until == nil || p.token <= tokenIn(q.Until)) &&
		(q.after == nil || q.t.compareKeys(key, q.after.partition) >= 0)
}

// partitionRows appends the remaining rows of a partition to rows, until there are n.
func (q *query) partitionRows(rows []cell.Row, n int, at string, p *partition) []cell.Row {
	continued := q.after != nil && q.after.partition == at
	switch {
	case q.Table.Statics:
		return q.staticRow(rows, at, p, continued)
	case q.Only == store.StaticColumns:
		return q.statics(rows, at, p)
	}
	if q.First && continued {
		return rows
	}
	any := continued
	for _, r := range q.sequence(p) {
		if continued && !q.isAfterPage(r.clustering) || !q.matches(r.clustering) {
			continue
		}
		deleted := p.deletion(r.clustering, q.t.table)
		if !r.exists(deleted, q.now) {
			continue
		}
		any = true
		row := q.row(p, r, deleted)
		if !q.finds(row) {
			continue
		}
		rows = append(rows, row)
		q.after = &place{at, r.clustering}
		if len(rows) == n || q.First {
			return rows
		}
	}
	if !any && q.wholePartition() && p.static.hasValue(p.deleted, q.now) {
		if row := q.row(p, nil, p.deleted); q.finds(row) {
			rows = append(rows, row)
			q.after = &place{at, nil}
		}
	}
	return rows
}

// staticRow appends the row of a root whose columns are the static columns of a partition.
func (q *query) staticRow(rows []cell.Row, at string, p *partition, continued bool) []cell.Row {
	if continued || !p.static.hasValue(p.deleted, q.now) {
		return rows
	}
	if row := q.row(p, nil, p.deleted); q.finds(row) {
		rows = append(rows, row)
		q.after = &place{at, nil}
	}
	return rows
}

// statics appends the row of a read of static columns, if the partition has a row or a static value.
func (q *query) statics(rows []cell.Row, at string, p *partition) []cell.Row {
	exists := p.static.hasValue(p.deleted, q.now) || slices.ContainsFunc(p.rows, func(r *row) bool {
		return r.exists(p.deletion(r.clustering, q.t.table), q.now)
	})
	if !exists {
		return rows
	}
	q.after = &place{at, nil}
	return append(rows, q.row(p, nil, p.deleted))
}

// finds reports whether the query's index finds a row; without an index it reports true.
func (q *query) finds(row cell.Row) bool {
	if q.find == nil || q.err != nil {
		return q.err == nil
	}
	found, err := q.find.finds(row[q.find.Index.Column])
	q.err = err
	return found && err == nil
}

func (q *query) sequence(p *partition) iter.Seq2[int, *row] {
	if q.Reverse {
		return slices.Backward(p.rows)
	}
	return slices.All(p.rows)
}

// isAfterPage reports whether a row comes after the last one returned.
func (q *query) isAfterPage(clustering cell.Row) bool {
	if q.after.clustering == nil { // only its static values were returned, because it had no rows
		return false
	}
	c := q.t.compare(clustering, q.after.clustering)
	return c > 0 != q.Reverse && c != 0
}

// wholePartition reports whether only the partition key is restricted: then static values without rows are returned as a row.
func (q *query) wholePartition() bool {
	return len(q.Key) <= q.Table.Partition && q.Low.Comparison == store.Unbounded && q.Up.Comparison == store.Unbounded
}

// matches reports whether a clustering key satisfies the restrictions.
func (q *query) matches(clustering cell.Row) bool {
	if len(q.Key) < q.Table.Partition {
		return true
	}
	equal := q.Key[q.Table.Partition:]
	for i, c := range equal {
		if q.t.values[i].Compare(clustering[i], c) != 0 {
			return false
		}
	}
	n := len(equal)
	return n == len(clustering) || q.t.inBounds(n, clustering[n:], q.Low, q.Up)
}

// inBounds reports whether the values of clustering columns, from one of them on, are within bounds, each of which can be missing.
func (t *table) inBounds(column int, row cell.Row, bounds ...plan.Bound) bool {
	compare := func(i int, a, b cell.Cell) int { return t.values[column+i].Compare(a, b) }
	for _, b := range bounds {
		if !b.Holds(row, compare) {
			return false
		}
	}
	return true
}

// row returns a row with the columns of the descriptor. r is nil for static values without a row.
func (q *query) row(p *partition, r *row, deleted int64) cell.Row {
	t := q.Table
	out := make(cell.Row, max(q.Columns(), len(t.Columns))) // page picks the columns of q.Only
	copy(out, p.key)
	if r == nil {
		r = newRow(nil)
	}
	copy(out[q.Table.Partition:], r.clustering)
	var times []int
	if q.Written || q.Stamped {
		times = t.Timed()
	}
	timed := times // not yet in out
	for i := t.Key; i < len(t.Columns); i++ {
		from, gone := r, max(deleted, r.deleted)
		if t.Statics || t.Columns[i].Kind == projection.Static {
			from, gone = p.static, p.deleted
		}
		cells := from.cells(q.t.columns[i]-q.t.Key).live(gone, q.now)
		out[i] = q.t.value(q.t.columns[i], cells)
		switch {
		case len(timed) == 0 || timed[0] != i:
		case q.Stamped:
			q.stamp(out, len(t.Columns)+len(times)-len(timed), len(times), i, cells)
			timed = timed[1:]
		default:
			out[len(t.Columns)+len(times)-len(timed)] = latest(cells)
			timed = timed[1:]
		}
	}
	left := q.TTLs(out)
	for k, i := range q.Lasting {
		if cells := r.cells(q.t.columns[i]-t.Key).live(max(deleted, r.deleted), q.now); len(cells) > 0 {
			_, left[k] = cells[0].stamps(q.now)
		}
	}
	if q.HasPosition() {
		out[len(out)-1] = binary.BigEndian.AppendUint64(nil, uint64(p.token))
	}
	return out
}

// value returns the value of a column from its cells.
func (t *table) value(i int, cells []version) cell.Cell {
	c := &t.Columns[i]
	switch {
	case len(cells) == 0:
		return nil
	case c.Cells == projection.Single:
		return cells[0].value
	case c.Cells == projection.UDT:
		return t.udt(i, cells)
	}
	out := cell.AppendCount(nil, len(cells))
	for _, v := range cells {
		if c.Cells != projection.List {
			out = cell.AppendValue(out, v.path)
		}
		if c.Cells != projection.Set {
			out = cell.AppendValue(out, v.value)
		}
	}
	return out
}

func (t *table) udt(i int, cells []version) (out cell.Cell) {
	for k := range t.Columns[i].Fields {
		var value cell.Cell
		if len(cells) > 0 && binary.BigEndian.Uint16(cells[0].path) == uint16(k) {
			value, cells = cells[0].value, cells[1:]
		}
		out = cell.AppendValue(out, value)
	}
	return out
}

// latest returns the latest write time of the cells of a column.
func latest(cells []version) cell.Cell {
	if len(cells) == 0 {
		return nil
	}
	at := cells[0].at
	for _, v := range cells {
		at = max(at, v.at)
	}
	return binary.BigEndian.AppendUint64(nil, uint64(at))
}
