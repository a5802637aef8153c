package work

import (
	"context"
	"sync"
)

// NewLocal returns a queue of a job that only this process carries out. It has no table, its leases do not expire, and the job ends
// with the process. A worker that ends without Done must call Release, or the others wait until their contexts end.
func NewLocal(job Job) *Queue {
	return newQueue(job, &memory{records: map[key]record{}}, await, 0)
}

// await waits until a worker of this process has ended a lease.
func await(ctx context.Context, changed <-chan struct{}) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-changed:
		return nil
	}
}

// memory is the records of one process.
type memory struct {
	mu      sync.Mutex
	records map[key]record
}

func (m *memory) read(ctx context.Context, k key) (record, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.records[k], ctx.Err()
}

func (m *memory) acquire(ctx context.Context, k key, r record) (bool, error) {
	return m.replace(ctx, k, r, func(old record) bool { return old.epoch == r.epoch-1 && !old.held() && !old.done })
}

func (m *memory) write(ctx context.Context, k key, r record) (bool, error) {
	return m.replace(ctx, k, r, func(old record) bool { return old.epoch == r.epoch && !old.done })
}

func (m *memory) renew(ctx context.Context, k key, r record) (bool, error) { return m.write(ctx, k, r) }

func (m *memory) replace(ctx context.Context, k key, r record, condition func(record) bool) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if ctx.Err() != nil || !condition(m.records[k]) {
		return false, ctx.Err()
	}
	m.records[k] = r
	return true, nil
}
