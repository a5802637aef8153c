package reconcile

import (
	"context"
	"slices"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/save"
	"github.com/cassaml/cassaml/mapper/internal/scan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// purgeStatics removes static values from partitions of a copy that have no row: the last row of a partition is deleted without them. Values
// that the partition of the root has stay.
func (x copyCheck) purgeStatics(ctx context.Context, partitions []cell.Row) error {
	if x.config.DryRun || x.c.Shared || !hasStatic(x.c.Table) {
		return nil
	}
	for _, p := range partitions {
		if err := scan.Retry(ctx, x.r.DB, func() error { return x.purgeStatic(ctx, p) }); err != nil {
			return err
		}
	}
	return nil
}

// purgeBeside removes the static values of the partition of a row that was deleted, if it was the last one.
func (x copyCheck) purgeBeside(ctx context.Context, f *plan.Finding) error {
	if f.Kind != plan.ExtraRow {
		return nil
	}
	return x.purgeStatics(ctx, []cell.Row{f.Row[:x.c.Table.Partition]})
}

// purgeStatic removes the static values of a partition, if no write of one of its rows can appear anymore that has an earlier timestamp
// than the removal.
func (x copyCheck) purgeStatic(ctx context.Context, partition cell.Row) error {
	ctx, end, err := x.r.Begin(ctx)
	if err != nil {
		return err
	}
	defer end()
	limit := x.repairBefore(x.now())
	if x.r.Aggregate.Versioning != nil {
		limit = x.purgeable(x.c.Table)
	}
	statics, err := x.onlyOldStatics(ctx, partition, limit)
	if statics == nil || err != nil {
		return err
	}
	m := plan.Mutation{Table: x.c.Table, Row: make(cell.Row, len(x.c.Table.Columns)), Action: plan.PutStatic}
	copy(m.Row, partition)
	if m.Write, err = x.leftStatics(ctx, statics); err != nil || m.Write.Empty() {
		return err
	}
	if err := (save.Versioned{Root: x.r}).Call(ctx, reconcile, nil).Copies().Send([]plan.Mutation{m}, limit); err != nil {
		return err
	}
	x.purged()
	return nil
}

// leftStatics returns the columns with static values of a partition of a copy that do not follow from the root. Those that do must stay: an
// insert of a row does not write them.
func (x copyCheck) leftStatics(ctx context.Context, statics cell.Row) (left projection.Bits, err error) {
	var root cell.Row
	if hasStatic(x.r.Codec.Table) && !x.c.InOtherPartition() {
		if root, err = x.rootStatics(ctx, statics[:x.c.Table.Partition]); err != nil {
			return left, err
		}
	}
	for i := x.c.Table.Key; i < len(x.c.Table.Columns); i++ {
		if x.c.Table.Columns[i].Kind == projection.Static && statics[i] != nil && !x.r.Aggregate.ImpliesStatic(x.c, i, root) {
			left.Add(i)
		}
	}
	return left, nil
}

// rootStatics returns a row with the static values of a partition of a root, or nil if the partition has neither rows nor static values.
func (x rootCheck) rootStatics(ctx context.Context, partition cell.Row) (cell.Row, error) {
	q := store.Read{Table: x.r.Codec.Table, Key: partition, Only: store.StaticColumns, Consistency: x.db.Config.Consistency}
	read, err := x.db.ReadRow(ctx, reconcile, &store.Lookup{Read: q})
	if read == nil || err != nil {
		return nil, err
	}
	out := make(cell.Row, len(x.r.Codec.Table.Columns))
	for i, column := range q.Picked() {
		out[column] = read[i]
	}
	return out, nil
}

// onlyOldStatics returns the static values of a partition that has only these, if all of them were written before a time; otherwise nil.
func (x copyCheck) onlyOldStatics(ctx context.Context, partition cell.Row, limit int64) (statics cell.Row, err error) {
	q := store.Read{Table: x.c.Table, Key: partition, Stamped: true, Consistency: x.db.Config.Consistency}
	ctx, end := x.db.TraceRead(ctx, reconcile, &q)
	defer func() { end(err, 0) }()
	for row, err := range x.db.Store.Rows(ctx, q) {
		if err != nil || row[x.c.Table.Key-1] != nil {
			return nil, err
		}
		s, err := x.c.Stamps(row)
		if err != nil || s.Newest() >= limit {
			return nil, err
		}
		statics = plan.CloneRow(row[:len(x.c.Table.Columns)])
	}
	return statics, nil
}

// staticPartition returns the partition key of a row that was read, if it has only static values.
func staticPartition(c *plan.Projection, read cell.Row) (partition cell.Row, static bool) {
	if read[c.Table.Key-1] != nil {
		return nil, false
	}
	return plan.CloneRow(read[:c.Table.Partition]), true
}

func hasStatic(t *plan.Table) bool {
	return slices.ContainsFunc(t.Columns, func(c descriptor.Column) bool { return c.Kind == projection.Static })
}
