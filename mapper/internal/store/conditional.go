package store

import (
	"context"
	"fmt"

	"github.com/cassaml/cassaml/mapper/driver"
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
		args = append(args, s.Session.Value((*[]byte)(v)))
	}
	it := s.Session.Query(ctx, driver.Query{
		CQL: c.CQL, Args: args, Consistency: w.Consistency, Serial: w.Serial, NoTimestamp: true, Metadata: true,
	})
	row, into := destinations(s.Session, it.Columns())
	found := it.Scan(into...)
	if err := it.Close(); err != nil {
		return Answer{}, classifyCAS(err)
	}
	if !found || len(row[0]) != 1 {
		return Answer{}, &Error{Outcome: Unknown, Err: fmt.Errorf("%w: %s", driver.ErrNotConditional, c.CQL)}
	}
	if row[0][0] != 0 {
		return Answer{Applied: true}, nil
	}
	return Answer{Row: refusedRow(c.Table, it, row)}, nil
}

// refusedRow returns the row in the answer to a refused statement, in the order of the table's columns. It returns nil if the answer
// has no columns except [applied], because there is no row.
func refusedRow(t *plan.Table, it driver.Rows, answer cell.Row) cell.Row {
	if len(answer) < 2 {
		return nil
	}
	row := make(cell.Row, len(t.Columns))
	for i := range answer {
		if k := t.ColumnIndex(it.Column(i)); k >= 0 {
			row[k] = answer[i]
		}
	}
	return row
}

// casBatch sends a conditional statement and the statements of parts as one batch, without repeats. The answer to an applied batch has one
// column. The answer to a refused batch has the existing rows, which do not show which condition failed, so the caller reads them
// again.
func (s CQL) casBatch(ctx context.Context, c *plan.Conditional, w CAS) (Answer, error) {
	b := s.Session.Batch(ctx, driver.BatchConfig{Consistency: w.Consistency, Serial: w.Serial, NoTimestamp: true}, 1+len(c.Parts))
	b.Add(c.CQL, rootArgs(s.Session, c))
	for i := range c.Parts {
		b.Add(c.Parts[i].Statement(), partArgs(s.Session, &c.Parts[i]))
	}
	applied, err := b.ExecCAS()
	if err != nil {
		return Answer{}, classifyCAS(err)
	}
	return Answer{Applied: applied}, nil
}

// rootArgs returns the arguments of a conditional statement.
func rootArgs(values driver.Values, c *plan.Conditional) (args []any) {
	for v := range c.Args() {
		args = append(args, values.Value((*[]byte)(v)))
	}
	return args
}

// partArgs returns the arguments of the write of a part.
func partArgs(values driver.Values, p *plan.PartWrite) (args []any) {
	for v, set := range p.Args() {
		if set {
			args = append(args, values.Value((*[]byte)(v)))
		} else {
			args = append(args, values.Unset())
		}
	}
	return args
}
