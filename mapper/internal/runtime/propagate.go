package runtime

import (
	"log/slog"

	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/rowname"
	"github.com/gocql/gocql"
)

// mark writes the copies and the done-marker of a row whose version a fence may have raised.
func (w *writing) mark() error {
	s, failed := w.readState(w.key, gocql.Consistency(w.db.config.Serial))
	if s == nil || withoutMethods(failed) != nil || w.aggregate.Versioning.Done == nil {
		return failed
	}
	if done, err := w.marked(s); done || err != nil {
		return err
	}
	if failed != nil {
		return failed
	}
	copies, err := w.owned(s)
	if err != nil {
		return err
	}
	return w.sendAll(copies, s.Version)
}

// owned returns the mutations that make the copies equal to a state, without the rows that belong to another root.
func (w *writing) owned(s *plan.State) ([]plan.Mutation, error) {
	unowned, err := w.unowned(s)
	if err != nil {
		return nil, err
	}
	copies, err := w.aggregate.Propagate(s, unowned)
	if err != nil {
		return nil, w.db.constraint(w.c.Table, w.key, nil, err)
	}
	return copies, nil
}

// raiseTo sends a save that raises the version. It returns errRefused if the row has changed.
func (w *writing) raiseTo(save *plan.Save) error {
	answer, err := w.cas(&save.Root, 1)
	if unknownOutcome(err) || err == nil && !answer.Applied {
		return errRefused
	}
	return err
}

// synced reports whether the copies of a state have been written and its pending rows have been deleted. It reads the done-marker
// only if there are pending rows.
func (w *writing) synced(s *plan.State) (bool, error) {
	if len(s.Pending) == 0 {
		return true, nil
	}
	return w.marked(s)
}

// marked reports whether the done-marker shows that the copies of a state are written.
func (w *writing) marked(s *plan.State) (bool, error) {
	at, err := w.markedAt()
	return at > 0 && at >= s.Version, err
}

// markedAt returns the version in the done-marker, or 0 if there is no done-marker.
func (w *writing) markedAt() (plan.Version, error) {
	t := w.aggregate.Versioning.Done
	row, err := w.readOne(t, w.key, w.db.config.Consistency)
	if row == nil || err != nil {
		return 0, err
	}
	return plan.BigintOf(row[t.Key])
}

// propagate writes the copies, batch by batch. The save has been applied already, so a failure is only logged: the next save of
// the row writes the copies.
func (w *writing) propagate(copies *copyWrites, version plan.Version) {
	if err := copies.send(w.ctx, version); err != nil {
		w.db.config.Logger.WarnContext(w.ctx, "mapper: copies are not written yet: the next save of the row writes them",
			slog.String("row", rowname.Of(w.c.Table.Aggregate, w.c.Table.Name, w.c.Table.KeyText(w.key))), slog.Any("error", err))
		return
	}
	copies.acknowledge(version)
}

// sendAll writes rows of copies, batch by batch.
func (w *writing) sendAll(mutations []plan.Mutation, version plan.Version) error {
	copies, err := w.newCopyWrites(w.op, w.key, mutations)
	if err != nil {
		return err
	}
	return copies.send(w.ctx, version)
}

// sendUntilDone sends a batch until it is acknowledged. Its timestamps are those of its mutations, so it can be repeated.
func (w *writing) sendUntilDone(mutations []plan.Mutation, version plan.Version) error {
	return w.sendAged(mutations, version, version)
}

// sendAged is sendUntilDone for mutations whose TTLs are relative to a time.
func (w *writing) sendAged(mutations []plan.Mutation, version plan.Version, of int64) error {
	return w.sendTogether(w.ctx, w.op, w.key, mutations, version, of)
}
