package save

import (
	"context"
	"errors"
	"fmt"

	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// maxCopiedParts is the number of rows of a part with copies that a save changes. The rows of their copies are in the row of the root until
// the next save, and every save reads them.
const maxCopiedParts = 1000

// partReads is the number of rows of a part that are read at the same time.
const partReads = 16

var errMostCopied = fmt.Errorf("an Update changes at most %d rows of a part with redundant tables, with the rows of deleted ranges, because the row of the root remembers their redundant rows: use several Updates, "+
	"or smaller ranges", maxCopiedParts)

// changes returns the rows that the function has changed, if the part has copies. It reads those that the function has not read: the rows of
// copies that a save drops follow from them. If another save comes in between, the rows show it, or the condition
// of this one does not hold.
func (p *Parts) changes() ([]plan.PartChange, error) {
	if p.w.Aggregate.CopiedPart() == nil {
		return nil, nil
	}
	if len(p.writes) > maxCopiedParts {
		return nil, p.r.WrapError(p.w.Op, p.w.Key, errMostCopied)
	}
	if err := p.readReplaced(); err != nil {
		return nil, err
	}
	var out []plan.PartChange
	for i := range p.writes {
		w := &p.writes[i]
		if w.Action == plan.DeletePartRange {
			continue
		}
		before := p.row(w.Row).there
		c := plan.PartChange{Before: p.w.priorPart(before)}
		if w.Action != plan.DeletePart {
			after, err := p.w.computed(plan.Overlaid(before, w.Row[:len(p.of.Table.Columns):len(p.of.Table.Columns)], w))
			if err != nil {
				return nil, p.w.DB.ConstraintError(p.of.Table, w.Row, nil, err)
			}
			c.After = after
		}
		out = append(out, c)
	}
	for i := range p.writes {
		if p.writes[i].Action != plan.DeletePartRange {
			continue
		}
		rows, err := p.readRange(&p.writes[i], maxCopiedParts-len(out))
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			out = append(out, plan.PartChange{Before: p.w.priorPart(row)})
		}
	}
	return out, nil
}

// readReplaced reads the rows that the function writes without having read them. The row of an insert does not exist: this is its condition.
func (p *Parts) readReplaced() error {
	var keys []cell.Row
	for i := range p.writes {
		if w := &p.writes[i]; w.Action != plan.DeletePartRange && w.Action != plan.InsertPart && !p.row(w.Row).read {
			keys = append(keys, p.row(w.Row).key)
		}
	}
	rows, err := p.w.partsAt(p.w.Ctx, keys, p.version)
	if errors.Is(err, call.ErrChanged) {
		p.stale = true
	}
	if err != nil {
		return err
	}
	for i, key := range keys {
		p.row(key).there = rows[i]
	}
	return nil
}

// readRange reads the rows that a range has, page by page, and at most a number of them.
func (p *Parts) readRange(w *plan.PartWrite, most int) (out []cell.Row, err error) {
	read := store.Read{Key: w.Row, Low: w.Low, Up: w.Up}
	for state := []byte(nil); ; {
		rows, next, err := p.w.partPage(p.w.Ctx, read, state, p.version)
		if errors.Is(err, call.ErrChanged) {
			p.stale = true
		}
		if err != nil {
			return nil, err
		}
		if out = append(out, rows...); len(out) > most {
			return nil, p.r.WrapError("Delete", w.Row, errMostCopied)
		}
		if len(next) == 0 {
			return out, nil
		}
		state = next
	}
}

// partsAt reads rows of the part at the serial consistency, by their keys; nil for a row that does not exist. It returns ErrChanged if a row
// shows another version of the root.
func (w *Call) partsAt(ctx context.Context, keys []cell.Row, version plan.Version) ([]cell.Row, error) {
	t := w.Aggregate.Versioning.Part.Table
	out, at := make([]cell.Row, len(keys)), make([]int, len(keys))
	for i := range at {
		at[i] = i
	}
	return out, call.ForEach(ctx, w.DB.Env.Parallel(partReads), at, func(ctx context.Context, i int) error {
		l := &store.Lookup{Read: store.Read{Table: t, Key: keys[i], Consistency: w.DB.Config.SerialConsistency}}
		row, err := w.DB.ReadRow(ctx, w.Op, l)
		if err != nil || row == nil {
			return err
		}
		out[i] = plan.CloneRow(row)
		return w.checkRootVersion(row, version)
	})
}

// checkRootVersion returns ErrChanged if a row of the part was read with another version of the root.
func (w *Call) checkRootVersion(row cell.Row, version plan.Version) error {
	at, err := w.Aggregate.Versioning.Part.Table.RootVersion(row)
	if err == nil && at != version {
		err = call.ErrChanged
	}
	return err
}

// partPageSize is the number of rows of a part that are read at a time.
const partPageSize = 100

// partPage reads one page of rows of the part at the serial consistency. It returns ErrChanged if a row shows another version of the root.
func (w *Call) partPage(ctx context.Context, read store.Read, state []byte, version plan.Version) (rows []cell.Row, next []byte, err error) {
	read.Table, read.PageSize, read.Consistency = w.Aggregate.Versioning.Part.Table, partPageSize, w.DB.Config.SerialConsistency
	traced, end := w.DB.TraceRead(ctx, w.Op, &read)
	page, err := w.DB.Store.Page(traced, read, state)
	end(err, page.Rows)
	if err != nil {
		return nil, nil, err
	}
	for row, err := range page.All() {
		switch {
		case err != nil:
			return nil, nil, err
		case row[read.Table.Key-1] == nil: // the partition has only static values
			continue
		}
		if err := w.checkRootVersion(row, version); err != nil {
			return nil, nil, err
		}
		rows = append(rows, plan.CloneRow(row))
	}
	return rows, page.State, nil
}

// computed returns a row of the part with the results of methods that copies need.
func (w *Call) computed(row cell.Row) (cell.Row, error) {
	t := w.Aggregate.Versioning.Part.Table
	if row == nil || len(t.Computed) == 0 {
		return row, nil
	}
	of := call.NewReader(w.DB, w.Part().Codec)
	v, err := of.Decode(new(cell.Decoder), row)
	if err != nil {
		return nil, err
	}
	n := len(t.Columns)
	row = append(row[:n:n], make(cell.Row, len(t.Computed))...)
	return row, of.Compute(nil, row, v)
}

// priorPart returns a row that was read, with the results of methods. If one fails, the row counts as one without the rows of copies that derive from
// methods, so that it can be replaced and deleted.
func (w *Call) priorPart(row cell.Row) cell.Row {
	if row == nil {
		return nil
	}
	out, err := w.computed(row)
	if err != nil {
		n := len(w.Aggregate.Versioning.Part.Table.Columns)
		out = append(row[:n:n], make(cell.Row, len(w.Aggregate.Versioning.Part.Table.Computed))...)
	}
	return out
}

// completeParts finishes an earlier save of the parts of a row: the copies of the parts that it has changed, or the deletion of the
// parts of a deleted root. It returns ErrChanged after it has deleted the parts, because the row has another version then.
func (w *Call) completeParts(old *plan.State, synced bool) error {
	if w.Aggregate.PartsSince(old) > 0 {
		if err := w.deleteParts(w.Ctx, old); err != nil {
			return err
		}
		return call.ErrChanged
	}
	if synced || w.Aggregate.CopiedPart() == nil {
		return nil
	}
	keys := w.Aggregate.PendingParts(old)
	if len(keys) == 0 {
		return nil
	}
	parts, err := w.pendingParts(old, keys)
	if err != nil {
		return err
	}
	mutations, err := w.Aggregate.PlanSettle(old, parts)
	if err != nil {
		return w.DB.ConstraintError(w.Codec.Table, w.Key, nil, err)
	}
	return w.Copies().SendCopies(mutations, old)
}

// pendingParts reads the parts with copies that can be wrong, as they are at the version of a state. A method that fails is an error: without
// its result, the right rows of copies would be deleted.
func (w *Call) pendingParts(s *plan.State, keys []cell.Row) ([]cell.Row, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	rows, err := w.partsAt(w.Ctx, keys, s.Version)
	if err != nil {
		return nil, err
	}
	var out []cell.Row
	for _, row := range rows {
		if row, err = w.computed(row); err != nil {
			return nil, err
		}
		if row != nil {
			out = append(out, row)
		}
	}
	return out, nil
}

// ReadPart reads a row of the part at the serial consistency; nil if there is none. It returns ErrChanged if the row shows another version of the root.
func (w *Call) ReadPart(key cell.Row, version plan.Version) (cell.Row, error) {
	rows, err := w.partsAt(w.Ctx, []cell.Row{key}, version)
	return rows[0], err
}

// ComputedPart returns a row of the part with the results of methods that copies need.
func (w *Call) ComputedPart(row cell.Row) (cell.Row, error) { return w.computed(row) }

// PartMutations returns the mutations that write the copies of a row of the part at the version of a state.
func (w *Call) PartMutations(s *plan.State, row cell.Row) ([]plan.Mutation, error) {
	row, err := w.computed(row)
	if err != nil {
		return nil, err
	}
	mutations, err := w.Aggregate.PlanSettle(&plan.State{Version: s.Version}, []cell.Row{row})
	return mutations, w.DB.ConstraintError(w.Aggregate.Versioning.Part.Table, row, nil, err)
}

// FinishParts deletes the parts of a deleted root, and before them their copies, if its deletion has left them. Each page has the time limit of a
// call; ctx is the context of the caller.
func (w *Call) FinishParts(ctx context.Context) error {
	return w.Repeat(func() error {
		s, err := w.ReadState(true)
		if err != nil || w.Aggregate.PartsSince(s) == 0 {
			return err
		}
		return w.deleteParts(ctx, s)
	})
}

// deleteParts deletes the copies of the parts of a deleted root, page by page, at the version of the deletion, and then the parts. While the root has
// this version, no part can change.
func (w *Call) deleteParts(ctx context.Context, s *plan.State) error {
	at := w.Aggregate.PartsSince(s)
	for state, more := []byte(nil), w.Aggregate.CopiedPart() != nil; more; more = len(state) > 0 {
		err := w.limited(ctx, func(w *Call) (err error) {
			state, err = w.deletePartCopies(s, state, at)
			return err
		})
		if err != nil {
			return err
		}
	}
	return w.limited(ctx, func(w *Call) error {
		o := w.Options()
		o.Clear = true
		save, copies, err := w.prepare(s, nil, o)
		if err != nil {
			return err
		}
		if _, err = w.commit(s, save, func(attempt int) (store.Answer, error) { return w.CAS(&save.Root, attempt) }); err != nil {
			return err
		}
		w.Copies().propagate(copies, save.State.Version)
		return nil
	})
}

// limited calls do with the time limit of a call.
func (w *Call) limited(ctx context.Context, do func(w *Call) error) error {
	ctx, end, err := w.Begin(ctx)
	if err != nil {
		return err
	}
	defer end()
	return do(w.Versioned.Call(ctx, w.Op, w.Key))
}

// deletePartCopies deletes the copies of a page of the parts.
func (w *Call) deletePartCopies(s *plan.State, state []byte, at plan.Version) (next []byte, err error) {
	read := store.Read{Key: w.Aggregate.Versioning.Part.Table.Prefix(w.Key)}
	rows, next, err := w.partPage(w.Ctx, read, state, s.Version)
	if err != nil {
		return nil, err
	}
	var all []plan.Mutation
	for _, row := range rows {
		mutations, err := w.Aggregate.PlanPartDeletes(w.priorPart(row), at)
		if err != nil {
			return nil, err
		}
		all = append(all, mutations...)
	}
	return next, w.Copies().SendCopies(all, s)
}
