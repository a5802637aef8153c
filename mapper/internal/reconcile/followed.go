package reconcile

import (
	"context"
	"errors"
	"strings"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/save"
	"github.com/cassaml/cassaml/mapper/internal/scan"
)

// newOutboxScan returns a scan of the outboxes of a root.
func newOutboxScan(x *run, r save.Versioned) *scan.RowScan[*plan.Outbox] {
	t := r.Aggregate.Versioning.Outboxes
	of := func(row cell.Row) (*plan.Outbox, error) {
		if plan.OutboxSource(row) != r.Codec.Table.Name {
			return nil, nil
		}
		o, err := r.Aggregate.DecodeOutbox(row)
		return &o, err
	}
	s := scan.NewRowScan(r.Root, scan.FillConfig{}, t.Name+" of "+r.Codec.Table.Name, of, func(ctx context.Context, o *plan.Outbox) error {
		if o == nil {
			return nil
		}
		return x.newRootCheck(r.Root).checkOutbox(ctx, r, o.Key, o.At, t)
	})
	return tolerant(x, s, t)
}

// checkOutbox serves the outbox of a row, which the outboxes list at a version. One of the last Config.Lease may belong to a save that has not ended.
// The finding is about a table.
func (x rootCheck) checkOutbox(ctx context.Context, r save.Versioned, key cell.Row, listed plan.Version, of *plan.Table) error {
	if listed > x.now()-x.db.Config.Lease.Microseconds() {
		x.countLater()
		return nil
	}
	named := key
	if of == r.Aggregate.Versioning.Outboxes {
		named = r.Aggregate.OutboxKey(key)
	}
	d := drift(mapper.DriftUnpropagated, r.Root, of, named)
	d.Reason = "fields of other roots have not followed a change of the row"
	if !x.config.DryRun {
		err := r.Resume(ctx, reconcile, key, listed)
		switch {
		case call.IsRowError(err):
			d.Reason = err.Error()
		case ctx.Err() == nil && (errors.Is(err, mapper.ErrConflict) || errors.Is(err, mapper.ErrBusy)):
			x.countLater()
			return nil
		case err != nil:
			return err
		default:
			d.Repaired, d.Reason = true, ""
		}
	}
	x.addFinding(d)
	return nil
}

// checkFollowed saves a row again if fields differ from the fields of other roots that they follow.
func (x rowCheck) checkFollowed() error {
	s, err := x.w.ReadState(true)
	if err != nil || !s.Exists() || s.Deleting {
		return err
	}
	stale, err := x.w.References().StaleFields(s, true)
	if err != nil || stale == nil {
		return err
	}
	d := drift(mapper.DriftStale, x.w.Root, x.w.Codec.Table, x.w.Key)
	d.Reason = "does not have the values of the root to which it refers: " + strings.Join(stale, ", ")
	if !x.config.DryRun {
		switch err := x.w.References().FollowAgain(s); {
		case call.IsRowError(err):
			d.Reason = err.Error()
		case err != nil:
			return err
		default:
			d.Repaired, d.Reason = true, ""
		}
	}
	x.addFinding(d)
	return nil
}

// compareFollowing serves the outbox of a row if it is set, and examines the fields that follow other roots.
func (x *run) compareFollowing(ctx context.Context, r save.Versioned, key cell.Row, s *plan.State) error {
	if s != nil && s.Outbox > 0 {
		if err := x.newRootCheck(r.Root).checkOutbox(ctx, r, key, s.Outbox, r.Codec.Table); err != nil {
			return err
		}
	}
	if !s.Exists() || !r.Aggregate.Follows() {
		return nil
	}
	return x.forRow(ctx, r, key, func(w *save.Call) error { return x.newRowCheck(w).checkFollowed() })
}

// reconcileFollowing is compareFollowing for a row that has not been read.
func (x *run) reconcileFollowing(ctx context.Context, r save.Versioned, key cell.Row) error {
	if r.Aggregate.Versioning.Outbox == 0 && !r.Aggregate.Follows() {
		return nil
	}
	var s *plan.State
	err := x.forRow(ctx, r, key, func(w *save.Call) (err error) {
		s, err = w.ReadState(true)
		return err
	})
	if err != nil {
		return err
	}
	return x.compareFollowing(ctx, r, key, s)
}
