package save

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"

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

// all is the limit of a call that serves any number of holders.
const all = -1

// errMoreHolders is the error of a call that has served as many holders as it may.
var errMoreHolders = errors.New("more roots follow the row than Config.FanOutInline")

// serveSome lets up to Config.FanOutInline holders follow a save of the row. The save has been applied, so a failure is only logged:
// FanOut and Reconcile serve the others.
func (w Outbox) serveSome(s *plan.State) {
	limit := w.DB.Config.FanOutInline
	if limit < 0 {
		return
	}
	err := w.serve(s, limit)
	if err == nil {
		err = w.clear(s)
	}
	if err != nil && !errors.Is(err, errMoreHolders) {
		w.DB.Config.Logger.WarnContext(w.Ctx, "mapper: not all copies of fields of a row have followed yet: FanOut and Reconcile complete them",
			slog.String("row", w.rowName()), slog.Any("error", err))
	}
}

// serve lets the holders follow a state of the row. It reads the reverse tables, so the state must have been applied before. It returns errMoreHolders after as many holders as the limit.
func (w Outbox) serve(s *plan.State, limit int) error {
	var failed error
	for _, h := range w.DB.Holders(w.Codec.Table.Name) {
		if !h.Follows() {
			continue
		}
		for bucket := range int32(w.DB.Buckets(h.CheckedReference.Table)) {
			n, err := w.serveBucket(h, bucket, s.Outbox, limit)
			if errors.Is(err, errMoreHolders) {
				return err
			}
			failed = cmp.Or(failed, err)
			if limit != all {
				limit -= n
			}
		}
	}
	return failed
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

// serveBucket is serve for one partition of a reverse table. It returns the number of its rows. A holder that fails does not stop the others.
func (w Outbox) serveBucket(h call.Holder, bucket int32, version plan.Version, limit int) (n int, failed error) {
	read := store.Read{Table: h.CheckedReference.Table, Key: append(slices.Clone(w.Key), plan.BucketCell(bucket)), Consistency: w.DB.Reverse().Config.Consistency}
	ctx, end := w.DB.TraceRead(w.Ctx, w.Op, &read)
	defer func() { end(failed, n) }()
	var rows []cell.Row
	flush := func() {
		if w.pace != nil {
			w.pace.Add(len(rows))
			failed = cmp.Or(failed, w.pace.Wait(w.Ctx))
		}
		errs := make([]error, len(rows))
		w.DB.Env.RunAll(len(rows), func(i int) { errs[i] = w.serveRow(h, rows[i], version) })
		failed, rows = cmp.Or(failed, cmp.Or(errs...)), nil
	}
	for row, err := range w.DB.Store.Rows(ctx, read) {
		if err != nil {
			return n, err
		}
		if n == limit {
			flush()
			return n, cmp.Or(failed, errMoreHolders)
		}
		n++
		if rows = append(rows, plan.CloneRow(row)); len(rows) == holdersAtATime {
			flush()
		}
	}
	flush()
	return n, failed
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
	return r.resume(ctx, op, key, listed, nil)
}

// resume is Resume with a limit of the holders that are examined per second.
func (r Versioned) resume(ctx context.Context, op string, key cell.Row, listed plan.Version, pace *scan.Pace) error {
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
		return r.resumeDeletion(ctx, op, key, listed, pace)
	}
	if err := (Outbox{r.Call(ctx, op, key), pace}).serve(set, all); err != nil {
		return err
	}
	return r.ForRow(ctx, op, key, func(w *Call) error {
		if err := w.Outbox().clear(set); err != nil || listed <= set.Outbox {
			return err
		}
		_, err := w.Outbox().unserved(listed)
		return err
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
