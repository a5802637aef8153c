package storetest

import (
	"context"
	"slices"
	"sync"

	"github.com/cassaml/cassaml/mapper"
)

// Requests is a tracer that records the requests of a store.
type Requests struct {
	mu      sync.Mutex
	sent    []mapper.Request
	Results []mapper.RequestResult
}

// Start records a request.
func (r *Requests) Start(ctx context.Context, q mapper.Request) context.Context {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sent = append(r.sent, q)
	return ctx
}

// End records a result.
func (r *Requests) End(_ context.Context, result mapper.RequestResult) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Results = append(r.Results, result)
}

// Drain returns the requests since the last call, and removes them.
func (r *Requests) Drain() []mapper.Request {
	r.mu.Lock()
	defer r.mu.Unlock()
	sent := r.sent
	r.sent, r.Results = nil, nil
	return sent
}

// Writes returns those requests that write.
func (r *Requests) Writes() []mapper.Request {
	return slices.DeleteFunc(r.Drain(), func(q mapper.Request) bool { return q.Timestamp == 0 && !q.Conditional })
}
