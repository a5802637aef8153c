package gen

import (
	"context"
	"errors"
	"time"
)

// errNotOpen is a call of a store that was not made by its Open or OpenOn.
var errNotOpen = errors.New("mapper: the store is not open: use the one that its Open returned")

// begin begins a call. The context that it returns ends with the call's time; end must be called.
func (r reader) begin(ctx context.Context) (_ context.Context, end context.CancelFunc, err error) {
	if r.db == nil {
		return ctx, nil, errNotOpen
	}
	limit := r.db.config.Timeout
	if at, ok := ctx.Deadline(); limit == 0 || ok && time.Until(at) <= limit {
		return ctx, func() {}, nil
	}
	ctx, end = context.WithTimeout(ctx, limit)
	return ctx, end, nil
}
