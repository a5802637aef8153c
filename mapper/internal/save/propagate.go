package save

import (
	"log/slog"

	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// Copies writes the copies of the row of a call, and its done-marker.
type Copies struct{ *Call }

// Copies returns the copies of the row.
func (w *Call) Copies() Copies { return Copies{w} }

// CompleteCopies writes the copies and the done-marker of a row whose version a fence may have raised.
func (w Copies) CompleteCopies() error {
	s, failed := w.ReadLasting()
	if s == nil || call.IgnoreMethods(failed) != nil || w.Aggregate.Versioning.Done == nil {
		return failed
	}
	if done, err := w.isMarked(s); done || err != nil {
		return err
	}
	if failed != nil {
		return failed
	}
	copies, err := w.CopyMutations(s)
	if err != nil {
		return err
	}
	return w.SendCopies(copies, s)
}

// CopyMutations returns the mutations that make the copies equal to a state, without the rows that belong to another root.
func (w Copies) CopyMutations(s *plan.State) ([]plan.Mutation, error) {
	unowned, err := w.Reservations().unowned(s)
	if err != nil {
		return nil, err
	}
	parts, err := w.pendingParts(s, w.Aggregate.PendingParts(s))
	if err != nil {
		return nil, err
	}
	copies, err := w.Aggregate.Propagate(s, unowned, parts)
	if err != nil {
		return nil, w.DB.ConstraintError(w.Codec.Table, w.Key, nil, err)
	}
	return copies, nil
}

// SendRaise sends a save that raises the version. It returns ErrChanged if the row has changed.
func (w Copies) SendRaise(save *plan.Save) error {
	answer, err := w.CAS(&save.Root, 1)
	if unknownOutcome(err) || err == nil && !answer.Applied {
		return call.ErrChanged
	}
	return err
}

// synced reports whether the copies of a state have been written and its pending rows have been deleted. It reads the done-marker
// only if there are pending rows.
func (w Copies) synced(s *plan.State) (bool, error) {
	if len(s.Pending) == 0 {
		return true, nil
	}
	return w.isMarked(s)
}

// isMarked reports whether the done-marker shows that the copies of a state are written.
func (w Copies) isMarked(s *plan.State) (bool, error) {
	at, err := w.ReadMarker()
	return at > 0 && at >= s.Version, err
}

// ReadMarker returns the version in the done-marker, or 0 if there is no done-marker.
func (w Copies) ReadMarker() (plan.Version, error) {
	t := w.Aggregate.Versioning.Done
	row, err := w.ReadRow(t, w.Key, w.DB.Config.Consistency)
	if row == nil || err != nil {
		return 0, err
	}
	return plan.DecodeBigint(row[t.Key])
}

// propagate writes the copies, batch by batch. The save has been applied already, so a failure is only logged: the next save of
// the row writes the copies.
func (w Copies) propagate(copies *call.CopyWrites, version plan.Version) {
	if err := copies.Send(w.Ctx, version); err != nil {
		w.DB.Config.Logger.WarnContext(w.Ctx, "mapper: copies are not written yet: the next save of the row writes them",
			slog.String("row", w.rowName()), slog.Any("error", err))
		return
	}
	copies.Acknowledge(version)
}

// SendCopies writes rows of copies of a state, batch by batch.
func (w Copies) SendCopies(mutations []plan.Mutation, s *plan.State) error {
	copies, err := w.newCopyWrites(mutations, s)
	if err != nil {
		return err
	}
	return copies.Send(w.Ctx, s.Version)
}

// Send sends a batch until it is acknowledged. It has the timestamps of its mutations, so it can be repeated.
func (w Copies) Send(mutations []plan.Mutation, version plan.Version) error {
	return w.SendAged(mutations, version, version)
}

// SendAged is Send for mutations whose TTLs are relative to a time.
func (w Copies) SendAged(mutations []plan.Mutation, version plan.Version, of int64) error {
	return w.SendBatch(w.Ctx, w.Op, w.Key, mutations, version, of)
}
