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
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// References are the checked references of the row of a call to other roots, and of other roots to it.
//
// A save writes the rows of the references that it adds to their reverse tables before it reads the targets, and is sent only if all of them exist.
// A deletion of a target first marks it, and reads the reverse tables after that. So either the save finds the mark, or the deletion finds the row
// of the save: a save that has not been applied by then is refused, because the deletion raises the version of its root.
type References struct{ *Call }

// References returns the checked references of the row.
func (w *Call) References() References { return References{w} }

// reverse returns the call with the consistency of reverse tables.
func (w References) reverse() *Call {
	out := *w.Call
	out.DB = w.DB.Reverse()
	return &out
}

// establish writes the rows of the references that a save adds, and checks that their targets exist. Rows of a save that is refused stay: only
// the version of the root can show that the save will not be applied later.
func (w References) establish(save *plan.Save) error {
	if len(save.Added) == 0 {
		return nil
	}
	if err := w.checkKeys(save.Added); err != nil {
		return err
	}
	if err := w.sendRows(save.Added.Rows(save.State.Version), save.State.Version); err != nil {
		return err
	}
	exist, err := w.existing(save.Added.Targets())
	if err != nil {
		return err
	}
	return w.missing(save.Added, func(r plan.Ref) bool { return exist[r.TargetName()] })
}

// checkKeys returns a *mapper.ConstraintError for added references to targets that cannot exist, because a server refuses their keys.
func (w References) checkKeys(added plan.Refs) error {
	return w.missing(added, func(r plan.Ref) bool {
		return w.DB.CheckKey(w.DB.RelatedRoot(r.Target).Codec.Table, r.TargetKey(r.Key)) == nil
	})
}

// missing returns a *mapper.ConstraintError with each reference whose target does not exist.
func (w References) missing(of plan.Refs, exists func(plan.Ref) bool) error {
	var missing []mapper.Violation
	for _, r := range of {
		if !exists(r) {
			missing = append(missing, w.DB.MissingTarget(r.Field, r.Target, r.TargetKey(r.Key)))
		}
	}
	return w.DB.ConstraintError(w.Codec.Table, w.Key, missing, nil)
}

// existing returns the names of the targets that exist. It waits for targets that are being deleted.
func (w References) existing(targets plan.Refs) (map[string]bool, error) {
	exist := make([]bool, len(targets))
	err := w.InParallel(len(targets), func(i int) (err error) {
		exist[i], err = w.exists(targets[i])
		return err
	})
	out := map[string]bool{}
	for i, r := range targets {
		out[r.TargetName()] = exist[i]
	}
	return out, err
}

// TargetName returns the name of the target of a reference.
func (w References) TargetName(r plan.Ref) string {
	return w.DB.TargetName(r.Target, r.TargetKey(r.Key))
}

// exists reports whether the target of a reference exists. It waits while the target is being deleted.
func (w References) exists(r plan.Ref) (bool, error) {
	if w.isOwn(r) {
		return true, nil
	}
	s, err := w.target(r, true)
	return s.Exists(), err
}

// isOwn reports whether the target of a reference is the row of the save itself.
func (w References) isOwn(r plan.Ref) bool {
	key := r.TargetKey(r.Key)
	return r.Target == w.Codec.Table.Name && plan.SameKey(key, w.Key, len(key))
}

// target reads the target of a reference at the serial consistency. For a reference that is added, it waits while the target is being deleted.
func (w References) target(r plan.Ref, added bool) (*plan.State, error) {
	t := w.other(w.DB.RelatedRoot(r.Target), r.TargetKey(r.Key))
	for {
		s, err := t.ReadState(true)
		if err != nil || !s.Exists() || !s.Deleting || !added {
			return s, err
		}
		if err := t.awaitDeletion(s); err != nil {
			return nil, err
		}
	}
}

// other returns a call on a row of another root, or of the same.
func (w *Call) other(of *call.Source, key cell.Row) *Call {
	return NewVersioned(call.NewReader(w.DB, of.Codec), of.Aggregate).Call(w.Ctx, w.Op, key)
}

// awaitDeletion waits until a deletion of the row has ended. When Config.Lease has passed, it carries the deletion on itself.
func (w *Call) awaitDeletion(s *plan.State) error {
	since := w.DB.Env.Elapsed()
	for attempt := 1; w.DB.Env.Elapsed()-since < w.DB.Config.Lease; attempt++ {
		if !w.DB.Env.Pause(w.Ctx, attempt) {
			return fmt.Errorf("%w: %w", mapper.ErrBusy, context.Cause(w.Ctx))
		}
		now, err := w.ReadState(true)
		if err != nil || now == nil || !now.Deleting || now.Version != s.Version {
			return err
		}
	}
	switch err := w.endDeletion(s); {
	case errors.Is(err, errMoreDependents):
		return fmt.Errorf("%w: %w", mapper.ErrBusy, errListedDeletion)
	case err != nil:
		return fmt.Errorf("%w: the deletion cannot be ended: %v", mapper.ErrBusy, err) //nolint:errorlint // an unknown outcome is not that of this call
	}
	return nil
}

// endDeletion carries on the deletion of a row that another call has begun: afterwards the row is deleted, or its deletion is reverted because
// another root refers to it. It returns errMoreDependents after as many roots as a call may delete or clear.
func (w *Call) endDeletion(s *plan.State) error {
	d := w.Versioned.Call(w.Ctx, w.Op, w.Key)
	d.inline = newInline(w.DB.Config)
	for s.Exists() && s.Deleting {
		_, err := d.deleteTarget(s)
		if isRefused(err) {
			return nil
		}
		if !errors.Is(err, call.ErrChanged) {
			return err
		}
		if err := d.Retry(); err != nil {
			return err
		}
		if s, err = d.ReadState(true); err != nil {
			return err
		}
	}
	return nil
}

// deleteTarget deletes a row to which other roots can refer, in one attempt: it marks the row as being deleted, deletes or clears the roots that refer to it,
// and deletes the row. If a root restricts that, the mark is removed again, and the error is a *mapper.HeldError. If all roots that can refer to it keep
// their references, it is deleted without a mark.
func (w *Call) deleteTarget(old *plan.State) (*plan.State, error) {
	s, err := old, w.DB.CheckFilled(w.Ctx, w.Codec.Table.Name)
	if err == nil && !old.Deleting && w.hasDependents() {
		if s, err = w.mark(old); err != nil {
			return nil, err
		}
	}
	if err == nil {
		err = w.References().release()
	}
	if old.Deleting && errors.Is(err, errMoreDependents) { // the row in the outboxes can be missing: it was lost, or an earlier release has marked the row
		err = cmp.Or(w.listDeletion(old.Version), err)
	}
	return w.endMarked(s, err)
}

// isRefused reports whether an error refuses the deletion of a target.
func isRefused(err error) bool {
	_, held := errors.AsType[*mapper.HeldError](err)
	return held || errors.Is(err, mapper.ErrUnfilled)
}

// mark marks the row as being deleted. It returns ErrChanged if the row has changed, or if it is unknown whether the mark was written.
func (w *Call) mark(old *plan.State) (*plan.State, error) {
	mark := plan.PlanDeleting(w.Aggregate, old, true, w.Options())
	if err := w.listDeletion(mark.State.Version); err != nil {
		return nil, err
	}
	answer, err := w.CAS(&mark.Root, 1)
	unknown := unknownOutcome(err)
	if unknown || err == nil && answer.Applied {
		w.marked, w.attempts = true, old.Attempts
	}
	if unknown || err == nil && !answer.Applied {
		err = call.ErrChanged
	}
	return &mark.State, err
}

// unended returns the error of a deletion that has marked the row and has not removed the mark: another call can end the deletion later.
func (w *Call) unended(err error) error {
	if err == nil || !w.marked || mapper.OutcomeUnknown(err) {
		return err
	}
	return w.unknown(err)
}

// endedByOther reports whether another call has carried on the deletion that this call has begun: whether its save is the only one since.
func (w *Call) endedByOther(s *plan.State) bool {
	if s == nil || !s.Deleted || len(s.Attempts) == 0 {
		return false
	}
	before := s.Attempts[:len(s.Attempts)-1]
	return slices.Equal(before, w.attempts[len(w.attempts)-min(len(w.attempts), len(before)):])
}

// revert removes the mark of a deletion, and reports whether the row has none afterwards. It has a time of its own: while a row is marked, saves
// of it wait.
func (w *Call) revert(s *plan.State) bool {
	late, end := w.late()
	defer end()
	var err error
	for attempt := 1; s.Exists() && s.Deleting; attempt++ {
		unmarked := plan.PlanDeleting(w.Aggregate, s, false, w.Options())
		if err = late.Copies().SendRaise(unmarked); err == nil {
			late.unlistDeletion(&unmarked.State)
			return true
		}
		if !w.DB.Env.Pause(late.Ctx, attempt) {
			break
		}
		if s, err = late.ReadState(true); err != nil {
			break
		}
	}
	if err != nil {
		w.DB.Config.Logger.WarnContext(w.Ctx, "mapper: the deletion of a row is not reverted yet: the next write of it, or of a row that refers to it, reverts it",
			slog.String("row", w.rowName()), slog.Any("error", err))
	}
	return err == nil
}

// release deletes or clears all that refers to the row, which is marked as being deleted: so nothing can refer to it anew. It returns a
// *mapper.HeldError if a root restricts the deletion; such roots are looked for first.
func (w References) release() error {
	return w.forEachBucket(func(h call.Holder, bucket int32) error { return w.releaseBucket(h, bucket, w.releaseRow) })
}

// forEachBucket calls do for each partition of a reverse table in which there can be roots that a deletion of the row must not leave.
func (w References) forEachBucket(do func(h call.Holder, bucket int32) error) error {
	for _, h := range w.DB.Holders(w.Codec.Table.Name) {
		if h.OnDelete == descriptor.Keep {
			continue
		}
		for bucket := range int32(w.DB.Buckets(h.CheckedReference.Table)) {
			if err := do(h, bucket); err != nil {
				return err
			}
		}
	}
	return nil
}

// bucketRead returns the read of one partition of a reverse table, with the write times that DeleteStray needs.
func (w References) bucketRead(r *plan.CheckedReference, bucket int32) store.Read {
	return store.Read{Table: r.Table, Key: append(slices.Clone(w.Key), plan.BucketCell(bucket)), Written: true, Consistency: w.DB.Reverse().Config.Consistency}
}

// releaseBucket calls release for each row of one partition of a reverse table.
func (w References) releaseBucket(h call.Holder, bucket int32, release func(h call.Holder, row cell.Row) error) (err error) {
	read := w.bucketRead(h.CheckedReference, bucket)
	ctx, end := w.DB.TraceRead(w.Ctx, w.Op, &read)
	rows := 0
	defer func() { end(err, rows) }()
	for row, err := range w.DB.Store.Rows(ctx, read) {
		if err == nil {
			rows++
			err = release(h, plan.CloneRow(row))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// releaseRow deletes or clears the root that a row of a reverse table names, or deletes the row if the root does not refer to this one.
func (w References) releaseRow(h call.Holder, row cell.Row) error {
	c := w.other(h.Source, h.HolderKey(row))
	c.path, c.inline = append(slices.Clip(w.path), w.name()), w.inline
	for {
		held, err := c.References().DeleteStray(h.CheckedReference, row)
		if !errors.Is(err, call.ErrChanged) {
			if err != nil || !held || c.name() == w.name() || h.OnDelete != descriptor.Clear && slices.Contains(c.path, c.name()) {
				return err // a root that refers to itself, or whose deletion has led here: it is deleted after this one
			}
			return c.releaseCounted(h, w)
		}
		if err := c.Retry(); err != nil {
			return err
		}
	}
}

// isTarget reports whether other roots of the store can refer to the root.
func (r Versioned) isTarget() bool { return len(r.DB.Holders(r.Codec.Table.Name)) > 0 }

// hasDependents reports whether other roots can refer to the root by references that a deletion of it must not leave.
func (r Versioned) hasDependents() bool {
	return slices.ContainsFunc(r.DB.Holders(r.Codec.Table.Name), func(h call.Holder) bool { return h.OnDelete != descriptor.Keep })
}

// name identifies the row of a call among the rows of all roots.
func (w *Call) name() string {
	return w.Codec.Table.Name + "\x00" + call.KeyString(w.Key, len(w.Key))
}

// releaseFrom deletes or clears the root of the call, which refers to the row of another call, or returns why it restricts the deletion.
func (w *Call) releaseFrom(h call.Holder, target References) error {
	var next func(*plan.State) (cell.Row, error)
	switch h.OnDelete {
	case descriptor.Restrict:
		t, of := w.Codec.Table, target.Codec.Table
		return &mapper.HeldError{Aggregate: of.Aggregate, Table: of.Name, Key: of.KeyText(target.Key), Field: h.Field, Holder: t.Aggregate, HolderTable: t.Name, HolderKey: t.KeyText(w.Key)}
	case descriptor.Cascade:
		next = func(s *plan.State) (cell.Row, error) {
			if !s.Exists() {
				return nil, errNothing
			}
			return nil, nil
		}
	default:
		w.clears = true
		next = func(s *plan.State) (cell.Row, error) { return w.cleared(s, h.CheckedReference, target.Key) }
	}
	// A plain read can miss the save that refers to the target, if a client of another data centre has sent it.
	saved, err := w.saveOverRead(true, next)
	switch {
	case errors.Is(err, errNothing):
		return nil
	case err == nil && w.Aggregate.PartsSince(saved) > 0:
		err = w.FinishParts(w.Ctx)
	}
	return w.wrap(err)
}

// cleared returns the row of a state without its reference to a target.
func (w *Call) cleared(s *plan.State, r *plan.CheckedReference, target cell.Row) (cell.Row, error) {
	if !s.Exists() {
		return nil, errNothing
	}
	row, has := r.Cleared(w.Codec.Table, s.Row, target)
	if !has {
		return nil, errNothing
	}
	var d cell.Decoder
	v, err := w.Decode(&d, row)
	if err != nil {
		return nil, err
	}
	w.value = v
	return w.encodeChanged(row, s.Row, v, true)
}

// Holds reports whether the root of the call refers to the target of a row of a reverse table.
func (w References) Holds(r *plan.CheckedReference, row cell.Row) (bool, error) {
	_, held, err := w.holds(r, row)
	return held, err
}

func (w References) holds(r *plan.CheckedReference, row cell.Row) (s *plan.State, held bool, err error) {
	if s, err = w.ReadState(true); err != nil {
		return nil, false, err
	}
	refs, err := w.Aggregate.Refs(s)
	return s, refs.HasTarget(r, r.TargetKey(row)), err
}

// DeleteStray deletes a row of a reverse table, which was read with its write time, if the root of the call does not refer to its target. Before that it
// raises the version of the root, so that the save that has written the row cannot be applied. It returns ErrChanged if the root has been saved in between.
func (w References) DeleteStray(r *plan.CheckedReference, row cell.Row) (held bool, err error) {
	s, held, err := w.holds(r, row)
	if held || err != nil {
		return held, err
	}
	at, err := r.WrittenAt(row, w.DB.Config.Now().UnixMicro())
	if err != nil {
		return false, err
	}
	if s.CurrentVersion() < at {
		fence := plan.PlanFence(w.Aggregate, s, w.Key, at, w.Options())
		if err := w.Copies().SendRaise(fence); err != nil {
			return false, err
		}
	}
	return false, w.reverse().Copies().Send([]plan.Mutation{r.DeleteRef(row, at)}, at)
}

// Unrecorded reports whether the row of a reference is missing in its reverse table.
func (w References) Unrecorded(r plan.Ref) (bool, error) {
	row, err := w.ReadRow(r.Table, r.Key, w.DB.Reverse().Config.Consistency)
	return row == nil, err
}

// TargetExists reports whether the target of a reference exists. A serial read sees a save in flight.
func (w References) TargetExists(r plan.Ref, serial bool) (bool, error) {
	s, err := w.other(w.DB.RelatedRoot(r.Target), r.TargetKey(r.Key)).ReadState(serial)
	return s.Exists(), err
}

// Record writes the rows of the references of a state that are missing in their reverse tables, at its version.
func (w References) Record(s *plan.State) error {
	refs, err := w.Aggregate.Refs(s)
	if err == nil {
		_, err = w.recordAt(refs, s.CurrentVersion())
	}
	return err
}

// recordAt writes the rows of references that are missing, at a version, and reports whether there were any.
func (w References) recordAt(refs plan.Refs, at plan.Version) (bool, error) {
	missing := make([]bool, len(refs))
	err := w.InParallel(len(refs), func(i int) (err error) {
		missing[i], err = w.Unrecorded(refs[i])
		return err
	})
	var rows []plan.Mutation
	for i, r := range refs {
		if missing[i] {
			rows = append(rows, r.Put(at))
		}
	}
	if rows == nil || err != nil {
		return false, err
	}
	return true, w.sendRows(rows, at)
}

// sendRows writes rows of reverse tables until they are acknowledged.
func (w References) sendRows(mutations []plan.Mutation, at plan.Version) error {
	rows, err := w.reverse().NewCopyWrites(w.Op, w.Key, mutations)
	if err == nil {
		err = rows.Send(w.Ctx, at)
	}
	return err
}
