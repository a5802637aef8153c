package save

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// saveOver reads the row and saves the row that next returns, and starts over if another save has changed the row in between. If
// next returns a nil row, the row is deleted.
func (w *Call) saveOver(next func(*plan.State) (cell.Row, error)) (*plan.State, error) {
	return w.saveOverRead(false, next)
}

// saveOverRead is saveOver whose first read is serial, if it must not miss a save in flight, or plain.
func (w *Call) saveOverRead(serial bool, next func(*plan.State) (cell.Row, error)) (*plan.State, error) {
	for ; ; serial = true {
		s, err := w.readShown(serial)
		if err != nil {
			return nil, err
		}
		saved, err := w.saveNext(s, next)
		if !errors.Is(err, call.ErrChanged) {
			return saved, err
		}
		if err := w.Retry(); err != nil {
			return nil, err
		}
	}
}

// saveNext saves the row that next returns for a state, in one attempt.
func (w *Call) saveNext(s *plan.State, next func(*plan.State) (cell.Row, error)) (*plan.State, error) {
	row, err := next(s)
	if err != nil {
		return nil, err
	}
	return w.save(s, row)
}

// save replaces an old state with a new row, in one attempt. It returns ErrChanged if the row no longer has the old state.
func (w *Call) save(old *plan.State, row cell.Row) (*plan.State, error) {
	if err := w.DB.Admit([]plan.Mutation{{Table: w.Codec.Table}}); err != nil {
		return nil, err
	}
	switch {
	case row == nil && old.Exists() && w.isTarget():
		return w.deleteTarget(old)
	case old.Exists() && old.Deleting && !w.clears:
		return nil, cmp.Or(w.awaitDeletion(old), call.ErrChanged)
	}
	return w.saveOnce(old, row)
}

// saveOnce is save for a row that is not being deleted, or whose deletion has nothing left to wait for.
func (w *Call) saveOnce(old *plan.State, row cell.Row) (*plan.State, error) {
	o := w.Options()
	if old != nil && !w.blind {
		var err error
		if o.Synced, err = w.Copies().synced(old); err != nil {
			return nil, err
		}
		if err = w.completeParts(old, o.Synced); err != nil {
			return nil, err
		}
		o.Settled = true
	}
	row, err := w.References().follow(old, row, o)
	if err != nil {
		return nil, err
	}
	save, copies, err := w.prepare(old, row, o)
	if err != nil {
		return nil, err
	}
	taken, err := w.Reservations().claim(old, save)
	if err != nil {
		return nil, err
	}
	planned := save.State.Version
	if o.Floor, o.Unowned = taken.floor, taken.unowned; !save.ExceedsFloor(o.Floor) || len(o.Unowned) > 0 {
		if save, copies, err = w.prepare(old, row, o); err != nil {
			w.Reservations().releaseCreated(taken.created, planned)
			return nil, err
		}
	}
	if err := w.announce(save); err != nil {
		w.Reservations().releaseCreated(taken.created, save.State.Version)
		return nil, err
	}
	outcome, err := w.commit(old, save, func(attempt int) (store.Answer, error) { return w.CAS(&save.Root, attempt) })
	if outcome == plan.NotApplied {
		w.Reservations().releaseCreated(taken.created, save.State.Version)
	}
	if err != nil {
		return nil, err
	}
	w.Copies().propagate(copies, save.State.Version)
	w.Reservations().release(taken, save.State.Version)
	if save.ChangesFollowed() {
		w.Outbox().serveSome(&save.State)
	}
	return &save.State, nil
}

// announce writes the rows that other calls must find before the save is applied: the rows of its references, and the row of its outbox.
func (w *Call) announce(save *plan.Save) error {
	if err := w.References().establish(save); err != nil {
		return err
	}
	if save.ChangesFollowed() {
		return w.References().sendRows([]plan.Mutation{w.Aggregate.PutOutbox(w.Key, save.State.Version)}, save.State.Version)
	}
	return nil
}

// prepare plans a save and the batches of its copies. Its errors are found before anything is sent.
func (w *Call) prepare(old *plan.State, row cell.Row, o plan.SaveOptions) (*plan.Save, *call.CopyWrites, error) {
	save, err := w.plan(old, row, o)
	if err != nil {
		return nil, nil, w.DB.ConstraintError(w.Codec.Table, w.Key, nil, err)
	}
	copies, err := w.newCopyWrites(w.DB.Uncached(save.Copies(w.Aggregate)), &save.State)
	return save, copies, err
}

// newCopyWrites returns the writes of copies of a state. The copies of a row that expires are sent with the rest of its TTL.
func (w *Call) newCopyWrites(mutations []plan.Mutation, s *plan.State) (*call.CopyWrites, error) {
	if w.Aggregate.Versioning.Live == 0 {
		return w.NewCopyWrites(w.Op, w.Key, mutations)
	}
	mutations = w.Aggregate.Shorten(mutations, w.DB.Config.Now().UnixMicro())
	copies, err := w.NewCopyWrites(w.Op, w.Key, mutations)
	if err == nil {
		copies.Expire(s.Life.Since)
	}
	return copies, err
}

// rowTTLs returns the TTLs of the row that the call saves.
func (w *Call) rowTTLs() plan.Life {
	if w.life != nil {
		return *w.life
	}
	return w.DB.Life(w.Aggregate)
}

func (w *Call) plan(old *plan.State, row cell.Row, o plan.SaveOptions) (*plan.Save, error) {
	var before cell.Row
	if old.Exists() {
		before = old.Row
	}
	if broken := w.Codec.Table.Broken(before, row); len(broken) > 0 {
		return nil, &plan.FaultError{Faults: broken}
	}
	if row != nil {
		if err := w.Codec.Compute(nil, row, w.value); err != nil {
			return nil, err
		}
	}
	planSave := plan.PlanSave
	if w.blind {
		planSave = plan.PlanChange
	}
	save, err := planSave(w.Aggregate, old, row, o)
	if err == nil {
		err = w.fits(&save.Root)
	}
	return save, err
}

// fits returns an error for a save that is larger, with its parts, than any server accepts.
func (w *Call) fits(c *plan.Conditional) error {
	all := []plan.Mutation{{Table: c.Table, Row: c.Row, Action: plan.Put, Write: c.Table.BeyondKey()}}
	for i := range c.Parts {
		all = append(all, c.Parts[i].Mutation())
	}
	return w.CheckSize(w.Op, w.Key, all)
}

// Options returns the options of a save that is planned now.
func (w *Call) Options() plan.SaveOptions {
	return plan.SaveOptions{Now: w.DB.Config.Now().UnixMicro(), ID: w.DB.Env.NewID(), Parts: w.parts, Changed: w.changed, Life: w.rowTTLs()}
}

// commit sends the request of a save until its outcome is known, or the time of the call ends. It returns no error if the save was applied,
// and ErrChanged if it was not applied because the row has changed. After the outcome plan.NotApplied it cannot be applied later.
func (w *Call) commit(old *plan.State, save *plan.Save, send func(attempt int) (store.Answer, error)) (plan.SaveOutcome, error) {
	var unknown error
	w.refused = nil
	for attempt := 1; ; attempt++ {
		answer, err := send(attempt)
		failure, failed := errors.AsType[*store.Error](err)
		switch {
		case err == nil && answer.Applied:
			return plan.Applied, nil
		case err == nil && unknown == nil:
			if save.Root.Insert {
				w.refused = answer.Row
			}
			return plan.NotApplied, w.classifyRefusal(old, nil)
		case err == nil:
			return w.resolve(old, save, unknown)
		case !failed:
			return plan.Undecided, err
		case failure.Outcome == store.Unknown:
			unknown = failure.Err
		case failure.Outcome.Final() && unknown == nil:
			return plan.NotApplied, failure.Err
		}
		if !w.DB.Env.Pause(w.Ctx, attempt) {
			if unknown == nil { // it was never sent
				return plan.NotApplied, err
			}
			return plan.Undecided, w.unknown(unknown)
		}
	}
}

// resolve determines whether a save of unknown outcome was applied, after the same statement has been refused. It compares the
// save with the attempts in the row.
func (w *Call) resolve(old *plan.State, save *plan.Save, unknown error) (plan.SaveOutcome, error) {
	now, err := w.ReadState(true)
	if err != nil || now == nil {
		return plan.Undecided, w.unknown(unknown)
	}
	outcome := plan.ResolveOutcome(old, now, save.ID, w.blind)
	if outcome == plan.NotApplied && w.Aggregate.Versioning.Live > 0 && old.Exists() && now.Version == old.Version {
		outcome = plan.Undecided // refused because the row has expired: to a server whose clock is behind, it has not yet
	}
	switch outcome {
	case plan.Applied:
		return outcome, nil
	case plan.NotApplied:
		return outcome, w.classifyRefusal(old, now)
	}
	return outcome, w.unknown(unknown)
}

func (w *Call) unknown(err error) error {
	return &mapper.UnknownOutcomeError{Aggregate: w.Codec.Table.Aggregate, Table: w.Codec.Table.Name, Key: w.Codec.Table.KeyText(w.Key),
		Repeatable: w.Op == "Put" && !w.once || w.Op == "Delete", Err: err}
}

// CAS sends one conditional statement, once. If the time of the call has ended, it sends nothing, and a tracer gets no request: a call with many
// unique values would report one for each.
func (w *Call) CAS(c *plan.Conditional, attempt int) (store.Answer, error) {
	if err := store.Ended(w.Ctx); err != nil {
		return store.Answer{}, err
	}
	ctx, end := w.DB.TraceCAS(w.Ctx, w.Op, c, attempt)
	answer, err := w.DB.Store.CAS(ctx, c, store.CAS{Serial: w.DB.Config.SerialConsistency, Consistency: w.DB.Config.Consistency})
	end(err, call.RowCount(err == nil && answer.Applied))
	return answer, err
}

// ReadDeleted reads the state of the row at the serial consistency, with the time at which the server wrote that it is deleted. It returns nil
// if there is no row.
func (w *Call) ReadDeleted() (s *plan.State, written int64, err error) {
	t := w.Codec.Table
	l := &store.Lookup{Read: store.Read{Table: t, Key: w.Key, Within: true, Written: true, Consistency: w.DB.Config.SerialConsistency}}
	row, err := w.DB.ReadRow(w.Ctx, w.Op, l)
	if row == nil || err != nil {
		return nil, 0, err
	}
	n, deleted := len(t.Columns), w.Aggregate.Versioning.Deleted
	if s, err = w.Aggregate.DecodeState(row[:n:n]); err != nil {
		return nil, 0, fmt.Errorf("the row is damaged: %w", err)
	}
	at := n + slices.Index(t.Timed(), deleted)
	return s, call.LatestTime(row[at : at+1]), nil
}
