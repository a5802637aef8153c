package gen

import (
	"context"
	"fmt"
	"iter"
	"math"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// Query is a read of rows of one partition. Its methods give a changed copy.
type Query[T any] struct {
	r        Reader[T]
	key      cell.Row    // equal to the table's first columns
	low, up  store.Bound // of the column after
	find     store.Find  // by an index
	reverse  bool
	limit    int
	pageSize int
	err      error // in a value given
}

// Where begins a query of the rows whose first columns, at least the partition key, equal key.
func Where[T any](r Reader[T], key *Encoder) Query[T] {
	if r.db == nil {
		return Query[T]{r: r, err: errNotOpen}
	}
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
	q.low = store.Bound{Comparison: store.AtLeast, Value: c}
	if cut {
		q.low.Comparison = store.MoreThan
	}
	return q
}

// After restricts the next clustering column to more than v.
func After[T, K any](q Query[T], v K, f func(*Encoder, K)) Query[T] {
	c, q := value(q, v, f)
	q.low = store.Bound{Comparison: store.MoreThan, Value: c}
	return q
}

// To restricts the next clustering column to v and less.
func To[T, K any](q Query[T], v K, f func(*Encoder, K)) Query[T] {
	c, q := value(q, v, f)
	q.up = store.Bound{Comparison: store.AtMost, Value: c}
	return q
}

// Before restricts the next clustering column to less than v. What is finer than the column can hold is above the value
// that it is cut to.
func Before[T, K any](q Query[T], v K, f func(*Encoder, K)) Query[T] {
	c, cut, q := boundary(q, v, f)
	q.up = store.Bound{Comparison: store.LessThan, Value: c}
	if cut {
		q.up.Comparison = store.AtMost
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
		c := row[len(q.key)]
		if q.err == nil { // else it can be a query of a store that was not opened, and nothing is sent
			c = q.r.c.Table.Columns[len(q.key)].Form.Canonical(c)
		}
		return c, e.Cut(), q
	}
	if q.err == nil {
		q.err = q.r.db.nullOr(q.r.c.Table, q.key, err)
	}
	return nil, false, q
}

// Reverse gives the rows in the opposite of the table's order.
func (q Query[T]) Reverse() Query[T] { q.reverse = true; return q }

// Limit gives at most n rows; 0 means all. One below 0, or above what CQL can say, is an error of the query.
func (q Query[T]) Limit(n int) Query[T] { q.limit = n; return q.count("limit", n, "all rows") }

// PageSize fetches n rows at a time; 0 means what the session is configured to. One below 0, or above what CQL can say, is
// an error of the query: a server takes it for none, and answers with all rows at once.
func (q Query[T]) PageSize(n int) Query[T] {
	q.pageSize = n
	return q.count("page size", n, "the session's own")
}

// count refuses a number of rows that CQL cannot say.
func (q Query[T]) count(what string, n int, none string) Query[T] {
	if (n < 0 || n > math.MaxInt32) && q.err == nil {
		t := q.r.c.Table
		q.err = fmt.Errorf("mapper: %s: the %s is %d: give 1 to %d, or 0 for %s", mapper.Where(t.Aggregate, t.Name, t.KeyText(q.key)), what, n, math.MaxInt32, none)
	}
	return q
}

// All gives the rows, page by page. An error comes once, with a nil item, and ends the sequence; break closes
// the query. Restrictions that CQL cannot hold, and a limit or page size below 0, are such an error, and nothing is sent.
func (q Query[T]) All(ctx context.Context) iter.Seq2[*T, error] { return q.all(ctx, "All") }

// Page gives one page of the rows: the first for an empty token, else the one after the page whose Next it is.
// mapper.ErrPageToken says that the token is another query's.
func (q Query[T]) Page(ctx context.Context, token string) (mapper.Page[T], error) {
	return q.page(ctx, "Page", token)
}

func (q Query[T]) all(ctx context.Context, op string) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		if err := q.cannot(op); err != nil {
			yield(nil, err)
			return
		}
		read := q.read()
		ctx, end := q.r.db.traceRead(ctx, op, &read)
		n, err := q.r.rows(q.r.db.store.Rows(ctx, read), yield)
		end(err, n)
		if err != nil {
			yield(nil, q.r.wrap(op, q.key, err))
		}
	}
}

func (q Query[T]) page(ctx context.Context, op, token string) (page mapper.Page[T], err error) {
	if err := q.cannot(op); err != nil {
		return page, err
	}
	ctx, stop, err := q.r.begin(ctx)
	if err != nil {
		return page, err
	}
	defer stop()
	read := q.read()
	state, err := q.r.db.tokens.read(&read, token)
	if err != nil {
		return page, q.r.wrap(op, q.key, err)
	}
	page.Items = []*T{}
	ctx, end := q.r.db.traceRead(ctx, op, &read)
	rows, next, err := q.r.db.store.Page(ctx, read, state)
	if err == nil {
		_, err = q.r.rows(each(rows), func(v *T, _ error) bool { page.Items = append(page.Items, v); return true })
	}
	end(err, len(page.Items))
	if err != nil {
		return mapper.Page[T]{}, q.r.wrap(op, q.key, err)
	}
	page.Next = q.r.db.tokens.write(&read, next)
	return page, nil
}

func each(rows []cell.Row) iter.Seq2[cell.Row, error] {
	return func(yield func(cell.Row, error) bool) {
		for _, row := range rows {
			if !yield(row, nil) {
				return
			}
		}
	}
}

// cannot says why nothing is sent.
func (q Query[T]) cannot(op string) error {
	if q.err == nil && q.r.db.broken != nil {
		return q.r.wrap(op, q.key, q.r.db.broken)
	}
	return q.err
}

func (q Query[T]) read() store.Read {
	read := store.Read{Table: q.r.c.Table, Key: q.key, Low: q.low, Up: q.up, Find: q.find, Reverse: q.reverse, Limit: q.limit,
		PageSize: q.pageSize, Consistency: q.r.db.config.Consistency, Timeout: q.r.db.config.Timeout}
	if q.nearest() {
		read.PageSize, read.Consistency = -1, gocql.LocalOne // the server takes no others
	}
	return read
}
