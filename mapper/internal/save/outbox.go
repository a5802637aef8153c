package save

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"log/slog"
	"sync/atomic"

	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/scan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// Outbox is the outbox of the row of a call: the version of the last save that has changed columns which columns of other roots, the holders,
// follow. It is cleared when all holders have followed. A row in the table of outboxes, written before such a save, names the root.
type Outbox struct {
	*Call
	pace *scan.Pace // nil: no limit
}

// Outbox returns the outbox of the row.
func (w *Call) Outbox() Outbox { return Outbox{Call: w} }

// holdersAtATime is the number of holders of one row that are saved at the same time.
const holdersAtATime = 16

// holdersInOrder is the number of holders after which a bucket is served up to a position: before the next of them is saved, all before have
// followed, or have failed.
const holdersInOrder = 1000

// serveSome lets up to Config.FanOutInline holders follow a save of the row. The save has been applied, so a failure is only logged:
// FanOut and Reconcile serve the others.
func (w Outbox) serveSome(s *plan.State) {
	limit := w.DB.Config.FanOutInline
	if limit < 0 {
		return
	}
	rows, more, err := w.first(limit)
	if err == nil {
		err = w.serveRows(rows, s.Outbox)
	}
	if err == nil && !more {
		err = w.clear(s)
	}
	if err != nil {
		w.DB.Config.Logger.WarnContext(w.Ctx, "mapper: not all copies of fields of a row have followed yet: FanOut and Reconcile complete them",
			slog.String("row", w.rowName()), slog.Any("error", err))
	}
}

// holderBucket is a partition of a reverse table with rows of one target.
type holderBucket struct {
	call.Holder

	number int32
}

// holderRow is a row of a reverse table, which names a holder.
type holderRow struct {
	call.Holder

	row cell.Row
}

// buckets returns the partitions of the reverse tables that have the holders of the row.
func (w Outbox) buckets() (all []holderBucket) {
	for _, h := range w.DB.Holders(w.Codec.Table.Name) {
		if !h.Follows() {
			continue
		}
		for number := range int32(w.DB.Buckets(h.CheckedReference.Table)) {
			all = append(all, holderBucket{h, number})
		}
	}
	return all
}

// rows returns the rows of a bucket whose holders come after a key, at most as many as the limit. A nil key is the beginning, and 0 is no limit.
func (w Outbox) rows(b holderBucket, after cell.Row, limit int) iter.Seq2[holderRow, error] {
	read := w.References().bucketRead(b.CheckedReference, b.number)
	read.Limit = limit
	if after != nil {
		read.Low = store.Bound{Comparison: store.MoreThan, Values: after}
	}
	return func(yield func(holderRow, error) bool) {
		var failed error
		n := 0
		ctx, end := w.DB.TraceRead(w.Ctx, w.Op, &read)
		defer func() { end(failed, n) }()
		for row, err := range w.DB.Store.Rows(ctx, read) {
			if failed = err; err != nil {
				yield(holderRow{}, err)
				return
			}
			if n++; !yield(holderRow{b.Holder, plan.CloneRow(row)}, nil) {
				return
			}
		}
	}
}

// first returns some holders of the row, and whether there are more. It reads the reverse tables, so the state that they are to follow must have
// been applied before.
func (w Outbox) first(limit int) (found []holderRow, more bool, err error) {
	for _, b := range w.buckets() {
		for row, err := range w.rows(b, nil, limit+1-len(found)) {
			switch {
			case err != nil:
				return nil, false, err
			case len(found) == limit:
				return found, true, nil
			}
			found = append(found, row)
		}
	}
	return found, false, nil
}

// serve lets all holders follow a state of the row, which must have been applied before. A holder that fails does not stop the others.
func (w Outbox) serve(s *plan.State) (failed error) {
	for _, b := range w.buckets() {
		failed = cmp.Or(failed, w.serveBucket(b, s.Outbox, nil, func(cell.Row) error { return nil }))
	}
	return failed
}

// serveBucket is serve for the holders of a bucket after a key. It calls followed with a key when all holders up to it have followed, unless
// one has failed before.
func (w Outbox) serveBucket(b holderBucket, version plan.Version, after cell.Row, followed func(last cell.Row) error) (failed error) {
	var rows []holderRow
	for row, err := range w.rows(b, after, 0) {
		if err != nil {
			return cmp.Or(failed, err)
		}
		if len(rows) == w.DB.Env.Parallel(holdersInOrder) {
			if failed = cmp.Or(failed, w.serveRows(rows, version)); failed == nil {
				if err := followed(b.HolderKey(rows[len(rows)-1].row)); err != nil {
					return err
				}
			}
			rows = rows[:0]
		}
		rows = append(rows, row)
	}
	return cmp.Or(failed, w.serveRows(rows, version))
}

// serveRows lets the holders that rows of reverse tables name follow.
func (w Outbox) serveRows(rows []holderRow, version plan.Version) error {
	errs := make([]error, len(rows))
	var next atomic.Int64
	w.DB.Env.RunAll(min(holdersAtATime, len(rows)), func(int) {
		for i := int(next.Add(1)) - 1; i < len(rows); i = int(next.Add(1)) - 1 {
			if errs[i] = w.wait(); errs[i] == nil {
				errs[i] = w.serveRow(rows[i].Holder, rows[i].row, version)
			}
		}
	})
	return cmp.Or(errs...)
}

// wait waits until the next holder may be examined.
func (w Outbox) wait() error {
	if w.pace == nil {
		return w.Ctx.Err()
	}
	w.pace.Add(1)
	return w.pace.Wait(w.Ctx)
}

// clear clears the outbox of a state whose holders have followed, and removes the row from the outboxes.
func (w Outbox) clear(s *plan.State) error {
	answer, err := w.CAS(plan.PlanServed(w.Aggregate, s), 1)
	if err != nil || !answer.Applied {
		return err // a later save has set the outbox again, or deleted the row: its own row in the outboxes remains
	}
	return w.remove(s.Outbox)
}

// remove removes the row from the outboxes, as listed up to a version.
func (w Outbox) remove(at plan.Version) error {
	return w.References().reverse().Copies().Send([]plan.Mutation{w.Aggregate.DeleteOutbox(w.Key, at)}, at)
}

// serveRow lets the root that a row of a reverse table names follow, or deletes the row if the root does not refer to this one. It has the time
// of a call.
func (w Outbox) serveRow(h call.Holder, row cell.Row, version plan.Version) error {
	holder := NewVersioned(call.NewReader(w.DB, h.Codec), h.Aggregate)
	return holder.ForRow(w.Ctx, w.Op, h.HolderKey(row), func(c *Call) error {
		for {
			held, err := c.refresh(h.CheckedReference, w.Key, version)
			if held || err != nil {
				return err
			}
			if held, err = c.References().DeleteStray(h.CheckedReference, row); !held && !errors.Is(err, call.ErrChanged) {
				return err
			}
			if err := c.Retry(); err != nil {
				return err
			}
		}
	})
}

// Resume ends the deletion of a row if it has begun, serves its outbox if it is set, and removes the row from the outboxes, which have listed it at a version. If the save that has
// listed it can still be applied, it prevents that. Each step has the time of a call; all of them have the time of the context.
func (r Versioned) Resume(ctx context.Context, op string, key cell.Row, listed plan.Version) error {
	return r.resume(ctx, op, key, listed, nil, Outbox.serve)
}

// resume is Resume with a limit of the holders that are examined per second, and with the function that lets the holders follow.
func (r Versioned) resume(ctx context.Context, op string, key cell.Row, listed plan.Version, pace *scan.Pace, serve func(Outbox, *plan.State) error) error {
	var set *plan.State
	err := r.ForRow(ctx, op, key, func(w *Call) error {
		return w.Repeat(func() (err error) {
			set, err = w.Outbox().unserved(listed)
			return err
		})
	})
	switch {
	case err != nil || set == nil:
		return err
	case set.Deleting:
		return r.resumeDeletion(ctx, op, key, listed, pace, serve)
	}
	if err := serve(Outbox{r.Call(ctx, op, key), pace}, set); err != nil {
		return err
	}
	return r.ForRow(ctx, op, key, func(w *Call) error {
		if err := w.Outbox().clear(set); err != nil || listed <= set.Outbox {
			return err
		}
		return w.Repeat(func() error {
			_, err := w.Outbox().unserved(listed)
			return err
		})
	})
}

// unserved returns the state of the row if its outbox is set, or if it is being deleted. Otherwise it removes the row from the outboxes, which have
// listed it at a version.
func (w Outbox) unserved(listed plan.Version) (set *plan.State, err error) {
	s, err := w.ReadState(true)
	if err != nil || s != nil && s.Outbox > 0 || s.Exists() && s.Deleting {
		return s, err
	}
	if s.CurrentVersion() < listed {
		if err := w.Copies().SendRaise(plan.PlanFence(w.Aggregate, s, w.Key, listed, w.Options())); err != nil {
			return nil, err
		}
	}
	return nil, w.remove(listed)
}
