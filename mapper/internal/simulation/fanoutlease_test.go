package simulation

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/integration/models/invoice"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/store"
	"github.com/cassaml/cassaml/mapper/internal/work"
	"github.com/cassaml/cassaml/mapper/memory"
)

// jobBackend is a backend whose stores share jobs, and count the requests to them.
type jobBackend struct {
	store.Backend

	mu       sync.Mutex
	jobs     *work.Shared
	requests atomic.Int64
}

func (b *jobBackend) Open(ctx context.Context, schema *descriptor.Schema) (store.Store, error) {
	s, err := b.Backend.Open(ctx, schema)
	return jobStore{s, b}, err
}

type jobStore struct {
	store.Store

	of *jobBackend
}

func (s jobStore) OpenJob(_ context.Context, job work.Job) (*work.Queue, error) {
	s.of.mu.Lock()
	defer s.of.mu.Unlock()
	return s.of.jobs.Open(job, func(context.Context) error { s.of.requests.Add(1); return nil }, nil)
}

// A fan-out to few holders has no lease. One to more has a lease for each bucket: a read of it, a statement that takes it, one that ends it, and
// one for each 1,000 holders.
func TestLeasesOfAFanOut(t *testing.T) {
	ctx := t.Context()
	b := &jobBackend{Backend: memory.New(memory.Config{}), jobs: work.NewShared(time.Minute, func() time.Duration { return 0 })}
	s, err := invoice.OpenBackend(ctx, b, mapper.Config{FanOutInline: -1, Lease: time.Millisecond})
	require.NoError(t, err)
	for id := range int32(2) {
		require.NoError(t, s.Customers.Insert(ctx, &invoice.Customer{ID: id, Name: "a"}))
	}
	insert := func(from, to int32) {
		for id := from; id < to; id++ {
			require.NoError(t, s.Invoices.Insert(ctx, &invoice.Invoice{ID: id, Guest: new(int32(1))}))
		}
	}
	fanOut := func() int64 {
		before := b.requests.Load()
		_, err := s.Customers.Update(ctx, 1, func(c *invoice.Customer) error { c.Name += "+"; return nil })
		require.NoError(t, err)
		time.Sleep(2 * time.Millisecond) // longer than Config.Lease
		var last mapper.FanOutProgress
		require.NoError(t, s.FanOut(ctx, mapper.FanOutConfig{Parallel: 1, Progress: func(p mapper.FanOutProgress) { last = p }}))
		require.Equal(t, mapper.FanOutProgress{Served: 1}, last)
		return b.requests.Load() - before
	}
	insert(0, mapper.DefaultFanOutInline)
	require.Zero(t, fanOut())
	insert(mapper.DefaultFanOutInline, 2500)
	const buckets = 3 // two of payers, which are empty, and one of guests
	require.Equal(t, int64(3*buckets+2), fanOut())
	require.Equal(t, int64(3*buckets+2), fanOut(), "the checkpoints of the earlier fan-out are not used")
	v, err := s.Invoices.Get(ctx, 2499)
	require.NoError(t, err)
	require.Equal(t, "a+++", *v.GuestName)
}
