package store

import (
	"context"
	"fmt"
	"iter"

	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// CAS sends one conditional statement, once. It does not use the driver's metadata of an earlier answer, because the answer to an
// applied statement has fewer columns than the answer to a refused one.
func (s CQL) CAS(ctx context.Context, c *plan.Conditional, w CAS) (Answer, error) {
	if err := Ended(ctx); err != nil {
		return Answer{}, err
	}
	if len(c.Parts) > 0 || c.Values != nil {
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

// casBatch sends a conditional statement, its Values and the statements of parts as one batch, without repeats. The answer to an applied batch
// has one column. The answer to a refused batch has the existing rows, which do not show which condition failed, so the caller reads them
// again, except for the row because of which an INSERT without parts was refused.
func (s CQL) casBatch(ctx context.Context, c *plan.Conditional, w CAS) (Answer, error) {
	b := s.Session.Batch(ctx, driver.BatchConfig{Consistency: w.Consistency, Serial: w.Serial, NoTimestamp: true}, 1+len(c.Parts))
	b.Add(c.CQL, args(s.Session, c.Args()))
	if c.Values != nil {
		b.Add(c.Values.CQL, args(s.Session, c.ValuesArgs()))
	}
	for i := range c.Parts {
		b.Add(c.Parts[i].Statement(), partArgs(s.Session, &c.Parts[i]))
	}
	var there cell.Row
	var into []any
	if c.Insert && len(c.Parts) == 0 {
		there, into = destinations(s.Session, len(c.Table.Columns))
	}
	applied, names, err := b.QueryCAS(into...)
	if err != nil {
		return Answer{}, classifyCAS(err)
	}
	if applied || names == nil {
		return Answer{Applied: applied}, nil
	}
	row := make(cell.Row, len(c.Table.Columns))
	for i, name := range names {
		if k := c.Table.ColumnIndex(name); k >= 0 {
			row[k] = there[i]
		}
	}
	return Answer{Row: row}, nil
}

// args returns cells as arguments of a statement.
func args(values driver.Values, cells iter.Seq[*cell.Cell]) (out []any) {
	for v := range cells {
		out = append(out, values.Value((*[]byte)(v)))
	}
	return out
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
