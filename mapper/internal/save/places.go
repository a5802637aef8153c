package save

import (
	"context"
	"sync"
)

// places limits how much of a run is done at the same time.
type places struct {
	taken   chan struct{} // nil: one thing after the other
	running sync.WaitGroup
}

func newPlaces(n int) *places {
	if n == 1 {
		return &places{}
	}
	return &places{taken: make(chan struct{}, n)}
}

// await calls do in a goroutine when a place is free, and returns. If the context ends before, it does not call do.
func (p *places) await(ctx context.Context, do func()) {
	if p.taken == nil {
		do()
		return
	}
	select {
	case p.taken <- struct{}{}:
		p.run(do)
	case <-ctx.Done():
	}
}

// spread calls do in a goroutine if a place is free, and otherwise calls it before it returns. The caller has a place. all ends with do.
func (p *places) spread(all *sync.WaitGroup, do func()) {
	select {
	case p.taken <- struct{}{}:
		all.Add(1)
		p.run(func() {
			defer all.Done()
			do()
		})
	default:
		do()
	}
}

func (p *places) run(do func()) {
	p.running.Go(func() {
		defer func() { <-p.taken }()
		do()
	})
}
