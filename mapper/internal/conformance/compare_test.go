package conformance

import (
	"context"

	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// compare reads the partition of a sequence in all ways.
func (c *checker) compare(ctx context.Context, r *Report, a *author) error {
	for _, t := range []*plan.Table{cellsTable, singleTable} {
		rows, err := c.compareReads(ctx, r, a, t)
		if err != nil {
			return err
		}
		for _, row := range rows {
			if row[t.Key-1] == nil {
				r.Statics++
				continue
			}
			r.Rows++
			if _, err := c.compareRead(ctx, r, store.Read{Table: t, Key: row[:t.Key], Written: true}); err != nil {
				return err
			}
		}
		if err := c.compareTimes(ctx, r, t, a.partition); err != nil {
			return err
		}
	}
	return nil
}

// compareReads reads all rows of the partition, then random parts of it. It returns all rows.
func (c *checker) compareReads(ctx context.Context, r *Report, a *author, t *plan.Table) ([]cell.Row, error) {
	key := cell.Row{integer(int(a.partition))}
	rows, err := c.compareRead(ctx, r, store.Read{Table: t, Key: key, PageSize: 1 + a.IntN(3)})
	if err != nil || t.Key == t.Partition {
		return rows, err
	}
	for range 3 {
		q := store.Read{Table: t, Key: key, Reverse: a.IntN(2) == 0, Limit: a.IntN(3), PageSize: a.IntN(3), Second: a.IntN(2) == 0}
		from := a.row(t)
		if a.IntN(3) == 0 {
			q.Key = from[:2]
		}
		bound := from[len(q.Key)]
		switch a.IntN(4) {
		case 1:
			q.Low = store.Bound{Comparison: store.AtLeast, Value: bound}
		case 2:
			q.Low = store.Bound{Comparison: store.MoreThan, Value: bound}
		case 3:
			q.Up = store.Bound{Comparison: store.AtMost, Value: bound}
		}
		if other := a.row(t)[len(q.Key)]; a.IntN(3) == 0 {
			q.Up = store.Bound{Comparison: store.LessThan, Value: other}
		}
		if a.IntN(3) == 0 {
			q.Low, q.Slice = store.Bound{}, store.Slice{Comparison: store.AtLeast + store.Comparison(a.IntN(2)), Values: a.row(t)[len(q.Key):t.Key]}
		}
		if _, err := c.compareRead(ctx, r, q); err != nil {
			return nil, err
		}
	}
	return rows, nil
}
