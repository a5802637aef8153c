package call

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// CopyWrites are the writes of the copies of a versioned root, in batches that the server accepts.
type CopyWrites struct {
	db      *DB
	epoch   int64 // how often the set of remembered rows had been emptied before
	done    *plan.Table
	batches []batch
}

// NewCopyWrites splits the writes of copies into batches: the logged copies first, then the unlogged copies. The done-marker
// is in the last batch, which is sent after all others have been acknowledged.
func (r Root) NewCopyWrites(op string, key cell.Row, mutations []plan.Mutation) (*CopyWrites, error) {
	out := &CopyWrites{db: r.DB, epoch: r.DB.epoch(), done: r.Aggregate.Versioning.Done}
	logged, unlogged := splitUnlogged(mutations)
	limit := r.DB.Config.BatchLimit
	all := newBatch(change{op: op, new: key}, r.Codec.Table, logged)
	if unlogged == nil && all.tooLarge(limit) == nil {
		out.add(all)
		return out, nil
	}
	var done []plan.Mutation
	if last := len(logged) - 1; last >= 0 && logged[last].Table == r.Aggregate.Versioning.Done {
		logged, done = logged[:last], logged[last:]
	}
	for _, p := range slices.Concat(splitBySize(logged, limit, maxStatements), r.DB.splitUnloggedCopies(unlogged), [][]plan.Mutation{done}) {
		b := newBatch(all.change, all.table, p)
		b.unlogged = len(p) > 0 && isUnlogged(p[0])
		if err := b.rowTooLarge(limit); err != nil {
			return nil, err
		}
		out.add(b)
	}
	return out, nil
}

// Expire sets the time on the monotonic clock from which the TTLs of a root whose rows expire, and so of its copies, count.
func (w *CopyWrites) Expire(since time.Duration) {
	for i := range w.batches {
		w.batches[i].since, w.batches[i].done = &since, w.done
	}
}

// add adds a batch unless it is empty.
func (w *CopyWrites) add(b batch) {
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

// Send sends the batches in their order at a version, each after the one before has been acknowledged.
func (w *CopyWrites) Send(ctx context.Context, version plan.Version) error {
	for i := range w.batches {
		w.batches[i].late = i > 0 && w.batches[i-1].late
		if err := w.db.sendUntil(ctx, &w.batches[i], version, version, w.db.Env.Pause); err != nil {
			return err
		}
	}
	return nil
}

// Acknowledge records that the batches have been acknowledged.
func (w *CopyWrites) Acknowledge(version plan.Version) {
	for _, b := range w.batches {
		w.db.acknowledged(&change{at: version, epoch: w.epoch}, &b)
	}
}

// SendBatch sends mutations as one batch at a version until it is acknowledged. Their TTLs count from the time of.
func (r Root) SendBatch(ctx context.Context, op string, key cell.Row, mutations []plan.Mutation, version plan.Version, of int64) error {
	b := newBatch(change{op: op, new: key}, r.Codec.Table, mutations)
	return r.DB.sendUntil(ctx, &b, version, of, r.DB.Env.Pause)
}

// CheckSize returns an error for mutations of one request that are larger than any server accepts.
func (r Root) CheckSize(op string, key cell.Row, mutations []plan.Mutation) error {
	b := newBatch(change{op: op, new: key}, r.Codec.Table, mutations)
	return b.tooLarge(r.DB.Config.BatchLimit)
}

// Rewrite writes a row of the root and of its copies again, after the time of all cells that were read.
func (r Root) Rewrite(ctx context.Context, op string, row cell.Row, written int64, mutations []plan.Mutation) error {
	return r.DB.write(ctx, &change{op: op, new: row, written: written, repairs: true}, r.Codec.Table, mutations)
}

// Uncached returns the mutations of the rows that this store has not written within the time of cache=.
func (db *DB) Uncached(mutations []plan.Mutation) []plan.Mutation {
	return db.unwritten(&change{}, mutations)
}
