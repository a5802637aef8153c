package runtime

import (
	"context"
	"errors"
	"slices"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// copyWrites are the writes of the copies of a versioned root, in batches that the server accepts.
type copyWrites struct {
	db      *DB
	batches []batch
}

// newCopyWrites splits the writes of copies into batches, first those of the logged copies, then those of the unlogged ones. The done-marker
// is in the last batch, which is sent after all others have been acknowledged.
func (r Root) newCopyWrites(op string, key cell.Row, mutations []plan.Mutation) (*copyWrites, error) {
	out := &copyWrites{db: r.db}
	logged, unlogged := apart(mutations)
	limit := r.db.config.BatchLimit
	all := newBatch(change{op: op, new: key}, r.c.Table, logged)
	if unlogged == nil && all.tooLarge(limit) == nil {
		out.add(all)
		return out, nil
	}
	var done []plan.Mutation
	if last := len(logged) - 1; last >= 0 && logged[last].Table == r.aggregate.Versioning.Done {
		logged, done = logged[:last], logged[last:]
	}
	for _, p := range slices.Concat(piecesOf(logged, limit, maxStatements), r.db.unloggedPieces(unlogged), [][]plan.Mutation{done}) {
		b := newBatch(all.change, all.table, p)
		b.unlogged = len(p) > 0 && isUnlogged(p[0])
		if err := b.rowTooLarge(limit); err != nil {
			return nil, err
		}
		out.add(b)
	}
	return out, nil
}

// add adds a batch unless it is empty.
func (w *copyWrites) add(b batch) {
	if len(b.mutations) > 0 {
		w.batches = append(w.batches, b)
	}
}

// rowTooLarge returns an error for a row of a copy that no server accepts.
func (b *batch) rowTooLarge(limit int) error {
	failure, ok := errors.AsType[*mapper.BatchTooLargeError](b.tooLarge(limit))
	if !ok {
		return nil
	}
	t := b.mutations[0].Table
	failure.Table, failure.Key = t.Name, t.KeyText(b.mutations[0].PrimaryKey())
	return failure
}

// send sends the batches in their order at a version, each after the one before has been acknowledged.
func (w *copyWrites) send(ctx context.Context, version plan.Version) error {
	for i := range w.batches {
		if err := w.db.until(ctx, &w.batches[i], version, version, w.db.env.Pause); err != nil {
			return err
		}
	}
	return nil
}

// acknowledge records that the batches have been acknowledged.
func (w *copyWrites) acknowledge(version plan.Version) {
	for _, b := range w.batches {
		w.db.acknowledged(&change{at: version}, &b)
	}
}

// sendTogether sends mutations as one batch at a version until it is acknowledged. Their TTLs count from the time of.
func (r Root) sendTogether(ctx context.Context, op string, key cell.Row, mutations []plan.Mutation, version plan.Version, of int64) error {
	b := newBatch(change{op: op, new: key}, r.c.Table, mutations)
	return r.db.until(ctx, &b, version, of, r.db.env.Pause)
}

// checkSize returns an error for mutations of one request that are larger than any server accepts.
func (r Root) checkSize(op string, key cell.Row, mutations []plan.Mutation) error {
	b := newBatch(change{op: op, new: key}, r.c.Table, mutations)
	return b.tooLarge(r.db.config.BatchLimit)
}

// rewrite writes a row of the root and of its copies again, after the time of all cells that were read.
func (r Root) rewrite(ctx context.Context, op string, row cell.Row, written int64, mutations []plan.Mutation) error {
	return r.db.write(ctx, &change{op: op, new: row, written: written, repairs: true}, r.c.Table, mutations)
}

// uncached returns the mutations without those of the rows that this store has written within the time of cache=.
func (db *DB) uncached(mutations []plan.Mutation) []plan.Mutation {
	return db.unwritten(&change{}, mutations)
}
