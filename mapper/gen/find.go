package gen

import (
	"context"
	"fmt"
	"iter"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// Found is a read of the rows that an index finds. They come in no order that a caller could choose or rely on.
type Found[T any] struct{ q Query[T] }

// Nearest is a read of the rows whose vectors are the nearest to one, the nearest first. It is one request at LOCAL_ONE,
// whatever the store's consistency, and has no pages: the server does it in no other way, and takes no limit above 1000.
type Nearest[T any] struct{ q Query[T] }

// Every begins a query of all rows, to be restricted by an index.
func Every[T any](r Reader[T]) Query[T] {
	if r.db == nil {
		return Query[T]{r: r, err: errNotOpen}
	}
	return Query[T]{r: r}
}

// Find restricts a query, of all rows or of one partition, to those that an index of the table finds for v.
func Find[T, K any](q Query[T], index int, v K, f func(*Encoder, K)) Found[T] {
	return Found[T]{sought(q, index, v, f)}
}

// FindNear restricts a query, of all rows or of one partition, to the limit rows whose vectors in an index of the table are
// the nearest to v.
func FindNear[T, K any](q Query[T], index int, v K, f func(*Encoder, K), limit int) Nearest[T] {
	q = sought(q, index, v, f)
	if limit < 1 && q.err == nil {
		q.err = q.r.wrap(q.op(), q.key, fmt.Errorf("the limit is %d: nearest neighbours are at least one", limit))
	}
	return Nearest[T]{q.Limit(limit)}
}

// sought encodes what an index is to find. The first fault of a query is the one it ends in.
func sought[T, K any](q Query[T], index int, v K, f func(*Encoder, K)) Query[T] {
	if q.r.db == nil {
		return q
	}
	t := q.r.c.Table
	q.find.Index = &t.Indexes[index]
	column := q.find.Index.Column
	e := &Encoder{}
	for range column {
		e.Null() // so that a fault names the column
	}
	f(e, v)
	row, err := e.Cells(nil)
	if q.err == nil {
		q.err = q.r.db.seekable(t, q.key, q.find.Index, row, err)
	}
	if err == nil {
		q.find.Value = row[column]
	}
	return q
}

// seekable reports what no index finds: a value that cannot be encoded, null, and a vector that nothing is near.
func (db *DB) seekable(t *Table, key cell.Row, i *plan.Index, row cell.Row, err error) error {
	if err != nil {
		return db.constraint(t, key, nil, err)
	}
	problem := i.Refuses(row[i.Column])
	if row[i.Column] == nil {
		problem = "is null, and no index finds what is null"
	}
	if problem == "" {
		return nil
	}
	return db.constraint(t, key, []mapper.Fault{{Path: t.Columns[i.Column].Field, Problem: problem}}, nil)
}

// op is the name of the method that reads by the query's index.
func (q Query[T]) op() string {
	if q.r.db == nil {
		return "By"
	}
	return "By" + q.r.c.Table.Columns[q.find.Index.Column].Field
}

func (q Query[T]) nearest() bool { return q.find.Index != nil && q.find.Index.Read == plan.Near }

// Limit gives at most n rows; 0 means all. One below 0 is an error of the query.
func (f Found[T]) Limit(n int) Found[T] { return Found[T]{f.q.Limit(n)} }

// PageSize fetches n rows at a time; 0 means what the session is configured to. One below 0 is an error of the query.
func (f Found[T]) PageSize(n int) Found[T] { return Found[T]{f.q.PageSize(n)} }

// All gives the rows, page by page. An error comes once, with a nil item, and ends the sequence; break closes the query.
// A value that no index finds is such an error, and nothing is sent.
func (f Found[T]) All(ctx context.Context) iter.Seq2[*T, error] { return f.q.all(ctx, f.q.op()) }

// Page gives one page of the rows: the first for an empty token, else the one after the page whose Next it is.
// mapper.ErrPageToken says that the token is another query's.
func (f Found[T]) Page(ctx context.Context, token string) (mapper.Page[T], error) {
	return f.q.page(ctx, f.q.op(), token)
}

// All gives the rows, the nearest first. An error comes once, with a nil item, and ends the sequence. A value that no index
// finds, or a limit below 1, is such an error, and nothing is sent.
func (n Nearest[T]) All(ctx context.Context) iter.Seq2[*T, error] { return n.q.all(ctx, n.q.op()) }
