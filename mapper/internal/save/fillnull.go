package save

import (
	"context"
	"fmt"
	"slices"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// FillNull sets a column of a row to an encoded value if the column is null, by a save with a higher version, which also writes the copies.
// It does nothing if there is no row or if the column has a value. The rules of the model for the other columns are not checked, because
// the row has their values already.
func (r Versioned) FillNull(ctx context.Context, column string, key cell.Row, value cell.Cell) error {
	ctx, end, err := r.BeginWrite(ctx, "FillNull")
	if err != nil {
		return err
	}
	defer end()
	t := r.Codec.Table
	i := slices.IndexFunc(t.Columns, func(c descriptor.Column) bool { return c.Name == column })
	if i < t.Key || len(key) != t.Key {
		return r.WrapError("FillNull", key, fmt.Errorf("table %s has no column %s outside its primary key of %d columns", t.Name, column, t.Key))
	}
	w := r.Call(ctx, "FillNull", key)
	return w.wrap(w.Repeat(func() error { return w.fillNull(i, value) }))
}

// fillNull is one attempt of FillNull.
func (w *Call) fillNull(column int, value cell.Cell) error {
	s, err := w.ReadLasting()
	if err = call.IgnoreMethods(err); err != nil || !s.Exists() || s.Row[column] != nil {
		return err
	}
	read := plan.CloneRow(s.Row)
	read[column] = value
	w.life = &s.Life
	var d cell.Decoder
	row, err := w.Reencode(&d, read)
	if err == nil {
		_, err = w.save(s, row)
	}
	return err
}
