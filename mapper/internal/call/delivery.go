package call

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/rowname"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// delivery is a write with the requests that carry it out, usually one atomic write. If the root is large and the write is above
// the limit of a batch, the rows of the root's partition are one atomic write, and the other rows are pieces, which are sent in
// order at the same timestamp. Rows of unlogged copies are sent last.
type delivery struct {
	db       *DB
	change   *change
	main     batch   // the batch with the row of the root; has no mutations if the write changes only copies
	pieces   []batch // rows in other partitions, deletions last; nil if all are in main
	rootLast bool    // the pieces are sent before main, so that a repeated call finishes the write
	unlogged []batch // rows of unlogged copies
}

// newDelivery returns the delivery of mutations.
func (db *DB) newDelivery(c *change, t *plan.Table, mutations []plan.Mutation) delivery {
	logged, unlogged := splitUnlogged(db.unwritten(c, mutations))
	d := delivery{db: db, change: c, main: newBatch(*c, t, logged)}
	if t.Large && c.writes == 0 && d.main.spread && d.main.tooLarge(db.Config.BatchLimit) != nil {
		d.split()
	}
	for _, p := range db.splitUnloggedCopies(unlogged) {
		d.unlogged = append(d.unlogged, newBatch(*c, t, p))
		d.unlogged[len(d.unlogged)-1].unlogged = true
	}
	if d.pieces != nil && c.differs && !d.rootLast && slices.ContainsFunc(slices.Concat(d.pieces, d.unlogged), deletes) {
		d.main.repeatable = false // a repeated call reads the new row of the root, from which it cannot find the rows to delete
	}
	return d
}

// deletes reports whether a batch deletes rows.
func deletes(b batch) bool {
	return slices.ContainsFunc(b.mutations, func(m plan.Mutation) bool { return m.Action == plan.Delete })
}

// splitUnlogged separates the mutations of unlogged copies from the others.
func splitUnlogged(mutations []plan.Mutation) (logged, unlogged []plan.Mutation) {
	if !slices.ContainsFunc(mutations, isUnlogged) {
		return mutations, nil
	}
	for _, m := range mutations {
		if isUnlogged(m) {
			unlogged = append(unlogged, m)
		} else {
			logged = append(logged, m)
		}
	}
	return logged, unlogged
}

func isUnlogged(m plan.Mutation) bool { return m.Table.Unlogged }

// split moves the mutations of other partitions than the root's from main to pieces.
func (d *delivery) split() {
	all := d.main
	root := plan.Mutation{Table: all.table, Row: all.row()}
	var near, written, deleted []plan.Mutation
	for _, m := range all.mutations {
		switch {
		case m.SamePartition(&root):
			near = append(near, m)
		case m.Action == plan.Delete:
			deleted = append(deleted, m)
		default:
			written = append(written, m)
		}
	}
	d.main = newBatch(all.change, all.table, near)
	d.rootLast = all.op == "Delete" || all.imported
	limit := d.db.Config.BatchLimit
	for _, p := range append(splitBySize(written, limit, maxStatements), splitBySize(deleted, limit, maxStatements)...) {
		d.pieces = append(d.pieces, newBatch(all.change, all.table, p))
		d.pieces[len(d.pieces)-1].piece = true
	}
}

// splitBySize splits mutations into pieces of at most limit bytes and a number of partitions. A mutation above the limit is a piece
// by itself: it has one partition, so the server accepts it.
func splitBySize(mutations []plan.Mutation, limit, partitions int) (out [][]plan.Mutation) {
	from, size, n := 0, 0, 0
	for i := range mutations {
		bytes := mutations[i].Size()
		if i == from || !mutations[i].SamePartition(&mutations[i-1]) {
			n++
		}
		if i > from && (size+bytes > limit || n > partitions || i-from == maxStatements) {
			out, from, size, n = append(out, mutations[from:i:i]), i, 0, 1
		}
		size += bytes
	}
	if from < len(mutations) {
		out = append(out, mutations[from:])
	}
	return out
}

// unloggedPartitions is the number of partitions of an unlogged batch above which a server logs a warning.
const unloggedPartitions = 10

// splitUnloggedCopies splits the mutations of unlogged copies into batches that cause no warning of the server.
func (db *DB) splitUnloggedCopies(mutations []plan.Mutation) [][]plan.Mutation {
	return splitBySize(mutations, min(db.Config.BatchWarning, db.Config.BatchLimit), unloggedPartitions)
}

// check returns an error for a write that the server would refuse.
func (d *delivery) check() error {
	for _, all := range [][]batch{{d.main}, d.pieces, d.unlogged} {
		for i := range all {
			if n := len(all[i].mutations); n > maxStatements {
				return all[i].wrap(fmt.Errorf("%d statements, a batch has at most %d", n, maxStatements))
			}
			if err := all[i].tooLarge(d.db.Config.BatchLimit); err != nil {
				return err
			}
		}
	}
	return nil
}

// send sends all parts of a write. The timestamp of the change is that at which the root was acknowledged.
func (d *delivery) send(ctx context.Context) error {
	if d.rootLast {
		if err := d.sendPieces(ctx); err != nil {
			return err
		}
	}
	if len(d.main.mutations) > 0 {
		if err := d.sendMain(ctx); err != nil {
			d.unsent(ctx, err)
			return err
		}
	}
	if !d.rootLast {
		if err := d.sendPieces(ctx); err != nil {
			return err
		}
	}
	d.db.acknowledged(d.change, &d.main)
	if d.unlogged != nil {
		d.sendUnlogged(ctx)
	}
	return nil
}

// sendPieces sends the pieces, each until it is acknowledged or the call ends, also if it is refused.
func (d *delivery) sendPieces(ctx context.Context) error {
	for i := range d.pieces {
		p := &d.pieces[i]
		if err := d.db.sendUntil(ctx, p, d.change.at, d.change.at, d.db.Env.Resend); err != nil {
			return d.partialError(i, err)
		}
		d.db.acknowledged(d.change, p)
	}
	return nil
}

// sendUntil sends a batch at the timestamp at until it is acknowledged, cannot be sent or, unless it is a piece, is refused, or until again
// reports that there is no other attempt. again waits before the next attempt. The TTLs of the mutations count from the timestamp of.
func (db *DB) sendUntil(ctx context.Context, b *batch, at, of int64, again func(ctx context.Context, attempt int) bool) error {
	for attempt := 1; ; attempt++ {
		if b.age(db, of); len(b.mutations) == 0 {
			return nil
		}
		err := db.send(ctx, b, at, attempt)
		failure, failed := errors.AsType[*store.Error](err)
		refused := failed && failure.Outcome == store.Refused && !b.piece
		if err == nil || refused || failed && failure.Outcome == store.Unsendable || !again(ctx, attempt) {
			return err
		}
	}
}

// result returns the error of the write of the root. If the pieces have been written before it, the write is incomplete also if the root
// is refused.
func (d *delivery) result(err, unknown error) error {
	left := d.pieces
	if d.rootLast {
		left = nil
		if failure, ok := errors.AsType[*store.Error](err); ok && unknown == nil {
			unknown = failure.Err
		}
	}
	err = d.main.result(err, unknown)
	if failure, ok := err.(*mapper.UnknownOutcomeError); ok && d.pieces != nil {
		failure.Tables = d.tables(d.main.addTables(nil), left)
	}
	return err
}

// partialError returns the error of a large write that was acknowledged only for the pieces before i, and for the root unless it is
// last.
func (d *delivery) partialError(i int, err error) error {
	if failure, ok := errors.AsType[*store.Error](err); ok {
		err = failure.Err
	}
	failure := d.main.result(err, err).(*mapper.UnknownOutcomeError)
	if failure.Tables = d.tables(nil, d.pieces[i:]); d.rootLast {
		failure.Tables = d.main.addTables(failure.Tables)
	}
	return failure
}

// tables adds the tables of batches and of unlogged copies.
func (d *delivery) tables(to []string, of []batch) []string {
	for _, all := range [][]batch{of, d.unlogged} {
		for i := range all {
			to = all[i].addTables(to)
		}
	}
	return to
}

// addTables adds the tables of a batch, each once.
func (b *batch) addTables(to []string) []string {
	for i := range b.mutations {
		if name := b.mutations[i].Table.Name; !slices.Contains(to, name) {
			to = append(to, name)
		}
	}
	return to
}

const unloggedParallel = 16 // concurrent unlogged batches of one write

// sendUnlogged sends the rows of unlogged copies. It reports those that are not acknowledged, and returns no error, because the
// write has succeeded. The receiver is a copy, so that only a delivery with such rows is allocated.
func (d delivery) sendUnlogged(ctx context.Context) {
	lost := make([]error, len(d.unlogged))
	all := make([]int, len(lost))
	for i := range lost {
		lost[i], all[i] = context.Canceled, i
	}
	again := func(ctx context.Context, attempt int) bool {
		return attempt < MaxAttempts && d.db.Env.Resend(ctx, attempt)
	}
	ended := ForEach(ctx, d.db.Env.Parallel(unloggedParallel), all, func(ctx context.Context, i int) error {
		if lost[i] = d.db.sendUntil(ctx, &d.unlogged[i], d.change.at, d.change.at, again); lost[i] == nil {
			d.db.acknowledged(d.change, &d.unlogged[i])
		}
		return nil
	})
	d.report(ctx, lost, ended)
}

// unsent reports the rows of unlogged copies if it is unknown whether the row of the root is written: a repeated Put or Delete that
// finds it written does not write them. A repeated large write that begins with the root writes all rows.
func (d *delivery) unsent(ctx context.Context, err error) {
	if _, unknown := errors.AsType[*mapper.UnknownOutcomeError](err); unknown && (d.pieces == nil || d.rootLast) && d.unlogged != nil {
		d.report(ctx, slices.Repeat([]error{err}, len(d.unlogged)), nil)
	}
}

// report passes the rows of unlogged copies that may not have been written to the log and the tracer, with the first error.
func (d *delivery) report(ctx context.Context, lost []error, ended error) {
	l := mapper.Unwritten{Op: d.change.op, Aggregate: d.main.table.Aggregate, Table: d.main.table.Name, Key: d.main.key(), Err: ended}
	for i, err := range lost {
		if err == nil {
			continue
		}
		if l.Err == nil {
			l.Err = err
		}
		for k := range d.unlogged[i].mutations {
			m := &d.unlogged[i].mutations[k]
			l.Rows = append(l.Rows, mapper.UnwrittenRow{Table: m.Table.Name, Key: m.Table.KeyText(m.PrimaryKey()[:m.KeyColumns()])})
		}
	}
	if l.Rows == nil {
		return
	}
	if failure, ok := errors.AsType[*store.Error](l.Err); ok {
		l.Err = failure.Err
	}
	d.db.Config.Logger.WarnContext(ctx, "mapper: rows of unlogged copies may not have been written: Reconcile writes them", slog.Int("rows", len(l.Rows)),
		slog.String("row", rowname.Format(l.Aggregate, l.Table, l.Key)), slog.Any("error", l.Err))
	if t, ok := d.db.Config.Tracer.(mapper.UnwrittenTracer); ok {
		t.Unwritten(ctx, l)
	}
}
