package runtime

import (
	"context"
	"time"

	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// SetEnvironment replaces the identifiers, the pauses and the monotonic clock of the calls of a store.
func (db *DB) SetEnvironment(id func() plan.Attempt, pause func(context.Context, int) bool, since func() time.Duration) {
	db.env.id, db.env.pause, db.env.since = id, pause, since
}

// SetTransactor makes each save send one request, a transaction.
func (db *DB) SetTransactor(t store.Transactor) { db.env.transactor = t }

// Repair makes the copies of a row equal to its state.
func (r Versioned) Repair(ctx context.Context, key cell.Row) error {
	w := r.writing(ctx, "Repair", key)
	s, err := w.read(true)
	if s == nil || err != nil {
		return err
	}
	copies, err := r.aggregate.Propagate(s)
	if err != nil {
		return err
	}
	return w.sendAll(copies, s.Version)
}
