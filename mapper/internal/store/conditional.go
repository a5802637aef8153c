package store

import (
	"context"
	"fmt"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// CAS sends one conditional statement, once. It does not use the driver's metadata of an earlier answer, because the answer to an
// applied statement has fewer columns than the answer to a refused one.
func (s CQL) CAS(ctx context.Context, c *plan.Conditional, w CAS) (Answer, error) {
	if len(c.Parts) > 0 {
		return s.casBatch(ctx, c, w)
	}
	args := make([]any, 0, len(c.Row)+2+len(c.If))
	for v := range c.Args() {
		args = append(args, (*value)(v))
	}
	q := within(ctx, s.Session.Query(c.CQL, args...)).NoSkipMetadata()
	q.DefaultTimestamp(false).RetryPolicy(nil).Idempotent(false).Consistency(w.Consistency).SerialConsistency(w.Serial)
	defer q.Release()
	it := q.Iter()
	columns := it.Columns()
	row, into := destinations(len(columns))
	found := it.Scan(into...)
	if err := it.Close(); err != nil {
		return Answer{}, classifyCAS(err)
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
		if k := t.ColumnIndex(c.Name); k >= 0 {
			row[k] = answer[i]
		}
	}
	return row
}

// casBatch sends a conditional statement and those of parts as one batch, without repeats. The answer to an applied batch has one
// column. The answer to a refused batch has the existing rows, which do not show which condition failed, so the caller reads them
// again.
func (s CQL) casBatch(ctx context.Context, c *plan.Conditional, w CAS) (Answer, error) {
	b := s.Session.NewBatch(gocql.LoggedBatch).WithContext(ctx)
	b.DefaultTimestamp(false).RetryPolicy(nil).SerialConsistency(w.Serial).SetConsistency(w.Consistency)
	b.Entries = append(b.Entries, rootEntry(c))
	for i := range c.Parts {
		b.Entries = append(b.Entries, partEntry(&c.Parts[i]))
	}
	applied, it, err := s.Session.ExecuteBatchCAS(b)
	if err != nil {
		return Answer{}, classifyCAS(err)
	}
	columns := len(it.Columns())
	if err := it.Close(); err != nil && columns == 1 {
		return Answer{}, classifyCAS(err)
	}
	if columns == 0 {
		return Answer{}, &Error{Outcome: Unknown, Err: fmt.Errorf("the server's answer has no column [applied]: %s", c.CQL)}
	}
	return Answer{Applied: applied && columns == 1}, nil
}

// rootEntry returns a conditional statement with its arguments.
func rootEntry(c *plan.Conditional) gocql.BatchEntry {
	e := gocql.BatchEntry{Stmt: c.CQL}
	for v := range c.Args() {
		e.Args = append(e.Args, (*value)(v))
	}
	return e
}

// partEntry returns the statement of a write of a part with its arguments.
func partEntry(p *plan.PartWrite) gocql.BatchEntry {
	e := gocql.BatchEntry{Stmt: p.Statement()}
	for v, set := range p.Args() {
		if set {
			e.Args = append(e.Args, (*value)(v))
		} else {
			e.Args = append(e.Args, gocql.UnsetValue)
		}
	}
	return e
}
