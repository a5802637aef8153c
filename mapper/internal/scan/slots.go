package scan

import (
	"context"
	"sync"
	"time"

	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/work"
)

// Slots opens queues of jobs that several processes work on again and again. The table of the jobs is not needed before the first one.
type Slots struct {
	db *call.DB

	mu   sync.Mutex
	open *work.Slots // nil: not yet
}

// NewSlots returns the slots of a database. They are nil if no other process sees the database.
func NewSlots(db *call.DB) *Slots {
	if _, shared := db.Store.(sharing); !shared && db.Session() == nil {
		return nil
	}
	return &Slots{db: db}
}

// Queue returns the queue of a job, whose leases have the time of Config.Lease.
func (s *Slots) Queue(ctx context.Context, job work.Job) (*work.Queue, error) {
	if shared, ok := s.db.Store.(sharing); ok {
		return shared.OpenJob(ctx, job)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open == nil {
		var err error
		if s.open, err = work.OpenSlots(ctx, s.db.Session(), work.Config{Serial: s.db.Config.SerialConsistency, TTL: wholeSeconds(s.db.Config.Lease)}); err != nil {
			return nil, err
		}
	}
	return s.open.Queue(job), nil
}

// wholeSeconds rounds a time up to whole seconds.
func wholeSeconds(d time.Duration) time.Duration { return (d + time.Second - 1).Truncate(time.Second) }
