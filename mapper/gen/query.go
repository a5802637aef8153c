package gen

import (
	"context"
	"iter"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/scan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// Reader reads the rows of a table. Generated tables of redundant aggregates embed it. It has no methods, because each would be
// compiled for every table.
type Reader[T any] struct{ r call.Reader }

// NewReader returns a reader of the table of a codec.
func NewReader[T any](db *DB, c *Codec[T]) Reader[T] {
	return Reader[T]{call.NewReader(db, c.untyped())}
}

// Get returns the row with the given primary key. It returns mapper.ErrNotFound if there is no such row.
func Get[T any](ctx context.Context, r Reader[T], key *Encoder) (*T, error) {
	v, err := r.r.Get(ctx, key)
	return result[T](v, call.InOperation("Get", err, nil))
}

// GetMany returns the rows with the given primary keys, in the order of keys, and nil where there is no row. Equal keys are read
// once. key returns the encoder of a key.
func GetMany[T, K any](ctx context.Context, r Reader[T], keys []K, key func(K) *Encoder) ([]*T, error) {
	out := make([]*T, len(keys))
	of := func(i int) *Encoder { return key(keys[i]) }
	if err := r.r.GetMany(ctx, len(keys), of, func(i int, v any) { out[i] = v.(*T) }); err != nil {
		return nil, call.InOperation("GetMany", err, nil)
	}
	return out, nil
}

// AllRows returns all rows of the table in the order of their tokens. config can have only a Rate and a Progress.
func AllRows[T any](ctx context.Context, r Reader[T], config mapper.ScanConfig) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		scan.All(ctx, r.r, config, func(v any, err error) bool {
			row, _ := v.(*T)
			return yield(row, err)
		})
	}
}

// AllPage returns one page of all rows of the table: the first one for an empty token, otherwise the one after the page with this Next.
func AllPage[T any](ctx context.Context, r Reader[T], token string) (mapper.Page[T], error) {
	items := []*T{}
	next, err := scan.Page(ctx, r.r, token, func(v any) { items = append(items, v.(*T)) })
	if err != nil {
		return mapper.Page[T]{}, err
	}
	return mapper.Page[T]{Items: items, Next: next}, nil
}

// ScanRows calls f with every row of the table, in several goroutines.
func ScanRows[T any](ctx context.Context, r Reader[T], config mapper.ScanConfig, f func(context.Context, *T) error) error {
	if f == nil {
		return scan.Table(ctx, r.r, config, nil)
	}
	return scan.Table(ctx, r.r, config, func(ctx context.Context, v any) error { return f(ctx, v.(*T)) })
}

// Query reads rows of one partition or of several. Its methods return a changed copy.
type Query[T any] struct{ q call.Query }

// Where returns a query of the rows whose first columns, at least the partition key, equal key.
func Where[T any](r Reader[T], key *Encoder) Query[T] { return Query[T]{r.r.Where(key)} }

// Rows are the rows of a plain root or of a part that a query reads. They can also be deleted.
type Rows[T any] struct{ Query[T] }

// WhereRows returns the same query as [Where], for rows that can be deleted.
func WhereRows[T any](r Root[T], key *Encoder) Rows[T] {
	return Rows[T]{Query[T]{r.untyped().Deletable(r.r.Where(key))}}
}

// WhereEach returns a query of the rows of several partitions, merged in the order of the table. keys contains the partition keys,
// one after the other.
func WhereEach[T any](r Reader[T], keys *Encoder) Query[T] { return Query[T]{r.r.WhereEach(keys)} }

// WhereEachRows returns the same query as [WhereEach], for rows that can be deleted.
func WhereEachRows[T any](r Root[T], keys *Encoder) Rows[T] {
	return Rows[T]{Query[T]{r.untyped().Deletable(r.r.WhereEach(keys))}}
}

// EqualRows is [Equal] for rows that can be deleted.
func EqualRows[T any](q Rows[T], k *Encoder) Rows[T] { return Rows[T]{Equal(q.Query, k)} }

// BoundRows is [Bound] for rows that can be deleted.
func BoundRows[T any](q Rows[T], by Comparison, k *Encoder) Rows[T] {
	return Rows[T]{Bound(q.Query, by, k)}
}

// Delete deletes the rows of the query and their copies. Without copies, or if the key of each copy begins with the columns that the query
// restricts, it is one atomic write, whatever the number of rows. With other copies it reads the rows page by page, and deletes the rows of
// each page and their copies in logged batches: it is not atomic, a row that is inserted meanwhile can stay, and after an error it can be
// repeated.
func (r Rows[T]) Delete(ctx context.Context) error { return r.q.Delete(ctx) }

// Every returns a query of all rows, which an index must restrict.
func Every[T any](r Reader[T]) Query[T] { return Query[T]{r.r.Every()} }

// Equal restricts the next clustering column to the value in k.
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

// Bound restricts the next clustering column to the values on one side of the value in k. A value with a higher precision
// than the column is above the value that it is truncated to.
func Bound[T any](q Query[T], by Comparison, k *Encoder) Query[T] { return Query[T]{q.q.Bound(by, k)} }

// Reverse returns the query with the reverse of the table's order.
func (q Query[T]) Reverse() Query[T] { return Query[T]{q.q.Reversed()} }

// Together returns the query of several partitions with one request for all of them, instead of one for each. It needs Limit or PageSize:
// a request reads that many rows of each partition. The keys must differ only in the last column of the partition key. Rows with equal
// clustering keys have no defined order.
func (q Query[T]) Together() Query[T] { return Query[T]{q.q.Together()} }

// Limit returns the query with a limit of n rows; 0 means all rows. If n is negative, or greater than CQL allows, the query
// returns an error.
func (q Query[T]) Limit(n int) Query[T] { return Query[T]{q.q.Limited(n)} }

// PageSize returns the query with pages of n rows; 0 means the default of the session. If n is negative, or greater than CQL
// allows, the query returns an error: a server would ignore such a page size and return all rows at once.
func (q Query[T]) PageSize(n int) Query[T] { return Query[T]{q.q.Paged(n)} }

// All returns the rows, page by page. An error is yielded once, with a nil item, and ends the sequence; break closes the query.
// Values that CQL cannot represent, and a negative limit or page size, are such an error, and nothing is sent.
func (q Query[T]) All(ctx context.Context) iter.Seq2[*T, error] { return all[T](ctx, q.q, "All") }

// Page returns one page of the rows: the first one for an empty token, otherwise the one after the page with this Next.
// It returns mapper.ErrPageToken if the token belongs to another query.
func (q Query[T]) Page(ctx context.Context, token string) (mapper.Page[T], error) {
	return page[T](ctx, q.q, "Page", token)
}

// First returns the first row of the query, whatever its limit. It sends one request with LIMIT 1, and more only if rows before it are
// not returned: rows of deleted versioned aggregates and, with mapper.Options.Verified, rows that no longer follow from their roots.
// It returns mapper.ErrNotFound if there is no row.
func (q Query[T]) First(ctx context.Context) (*T, error) { return firstRow[T](ctx, q.q, "First") }

// Count returns the number of rows that All would return. It reads only their keys, page by page, so the time is proportional to their
// number. As for All, the time limit of the call applies to each page.
func (q Query[T]) Count(ctx context.Context) (int, error) { return q.q.Count(ctx, "Count") }

// Found reads the rows that an index finds. Their order is undefined and cannot be chosen.
type Found[T any] struct{ q call.Query }

// Find restricts a query, of all rows or of one partition, to the rows that the index of a column finds for the value in k.
func Find[T any](q Query[T], column string, k *Encoder) Found[T] {
	return Found[T]{q.q.Find(column, k)}
}

// Limit returns the query with a limit of n rows; 0 means all rows. If n is negative, the query returns an error.
func (f Found[T]) Limit(n int) Found[T] { return Found[T]{f.q.Limited(n)} }

// PageSize returns the query with pages of n rows; 0 means the default of the session. If n is negative, the query returns an error.
func (f Found[T]) PageSize(n int) Found[T] { return Found[T]{f.q.Paged(n)} }

// All returns the rows, page by page. An error is yielded once, with a nil item, and ends the sequence; break closes the query.
// A value that no index finds is such an error, and nothing is sent.
func (f Found[T]) All(ctx context.Context) iter.Seq2[*T, error] { return all[T](ctx, f.q, f.q.Op()) }

// Page returns one page of the rows: the first one for an empty token, otherwise the one after the page with this Next.
// It returns mapper.ErrPageToken if the token belongs to another query.
func (f Found[T]) Page(ctx context.Context, token string) (mapper.Page[T], error) {
	return page[T](ctx, f.q, f.q.Op(), token)
}

// First returns a row that the index finds. It returns mapper.ErrNotFound if the index finds no row.
func (f Found[T]) First(ctx context.Context) (*T, error) { return firstRow[T](ctx, f.q, f.q.Op()) }

// Count returns the number of rows that All would return. It reads only their keys, page by page.
func (f Found[T]) Count(ctx context.Context) (int, error) { return f.q.Count(ctx, f.q.Op()) }

// Nearest reads the rows whose vectors are nearest to a given one, the nearest first. It sends one request at LOCAL_ONE,
// whatever the store's consistency, and has no pages: the server supports nothing else, and accepts no limit above 1000.
type Nearest[T any] struct{ q call.Query }

// FindNear restricts a query, of all rows or of one partition, to the limit rows whose vectors in an indexed column are nearest
// to the vector in k.
func FindNear[T any](q Query[T], column string, k *Encoder, limit int) Nearest[T] {
	return Nearest[T]{q.q.Nearest(column, k, limit)}
}

// All returns the rows, the nearest first. An error is yielded once, with a nil item, and ends the sequence. A value that no
// index finds, or a limit below 1, is such an error, and nothing is sent.
func (n Nearest[T]) All(ctx context.Context) iter.Seq2[*T, error] { return all[T](ctx, n.q, n.q.Op()) }

// all returns the rows of a query with their type. It is not inlined, because each method All, promoted ones included, would
// contain a copy of it.
//
//go:noinline
func all[T any](ctx context.Context, q call.Query, op string) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		q.All(ctx, op, func(v any, err error) bool {
			row, _ := v.(*T)
			return yield(row, call.InOperation(op, err, nil))
		})
	}
}

// firstRow returns the first row of a query with its type.
//
//go:noinline
func firstRow[T any](ctx context.Context, q call.Query, op string) (*T, error) {
	v, err := q.First(ctx, op)
	return result[T](v, call.InOperation(op, err, nil))
}

// page returns the rows of a page with their type.
func page[T any](ctx context.Context, q call.Query, op, token string) (mapper.Page[T], error) {
	items := []*T{}
	next, err := q.Page(ctx, op, token, func(v any) { items = append(items, v.(*T)) })
	if err != nil {
		return mapper.Page[T]{}, call.InOperation(op, err, nil)
	}
	return mapper.Page[T]{Items: items, Next: next}, nil
}
