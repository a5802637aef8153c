package runtime

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/rowname"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// Versioned writes the rows of a versioned root. A save is a conditional statement on the root's row, which is refused if another
// save has changed the row since it was read. Then logged batches bring the copies to the new version. Unique values are claimed
// before the save and released after it.
type Versioned struct{ Root }

// NewVersioned returns the table of the versioned root of an aggregate.
func NewVersioned(r Reader, a *plan.Aggregate) Versioned { return Versioned{NewRoot(r, a)} }

// errRefused is returned for a save that was not applied because the row has changed since the save was planned.
var errRefused = errors.New("the row has changed")

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
			*r.c.of.Version(v) = saved.Version
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
	version := *r.c.of.Version(v)
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
	*r.c.of.Version(v) = saved.Version
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
	*r.c.of.Version(v) = saved.Version
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
	if err := r.db.constraint(r.c.Table, row, r.c.of.Check(v), nil); err != nil {
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
	batches, err := w.batches(copies)
	if err == nil {
		w.propagate(batches, s.Version)
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
	state := &plan.State{Row: before, Version: *r.c.of.Version(old)}
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
	*r.c.of.Version(new) = saved.Version
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
	broken := r.c.of.Check(v)
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

// writing is the state of one call that saves an aggregate.
type writing struct {
	Versioned
	ctx     context.Context
	op      string
	key     cell.Row
	value   any  // that the call saves; nil: it deletes the row
	blind   bool // the call is a Change: its old state has no hidden columns
	once    bool // the call is a Put of a version: a repeated call finds the version that it has saved itself
	parts   []plan.PartWrite
	retries int
}

func (r Versioned) writing(ctx context.Context, op string, key cell.Row) *writing {
	return &writing{Versioned: r, ctx: ctx, op: op, key: key}
}

// wrap adds the operation and the row to an error, unless its type contains the row.
func (w *writing) wrap(err error) error {
	if err == nil {
		return nil
	}
	switch err.(type) {
	case *mapper.ConstraintError, *mapper.UnknownOutcomeError, *mapper.DuplicateError, duplicates, *mapper.BatchTooLargeError, *mapper.ClockError, *mapper.SchemaError:
		return err
	}
	if failure, ok := errors.AsType[*store.Error](err); ok {
		err = failure.Err
	}
	return w.Reader.wrap(w.op, w.key, err)
}

// again waits before the call starts over. It returns mapper.ErrConflict if the time of the call ends first.
func (w *writing) again() error {
	w.retries++
	if !w.db.env.pause(w.ctx, w.retries) {
		return fmt.Errorf("%w, %d times until the call ended: %w", mapper.ErrConflict, w.retries, context.Cause(w.ctx))
	}
	return nil
}

// read returns the state of the row, or nil if there is no row. A serial read sees a save in flight. If a method fails, the state has no
// results of methods: it counts as one without the rows of copies that derive from methods, so that it can be replaced and deleted.
func (w *writing) read(serial bool) (*plan.State, error) { return w.readRow(w.key, serial) }

func (w *writing) readRow(key cell.Row, serial bool) (*plan.State, error) {
	c := w.db.config.Consistency
	if serial {
		c = gocql.Consistency(w.db.env.serial)
	}
	s, err := w.readState(key, c)
	return s, withoutMethods(err)
}

// readState reads the state of a row with the given consistency, and the results of methods. If a method fails, it returns the state
// without the results and a *methodError.
func (w *writing) readState(key cell.Row, c gocql.Consistency) (*plan.State, error) {
	row, failed := w.rowOf(w.ctx, w.op, key, c)
	if row == nil || withoutMethods(failed) != nil {
		return nil, failed
	}
	s, err := w.aggregate.StateOf(row)
	if err != nil {
		return nil, fmt.Errorf("the row is damaged: %w", err)
	}
	return s, failed
}

// readSource reads the state of the row at the serial consistency, from which copies are derived: a method that fails is an error.
func (w *writing) readSource() (*plan.State, error) {
	s, err := w.readState(w.key, gocql.Consistency(w.db.env.serial))
	if err != nil {
		return nil, err
	}
	return s, nil
}

// readValid is readSource for a row that satisfies the rules of the model. For any other row it returns a *mapper.ConstraintError
// without calling methods.
func (w *writing) readValid() (*plan.State, error) {
	row, err := w.readOne(w.c.Table, w.key, gocql.Consistency(w.db.env.serial))
	if row == nil || err != nil {
		return nil, err
	}
	if !w.c.Table.IsDeleted(row) {
		v, err := w.decode(new(cell.Decoder), row)
		if err != nil {
			return nil, err
		}
		if err := w.db.constraint(w.c.Table, row, w.c.of.Check(v), nil); err != nil {
			return nil, err
		}
		n := len(w.c.Table.Columns)
		row = append(row[:n:n], make(cell.Row, len(w.c.Table.Computed))...)
		if err := w.compute(nil, row, v); err != nil {
			return nil, err
		}
	}
	s, err := w.aggregate.StateOf(row)
	if err != nil {
		return nil, fmt.Errorf("the row is damaged: %w", err)
	}
	return s, nil
}

// readOne reads a row of any table of the aggregate.
func (w *writing) readOne(t *plan.Table, key cell.Row, c gocql.Consistency) (cell.Row, error) {
	return w.db.readRow(w.ctx, w.op, &store.Lookup{Read: store.Read{Table: t, Key: key, Consistency: c}})
}

// saveOver reads the row and saves the row that next returns, and starts over if another save has changed the row in between. If
// next returns a nil row, the row is deleted.
func (w *writing) saveOver(next func(*plan.State) (cell.Row, error)) (*plan.State, error) {
	for serial := false; ; serial = true {
		s, err := w.read(serial)
		if err != nil {
			return nil, err
		}
		saved, err := w.saveNext(s, next)
		if !errors.Is(err, errRefused) {
			return saved, err
		}
		if err := w.again(); err != nil {
			return nil, err
		}
	}
}

// saveNext saves the row that next returns for a state, in one attempt.
func (w *writing) saveNext(s *plan.State, next func(*plan.State) (cell.Row, error)) (*plan.State, error) {
	row, err := next(s)
	if err != nil {
		return nil, err
	}
	return w.save(s, row)
}

// save replaces an old state with a new row, in one attempt. It returns errRefused if the row no longer has the old state.
func (w *writing) save(old *plan.State, row cell.Row) (*plan.State, error) {
	if err := w.db.admit([]plan.Mutation{{Table: w.c.Table}}); err != nil {
		return nil, err
	}
	o := w.options()
	if old != nil && !w.blind {
		var err error
		if o.Synced, err = w.synced(old); err != nil {
			return nil, err
		}
	}
	save, batches, err := w.prepare(old, row, o)
	if err != nil {
		return nil, err
	}
	taken, err := w.claim(old, save)
	if err != nil {
		return nil, err
	}
	planned := save.State.Version
	if o.Floor, o.Unowned = taken.floor, taken.unowned; !save.Above(o.Floor) || len(o.Unowned) > 0 {
		if save, batches, err = w.prepare(old, row, o); err != nil {
			w.giveBack(taken.created, planned)
			return nil, err
		}
	}
	outcome, err := w.commit(old, save, func(attempt int) (store.Answer, error) { return w.cas(&save.Root, attempt) })
	if outcome == plan.NotApplied {
		w.giveBack(taken.created, save.State.Version)
	}
	if err != nil {
		return nil, err
	}
	w.propagate(batches, save.State.Version)
	w.release(taken, save.State.Version)
	return &save.State, nil
}

// prepare plans a save and the batches of its copies. Its errors are found before anything is sent.
func (w *writing) prepare(old *plan.State, row cell.Row, o plan.SaveOptions) (*plan.Save, []batch, error) {
	save, err := w.plan(old, row, o)
	if err != nil {
		return nil, nil, w.db.constraint(w.c.Table, w.key, nil, err)
	}
	batches, err := w.batches(w.db.unwritten(&change{}, save.Copies(w.aggregate)))
	return save, batches, err
}

func (w *writing) plan(old *plan.State, row cell.Row, o plan.SaveOptions) (*plan.Save, error) {
	var before cell.Row
	if old.Exists() {
		before = old.Row
	}
	if broken := w.c.Table.Broken(before, row); len(broken) > 0 {
		return nil, &plan.FaultError{Faults: broken}
	}
	if row != nil {
		if err := w.c.compute(nil, row, w.value); err != nil {
			return nil, err
		}
	}
	if w.blind {
		return plan.PlanChange(w.aggregate, old, row, o)
	}
	save, err := plan.PlanSave(w.aggregate, old, row, o)
	if err == nil {
		err = w.fits(&save.Root)
	}
	return save, err
}

// fits returns an error for a save whose parts make it larger than any server accepts.
func (w *writing) fits(c *plan.Conditional) error {
	if len(w.parts) == 0 {
		return nil
	}
	all := []plan.Mutation{{Table: c.Table, Row: c.Row, Action: plan.Put, Write: c.Table.BeyondKey()}}
	for i := range c.Parts {
		all = append(all, c.Parts[i].Mutation())
	}
	b := newBatch(change{op: w.op, new: w.key}, w.c.Table, all)
	return b.tooLarge(w.db.config.BatchLimit)
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

// options returns the options of a save that is planned now.
func (w *writing) options() plan.SaveOptions {
	return plan.SaveOptions{Now: w.db.config.Now().UnixMicro(), ID: w.db.env.id(), Parts: w.parts}
}

// commit sends the request of a save until its outcome is known, or the time of the call ends. It returns no error if the save was applied,
// and errRefused if it was not applied because the row has changed. After the outcome plan.NotApplied it cannot be applied later.
func (w *writing) commit(old *plan.State, save *plan.Save, send func(attempt int) (store.Answer, error)) (plan.SaveOutcome, error) {
	var unknown error
	for attempt := 1; ; attempt++ {
		answer, err := send(attempt)
		failure, failed := errors.AsType[*store.Error](err)
		switch {
		case err == nil && answer.Applied:
			return plan.Applied, nil
		case err == nil && unknown == nil:
			return plan.NotApplied, w.judge(old, nil)
		case err == nil:
			return w.resolve(old, save, unknown)
		case !failed:
			return plan.Undecided, err
		case failure.Outcome == store.Unknown:
			unknown = failure.Err
		case failure.Outcome == store.Refused && unknown == nil:
			return plan.NotApplied, failure.Err
		}
		if !w.db.env.pause(w.ctx, attempt) {
			if unknown == nil { // it was never sent
				return plan.NotApplied, err
			}
			return plan.Undecided, w.unknown(unknown)
		}
	}
}

// resolve determines whether a save of unknown outcome was applied, after the same statement has been refused. It compares the
// save with the attempts in the row.
func (w *writing) resolve(old *plan.State, save *plan.Save, unknown error) (plan.SaveOutcome, error) {
	now, err := w.read(true)
	if err != nil || now == nil {
		return plan.Undecided, w.unknown(unknown)
	}
	outcome := plan.ResolveOutcome(old, now, save.ID, w.blind)
	switch outcome {
	case plan.Applied:
		return outcome, nil
	case plan.NotApplied:
		return outcome, w.judge(old, now)
	}
	return outcome, w.unknown(unknown)
}

func (w *writing) unknown(err error) error {
	return &mapper.UnknownOutcomeError{Aggregate: w.c.Table.Aggregate, Table: w.c.Table.Name, Key: w.c.Table.KeyText(w.key),
		Repeatable: w.op == "Put" && !w.once || w.op == "Delete", Err: err}
}

// cas sends one conditional statement, once.
func (w *writing) cas(c *plan.Conditional, attempt int) (store.Answer, error) {
	ctx, end := w.db.traceCAS(w.ctx, w.op, c, attempt)
	answer, err := w.db.store.CAS(ctx, c, store.CAS{Serial: w.db.env.serial, Consistency: w.db.config.Consistency})
	end(err, count(err == nil && answer.Applied))
	return answer, err
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
		if err := w.db.until(w.ctx, &batches[i], version, version, w.db.env.pause); err != nil {
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
	return w.db.until(w.ctx, &b, version, of, w.db.env.pause)
}
