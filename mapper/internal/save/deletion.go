package save

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/scan"
)

// inline counts the roots that a call deletes or clears with a row.
type inline struct{ left, done int }

// newInline returns the limit of one call.
func newInline(c mapper.Config) *inline { return &inline{left: max(0, c.FanOutInline)} }

// errMoreDependents is the error of a call that has deleted or cleared as many roots as it may.
var errMoreDependents = errors.New("more roots refer to the row than one call may delete or clear (Config.FanOutInline): FanOut or Reconcile finishes the deletion")

// errListedDeletion is the error of a save that waits for a deletion, and may not end it itself. The deletion is listed in the outboxes.
var errListedDeletion = errors.New("the deletion cannot be ended: " + errMoreDependents.Error())

// releaseCounted is releaseFrom for one of the roots that the call may delete or clear.
func (w *Call) releaseCounted(h call.Holder, target References) error {
	if h.OnDelete == descriptor.Restrict || w.inline == nil {
		return w.releaseFrom(h, target)
	}
	if w.inline.left == 0 {
		return errMoreDependents
	}
	w.inline.left--
	err := w.releaseFrom(h, target)
	if err == nil {
		w.inline.done++
	}
	return err
}

// pending returns a *mapper.PendingError for a deletion that has more to delete or clear than the call may.
func (w *Call) pending(err error) error {
	if !errors.Is(err, errMoreDependents) {
		return err
	}
	t := w.Codec.Table
	w.marked = false // the outcome is known: the deletion will end
	return &mapper.PendingError{Aggregate: t.Aggregate, Table: t.Name, Key: t.KeyText(w.Key), Done: w.inline.done}
}

// listsDeletions reports whether the outboxes list the deletions of the root: only then is there any number of roots to delete or clear with a row.
func (r Versioned) listsDeletions() bool {
	return r.Aggregate.Versioning.Outboxes != nil && slices.ContainsFunc(r.DB.Holders(r.Codec.Table.Name), func(h call.Holder) bool {
		return h.OnDelete == descriptor.Cascade || h.OnDelete == descriptor.Clear
	})
}

// listDeletion lists the row in the outboxes before it is marked as being deleted at a version, so that FanOut finds it whatever happens to the call.
func (w *Call) listDeletion(at plan.Version) error {
	if !w.listsDeletions() {
		return nil
	}
	return w.References().sendRows([]plan.Mutation{w.Aggregate.PutOutbox(w.Key, at)}, at)
}

// unlistDeletion removes the row from the outboxes after a save that has ended its deletion, unless its outbox is set. No save below its version can be
// applied any more.
func (w *Call) unlistDeletion(s *plan.State) {
	if !w.listsDeletions() || s.Outbox > 0 {
		return
	}
	if err := w.Outbox().remove(s.Version); err != nil {
		w.DB.Config.Logger.WarnContext(w.Ctx, "mapper: the deletion of a row has ended, and aml_outboxes still lists it: FanOut and Reconcile remove it from there",
			slog.String("row", w.rowName()), slog.Any("error", err))
	}
}

// endMarked deletes a row that is marked as being deleted. If a root that refers to it refuses that, it removes the mark.
func (w *Call) endMarked(s *plan.State, released error) (*plan.State, error) {
	err := released
	if isRefused(err) && w.revert(s) {
		w.marked = false
	}
	if err != nil {
		return nil, err
	}
	saved, err := w.saveOnce(s, nil)
	if err == nil {
		w.unlistDeletion(saved)
	}
	return saved, err
}

// FinishDeletion carries on the deletion of a row that another call has begun, if it is marked as being deleted: afterwards the row is deleted, or its
// deletion is reverted because another root refers to it. Each root that is deleted or cleared has the time of a call; all of them have the time of the
// context.
func (r Versioned) FinishDeletion(ctx context.Context, op string, key cell.Row) error {
	return r.finishDeletion(ctx, op, key, nil, nil)
}

// finishDeletion is FinishDeletion with the rows whose deletion has led to this one, and a limit of the roots that are examined per second.
func (r Versioned) finishDeletion(ctx context.Context, op string, key cell.Row, path []string, pace *scan.Pace) error {
	w := r.Call(ctx, op, key)
	w.path = path
	return w.Repeat(func() error {
		var s *plan.State
		err := r.ForRow(ctx, op, key, func(w *Call) (err error) {
			s, err = w.ReadState(true)
			return err
		})
		if err != nil || !s.Exists() || !s.Deleting {
			return err
		}
		if err = r.DB.CheckFilled(ctx, r.Codec.Table.Name); err == nil {
			err = w.References().releaseAll(pace)
		}
		if err != nil && !isRefused(err) {
			return err
		}
		return r.endReleased(ctx, op, key, s, err)
	})
}

// endReleased is endMarked with the time of a call. If the deletion that it ends is refused, it returns no error when the mark is removed.
func (r Versioned) endReleased(ctx context.Context, op string, key cell.Row, s *plan.State, released error) error {
	var saved *plan.State
	marked := true
	err := r.ForRow(ctx, op, key, func(w *Call) (err error) {
		w.marked = true
		saved, err = w.endMarked(s, released)
		marked = w.marked
		return err
	})
	switch {
	case isRefused(err) && marked:
		return fmt.Errorf("mapper: a deletion is refused, and its mark could not be removed: %v", err) //nolint:errorlint // it does not refuse the deletion of another root
	case isRefused(err):
		return nil
	case err == nil && r.Aggregate.PartsSince(saved) > 0:
		return r.Call(ctx, op, key).FinishParts(ctx)
	}
	return err
}

// releaseAll is release without a limit. A root that cannot be deleted or cleared does not stop the others. But while it is unknown whether a root
// restricts the deletion, none is deleted or cleared.
func (w References) releaseAll(pace *scan.Pace) (failed error) {
	var unknown error
	err := w.forEachBucket(func(h call.Holder, bucket int32) error {
		restricts := h.OnDelete == descriptor.Restrict
		if unknown != nil && !restricts {
			return unknown
		}
		err := w.releaseWholeBucket(h, bucket, pace)
		if isRefused(err) || w.Ctx.Err() != nil {
			return err
		}
		if failed = cmp.Or(failed, err); restricts {
			unknown = failed
		}
		return nil
	})
	return cmp.Or(err, failed)
}

// releaseWholeBucket is releaseAll for one partition of a reverse table.
func (w References) releaseWholeBucket(h call.Holder, bucket int32, pace *scan.Pace) (failed error) {
	var rows []cell.Row
	flush := func() {
		if pace != nil {
			pace.Add(len(rows))
			failed = cmp.Or(failed, pace.Wait(w.Ctx))
		}
		errs := make([]error, len(rows))
		w.DB.Env.RunAll(len(rows), func(i int) { errs[i] = w.releaseWhole(h, rows[i], pace) })
		for _, err := range errs {
			if failed == nil || isRefused(err) {
				failed = err
			}
		}
		rows = nil
	}
	err := w.releaseBucket(h, bucket, func(_ call.Holder, row cell.Row) error {
		if rows = append(rows, row); len(rows) == holdersAtATime || h.OnDelete == descriptor.Restrict {
			flush()
		}
		if isRefused(failed) {
			return failed
		}
		return w.Ctx.Err()
	})
	if flush(); err != nil {
		return err
	}
	return failed
}

// releaseWhole is releaseRow with the time of a call. If more roots are deleted with the root of the row than one call may delete, or if their number per
// second is limited, they have a time of their own.
func (w References) releaseWhole(h call.Holder, row cell.Row, pace *scan.Pace) error {
	return w.Repeat(func() error {
		err := w.ForRow(w.Ctx, w.Op, w.Key, func(target *Call) error {
			target.path, target.inline = w.path, &inline{left: 1} // the root of the row
			if pace == nil || pace.Rate == 0 {
				target.inline.left += newInline(w.DB.Config).left
			}
			return target.References().releaseRow(h, row)
		})
		if !errors.Is(err, errMoreDependents) {
			return err
		}
		child := NewVersioned(call.NewReader(w.DB, h.Codec), h.Source.Aggregate)
		if err := child.finishDeletion(w.Ctx, w.Op, h.HolderKey(row), append(slices.Clip(w.path), w.name()), pace); err != nil {
			return err
		}
		return call.ErrChanged
	})
}

// resumeDeletion is resume for a row that is being deleted.
func (r Versioned) resumeDeletion(ctx context.Context, op string, key cell.Row, listed plan.Version, pace *scan.Pace, serve func(Outbox, *plan.State) error) error {
	if err := r.finishDeletion(ctx, op, key, nil, pace); err != nil {
		return err
	}
	return r.resume(ctx, op, key, listed, pace, serve)
}
