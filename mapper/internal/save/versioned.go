package save

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// Insert writes v and its copies, and sets its version. It returns mapper.ErrExists if the identifier is in use.
func (r Versioned) Insert(ctx context.Context, v any) error {
	return r.insert(ctx, v, func(*Call) error { return nil })
}

// insert inserts v. with adds the writes of parts.
func (r Versioned) insert(ctx context.Context, v any, with func(*Call) error) error {
	found, w, err := r.insertNew(ctx, "Insert", v, with)
	if err == nil && found.Exists() {
		err = w.wrap(mapper.ErrExists)
	}
	return err
}

// InsertOrGet writes v and its copies, and sets its version, if the identifier is not in use. Otherwise it returns the value that is there,
// which the refused statement has returned.
func (r Versioned) InsertOrGet(ctx context.Context, v any) (any, error) {
	found, _, err := r.insertNew(ctx, "InsertOrGet", v, func(*Call) error { return nil })
	if err != nil || !found.Exists() {
		return nil, err
	}
	v, err = r.Decode(new(cell.Decoder), found.Row)
	if err == nil {
		r.showRemaining(v, found)
	}
	return v, err
}

// showRemaining sets the field of a value for the remaining TTL of its row, if it has one.
func (r Versioned) showRemaining(v any, s *plan.State) {
	if r.Codec.Table.Remaining > 0 {
		r.SetRemaining(v, s.Life.Left)
	}
}

// insertNew inserts v unless there is a row that is not deleted, and then returns its state.
func (r Versioned) insertNew(ctx context.Context, op string, v any, with func(*Call) error) (found *plan.State, w *Call, err error) {
	ctx, end, err := r.BeginWrite(ctx, op)
	if err != nil {
		return nil, nil, err
	}
	defer end()
	row, err := r.encodeGiven(op, v)
	if err != nil {
		return nil, nil, err
	}
	w = r.Call(ctx, op, row[:r.Codec.Table.Key])
	w.value = v
	if err := with(w); err != nil {
		return nil, nil, err
	}
	if row, err = w.fill(nil, row); err != nil {
		return nil, nil, w.wrap(err)
	}
	found, err = w.insertNew(row)
	return found, w, w.wrap(err)
}

// insertNew inserts a row unless there is one that is not deleted, and then returns its state. The version of a deleted row continues.
func (w *Call) insertNew(row cell.Row) (found *plan.State, err error) {
	var deleted *plan.State
	for {
		saved, err := w.save(deleted, row)
		if err == nil {
			*w.Codec.Version(w.value) = saved.Version
			return nil, nil
		}
		if !errors.Is(err, call.ErrChanged) {
			return nil, err
		}
		if found, err = w.refusedBy(); err != nil || found.Exists() {
			return found, err
		}
		deleted = found
		if err := w.Retry(); err != nil {
			return nil, err
		}
	}
}

// refusedBy returns the state because of which a row was not inserted: InsertOrGet takes it from the refused statement, if that was the
// only attempt and inserted no parts.
func (w *Call) refusedBy() (*plan.State, error) {
	if w.Op != "InsertOrGet" || w.refused == nil || w.Codec.Table.Remaining > 0 {
		return w.readShown(true)
	}
	s, err := w.Aggregate.DecodeState(w.refused)
	if err != nil {
		err = fmt.Errorf("the row is damaged: %w", err)
	}
	return s, err
}

// Put writes v and its copies, and sets the version of v. If v has version 0, it does not matter whether there is a row, or which version
// it has. Otherwise Put returns mapper.ErrConflict if there is no row, or if it has another version than v.
func (r Versioned) Put(ctx context.Context, v any) error {
	ctx, end, err := r.BeginWrite(ctx, "Put")
	if err != nil {
		return err
	}
	defer end()
	row, err := r.encodeGiven("Put", v)
	if err != nil {
		return err
	}
	w := r.Call(ctx, "Put", row[:r.Codec.Table.Key])
	w.value = v
	version := *r.Codec.Version(v)
	w.once = version != 0
	saved, err := w.saveOver(func(s *plan.State) (cell.Row, error) {
		if version != 0 && (!s.Exists() || s.Version != version) {
			return nil, mapper.ErrConflict
		}
		return w.fill(s, row)
	})
	if err != nil {
		return w.wrap(err)
	}
	*r.Codec.Version(v) = saved.Version
	return nil
}

// Update reads the row with the given primary key, calls f with it and saves the result, with its copies. If another client has
// saved the row in the meantime, Update starts over: f may be called several times, and must have no other effects. Update returns
// the changed value with its new version. It returns an error of f unchanged, and writes nothing then. It returns
// mapper.ErrNotFound if there is no row.
func (r Versioned) Update(ctx context.Context, f func(any) error, key *cell.Encoder) (any, error) {
	if f == nil {
		return r.UpdateWith(ctx, nil, nil, key)
	}
	return r.UpdateWith(ctx, nil, func(v any, _ *Parts) error { return f(v) }, key)
}

// UpdateWith is like Update. f also reads and writes the rows of a part, which are saved together with the root.
func (r Versioned) UpdateWith(ctx context.Context, part *call.Codec, f func(any, *Parts) error, key *cell.Encoder) (any, error) {
	u := updating{op: "Update", part: part}
	if f != nil {
		u.f = func(v any, p *Parts, _ bool) error { return f(v, p) }
	}
	return r.update(ctx, &u, key)
}

// Upsert is like UpdateWith, but the row need not exist, and part can be nil: without one, f is called with a value that has only its key, and false, and the result
// is inserted. If another client has inserted the row in the meantime, f is called again, with the row and true.
func (r Versioned) Upsert(ctx context.Context, part *call.Codec, f func(v any, p *Parts, exists bool) error, key *cell.Encoder) (any, error) {
	return r.update(ctx, &updating{op: "Upsert", part: part, f: f, creates: true}, key)
}

// updating is a call that changes a row with a function.
type updating struct {
	op      string
	part    *call.Codec // nil: f has no parts
	f       func(v any, p *Parts, exists bool) error
	creates bool // the row need not exist
}

// update is Update or Upsert.
func (r Versioned) update(ctx context.Context, u *updating, key *cell.Encoder) (any, error) {
	ctx, end, err := r.BeginWrite(ctx, u.op)
	if err != nil {
		return nil, err
	}
	defer end()
	if u.f == nil {
		return nil, fmt.Errorf("mapper: %s %s (%s): the function is nil", u.op, r.Codec.Table.Aggregate, r.Codec.Table.Name)
	}
	args, err := r.DB.Key(r.Codec.Table, key)
	if err != nil {
		return nil, err
	}
	w := r.Call(ctx, u.op, args)
	var v any
	var given error // the error of f, or of the value
	saved, err := w.saveOver(func(s *plan.State) (cell.Row, error) {
		if !s.Exists() && !u.creates {
			return nil, mapper.ErrNotFound
		}
		var row cell.Row
		if v, row, given = w.applyChange(s, u); errors.Is(given, call.ErrChanged) {
			given = nil
			return nil, call.ErrChanged
		}
		return row, given
	})
	switch {
	case given != nil:
		return nil, given
	case err != nil:
		return nil, w.wrap(err)
	}
	*r.Codec.Version(v) = saved.Version
	return v, nil
}

// applyChange returns the value of a state after the function has changed it, and its row. It sets the writes of the part.
func (w *Call) applyChange(s *plan.State, u *updating) (v any, row cell.Row, err error) {
	before, exists := w.stateRow(s)
	var d cell.Decoder
	if v, err = w.Decode(&d, before); err != nil {
		return nil, nil, err
	}
	var unknown cell.Row
	if exists {
		w.showRemaining(v, s)
	}
	if d.Unknown() {
		unknown = before
	}
	var p *Parts
	if u.part != nil {
		p = w.newParts(u.part, s)
	}
	if err = u.f(v, p, exists); p != nil {
		err = p.end(err)
	}
	if err != nil {
		return nil, nil, err
	}
	w.value = v
	row, err = w.encodeChanged(unknown, before, v, exists)
	return v, row, err
}

// fill sets the copied fields of the row of a value that a caller has passed, and checks the value: without copied fields it has been checked.
func (w *Call) fill(old *plan.State, row cell.Row) (cell.Row, error) {
	if len(w.Aggregate.Copied) == 0 {
		return row, nil
	}
	var before cell.Row
	if old.Exists() {
		before = old.Row
	}
	row, err := w.FillCopied(w.Ctx, w.Op, before, row, w.value)
	if err != nil {
		return nil, err
	}
	return row, w.DB.ConstraintError(w.Codec.Table, row, w.given(w.value), nil)
}

// stateRow returns the row of a state. Without a row it has only the key of the call.
func (w *Call) stateRow(s *plan.State) (row cell.Row, exists bool) {
	if s.Exists() {
		return s.Row, true
	}
	row = make(cell.Row, len(w.Codec.Table.Columns))
	copy(row, w.Key)
	return row, false
}

// encodeChanged returns the row of v, which is the changed value of a row, without the results of methods.
func (w *Call) encodeChanged(unknown, before cell.Row, v any, exists bool) (row cell.Row, err error) {
	if row, err = w.EncodeOver(unknown, v); err != nil {
		return nil, err
	}
	var old cell.Row
	if exists {
		old = before
	}
	if row, err = w.FillCopied(w.Ctx, w.Op, old, row, v); err != nil {
		return nil, err
	}
	broken := w.given(v)
	if !exists {
		broken = append(broken, call.PlanFaults(w.Codec.Table.Unidentified(row))...)
	}
	if err := w.DB.ConstraintError(w.Codec.Table, row, broken, nil); err != nil {
		return nil, err
	}
	if !plan.SameKey(row, before, w.Codec.Table.Key) {
		return nil, w.WrapError(w.Op, before, mapper.ErrKeyChanged)
	}
	return row, nil
}

// Delete deletes the row with the given primary key and its copies, whatever its version is. It returns no error if the row does not
// exist.
func (r Versioned) Delete(ctx context.Context, key *cell.Encoder) error {
	return r.delete(ctx, "Delete", key, func(s *plan.State) error { return nil })
}

// DeleteAt deletes the row with the given primary key and its copies if the row has the given version; otherwise it returns
// mapper.ErrConflict. If rows expire, it returns mapper.ErrNotFound for a row that has expired or was deleted.
func (r Versioned) DeleteAt(ctx context.Context, key *cell.Encoder, version int64) error {
	return r.delete(ctx, "DeleteAt", key, func(s *plan.State) error {
		switch {
		case !s.Exists() && r.Aggregate.Versioning.Live > 0:
			return mapper.ErrNotFound
		case !s.Exists() || s.Version != version:
			return mapper.ErrConflict
		}
		return nil
	})
}

func (r Versioned) delete(outer context.Context, op string, key *cell.Encoder, check func(*plan.State) error) error {
	ctx, end, err := r.BeginWrite(outer, op)
	if err != nil {
		return err
	}
	defer end()
	args, err := r.DB.Key(r.Codec.Table, key)
	if err != nil {
		return err
	}
	w := r.Call(ctx, op, args)
	w.inline = newInline(r.DB.Config)
	var deleted *plan.State // set if the row was deleted before this call
	saved, err := w.saveOver(func(s *plan.State) (cell.Row, error) {
		switch {
		case !w.marked:
		case s.Exists() && s.Deleting && slices.Equal(s.Attempts, w.attempts): // no save came after the mark, whose outcome can have been unknown
			return nil, nil
		case w.endedByOther(s):
			deleted = s
			return nil, errNothing
		}
		if err := check(s); err != nil || s.Exists() {
			w.marked = w.marked && err == nil
			return nil, err
		}
		deleted = s
		return nil, errNothing
	})
	if errors.Is(err, errNothing) {
		saved, err = deleted, w.finish(deleted)
	}
	if err == nil && r.Aggregate.PartsSince(saved) > 0 {
		if err = w.FinishParts(outer); err != nil {
			return fmt.Errorf("%w: the row is deleted, but not all redundant rows of its parts are: repeat Delete", w.wrap(err))
		}
	}
	return w.wrap(w.unended(w.pending(err)))
}

// finish deletes the rows of copies that remain of a deleted row if the batch of its delete was not sent. s is nil if there is no row.
func (w *Call) finish(s *plan.State) error {
	if s == nil || w.Aggregate.PartsSince(s) > 0 {
		return nil
	}
	if done, err := w.Copies().synced(s); done || err != nil {
		return err
	}
	s.Life = w.rowTTLs() // of the done-marker, which may outlive the row
	copies, err := w.Copies().CopyMutations(s)
	switch {
	case errors.Is(err, call.ErrChanged): // it has been inserted again
		return nil
	case err != nil:
		return err
	}
	writes, err := w.newCopyWrites(copies, s)
	if err == nil {
		w.Copies().propagate(writes, s.Version)
	}
	return err
}

// errNothing ends a call that has nothing to save.
var errNothing = errors.New("nothing to write")

// Change saves the differences between old and new, with the copies, if the row has the version of old; otherwise it returns
// mapper.ErrConflict. It reads the root only if new has a unique value that old does not have. It sets the version of new.
func (r Versioned) Change(ctx context.Context, old, new any) error {
	ctx, end, err := r.BeginWrite(ctx, "Change")
	if err != nil {
		return err
	}
	defer end()
	before, err := r.encodeGiven("Change", old)
	if err != nil {
		return err
	}
	after, err := r.encodeGiven("Change", new)
	if err != nil {
		return err
	}
	r.Codec.ComputeBefore(before, old)
	w := r.Call(ctx, "Change", before[:r.Codec.Table.Key])
	w.value = new
	if old == new {
		return w.wrap(errSame)
	}
	if !plan.SameKey(before, after, r.Codec.Table.Key) {
		return w.wrap(mapper.ErrKeyChanged)
	}
	state := &plan.State{Row: before, Version: *r.Codec.Version(old)}
	switch refers := len(r.Aggregate.Versioning.References) > 0 || r.isTarget(); {
	case state.Version == 0:
		state, err = w.unversioned()
	case refers:
		state, err = w.unchanged(state)
	default:
		w.blind = true
	}
	if err != nil {
		return w.wrap(err)
	}
	if after, err = w.fill(&plan.State{Row: before}, after); err != nil {
		return w.wrap(err)
	}
	saved, err := w.saveChange(state, after)
	if err != nil {
		return w.wrap(err)
	}
	*r.Codec.Version(new) = saved.Version
	return nil
}

// saveChange is save for a Change. A refused save starts over if the row still has the version: its outbox can have been served meanwhile.
func (w *Call) saveChange(old *plan.State, row cell.Row) (*plan.State, error) {
	for {
		saved, err := w.save(old, row)
		switch {
		case !errors.Is(err, call.ErrChanged):
			return saved, err
		case w.blind:
			return nil, mapper.ErrConflict
		}
		if err := w.Retry(); err != nil {
			return nil, err
		}
		if old, err = w.unchanged(old); err != nil {
			return nil, err
		}
	}
}

// unchanged reads the state of a row that a Change replaces. It must have the references of the old value.
func (w *Call) unchanged(old *plan.State) (*plan.State, error) {
	now, err := w.ReadState(true)
	if err != nil {
		return nil, err
	}
	if !now.Exists() || now.Version != old.Version {
		return nil, mapper.ErrConflict
	}
	was, err := w.Aggregate.Refs(old)
	if err != nil {
		return nil, err
	}
	is, err := w.Aggregate.Refs(now)
	if err == nil && !was.Equal(is) {
		err = fmt.Errorf("the row refers to other aggregates than the old value: %w", mapper.ErrConflict)
	}
	return now, err
}

// unversioned reads the state of a row that has no version, because a program without versions wrote it. The value of such a row has
// version 0. The row must be read, because a condition on a null version also holds if there is no row.
func (w *Call) unversioned() (*plan.State, error) {
	s, err := w.ReadState(true)
	if err == nil && (!s.Exists() || s.Version != 0) {
		err = fmt.Errorf("the old value has version 0, which is that of a row without a version: read it first: %w", mapper.ErrConflict)
	}
	return s, err
}

// encodeGiven encodes and checks a value that a caller passes. The row has no results of methods. With copied fields, fill checks the value.
func (r Versioned) encodeGiven(op string, v any) (cell.Row, error) {
	if v == nil {
		return nil, r.NilError(op)
	}
	row, err := r.Encode(v)
	if err != nil {
		return nil, err
	}
	var broken []mapper.Violation
	if len(r.Aggregate.Copied) == 0 {
		broken = r.given(v)
	}
	if op != "Change" {
		broken = append(broken, call.PlanFaults(r.Codec.Table.Unidentified(row))...)
	}
	if err := r.DB.ConstraintError(r.Codec.Table, row, broken, nil); err != nil {
		return nil, err
	}
	if err := r.DB.CheckKey(r.Codec.Table, row[:r.Codec.Table.Key]); err != nil {
		return nil, err
	}
	return row, nil
}
