package scan

import (
	"context"
	"sync"
	"time"

	"github.com/cassaml/cassaml/internal/wait"
)

// Pace limits the rows that are read per second.
type Pace struct {
	Rate int // 0: no limit

	mu   sync.Mutex
	next time.Time // when the rows that were counted so far are allowed
}

// Add counts rows.
func (p *Pace) Add(rows int) {
	if p.Rate == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if now := time.Now(); p.next.Before(now) {
		p.next = now
	}
	p.next = p.next.Add(time.Duration(rows) * time.Second / time.Duration(p.Rate))
}

// Wait waits until the rows that were counted so far are allowed.
func (p *Pace) Wait(ctx context.Context) error {
	p.mu.Lock()
	until := p.next
	p.mu.Unlock()
	if p.Rate == 0 {
		return ctx.Err()
	}
	if wait.Sleep(ctx, time.Until(until)) != nil {
		return context.Cause(ctx)
	}
	return nil
}
