package runtime

import (
	"errors"
	"log/slog"
	"slices"

	"github.com/cassaml/cassaml/mapper"
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

// batches splits the writes of copies into batches that the server accepts, first those of the logged copies, then those of the
// unlogged ones. The done-marker is in the last batch, which is sent after all others have been acknowledged.
func (w *writing) batches(copies []plan.Mutation) ([]batch, error) {
	logged, unlogged := apart(copies)
	all := newBatch(change{op: w.op, new: w.key}, w.c.Table, logged)
	if unlogged == nil && all.tooLarge(w.db.config.BatchLimit) == nil {
		return w.nonempty(all), nil
	}
	var done []plan.Mutation
	if last := len(logged) - 1; last >= 0 && logged[last].Table == w.aggregate.Versioning.Done {
		logged, done = logged[:last], logged[last:]
	}
	var out []batch
	for _, p := range slices.Concat(piecesOf(logged, w.db.config.BatchLimit, maxStatements), w.db.unloggedPieces(unlogged), [][]plan.Mutation{done}) {
		b := newBatch(all.change, all.table, p)
		b.unlogged = len(p) > 0 && isUnlogged(p[0])
		if err := w.tooLarge(&b); err != nil {
			return nil, err
		}
		out = append(out, w.nonempty(b)...)
	}
	return out, nil
}

func (w *writing) nonempty(b batch) []batch {
	if len(b.mutations) == 0 {
		return nil
	}
	return []batch{b}
}

// tooLarge returns an error for a row of a copy that no server accepts.
func (w *writing) tooLarge(b *batch) error {
	failure, ok := errors.AsType[*mapper.BatchTooLargeError](b.tooLarge(w.db.config.BatchLimit))
	if !ok {
		return nil
	}
	t := b.mutations[0].Table
	failure.Table, failure.Key = t.Name, t.KeyText(b.mutations[0].PrimaryKey())
	return failure
}

// propagate writes the copies, batch by batch. The save has been applied already, so a failure is only logged: the next save of
// the row writes the copies.
func (w *writing) propagate(batches []batch, version plan.Version) {
	if err := w.sendBatches(batches, version); err != nil {
		w.db.config.Logger.WarnContext(w.ctx, "mapper: copies are not written yet: the next save of the row writes them",
			slog.String("row", rowname.Of(w.c.Table.Aggregate, w.c.Table.Name, w.c.Table.KeyText(w.key))), slog.Any("error", err))
		return
	}
	for _, b := range batches {
		w.db.acknowledged(&change{at: version}, &b)
	}
}

// sendAll writes rows of copies, batch by batch.
func (w *writing) sendAll(mutations []plan.Mutation, version plan.Version) error {
	batches, err := w.batches(mutations)
	if err != nil {
		return err
	}
	return w.sendBatches(batches, version)
}

// sendBatches sends batches in their order, each after the one before has been acknowledged.
func (w *writing) sendBatches(batches []batch, version plan.Version) error {
	for i := range batches {
		if err := w.db.until(w.ctx, &batches[i], version, version, w.db.env.Pause); err != nil {
			return err
		}
	}
	return nil
}

// sendUntilDone sends a batch until it is acknowledged. Its timestamps are those of its mutations, so it can be repeated.
func (w *writing) sendUntilDone(mutations []plan.Mutation, version plan.Version) error {
	return w.sendAged(mutations, version, version)
}

// sendAged is sendUntilDone for mutations whose TTLs are relative to a time.
func (w *writing) sendAged(mutations []plan.Mutation, version plan.Version, of int64) error {
	b := newBatch(change{op: w.op, new: w.key}, w.c.Table, mutations)
	return w.db.until(w.ctx, &b, version, of, w.db.env.Pause)
}
