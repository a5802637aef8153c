package call

import (
	"context"
	"errors"
	"fmt"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// manyReads is the number of rows that a call reads at a time.
const manyReads = 16

// GetMany reads the rows with n primary keys, each with one request, and calls found with the place and the value of each row
// that exists, in the order of the keys. key returns the encoder of the key at a place. Equal keys are read once. If a key cannot
// be in a table, nothing is sent, and the error has the place of each such key.
func (r Reader) GetMany(ctx context.Context, n int, key func(int) *cell.Encoder, found func(int, any)) error {
	return r.many(ctx, "GetMany", n, key, found)
}

func (r Reader) many(ctx context.Context, op string, n int, key func(int) *cell.Encoder, found func(int, any)) error {
	ctx, end, err := r.Begin(ctx)
	if err != nil {
		return err
	}
	defer end()
	if err := r.checkRead(); err != nil {
		return r.WrapError(op, nil, err)
	}
	reads, of, err := r.distinct(n, key)
	if err != nil {
		return err
	}
	if err := r.readEach(ctx, op, reads); err != nil {
		return err
	}
	for i, one := range of {
		if one.value != nil {
			found(i, one.value)
		}
	}
	return nil
}

// readEach sends the reads, several at a time. The first error ends it.
func (r Reader) readEach(ctx context.Context, op string, reads []*oneOfMany) error {
	n := min(r.DB.Env.Parallel(manyReads), max(len(reads), 1))
	err := ForEach(ctx, n, reads, func(ctx context.Context, one *oneOfMany) (err error) {
		one.value, err = r.IfAny(ctx, op, one.key)
		return err
	})
	if err != nil && err == ctx.Err() { // no read has begun
		return r.WrapError(op, nil, err)
	}
	return err
}

// oneOfMany is a read of a call that reads several rows.
type oneOfMany struct {
	key   cell.Row
	value any // nil if there is no row
}

// different has the rows that a call reads, each once.
type different struct {
	seen  map[string]*oneOfMany // keys: the keys of the rows
	reads []*oneOfMany
}

// row returns the row with a key.
func (d *different) row(key cell.Row) *oneOfMany {
	text := KeyString(key, len(key))
	if d.seen[text] == nil {
		d.seen[text] = &oneOfMany{key: key}
		d.reads = append(d.reads, d.seen[text])
	}
	return d.seen[text]
}

// distinct returns a read for each different key of n, and the read of the key at each place.
func (r Reader) distinct(n int, key func(int) *cell.Encoder) (reads, of []*oneOfMany, err error) {
	var faults []mapper.Violation
	different := different{seen: make(map[string]*oneOfMany, n)}
	of = make([]*oneOfMany, n)
	for i := range n {
		row, err := r.DB.Key(r.Codec.Table, key(i))
		if err != nil {
			if faults, err = addPlace(faults, i, err); err != nil {
				return nil, nil, err
			}
			continue
		}
		of[i] = different.row(row)
	}
	return different.reads, of, r.DB.ConstraintError(r.Codec.Table, nil, faults, nil)
}

// addPlace adds the faults of the key at a place to faults. It returns any other error.
func addPlace(faults []mapper.Violation, place int, err error) ([]mapper.Violation, error) {
	e, ok := errors.AsType[*mapper.ConstraintError](err)
	if !ok {
		return nil, err
	}
	for _, f := range e.Violations {
		f.Path = fmt.Sprintf("keys[%d].%s", place, f.Path)
		faults = append(faults, f)
	}
	return faults, nil
}
