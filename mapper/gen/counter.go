package gen

import (
	"context"

	"github.com/cassaml/cassaml/mapper/internal/call"
)

// Counters is a table of counters, which are added to and cannot be set. Generated tables embed it.
type Counters[T any] struct{ Reader[T] }

// NewCounters returns the table of counters of a codec.
func NewCounters[T any](db *DB, c *Codec[T]) Counters[T] { return Counters[T]{NewReader(db, c)} }

// untyped returns c without its type parameter.
func (c Counters[T]) untyped() call.Counters { return call.NewCounters(c.r) }

// Add adds deltas, one for each counter in the order of the table, to the counters of a row.
func Add[T any](ctx context.Context, c Counters[T], key *Encoder, deltas ...int64) error {
	return c.untyped().Add(ctx, key, deltas)
}

// DeleteCounters deletes a row of counters.
func DeleteCounters[T any](ctx context.Context, c Counters[T], key *Encoder) error {
	return c.untyped().Delete(ctx, key)
}
