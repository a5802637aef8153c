package gen

import (
	"context"
	"iter"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/runtime"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// Reader is the reading half of a table. Generated tables of redundant aggregates embed it, so that it has no methods: each would
// be compiled for every table.
type Reader[T any] struct{ r runtime.Reader }

// NewReader makes the reading half of a table.
func NewReader[T any](db *DB, c *Codec[T]) Reader[T] {
	return Reader[T]{runtime.NewReader(db, c.untyped())}
}

// Get reads the row with the whole primary key. mapper.ErrNotFound when there is none.
func Get[T any](ctx context.Context, r Reader[T], key *Encoder) (*T, error) {
	v, err := r.r.Get(ctx, key)
	if err != nil {
		return nil, err
	}
	return v.(*T), nil
}

// Query is a read of rows of one partition. Its methods return a changed copy.
type Query[T any] struct{ q runtime.Query }

// Where begins a query of the rows whose first columns, at least the partition key, equal key.
func Where[T any](r Reader[T], key *Encoder) Query[T] { return Query[T]{r.r.Where(key)} }

// Every begins a query of all rows, to be restricted by an index.
func Every[T any](r Reader[T]) Query[T] { return Query[T]{r.r.Every()} }

// Equal restricts the next clustering column to the value that k has been given.
func Equal[T any](q Query[T], k *Encoder) Query[T] { return Query[T]{q.q.Equal(k)} }

// Comparison describes on which side of a bound a value is.
type Comparison = store.Comparison

// The comparisons of [Bound].
const (
	AtLeast  = store.AtLeast
	MoreThan = store.MoreThan
	AtMost   = store.AtMost
	LessThan = store.LessThan
)

// Bound restricts the next clustering column to the values on one side of the value that k has been given. What is finer
// than the column can hold is above the value that it is cut to.
func Bound[T any](q Query[T], by Comparison, k *Encoder) Query[T] { return Query[T]{q.q.Bound(by, k)} }

// Reverse returns the rows in the opposite of the table's order.
func (q Query[T]) Reverse() Query[T] { return Query[T]{q.q.Reversed()} }

// Limit returns at most n rows; 0 means all. One below 0, or above what CQL can express, is an error of the query.
func (q Query[T]) Limit(n int) Query[T] { return Query[T]{q.q.Limited(n)} }

// PageSize fetches n rows at a time; 0 means the default of the session. One below 0, or above what CQL can express, is
// an error of the query: a server takes it for none, and answers with all rows at once.
func (q Query[T]) PageSize(n int) Query[T] { return Query[T]{q.q.Paged(n)} }

// All returns the rows, page by page. An error comes once, with a nil item, and ends the sequence; break closes
// the query. Restrictions that CQL cannot hold, and a limit or page size below 0, are such an error, and nothing is sent.
func (q Query[T]) All(ctx context.Context) iter.Seq2[*T, error] { return all[T](ctx, q.q, "All") }

// Page returns one page of the rows: the first for an empty token, else the one after the page whose Next it is.
// mapper.ErrPageToken reports that the token is another query's.
func (q Query[T]) Page(ctx context.Context, token string) (mapper.Page[T], error) {
	return page[T](ctx, q.q, "Page", token)
}

// Found is a read of the rows that an index finds. They come in no order that a caller could choose or rely on.
type Found[T any] struct{ q runtime.Query }

// Find restricts a query, of all rows or of one partition, to those that an index of the table finds for the value that k has
// been given.
func Find[T any](q Query[T], index int, k *Encoder) Found[T] { return Found[T]{q.q.Find(index, k)} }

// Limit returns at most n rows; 0 means all. One below 0 is an error of the query.
func (f Found[T]) Limit(n int) Found[T] { return Found[T]{f.q.Limited(n)} }

// PageSize fetches n rows at a time; 0 means the default of the session. One below 0 is an error of the query.
func (f Found[T]) PageSize(n int) Found[T] { return Found[T]{f.q.Paged(n)} }

// All returns the rows, page by page. An error comes once, with a nil item, and ends the sequence; break closes the query.
// A value that no index finds is such an error, and nothing is sent.
func (f Found[T]) All(ctx context.Context) iter.Seq2[*T, error] { return all[T](ctx, f.q, f.q.Op()) }

// Page returns one page of the rows: the first for an empty token, else the one after the page whose Next it is.
// mapper.ErrPageToken reports that the token is another query's.
func (f Found[T]) Page(ctx context.Context, token string) (mapper.Page[T], error) {
	return page[T](ctx, f.q, f.q.Op(), token)
}

// Nearest is a read of the rows whose vectors are the nearest to one, the nearest first. It is one request at LOCAL_ONE,
// whatever the store's consistency, and has no pages: the server does it in no other way, and takes no limit above 1000.
type Nearest[T any] struct{ q runtime.Query }

// FindNear restricts a query, of all rows or of one partition, to the limit rows whose vectors in an index of the table are
// the nearest to the one that k has been given.
func FindNear[T any](q Query[T], index int, k *Encoder, limit int) Nearest[T] {
	return Nearest[T]{q.q.Near(index, k, limit)}
}

// All returns the rows, the nearest first. An error comes once, with a nil item, and ends the sequence. A value that no index
// finds, or a limit below 1, is such an error, and nothing is sent.
func (n Nearest[T]) All(ctx context.Context) iter.Seq2[*T, error] { return all[T](ctx, n.q, n.q.Op()) }

// all returns the rows of a query their type. Each method All would have a copy of it, with the promoted ones.
//
//go:noinline
func all[T any](ctx context.Context, q runtime.Query, op string) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		q.All(ctx, op, func(v any, err error) bool {
			row, _ := v.(*T)
			return yield(row, err)
		})
	}
}

// page returns the rows of a page their type.
func page[T any](ctx context.Context, q runtime.Query, op, token string) (mapper.Page[T], error) {
	items := []*T{}
	next, err := q.Page(ctx, op, token, func(v any) { items = append(items, v.(*T)) })
	if err != nil {
		return mapper.Page[T]{}, err
	}
	return mapper.Page[T]{Items: items, Next: next}, nil
}
