package call

import (
	"context"
	"errors"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// Statics reads the static columns of the partition in key, and calls decode with them. It returns mapper.ErrNotFound if the partition
// has neither rows nor static values.
func (r Reader) Statics(ctx context.Context, key *cell.Encoder, decode func(*cell.Decoder)) error {
	const op = "Statics"
	ctx, stop, err := r.Begin(ctx)
	if err != nil {
		return err
	}
	defer stop()
	partition, err := r.DB.Key(r.Codec.Table, key)
	if err != nil {
		return err
	}
	if err = r.checkRead(); err == nil && r.DB.verify {
		err = errors.New("mapper.Options.Verified does not apply to static columns")
	}
	if err != nil {
		return r.WrapError(op, partition, err)
	}
	l := &lookup{}
	l.Read = store.Read{Table: r.Codec.Table, Key: partition, Only: store.StaticColumns, Consistency: r.Consistency()}
	row, err := r.DB.ReadRow(ctx, op, &l.Lookup)
	switch {
	case err != nil:
		return r.WrapError(op, partition, err)
	case row == nil:
		return r.WrapError(op, partition, mapper.ErrNotFound)
	}
	l.d.Row(row[len(partition):])
	decode(&l.d)
	return r.staticFault(&l.Read, partition, l.d.Err())
}

// staticFault returns the error of decoding static columns, or nil.
func (r Reader) staticFault(read *store.Read, partition cell.Row, err error) error {
	if fault, ok := errors.AsType[*cell.Fault](err); ok {
		fault.Path[0].Member = read.Picked()[len(partition)+fault.Path[0].Member]
	}
	if err != nil {
		return r.DB.decodeError(r.Codec.Table, partition, err)
	}
	return nil
}
