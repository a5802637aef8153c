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
		q.Low, q.Up = a.bound(t, len(q.Key), store.AtLeast), a.bound(t, len(q.Key), store.AtMost)
		if _, err := c.compareRead(ctx, r, q); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// bound returns a random bound of the columns from one of them on, or none. It compares with by, or with the comparison after it, and has the
// values of one column or of all.
func (a *author) bound(t *plan.Table, column int, by store.Comparison) store.Bound {
	switch a.IntN(3) {
	case 0:
		return store.Bound{}
	case 1:
		return store.Bound{Comparison: by + store.Comparison(a.IntN(2)), Values: a.row(t)[column : column+1]}
	}
	return store.Bound{Comparison: by + store.Comparison(a.IntN(2)), Values: a.row(t)[column:t.Key]}
}
