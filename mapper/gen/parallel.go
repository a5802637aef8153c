package gen

import (
	"context"
	"sync"
)

// inParallel calls do with each of some values, at most n at a time. The first error ends the context of the others, and
// is given.
func inParallel[T any](ctx context.Context, n int, all []T, do func(context.Context, T) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan T)
	var wg sync.WaitGroup
	for range min(n, len(all)) {
		wg.Go(func() {
			for v := range next {
				if err := do(ctx, v); err != nil {
					cancel(err)
				}
			}
		})
	}
	for i := 0; i < len(all) && ctx.Err() == nil; i++ {
		select {
		case next <- all[i]:
		case <-ctx.Done():
		}
	}
	close(next)
	wg.Wait()
	return context.Cause(ctx)
}
