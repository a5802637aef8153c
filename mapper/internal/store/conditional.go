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
	Serial      gocql.SerialConsistency // of the comparison
	Consistency gocql.Consistency       // of the write
}

// Answer is what a conditional statement was answered.
type Answer struct {
	Applied bool
	// Row is why it was not applied: the row that is there, nil for none. An INSERT returns every column; an UPDATE those of
	// its conditions, all others are null.
	Row cell.Row

	Reservation *plan.Reservation // of a transaction: the reservation with this Row because of which it was not applied; nil: the root
}

// CAS sends one conditional statement, once. The driver's metadata of an earlier answer are not used, because an applied
// statement is answered with fewer columns than a refused one.
func (s CQL) CAS(ctx context.Context, c *plan.Conditional, w CAS) (Answer, error) {
	q := s.Session.Query(c.CQL, values(nil, c.Args())...).WithContext(ctx).NoSkipMetadata()
	q.DefaultTimestamp(false).RetryPolicy(nil).Idempotent(false).Consistency(w.Consistency).SerialConsistency(w.Serial)
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

// refusedRow returns the row that a refused statement was answered with, in the order of the table's columns; nil when it
// has no columns beyond [applied], because there is no row.
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
