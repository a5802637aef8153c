package storetest

import (
	"context"

	"github.com/cassaml/cassaml/mapper"
)

// Losses is a tracer that also records the rows that were not written.
type Losses struct {
	Requests
	Lost []mapper.Unwritten
}

// Unwritten records rows.
func (l *Losses) Unwritten(_ context.Context, rows mapper.Unwritten) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.Lost = append(l.Lost, rows)
}
