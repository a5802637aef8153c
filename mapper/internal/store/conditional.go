package store

import (
	"context"
	"fmt"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// CAS describes how a conditional statement is carried out.
type CAS struct {
	Serial      gocql.SerialConsistency // of the conditions
	Consistency gocql.Consistency       // of the write
}

// Answer is the server's answer to a conditional statement or a transaction.
type Answer struct {
	Applied bool
	// Row is the existing row because of which the statement was not applied, or nil if there is none. An INSERT returns every
	// column; an UPDATE returns those of its conditions, and all others are null.
	Row cell.Row

	Reservation *plan.Reservation // of a transaction: the reservation because of which it was not applied, whose row is Row; nil: because of the root
}

// CAS sends one conditional statement, once. It does not use the driver's metadata of an earlier answer, because the answer to an
// applied statement has fewer columns than the answer to a refused one.
func (s CQL) CAS(ctx context.Context, c *plan.Conditional, w CAS) (Answer, error) {
	args := make([]any, 0, len(c.Row)+2+len(c.If))
	for v := range c.Args() {
		args = append(args, (*value)(v))
	}
	q := s.Session.Query(c.CQL, args...).WithContext(ctx).NoSkipMetadata()
	q.DefaultTimestamp(false).RetryPolicy(nil).Idempotent(false).Consistency(w.Consistency).SerialConsistency(w.Serial)
	defer q.Release()
	it := q.Iter()
	columns := it.Columns()
	row, into := destinations(len(columns))
	found := it.Scan(into...)
	if err := it.Close(); err != nil {
		return Answer{}, classify(err)
	}
	if !found || len(row[0]) != 1 {
		return Answer{}, &Error{Outcome: Unknown, Err: fmt.Errorf("the server's answer has no column [applied]: %s", c.CQL)}
	}
	if row[0][0] != 0 {
		return Answer{Applied: true}, nil
	}
	return Answer{Row: refusedRow(c.Table, columns, row)}, nil
}

// refusedRow returns the row in the answer to a refused statement, in the order of the table's columns. It returns nil if the answer
// has no columns except [applied], because there is no row.
func refusedRow(t *plan.Table, columns []gocql.ColumnInfo, answer cell.Row) cell.Row {
	if len(columns) < 2 {
		return nil
	}
	row := make(cell.Row, len(t.Columns))
	for i, c := range columns {
		if k := t.ColumnOf(c.Name); k >= 0 {
			row[k] = answer[i]
		}
	}
	return row
}
