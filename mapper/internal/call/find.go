package call

import (
	"fmt"

	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// Every returns a query of all rows, which an index must restrict.
func (r Reader) Every() Query {
	s := &selection{r: r}
	if r.DB == nil {
		s.err = ErrNotOpen
	}
	return Query{selection: s}
}

// Nearest restricts a query, of all rows or of one partition, to the limit rows whose vectors in an indexed column are nearest to
// the vector in k.
func (q Query) Nearest(column string, k *cell.Encoder, limit int) Query {
	q = q.Find(column, k)
	if limit < 1 && q.err == nil {
		q.selection.err = q.r.WrapError(q.Op(), q.key, fmt.Errorf("the limit is %d: it must be at least 1", limit))
	}
	return q.Limited(limit)
}

// Find restricts a query, of all rows or of one partition, to the rows that the index of a column finds for the value in k.
// A query returns its first fault.
func (q Query) Find(column string, k *cell.Encoder) Query {
	if q.r.DB == nil {
		return q
	}
	q, s := q.changed()
	t := q.r.Codec.Table
	s.find.Index = t.IndexOn(column)
	row, err := k.Cells(make(cell.Row, 0, 1))
	if err == nil {
		s.find.Value = row[0]
	}
	if s.err == nil {
		s.err = s.r.DB.seekable(t, s.key, &s.find, behindKey(err, 0, s.find.Index.Column))
	}
	return q
}

// seekable returns an error for a value that no index finds: one that cannot be encoded, null, and a vector that has no
// nearest neighbours.
func (db *DB) seekable(t *plan.Table, key cell.Row, f *store.Find, err error) error {
	if err != nil {
		return db.ConstraintError(t, key, nil, err)
	}
	problem := plan.Refuses(f.Index, f.Value)
	if f.Value == nil {
		problem = "is null, and no index finds what is null"
	}
	if problem == "" {
		return nil
	}
	return db.ConstraintError(t, key, []mapper.Violation{{Path: t.Columns[f.Index.Column].Field, Problem: problem}}, nil)
}

// Op returns the name of the method that reads by the query's index.
func (q Query) Op() string {
	if q.r.DB == nil {
		return "By"
	}
	return "By" + q.r.Codec.Table.Columns[q.find.Index.Column].Field
}

func (q Query) nearest() bool { return q.find.Index != nil && q.find.Index.Read == projection.Near }
