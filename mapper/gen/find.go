package gen

import (
	"context"
	"fmt"
	"iter"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// Found is a read of the rows that an index finds. They come in no order that a caller could choose or rely on.
type Found[T any] struct{ q query }

// Nearest is a read of the rows whose vectors are the nearest to one, the nearest first. It is one request at LOCAL_ONE,
// whatever the store's consistency, and has no pages: the server does it in no other way, and takes no limit above 1000.
type Nearest[T any] struct{ q query }

// Every begins a query of all rows, to be restricted by an index.
func Every[T any](r Reader[T]) Query[T] { return Query[T]{r.r.every()} }

func (r reader) every() query {
	s := &selection{r: r}
	if r.db == nil {
		s.err = errNotOpen
	}
	return query{selection: s}
}

// Find restricts a query, of all rows or of one partition, to those that an index of the table finds for the value that k has
// been given.
func Find[T any](q Query[T], index int, k *Encoder) Found[T] { return Found[T]{q.q.sought(index, k)} }

// FindNear restricts a query, of all rows or of one partition, to the limit rows whose vectors in an index of the table are
// the nearest to the one that k has been given.
func FindNear[T any](q Query[T], index int, k *Encoder, limit int) Nearest[T] {
	return Nearest[T]{q.q.near(index, k, limit)}
}

func (q query) near(index int, k *Encoder, limit int) query {
	q = q.sought(index, k)
	if limit < 1 && q.err == nil {
		q.selection.err = q.r.wrap(q.op(), q.key, fmt.Errorf("the limit is %d: nearest neighbours are at least one", limit))
	}
	return q.limited(limit)
}

// sought cuts what an index is to find. The first fault of a query is the one it ends in.
func (q query) sought(index int, k *Encoder) query {
	if q.r.db == nil {
		return q
	}
	q, s := q.changed()
	t := q.r.c.Table
	s.find.Index = &t.Indexes[index]
	row, err := k.Cells(make(cell.Row, 0, 1))
	if err == nil {
		s.find.Value = row[0]
	}
	if s.err == nil {
		s.err = s.r.db.seekable(t, s.key, &s.find, behindKey(err, 0, s.find.Index.Column))
	}
	return q
}

// seekable reports what no index finds: a value that cannot be encoded, null, and a vector that nothing is near.
func (db *DB) seekable(t *Table, key cell.Row, f *store.Find, err error) error {
	if err != nil {
		return db.constraint(t, key, nil, err)
	}
	problem := f.Index.Refuses(f.Value)
	if f.Value == nil {
		problem = "is null, and no index finds what is null"
	}
	if problem == "" {
		return nil
	}
	return db.constraint(t, key, []mapper.Fault{{Path: t.Columns[f.Index.Column].Field, Problem: problem}}, nil)
}

// op is the name of the method that reads by the query's index.
func (q query) op() string {
	if q.r.db == nil {
		return "By"
	}
	return "By" + q.r.c.Table.Columns[q.find.Index.Column].Field
}

func (q query) nearest() bool { return q.find.Index != nil && q.find.Index.Read == plan.Near }

// Limit returns at most n rows; 0 means all. One below 0 is an error of the query.
func (f Found[T]) Limit(n int) Found[T] { return Found[T]{f.q.limited(n)} }

// PageSize fetches n rows at a time; 0 means the default of the session. One below 0 is an error of the query.
func (f Found[T]) PageSize(n int) Found[T] { return Found[T]{f.q.paged(n)} }

// All returns the rows, page by page. An error comes once, with a nil item, and ends the sequence; break closes the query.
// A value that no index finds is such an error, and nothing is sent.
func (f Found[T]) All(ctx context.Context) iter.Seq2[*T, error] { return all[T](ctx, f.q, f.q.op()) }

// Page returns one page of the rows: the first for an empty token, else the one after the page whose Next it is.
// mapper.ErrPageToken reports that the token is another query's.
func (f Found[T]) Page(ctx context.Context, token string) (mapper.Page[T], error) {
	return page[T](ctx, f.q, f.q.op(), token)
}

// All returns the rows, the nearest first. An error comes once, with a nil item, and ends the sequence. A value that no index
// finds, or a limit below 1, is such an error, and nothing is sent.
func (n Nearest[T]) All(ctx context.Context) iter.Seq2[*T, error] { return all[T](ctx, n.q, n.q.op()) }
