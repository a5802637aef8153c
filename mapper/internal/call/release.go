package call

import (
	"cmp"
	"context"
	"slices"

	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

const releaseParallel = 16 // concurrent reads of one write

// release is a row to delete from a copy in which another root can have claimed the row.
type release struct {
	*plan.Mutation
	keep    bool  // it belongs to another root
	written int64 // the greatest timestamp of its cells
}

// resolveReleases turns each release into a delete, or removes it if a read shows that the row belongs to another root. An absent row
// is deleted too, because an earlier write of unknown outcome can still add it. The timestamp of the change is above the
// timestamps of the deleted rows.
func (r Root) resolveReleases(ctx context.Context, c *change, mutations []plan.Mutation) ([]plan.Mutation, error) {
	var all []*release
	for i := range mutations {
		if mutations[i].Action == plan.Release {
			all = append(all, &release{Mutation: &mutations[i]})
		}
	}
	if all == nil {
		return mutations, nil
	}
	err := cmp.Or(r.DB.broken, ctx.Err())
	if err == nil {
		err = ForEach(ctx, r.DB.Env.Parallel(releaseParallel), all, func(ctx context.Context, x *release) error { return r.readRelease(ctx, c, x) })
	}
	if err != nil {
		return nil, r.WrapError(c.op, c.row(), err)
	}
	for _, x := range all {
		if !x.keep {
			x.Action = plan.Delete
			if !c.imported { // the delete of an import must not affect newer cells
				c.written = max(c.written, x.written)
			}
		}
	}
	return slices.DeleteFunc(mutations, func(m plan.Mutation) bool { return m.Action == plan.Release }), nil
}

// readRelease reads a row to release, and sets whether it is kept.
func (r Root) readRelease(ctx context.Context, c *change, x *release) error {
	l := &store.Lookup{Read: store.Read{Table: x.Table, Key: x.PrimaryKey(), Written: true, Consistency: r.DB.Config.Consistency}}
	row, err := r.DB.ReadRow(ctx, c.op, l)
	if err != nil || row == nil {
		return err
	}
	x.keep = r.Aggregate.CopyTo(x.Table).OwnedByOther(c.row()[:r.Codec.Table.Key], row)
	x.written = LatestTime(row[len(x.Table.Columns):])
	return nil
}
