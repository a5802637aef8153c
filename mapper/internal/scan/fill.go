package scan

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/rowname"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// FindProjection returns the projection that fills a table.
func FindProjection(a *plan.Aggregate, table string) (*plan.Projection, error) {
	p := a.CopyNamed(table)
	if p == nil {
		return nil, fmt.Errorf("mapper: %s (%s) has no redundant table %s", a.Root.Aggregate, a.Root.Name, table)
	}
	return p, nil
}

// newFilling returns the scan that writes the rows of one copy. It skips rows whose copies cannot be written.
type newFilling func(p *plan.Projection, c FillConfig, over *Skipping) (Runner, *PageScan)

// FillTable fills a redundant table of r by a scan.
func FillTable(ctx context.Context, r call.Root, table string, c FillConfig, from string, save func(from string) error, filling newFilling) error {
	if err := c.Check(); err != nil {
		return fmt.Errorf("mapper: backfill of %s: %w", table, err)
	}
	p, err := FindProjection(r.Aggregate, table)
	if err != nil {
		return err
	}
	job := &Skipping{Job: "backfill of " + table, Name: r.Codec.Table.Name,
		NewScan: func(over *Skipping) (Runner, *PageScan) { return filling(p, c, over) }}
	err = job.Run(ctx, from, save)
	if _, over := err.(*mapper.RefusedRowsError); over || err == nil {
		return err
	}
	return fmt.Errorf("mapper: backfill of %s: %w", table, err)
}

// FillPlain returns the scan that fills a redundant table of a plain root.
func FillPlain(r call.Root, p *plan.Projection, c FillConfig, over *Skipping) (Runner, *PageScan) {
	f := &fill{PageScan: NewPageScan(r, c, r.Codec.Table.Name), p: p, parallel: r.DB.Env.Parallel(cmp.Or(c.Parallel, FillParallel))}
	f.Handler, f.passing = f, over
	return f, &f.PageScan
}

// fill fills one redundant table of a plain root, page by page.
type fill struct {
	PageScan
	p        *plan.Projection
	parallel int
	writes   []plan.BackfillWrite // the writes of the page
	faults   []error
	d        cell.Decoder
}

func (f *fill) Begin() { f.writes, f.faults = f.writes[:0], nil }

// Add plans the writes for one row. It skips a row whose copies cannot be computed.
func (f *fill) Add(row cell.Row) {
	writes, err := f.plan(row)
	switch {
	case err == nil:
		f.writes = append(f.writes, writes...)
	case skippable(err):
		f.passing.skip(refusedRow{err, f.at})
	default:
		f.faults = append(f.faults, err)
	}
}

// End writes the copies of a page.
func (f *fill) End(ctx context.Context) error {
	if err := errors.Join(f.faults...); err != nil {
		return err
	}
	return call.ForEach(ctx, f.parallel, f.writes, f.write)
}

func (f *fill) plan(row cell.Row) ([]plan.BackfillWrite, error) {
	t := f.Root.Codec.Table
	stamps, err := f.Root.Aggregate.Stamps(row)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", rowname.Format(t.Aggregate, t.Name, t.KeyText(row)), err)
	}
	source, err := f.source(row[:len(t.Columns)])
	if err != nil {
		return nil, err
	}
	writes, err := plan.PlanBackfill(f.Root.Aggregate, f.p, source, stamps, f.Since)
	return writes, f.Root.DB.ConstraintError(t, source, nil, err)
}

// source returns a row as the mapper writes it, with the results of methods. A static value that was never written stays absent, as
// after an Insert with its zero value. A partition that has only static values has no results of methods, because there is no value to
// call a method on.
func (f *fill) source(read cell.Row) (cell.Row, error) {
	t := f.Root.Codec.Table
	if read[t.Key-1] == nil {
		row := append(append(make(cell.Row, 0, len(read)+len(t.Computed)), read...), make(cell.Row, len(t.Computed))...)
		t.Canonical(row)
		return row, nil
	}
	row, err := f.Root.Reencode(&f.d, read)
	for i := range t.Columns {
		if err == nil && t.Columns[i].Kind == projection.Static && read[i] == nil {
			row[i] = nil
		}
	}
	return row, err
}

// write sends one write, which can be repeated unchanged.
func (f *fill) write(ctx context.Context, w plan.BackfillWrite) error {
	m := &w.Mutations[0]
	for attempt := 1; ; attempt++ {
		// The server counts the TTL from its own time. The age is rounded up, so that no copy outlives its source.
		s := store.Write{Timestamp: w.At, Age: 1 + (f.now()-f.Since)/1e6, Consistency: f.Read.Consistency}
		if m.TTL > 0 && int64(m.TTL) <= s.Age {
			return nil
		}
		err := f.Root.DB.Store.Apply(ctx, w.Mutations, s)
		if err == nil {
			return nil
		}
		if attempt == call.MaxAttempts || !f.Root.DB.Env.Resend(ctx, attempt) {
			return fmt.Errorf("write %s: %w", rowname.Format(m.Table.Aggregate, m.Table.Name, m.Table.KeyText(m.Row)), err)
		}
	}
}
