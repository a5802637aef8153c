package call

import (
	"context"
	"errors"
	"iter"

	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// checkVerified returns the reason why rows of the table cannot be read with Options.Verified, or nil.
func (r Reader) checkVerified() error {
	if r.Codec.source == nil {
		return errors.New("mapper.Options.Verified is for redundant tables: it does not apply to roots and views")
	}
	if p := r.Codec.source.Aggregate.CopyTo(r.Codec.Table); p.SourceKey == nil && p.ByUnique == 0 {
		return errors.New("mapper.Options.Verified requires a table whose rows contain the key of their source or a unique value of it")
	}
	return nil
}

// verified returns the rows of a redundant table as they follow from the current rows of their roots, without those that no longer
// follow from one.
func (r Reader) verified(ctx context.Context, op string, rows iter.Seq2[cell.Row, error]) iter.Seq2[cell.Row, error] {
	return func(yield func(cell.Row, error) bool) {
		for row, err := range rows {
			if err == nil {
				row, err = r.CurrentRow(ctx, op, row)
			}
			if (err != nil || row != nil) && !yield(row, err) || err != nil {
				return
			}
		}
	}
}

// CurrentRow returns the row that has the key of a row of a redundant table, as it follows from the current row of its root. It returns
// nil if no row with this key follows.
func (r Reader) CurrentRow(ctx context.Context, op string, row cell.Row) (cell.Row, error) {
	ctx, end, err := r.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	source := r.Codec.source
	p := source.Aggregate.CopyTo(r.Codec.Table)
	key, err := r.SourceKey(ctx, op, source.Aggregate, p, row)
	if key == nil || err != nil {
		return nil, err
	}
	of := Reader{r.DB, source.Codec}
	root, err := of.ReadComputed(ctx, op, key, r.DB.Config.Consistency)
	if !p.ReadsMethods(source.Codec.Table) {
		err = IgnoreMethods(err)
	}
	if root == nil || err != nil || source.Codec.Table.IsDeleted(root) {
		return nil, err
	}
	return p.RowWith(row, root)
}

// SourceKey returns the key of the root that a row of a redundant table comes from, or nil if there is none.
func (r Reader) SourceKey(ctx context.Context, op string, a *plan.Aggregate, p *plan.Projection, row cell.Row) (cell.Row, error) {
	if p.SourceKey != nil {
		return p.RootKey(row), nil
	}
	u := &a.Versioning.Uniques[p.ByUnique-1]
	key := make(cell.Row, len(p.ByColumns))
	for i, c := range p.ByColumns {
		key[i] = row[c]
	}
	u.Table.Canonical(key)
	return r.owner(ctx, op, a, store.Read{Table: u.Table, Key: key, Consistency: r.DB.Config.SerialConsistency})
}

// ReadComputed reads the row of a root with a key, and computes the values that projections need. It returns nil if there is no row. If a method
// fails, it returns the row without the results of methods and a *methodError.
func (r Reader) ReadComputed(ctx context.Context, op string, key cell.Row, c driver.Consistency) (cell.Row, error) {
	row, err := r.DB.ReadRow(ctx, op, &store.Lookup{Read: store.Read{Table: r.Codec.Table, Key: key, Consistency: c}})
	if row == nil || err != nil {
		return row, err
	}
	return r.AddComputed(row)
}

// AddComputed returns a row that was read with its computed values. If a method fails, it returns the row without them and a *methodError.
func (r Reader) AddComputed(row cell.Row) (cell.Row, error) {
	if len(r.Codec.Table.Computed) == 0 || r.Codec.Table.IsDeleted(row) {
		return row, nil
	}
	v, err := r.Decode(new(cell.Decoder), row)
	if err != nil {
		return nil, err
	}
	n := len(r.Codec.Table.Columns)
	row = append(row[:n:n], make(cell.Row, len(r.Codec.Table.Computed))...)
	if err := r.Compute(nil, row, v); err != nil {
		return row, &methodError{err}
	}
	return row, nil
}

// methodError is the error of a method of a row that was read. It is about the row.
type methodError struct{ error }

func (e *methodError) Unwrap() error { return e.error }

// IgnoreMethods returns nil for a *methodError, and any other error unchanged: the row counts as one without the rows of copies that
// derive from methods.
func IgnoreMethods(err error) error {
	if _, failed := errors.AsType[*methodError](err); failed {
		return nil
	}
	return err
}
