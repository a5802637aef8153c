package gen

import (
	"context"
	"iter"
	"strings"

	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// Query is a read of rows of one partition. Its methods give a changed copy.
type Query[T any] struct {
	r        Reader[T]
	key      cell.Row // equal to the table's first columns
	low, up  bound    // of the column after
	reverse  bool
	limit    int
	pageSize int
	err      error // in a value given
}

// bound is one end of a range; without a comparison there is none.
type bound struct {
	comparison string
	value      cell.Cell
}

// Where begins a query of the rows whose first columns, at least the partition key, equal key.
func Where[T any](r Reader[T], key *Encoder) Query[T] {
	row, err := r.db.key(r.c.Table, key)
	return Query[T]{r: r, key: row, err: err}
}

// Equal restricts the next clustering column to one value.
func Equal[T, K any](q Query[T], v K, f func(*Encoder, K)) Query[T] {
	c, q := value(q, v, f)
	q.key = append(q.key[:len(q.key):len(q.key)], c)
	return q
}

// From restricts the next clustering column to v and more. What is finer than the column can hold is above the value that
// it is cut to.
func From[T, K any](q Query[T], v K, f func(*Encoder, K)) Query[T] {
	c, cut, q := boundary(q, v, f)
	q.low = bound{" >= ?", c}
	if cut {
		q.low.comparison = " > ?"
	}
	return q
}

// After restricts the next clustering column to more than v.
func After[T, K any](q Query[T], v K, f func(*Encoder, K)) Query[T] {
	c, q := value(q, v, f)
	q.low = bound{" > ?", c}
	return q
}

// To restricts the next clustering column to v and less.
func To[T, K any](q Query[T], v K, f func(*Encoder, K)) Query[T] {
	c, q := value(q, v, f)
	q.up = bound{" <= ?", c}
	return q
}

// Before restricts the next clustering column to less than v. What is finer than the column can hold is above the value
// that it is cut to.
func Before[T, K any](q Query[T], v K, f func(*Encoder, K)) Query[T] {
	c, cut, q := boundary(q, v, f)
	q.up = bound{" < ?", c}
	if cut {
		q.up.comparison = " <= ?"
	}
	return q
}

// value encodes a value of the next clustering column. The first fault of a query is the one it ends in.
func value[T, K any](q Query[T], v K, f func(*Encoder, K)) (cell.Cell, Query[T]) {
	c, _, q := boundary(q, v, f)
	return c, q
}

// boundary is value, and reports whether v is finer than what the column holds.
func boundary[T, K any](q Query[T], v K, f func(*Encoder, K)) (cell.Cell, bool, Query[T]) {
	e := &Encoder{}
	for range q.key {
		e.Null() // so that a fault names the column
	}
	f(e, v)
	row, err := e.Cells(nil)
	if err == nil && row[len(q.key)] != nil {
		return row[len(q.key)], e.Cut(), q
	}
	if q.err == nil {
		q.err = q.r.db.nullOr(q.r.c.Table, q.key, err)
	}
	return nil, false, q
}

// Reverse gives the rows in the opposite of the table's order.
func (q Query[T]) Reverse() Query[T] { q.reverse = true; return q }

// Limit gives at most n rows; 0 means all.
func (q Query[T]) Limit(n int) Query[T] { q.limit = n; return q }

// PageSize fetches n rows at a time; 0 means what the session is configured to.
func (q Query[T]) PageSize(n int) Query[T] { q.pageSize = n; return q }

// All gives the rows, page by page. An error comes once, with a nil item, and ends the sequence; break closes
// the query. Restrictions that CQL cannot hold are such an error, and nothing is sent.
func (q Query[T]) All(ctx context.Context) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		if q.err != nil {
			yield(nil, q.err)
			return
		}
		read := q.read()
		ctx, end := q.r.db.traceRead(ctx, "All", q.r.c.Table, &read)
		n, err := q.rows(ctx, read, yield)
		end(err, n)
		if err != nil {
			yield(nil, q.r.wrap("All", q.key, err))
		}
	}
}

// rows gives the rows until there are no more, an error comes, or the caller breaks.
func (q Query[T]) rows(ctx context.Context, read store.Read, yield func(*T, error) bool) (n int, err error) {
	last := q.r.c.Table.Key - 1
	var d Decoder
	for row, err := range q.r.db.store.Rows(ctx, read) {
		if err != nil {
			return n, err
		}
		if row[last] == nil { // a partition that has static values and no row
			continue
		}
		v := new(T)
		if err := q.r.decode(&d, row, v); err != nil {
			return n, err
		}
		if n++; !yield(v, nil) {
			return n, nil
		}
	}
	return n, nil
}

// read builds the statement. There are few shapes of it, so the driver prepares each once.
func (q Query[T]) read() store.Read {
	t := q.r.c.Table
	var b strings.Builder
	b.Grow(len(t.Select) + 64*len(q.key) + 128)
	b.WriteString(t.Select)
	args := make(cell.Row, 0, len(q.key)+3)
	for i, c := range q.key {
		args = restrict(&b, args, t.Columns[i].CQL, bound{" = ?", c})
	}
	for _, end := range [...]bound{q.low, q.up} {
		if end.comparison != "" {
			args = restrict(&b, args, t.Columns[len(q.key)].CQL, end)
		}
	}
	if q.reverse {
		b.WriteString(t.Reversed)
	}
	if q.limit > 0 {
		b.WriteString(" LIMIT ?")
		var e Encoder
		e.Int(int32(min(q.limit, 1<<31-1)))
		args, _ = e.Cells(args) // an int has no faults
	}
	return store.Read{Statement: b.String(), Args: args, Columns: len(t.Columns), PageSize: q.pageSize,
		Consistency: q.r.db.config.Consistency}
}

func restrict(b *strings.Builder, args cell.Row, column string, end bound) cell.Row {
	if len(args) == 0 {
		b.WriteString(" WHERE ")
	} else {
		b.WriteString(" AND ")
	}
	b.WriteString(column)
	b.WriteString(end.comparison)
	return append(args, end.value)
}
