package save

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cassaml/cassaml/internal/wait"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/rowname"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// Call is the state of one call that saves an aggregate. Its methods are the ways to read the row, and the steps of a save from the plan to the
// outcome; [Reservations] and [Copies] have the others.
type Call struct {
	Versioned
	Ctx     context.Context
	Op      string
	Key     cell.Row
	value   any  // that the call saves; nil: it deletes the row
	blind   bool // the call is a Change: its old state has no hidden columns
	once    bool // the call is a Put of a version: a repeated call finds the version that it has saved itself
	parts   []plan.PartWrite
	changed []plan.PartChange // the rows that parts change, if the part has copies
	life    *plan.Life        // the TTLs of the row that the call saves; nil: the TTLs of the store
	refused cell.Row          // the row that the last INSERT has found, if its only attempt was refused
	retries int

	marked   bool           // the call has marked the row as being deleted
	attempts []plan.Attempt // the attempts in the row before that
	path     []string       // the rows whose deletion has led to this call
	inline   *inline        // the roots that it may still delete or clear with the row; nil: any number
	clears   bool           // the call clears a reference for a deletion: it does not wait for a deletion of its own row, which can wait for this call
}

// Call returns a call of an operation on the row with the given primary key.
func (r Versioned) Call(ctx context.Context, op string, key cell.Row) *Call {
	return &Call{Versioned: r, Ctx: ctx, Op: op, Key: key}
}

// wrap adds the operation and the row to an error, unless its type contains the row.
func (w *Call) wrap(err error) error {
	if err == nil {
		return nil
	}
	switch err.(type) {
	case *mapper.ConstraintError, *mapper.HeldError, *mapper.PendingError, *mapper.UnknownOutcomeError, *mapper.DuplicateError, *call.Several, *mapper.BatchTooLargeError, *mapper.ClockError, *mapper.SchemaError:
		return err
	}
	if failure, ok := errors.AsType[*store.Error](err); ok {
		err = failure.Err
	}
	return w.Reader.WrapError(w.Op, w.Key, err)
}

// rowName returns the name of the row for logs.
func (w *Call) rowName() string {
	t := w.Codec.Table
	return rowname.Format(t.Aggregate, t.Name, t.KeyText(w.Key))
}

// giveBackTime is how long a call that does not succeed may take after the end of its own time to remove its marks, for which other calls wait.
const giveBackTime = time.Second

// late returns a copy of the call whose time ends giveBackTime after the time of the call.
func (w *Call) late() (*Call, context.CancelFunc) {
	ctx, end := context.WithCancel(context.WithoutCancel(w.Ctx))
	stop := context.AfterFunc(w.Ctx, func() {
		_ = wait.Sleep(ctx, giveBackTime)
		end()
	})
	out := *w
	out.Ctx = ctx
	return &out, func() {
		stop()
		end()
	}
}

// Retry waits before the call starts over. It returns mapper.ErrConflict if the time of the call ends first.
func (w *Call) Retry() error {
	w.retries++
	if !w.DB.Env.Pause(w.Ctx, w.retries) {
		return fmt.Errorf("%w, %d times until the call ended: %w", mapper.ErrConflict, w.retries, context.Cause(w.Ctx))
	}
	return nil
}

// Repeat calls an attempt again while it returns [call.ErrChanged], until the time of the call ends.
func (w *Call) Repeat(attempt func() error) error {
	for {
		if err := attempt(); !errors.Is(err, call.ErrChanged) {
			return err
		}
		if err := w.Retry(); err != nil {
			return err
		}
	}
}

// ReadState returns the state of the row, or nil if there is no row. A serial read sees a save in flight. If a method fails, the state has no
// results of methods: it counts as one without the rows of copies that derive from methods, so that it can be replaced and deleted.
func (w *Call) ReadState(serial bool) (*plan.State, error) { return w.ReadKeyState(w.Key, serial) }

// ReadKeyState returns the state of the row with another primary key of the table, as ReadState does.
func (w *Call) ReadKeyState(key cell.Row, serial bool) (*plan.State, error) {
	s, err := w.ReadMethodState(key, w.consistency(serial))
	return s, call.IgnoreMethods(err)
}

// consistency returns the consistency of a read that sees a conditional statement in flight, or of any other read.
func (w *Call) consistency(serial bool) driver.Consistency {
	if serial {
		return w.DB.Config.SerialConsistency
	}
	return w.DB.Config.Consistency
}

// ReadMethodState reads the state of a row with the given consistency, and the results of methods. If a method fails, it returns the state
// without the results and a *methodError.
func (w *Call) ReadMethodState(key cell.Row, c driver.Consistency) (*plan.State, error) {
	return w.decode(w.ReadComputed(w.Ctx, w.Op, key, c))
}

// decode returns the state of a row that was read, with the error of a method.
func (w *Call) decode(row cell.Row, failed error) (*plan.State, error) {
	if row == nil || call.IgnoreMethods(failed) != nil {
		return nil, failed
	}
	s, err := w.Aggregate.DecodeState(row)
	if err != nil {
		return nil, fmt.Errorf("the row is damaged: %w", err)
	}
	return s, failed
}

// readShown reads the state of the row as ReadState does, with the TTLs that are left if a field of the root shows them.
func (w *Call) readShown(serial bool) (*plan.State, error) {
	if w.Codec.Table.Remaining == 0 {
		return w.ReadState(serial)
	}
	s, failed := w.readLastingState(w.consistency(serial))
	return s, call.IgnoreMethods(failed)
}

// readLasting reads the row with the given consistency, and with the TTLs that are left if the rows of the root expire.
func (w *Call) readLasting(c driver.Consistency) (row cell.Row, life plan.Life, err error) {
	life.Since = w.DB.Env.Elapsed()
	lasting := w.Aggregate.Versioning.Lasting()
	l := &store.Lookup{Read: store.Read{Table: w.Codec.Table, Key: w.Key, Lasting: lasting, Consistency: c}}
	if row, err = w.DB.ReadRow(w.Ctx, w.Op, l); row == nil || err != nil || lasting == nil {
		return row, life, err
	}
	n := len(w.Codec.Table.Columns)
	return row[:n:n], plan.DecodeLife(row[n:], life.Since), nil
}

// ReadLasting reads the state of the row at the serial consistency as ReadMethodState does, with the TTLs that are left if the rows expire.
func (w *Call) ReadLasting() (*plan.State, error) {
	return w.readLastingState(w.DB.Config.SerialConsistency)
}

func (w *Call) readLastingState(c driver.Consistency) (*plan.State, error) {
	row, life, err := w.readLasting(c)
	if row == nil || err != nil {
		return nil, err
	}
	s, err := w.decode(w.AddComputed(row))
	if s != nil {
		s.Life = life
	}
	return s, err
}

// ReadSource reads the state of the row at the serial consistency, from which copies are derived: a method that fails is an error.
func (w *Call) ReadSource() (*plan.State, error) {
	s, err := w.ReadLasting()
	if err != nil {
		return nil, err
	}
	return s, nil
}

// ReadValid is ReadSource for a row that satisfies the rules of the model. For any other row it returns a *mapper.ConstraintError
// without calling methods.
func (w *Call) ReadValid() (*plan.State, error) {
	row, life, err := w.readLasting(w.DB.Config.SerialConsistency)
	if row == nil || err != nil {
		return nil, err
	}
	if !w.Codec.Table.IsDeleted(row) {
		v, err := w.Decode(new(cell.Decoder), row)
		if err != nil {
			return nil, err
		}
		if err := w.DB.ConstraintError(w.Codec.Table, row, w.Codec.Violations(v), nil); err != nil {
			return nil, err
		}
		n := len(w.Codec.Table.Columns)
		row = append(row[:n:n], make(cell.Row, len(w.Codec.Table.Computed))...)
		if err := w.Compute(nil, row, v); err != nil {
			return nil, err
		}
	}
	s, err := w.decode(row, nil)
	if s != nil {
		s.Life = life
	}
	return s, err
}

// ReadRow reads a row of any table of the aggregate.
func (w *Call) ReadRow(t *plan.Table, key cell.Row, c driver.Consistency) (cell.Row, error) {
	if err := w.Ctx.Err(); err != nil { // a tracer gets no request that is not sent, as in CAS
		return nil, err
	}
	return w.DB.ReadRow(w.Ctx, w.Op, &store.Lookup{Read: store.Read{Table: t, Key: key, Consistency: c}})
}

// rowReads is the number of values, references or copies of one row that a call reads at the same time.
const rowReads = 16

// InParallel calls do for the numbers below n, up to rowReads at the same time, and returns the error of the least number: a row can have
// thousands of values, and its call has one time limit. After an error it starts no further calls.
func (w *Call) InParallel(n int, do func(i int) error) error {
	for from := 0; from < n; from += rowReads {
		errs := make([]error, min(rowReads, n-from))
		w.DB.Env.RunAll(len(errs), func(i int) { errs[i] = do(from + i) })
		if err := cmp.Or(errs...); err != nil {
			return err
		}
	}
	return nil
}

// ForRow calls do for one row, within the time of a call.
func (r Versioned) ForRow(ctx context.Context, op string, key cell.Row, do func(w *Call) error) error {
	ctx, end, err := r.Begin(ctx)
	if err != nil {
		return err
	}
	defer end()
	if err := r.DB.Admit([]plan.Mutation{{Table: r.Codec.Table}}); err != nil {
		return err
	}
	w := r.Call(ctx, op, key)
	return w.wrap(do(w))
}

// Versioned writes the rows of a versioned root. A save is a conditional statement on the root's row, which is refused if another
// save has changed the row since it was read. Then logged batches bring the copies to the new version. Unique values are claimed
// before the save and released after it.
type Versioned struct{ call.Root }

// NewVersioned returns the table of the versioned root of an aggregate.
// parts are its parts that have copies.
func NewVersioned(r call.Reader, a *plan.Aggregate, parts ...call.Part) Versioned {
	return Versioned{call.NewRoot(r, a, parts...)}
}

// BeginWrite begins a call that writes. It refuses options with which a row and its copies would not expire together.
func (r Versioned) BeginWrite(ctx context.Context, op string) (context.Context, context.CancelFunc, error) {
	ctx, end, err := r.Root.BeginWrite(ctx, op)
	if err != nil {
		return ctx, nil, err
	}
	if err := r.DB.CheckLife(r.Aggregate); err != nil {
		end()
		return ctx, nil, r.WrapError(op, nil, err)
	}
	return ctx, end, nil
}

// errSame is the error of a Change whose old and new values are the same variable.
var errSame = errors.New("old and new are the same variable: change a copy of the old value")
