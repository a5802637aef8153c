package runtime

import (
	"context"

	"github.com/cassaml/cassaml/mapper/internal/cell"
)

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
