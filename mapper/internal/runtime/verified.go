package runtime

import (
	"context"
	"errors"
	"iter"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// Source is the root from which the rows of a redundant table come.
type Source struct {
	Codec     *Codec
	Aggregate *plan.Aggregate
}

// verifiable returns the reason why rows of the table cannot be read with Options.Verified, or nil.
func (r Reader) verifiable() error {
	if r.c.source == nil {
		return errors.New("mapper.Options.Verified is for redundant tables: it does not apply to roots and views")
	}
	if p := r.c.source.Aggregate.CopyTo(r.c.Table); p.SourceKey == nil && p.ByUnique == 0 {
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
				row, err = r.current(ctx, op, row)
			}
			if (err != nil || row != nil) && !yield(row, err) || err != nil {
				return
			}
		}
	}
}

// current returns the row that has the key of a row of a redundant table, as it follows from the current row of its root. It returns
// nil if no row with this key follows.
func (r Reader) current(ctx context.Context, op string, row cell.Row) (cell.Row, error) {
	ctx, end, err := r.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	source := r.c.source
	p := source.Aggregate.CopyTo(r.c.Table)
	key, err := r.sourceOf(ctx, op, source.Aggregate, p, row)
	if key == nil || err != nil {
		return nil, err
	}
	of := Reader{r.db, source.Codec}
	root, err := of.rowOf(ctx, op, key, r.db.config.Consistency)
	if !p.ReadsMethods(source.Codec.Table) {
		err = withoutMethods(err)
	}
	if root == nil || err != nil || source.Codec.Table.IsDeleted(root) {
		return nil, err
	}
	return p.RowWith(row, root)
}

// sourceOf returns the key of the root that a row of a redundant table comes from, or nil if there is none.
func (r Reader) sourceOf(ctx context.Context, op string, a *plan.Aggregate, p *plan.Projection, row cell.Row) (cell.Row, error) {
	if p.SourceKey != nil {
		return p.SourceOf(row), nil
	}
	u := &a.Versioning.Uniques[p.ByUnique-1]
	key := make(cell.Row, len(p.ByColumns))
	for i, c := range p.ByColumns {
		key[i] = row[c]
	}
	u.Table.Canonical(key)
	reservation, err := r.db.readRow(ctx, op, &store.Lookup{Read: store.Read{Table: u.Table, Key: key, Consistency: gocql.Consistency(r.db.config.Serial)}})
	if reservation == nil || err != nil {
		return nil, err
	}
	owner := reservation[u.Table.Key : u.Table.Key+a.Root.Key]
	if owner[0] == nil {
		return nil, nil
	}
	return owner, nil
}

// rowOf reads the row of a root with a key, and computes the values that projections need. It returns nil if there is no row. If a method
// fails, it returns the row without the results of methods and a *methodError.
func (r Reader) rowOf(ctx context.Context, op string, key cell.Row, c gocql.Consistency) (cell.Row, error) {
	row, err := r.db.readRow(ctx, op, &store.Lookup{Read: store.Read{Table: r.c.Table, Key: key, Consistency: c}})
	if row == nil || err != nil || len(r.c.Table.Computed) == 0 || r.c.Table.IsDeleted(row) {
		return row, err
	}
	v, err := r.decode(new(cell.Decoder), row)
	if err != nil {
		return nil, err
	}
	n := len(r.c.Table.Columns)
	row = append(row[:n:n], make(cell.Row, len(r.c.Table.Computed))...)
	if err := r.compute(nil, row, v); err != nil {
		return row, &methodError{err}
	}
	return row, nil
}

// methodError is the error of a method of a row that was read. It is about the row.
type methodError struct{ error }

func (e *methodError) Unwrap() error { return e.error }

// withoutMethods returns nil for a *methodError, and any other error unchanged: the row counts as one without the rows of copies that
// derive from methods.
func withoutMethods(err error) error {
	if _, failed := errors.AsType[*methodError](err); failed {
		return nil
	}
	return err
}
