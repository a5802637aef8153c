package simulation

import (
	"context"

	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/save"
)

// Repair makes the copies of a row equal to its state.
func Repair(ctx context.Context, r save.Versioned, key cell.Row) error {
	w := r.Call(ctx, "Repair", key)
	s, err := w.ReadSource()
	if s == nil || err != nil {
		return err
	}
	copies, err := w.Copies().CopyMutations(s)
	if err != nil {
		return err
	}
	return w.Copies().SendCopies(copies, s)
}

// AsWritten returns rows as the mapper writes them: own with separate storage for each row, shared with one storage for all, as scans do.
func AsWritten(r call.Root, rows []cell.Row) (own, shared []cell.Row, err error) {
	var w call.ReencodeBuffer
	for _, row := range rows {
		a, err := r.Reencode(new(cell.Decoder), row)
		if err != nil {
			return nil, nil, err
		}
		b, err := r.ReencodeValid(&w, row)
		if err != nil {
			return nil, nil, err
		}
		own, shared = append(own, a), append(shared, b)
	}
	return own, shared, nil
}
