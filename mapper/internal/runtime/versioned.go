package runtime

import (
	"context"
	"errors"
	"fmt"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// Versioned writes the rows of a versioned root. A save is a conditional statement on the root's row, which is refused if another
// save has changed the row since it was read. Then logged batches bring the copies to the new version. Unique values are claimed
// before the save and released after it.
type Versioned struct{ Root }

// NewVersioned returns the table of the versioned root of an aggregate.
func NewVersioned(r Reader, a *plan.Aggregate) Versioned { return Versioned{NewRoot(r, a)} }

// Insert writes v and its copies, and sets its version. It returns mapper.ErrExists if the identifier is in use.
func (r Versioned) Insert(ctx context.Context, v any) error {
	return r.insert(ctx, v, func(*writing) error { return nil })
}

// insert inserts v. with adds the writes of parts.
func (r Versioned) insert(ctx context.Context, v any, with func(*writing) error) error {
	ctx, end, err := r.beginWrite(ctx, "Insert")
	if err != nil {
		return err
	}
	defer end()
	row, err := r.given("Insert", v)
	if err != nil {
		return err
	}
	w := r.writing(ctx, "Insert", row[:r.c.Table.Key])
	w.value = v
	if err := with(w); err != nil {
		return err
	}
	var there *plan.State
	for {
		saved, err := w.save(there, row)
		if err == nil {
			*r.c.version(v) = saved.Version
			return nil
		}
		if !errors.Is(err, errRefused) {
			return w.wrap(err)
		}
		if there, err = w.read(true); err != nil {
			return w.wrap(err)
		}
		if there.Exists() {
			return w.wrap(mapper.ErrExists)
		}
		if err := w.again(); err != nil {
			return w.wrap(err)
		}
	}
}

// Put writes v and its copies, and sets the version of v. If v has version 0, it does not matter whether there is a row, or which version
// it has. Otherwise Put returns mapper.ErrConflict if there is no row, or if it has another version than v.
func (r Versioned) Put(ctx context.Context, v any) error {
	ctx, end, err := r.beginWrite(ctx, "Put")
	if err != nil {
		return err
	}
	defer end()
	row, err := r.given("Put", v)
	if err != nil {
		return err
	}
	w := r.writing(ctx, "Put", row[:r.c.Table.Key])
	w.value = v
	version := *r.c.version(v)
	w.once = version != 0
	saved, err := w.saveOver(func(s *plan.State) (cell.Row, error) {
		if version != 0 && (!s.Exists() || s.Version != version) {
			return nil, mapper.ErrConflict
		}
		return row, nil
	})
	if err != nil {
		return w.wrap(err)
	}
	*r.c.version(v) = saved.Version
	return nil
}

// Update reads the row with the given primary key, calls f with it and saves the result, with its copies. If another client has
// saved the row in the meantime, Update starts over: f may be called several times, and must have no other effects. Update returns
// the changed value with its new version. It returns an error of f unchanged, and writes nothing then. It returns
// mapper.ErrNotFound if there is no row.
func (r Versioned) Update(ctx context.Context, f func(any) error, key *cell.Encoder) (any, error) {
	if f == nil {
		return r.update(ctx, nil, nil, key)
	}
	return r.update(ctx, nil, func(v any, _ *Parts) error { return f(v) }, key)
}

// update is Update, or UpdateWith if part is not nil.
func (r Versioned) update(ctx context.Context, part *Codec, f func(any, *Parts) error, key *cell.Encoder) (any, error) {
	ctx, end, err := r.beginWrite(ctx, "Update")
	if err != nil {
		return nil, err
	}
	defer end()
	if f == nil {
		return nil, fmt.Errorf("mapper: Update %s (%s): the function is nil", r.c.Table.Aggregate, r.c.Table.Name)
	}
	args, err := r.db.key(r.c.Table, key)
	if err != nil {
		return nil, err
	}
	w := r.writing(ctx, "Update", args)
	var v any
	var given error // of f, or of the value
	saved, err := w.saveOver(func(s *plan.State) (cell.Row, error) {
		if !s.Exists() {
			return nil, mapper.ErrNotFound
		}
		var row cell.Row
		if v, row, given = w.changed(s, part, f); errors.Is(given, errRefused) {
			given = nil
			return nil, errRefused
		}
		return row, given
	})
	switch {
	case given != nil:
		return nil, given
	case err != nil:
		return nil, w.wrap(err)
	}
	*r.c.version(v) = saved.Version
	return v, nil
}

// changed returns the value of a state after f has changed it, and its row. It sets the writes of the part.
func (w *writing) changed(s *plan.State, part *Codec, f func(any, *Parts) error) (v any, row cell.Row, err error) {
	var d cell.Decoder
	if v, err = w.decode(&d, s.Row); err != nil {
		return nil, nil, err
	}
	var unknown cell.Row
	if d.Unknown() {
		unknown = s.Row
	}
	var p *Parts
	if part != nil {
		p = w.newParts(part, s)
	}
	if err = f(v, p); p != nil {
		err = p.end(err)
	}
	if err != nil {
		return nil, nil, err
	}
	w.value = v
	row, err = w.asChanged(unknown, s, v)
	return v, row, err
}

// asChanged returns the row of v, which is the changed value of a state, without the results of methods.
func (r Versioned) asChanged(unknown cell.Row, s *plan.State, v any) (row cell.Row, err error) {
	if row, err = r.encodeOver(unknown, v); err != nil {
		return nil, err
	}
	if err := r.db.constraint(r.c.Table, row, r.c.check(v), nil); err != nil {
		return nil, err
	}
	if !plan.SameKey(row, s.Row, r.c.Table.Key) {
		return nil, r.wrap("Update", s.Row, mapper.ErrKeyChanged)
	}
	return row, nil
}

// Delete deletes the row with the given primary key and its copies, whatever its version is. It returns no error if the row does not
// exist.
func (r Versioned) Delete(ctx context.Context, key *cell.Encoder) error {
	return r.delete(ctx, "Delete", key, func(s *plan.State) error { return nil })
}

// DeleteAt deletes the row with the given primary key and its copies if the row has the given version; otherwise it returns
// mapper.ErrConflict.
func (r Versioned) DeleteAt(ctx context.Context, key *cell.Encoder, version int64) error {
	return r.delete(ctx, "DeleteAt", key, func(s *plan.State) error {
		if !s.Exists() || s.Version != version {
			return mapper.ErrConflict
		}
		return nil
	})
}

func (r Versioned) delete(ctx context.Context, op string, key *cell.Encoder, check func(*plan.State) error) error {
	ctx, end, err := r.beginWrite(ctx, op)
	if err != nil {
		return err
	}
	defer end()
	args, err := r.db.key(r.c.Table, key)
	if err != nil {
		return err
	}
	w := r.writing(ctx, op, args)
	var deleted *plan.State // set if the row was deleted before this call
	_, err = w.saveOver(func(s *plan.State) (cell.Row, error) {
		if err := check(s); err != nil || s.Exists() {
			return nil, err
		}
		deleted = s
		return nil, errNothing
	})
	if errors.Is(err, errNothing) {
		err = w.finish(deleted)
	}
	return w.wrap(err)
}

// finish deletes the rows of copies that remain of a deleted row if the batch of its delete was not sent. s is nil if there is no row.
func (w *writing) finish(s *plan.State) error {
	if s == nil {
		return nil
	}
	if done, err := w.synced(s); done || err != nil {
		return err
	}
	copies, err := w.aggregate.Propagate(s, nil) // a deleted row has no values
	if err != nil {
		return err
	}
	writes, err := w.newCopyWrites(w.op, w.key, copies)
	if err == nil {
		w.propagate(writes, s.Version)
	}
	return err
}

// errNothing ends a call that has nothing to save.
var errNothing = errors.New("nothing to write")

// Change saves the differences between old and new, with the copies, if the row has the version of old; otherwise it returns
// mapper.ErrConflict. It reads the root only if new has a unique value that old does not have. It sets the version of new.
func (r Versioned) Change(ctx context.Context, old, new any) error {
	ctx, end, err := r.beginWrite(ctx, "Change")
	if err != nil {
		return err
	}
	defer end()
	before, err := r.given("Change", old)
	if err != nil {
		return err
	}
	after, err := r.given("Change", new)
	if err != nil {
		return err
	}
	r.c.computeBefore(before, old)
	w := r.writing(ctx, "Change", before[:r.c.Table.Key])
	w.value = new
	if old == new {
		return w.wrap(errSame)
	}
	if !plan.SameKey(before, after, r.c.Table.Key) {
		return w.wrap(mapper.ErrKeyChanged)
	}
	state := &plan.State{Row: before, Version: *r.c.version(old)}
	if w.blind = state.Version != 0; !w.blind {
		if state, err = w.unversioned(); err != nil {
			return w.wrap(err)
		}
	}
	saved, err := w.save(state, after)
	if errors.Is(err, errRefused) {
		err = mapper.ErrConflict
	}
	if err != nil {
		return w.wrap(err)
	}
	*r.c.version(new) = saved.Version
	return nil
}

// unversioned reads the state of a row that has no version, because a program without versions wrote it. The value of such a row has
// version 0. The row must be read, because a condition on a null version also holds if there is no row.
func (w *writing) unversioned() (*plan.State, error) {
	s, err := w.read(true)
	if err == nil && (!s.Exists() || s.Version != 0) {
		err = fmt.Errorf("the old value has version 0, which is that of a row without a version: read it first: %w", mapper.ErrConflict)
	}
	return s, err
}

// given encodes and checks a value that a caller passes. The row has no results of methods.
func (r Versioned) given(op string, v any) (cell.Row, error) {
	if v == nil {
		return nil, r.noValue(op)
	}
	row, err := r.encode(v)
	if err != nil {
		return nil, err
	}
	broken := r.c.check(v)
	if op != "Change" {
		broken = append(broken, faults(r.c.Table.Unidentified(row))...)
	}
	if err := r.db.constraint(r.c.Table, row, broken, nil); err != nil {
		return nil, err
	}
	if err := r.db.keyable(r.c.Table, row[:r.c.Table.Key]); err != nil {
		return nil, err
	}
	return row, nil
}
