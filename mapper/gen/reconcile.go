package gen

import (
	"context"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/reconcile"
	"github.com/cassaml/cassaml/mapper/internal/save"
)

// Reconcilable is the table of a root, plain or versioned. A generated table has this method through the Root or the Versioned that it
// embeds.
type Reconcilable interface{ root() call.Root }

func (r Root[T]) root() call.Root { return r.untyped() }

func (r Versioned[T]) root() call.Root { return r.untyped().Root }

// Reconcile compares the redundant tables of roots with the roots, and repairs the differences.
func Reconcile(ctx context.Context, db *DB, c mapper.ReconcileConfig, tables ...Reconcilable) (*mapper.ReconcileReport, error) {
	roots := make([]call.Root, len(tables))
	for i, t := range tables {
		roots[i] = t.root()
	}
	return reconcile.Run(ctx, db, c, roots...)
}

// FanOut lets copies of fields of roots follow them.
func FanOut(ctx context.Context, db *DB, c mapper.FanOutConfig, tables ...Reconcilable) error {
	roots := make([]call.Root, len(tables))
	for i, t := range tables {
		roots[i] = t.root()
	}
	return save.FanOut(ctx, db, c, roots...)
}

// ReconcileOne compares the redundant rows of one row of a root with it, and repairs the differences. known are earlier values of the row.
func ReconcileOne[T any](ctx context.Context, t Reconcilable, key *Encoder, c mapper.ReconcileConfig, known []*T) (*mapper.ReconcileReport, error) {
	values := make([]any, len(known))
	for i, v := range known {
		values[i] = pointer(v)
	}
	return reconcile.Row(ctx, t.root(), key, c, values)
}

// Restamp writes the row of a root without a version and its redundant rows again, with a write time after above, in microseconds since
// 1970, and after all their write times that can be read. The condition follows WHERE in a SELECT, and must select one row.
// found is called with each redundant row that a later deletion still hides; nil: none.
func Restamp(ctx context.Context, t Reconcilable, condition string, above int64, found func(mapper.Drift)) (*mapper.ReconcileReport, error) {
	root := t.root()
	key, err := root.KeyWhere(ctx, condition)
	if err != nil {
		return nil, err
	}
	return reconcile.Restamp(ctx, root, key, above, found)
}

// Refill runs a [Backfill] of a redundant table on the database of its root, without checkpoints. read is called with the number of rows
// of each page.
func Refill(ctx context.Context, t Reconcilable, table string, read func(rows int)) error {
	return save.Fill(ctx, t.root(), table, FillConfig{Read: read}, "", func(string) error { return nil })
}
