package gen

import (
	"context"

	"github.com/cassaml/cassaml/mapper/internal/call"
)

// Statics reads the static columns of the partition in key. It returns mapper.ErrNotFound if there is no such partition.
func Statics[S, T any](ctx context.Context, r Reader[T], key *Encoder, decode func(*Decoder, *S)) (*S, error) {
	v := new(S)
	if err := r.r.Statics(ctx, key, func(d *Decoder) { decode(d, v) }); err != nil {
		return nil, call.InOperation("Statics", err, nil)
	}
	return v, nil
}
