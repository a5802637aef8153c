package scan

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/work"
)

// A read of a whole table reads slices of the token ring, several at a time. Several processes can divide the slices among themselves.
const (
	DefaultSlices   = 256
	DefaultParallel = 4
	maxSlices       = 1 << 16
	longestLease    = 30 * time.Second
	checkpointPause = time.Second // time between two checkpoints of a lease, each of which costs a conditional statement
)

// CheckSlices refuses invalid numbers.
func CheckSlices(slices, parallel, rate int) error {
	switch {
	case slices > maxSlices:
		return fmt.Errorf("%d slices are too many: use at most %d", slices, maxSlices)
	case parallel < 0 || rate < 0 || slices < 0:
		return fmt.Errorf("%d slices at a time, %d rows per second, %d slices: use 1 or more, or 0", parallel, rate, slices)
	}
	return nil
}

// smallest is the smallest token. No partition has it.
const smallest = math.MinInt64

// sliceTokens returns the tokens of slice i of n: it begins after the first and ends with the second.
func sliceTokens(i, n int) (low, high int64) {
	if low = sliceStart(i, n); i == n-1 {
		return low, math.MaxInt64
	}
	return low, sliceStart(i+1, n)
}

// sliceStart returns the token after which slice i of n begins.
func sliceStart(i, n int) int64 { return int64(uint64(i)*sliceWidth(n) ^ 1<<63) }

// sliceWidth returns the number of tokens of each of n slices except the last; 0 if there is only one.
func sliceWidth(n int) uint64 {
	if n == 1 {
		return 0
	}
	return math.MaxUint64/uint64(n) + 1
}

// SliceBounds returns the ends of slice i of n as positions.
func SliceBounds(i, n int) (low, high cell.Cell) {
	from, to := sliceTokens(i, n)
	return plan.Bigint(from), plan.Bigint(to)
}

// sharing is a store that has the jobs which processes share.
type sharing interface {
	// OpenJob returns the queue of a job for one process.
	OpenJob(ctx context.Context, job work.Job) (*work.Queue, error)
}

// OpenQueue returns the queue of the slices of a job. share is the name of the run that several processes carry out together, from
// the field Job of a config; if it is empty, this process carries it out alone.
func OpenQueue(ctx context.Context, db *call.DB, config, share string, job work.Job) (*work.Queue, error) {
	if share == "" {
		return work.NewLocal(job), nil
	}
	if s, shared := db.Store.(sharing); shared {
		return s.OpenJob(ctx, job)
	}
	session := db.Session()
	if session == nil {
		return nil, fmt.Errorf("%s.Job needs a store on a session: other processes cannot see this database", config)
	}
	return work.Open(ctx, session, job, work.Config{Serial: db.Config.SerialConsistency, TTL: leaseTTL(db.Config)})
}

// leaseTTL returns the time of the leases of slices, which are renewed while their slices are read: the time of a call.
func leaseTTL(c mapper.Config) time.Duration {
	return min(longestLease, max(time.Second, c.Timeout.Truncate(time.Second)))
}

// EachSlice leases slices of a phase, several at a time, and calls do for each, until all are done. A slice that another process has
// taken over is left to it.
func EachSlice(ctx context.Context, db *call.DB, q *work.Queue, phase, parallel int, do func(context.Context, *work.Lease) error) error {
	workers := make([]int, parallel)
	return call.ForEach(ctx, db.Env.Parallel(parallel), workers, func(ctx context.Context, _ int) error {
		for {
			lease, err := q.Next(ctx, phase)
			if err != nil && ctx.Err() != nil {
				return ctx.Err() // the slice is not the reason
			}
			if lease == nil || err != nil {
				return err
			}
			err = do(ctx, lease)
			if _, queue := err.(*work.SliceError); queue && ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil && !errors.Is(err, work.ErrLost) {
				return err
			}
		}
	})
}

// RunLease calls do while it keeps a lease, and ends the lease with the report of do. do calls save when it has a new checkpoint, which
// is saved if enough time has passed since the last one. RunLease returns work.ErrLost if another process continues the slice.
func RunLease(ctx context.Context, db *call.DB, lease *work.Lease, do func(ctx context.Context, save func(func() ([]byte, error)) error) (report []byte, err error)) error {
	held, stop := lease.Keep(ctx)
	last := db.Env.Elapsed()
	report, err := do(held, func(checkpoint func() ([]byte, error)) error {
		if db.Env.Elapsed()-last < checkpointPause {
			return nil
		}
		last = db.Env.Elapsed()
		text, err := checkpoint()
		if err != nil {
			return err
		}
		return lease.Save(ctx, text)
	})
	if stop(); err != nil && errors.Is(context.Cause(held), work.ErrLost) {
		return work.ErrLost
	}
	if err == nil {
		return lease.Done(ctx, report)
	}
	if unreleased := lease.Release(ctx); unreleased != nil {
		return errors.Join(err, unreleased)
	}
	return err
}
