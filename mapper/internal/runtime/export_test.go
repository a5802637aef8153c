package runtime

import (
	"context"

	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// Repair makes the copies of a row equal to its state.
func (r Versioned) Repair(ctx context.Context, key cell.Row) error {
	w := r.writing(ctx, "Repair", key)
	s, err := w.readSource()
	if s == nil || err != nil {
		return err
	}
	copies, err := w.owned(s)
	if err != nil {
		return err
	}
	return w.sendAll(copies, s.Version)
}

// AsWritten returns rows as the mapper writes them: own with separate storage for each row, shared with one storage for all, as scans do.
func (r Root) AsWritten(rows []cell.Row) (own, shared []cell.Row, err error) {
	var w rewriter
	for _, row := range rows {
		a, err := r.asWritten(new(cell.Decoder), row)
		if err != nil {
			return nil, nil, err
		}
		b, err := r.rewritten(&w, row)
		if err != nil {
			return nil, nil, err
		}
		own, shared = append(own, a), append(shared, b)
	}
	return own, shared, nil
}
