package runtime

import (
	"context"
	"sync"
	"time"
)

// pace limits the rows that are read per second.
type pace struct {
	rate int // 0: no limit

	mu   sync.Mutex
	next time.Time // when the rows that were counted so far are allowed
}

// add counts rows.
func (p *pace) add(rows int) {
	if p.rate == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if now := time.Now(); p.next.Before(now) {
		p.next = now
	}
	p.next = p.next.Add(time.Duration(rows) * time.Second / time.Duration(p.rate))
}

// wait waits until the rows that were counted so far are allowed.
func (p *pace) wait(ctx context.Context) error {
	p.mu.Lock()
	until := p.next
	p.mu.Unlock()
	if p.rate == 0 {
		return ctx.Err()
	}
	if !wait(ctx, time.Until(until)) {
		return context.Cause(ctx)
	}
	return nil
}
