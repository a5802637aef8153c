package runtime

import (
	"context"
	"errors"
	"fmt"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
	"github.com/gocql/gocql"
)

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
	if !w.db.env.Pause(w.ctx, w.retries) {
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
		c = gocql.Consistency(w.db.config.Serial)
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
	s, err := w.readState(w.key, gocql.Consistency(w.db.config.Serial))
	if err != nil {
		return nil, err
	}
	return s, nil
}

// readValid is readSource for a row that satisfies the rules of the model. For any other row it returns a *mapper.ConstraintError
// without calling methods.
func (w *writing) readValid() (*plan.State, error) {
	row, err := w.readOne(w.c.Table, w.key, gocql.Consistency(w.db.config.Serial))
	if row == nil || err != nil {
		return nil, err
	}
	if !w.c.Table.IsDeleted(row) {
		v, err := w.decode(new(cell.Decoder), row)
		if err != nil {
			return nil, err
		}
		if err := w.db.constraint(w.c.Table, row, w.c.check(v), nil); err != nil {
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

// onRow calls do for one row, within the time of a call.
func (r Versioned) onRow(ctx context.Context, op string, key cell.Row, do func(w *writing) error) error {
	ctx, end, err := r.begin(ctx)
	if err != nil {
		return err
	}
	defer end()
	if err := r.db.admit([]plan.Mutation{{Table: r.c.Table}}); err != nil {
		return err
	}
	w := r.writing(ctx, op, key)
	return w.wrap(do(w))
}
