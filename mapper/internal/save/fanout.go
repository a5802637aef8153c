package save

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/scan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// fanOutParallel is the default of FanOutConfig.Parallel.
const fanOutParallel = 4

// fanOut is a run of FanOut.
type fanOut struct {
	db     *call.DB
	config mapper.FanOutConfig
	roots  map[string]Versioned // the keys are the names of their tables
	pace   scan.Pace

	mu       sync.Mutex
	progress mapper.FanOutProgress
	failed   error // the first error of a pass
}

// FanOut serves the outboxes of roots. Several processes can do so at the same time: to serve an outbox twice has no effect.
func FanOut(ctx context.Context, db *call.DB, c mapper.FanOutConfig, roots ...call.Root) error {
	if db == nil {
		return call.ErrNotOpen
	}
	if c.Parallel < 0 || c.Rate < 0 {
		return fanOutError(fmt.Errorf("FanOutConfig.Parallel is %d and Rate is %d: use 0 or more", c.Parallel, c.Rate))
	}
	if err := db.CheckRepair(); err != nil {
		return fanOutError(err)
	}
	x := &fanOut{db: db, config: c, roots: map[string]Versioned{}, pace: scan.Pace{Rate: c.Rate}}
	for _, r := range roots {
		x.roots[r.Codec.Table.Name] = Versioned{r}
	}
	for attempt := 1; ; attempt++ {
		served := x.progress.Served
		left, err := x.pass(ctx)
		if x.progress.Served > served {
			attempt = 1
		}
		switch {
		case err != nil && !c.Follow:
			return fanOutError(err)
		case err == nil && !left && !c.Follow:
			return nil
		case !db.Env.Resend(ctx, attempt):
			return fanOutError(cmp.Or(context.Cause(ctx), err))
		}
	}
}

func fanOutError(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("mapper: fan-out: %w", err)
}

// pass serves the outboxes that are listed. It reports whether some are listed whose saves may not have ended.
func (x *fanOut) pass(ctx context.Context) (left bool, err error) {
	var listed []plan.Outbox
	limit := x.db.Config.Now().Add(-x.db.Config.Lease).UnixMicro()
	for _, o := range plan.OutboxPartitions() {
		found, err := x.list(ctx, o)
		if err != nil {
			return false, err
		}
		for _, o := range found {
			if o.At > limit {
				left = true
			} else {
				listed = append(listed, o)
			}
		}
	}
	x.failed = nil
	err = call.ForEach(ctx, x.db.Env.Parallel(cmp.Or(x.config.Parallel, fanOutParallel)), listed, x.serve)
	return left, cmp.Or(err, x.failed)
}

// list returns the outboxes of the roots of the run in one partition.
func (x *fanOut) list(ctx context.Context, partition plan.OutboxPartition) (out []plan.Outbox, err error) {
	var table *plan.Table
	for _, r := range x.roots {
		table = r.Aggregate.Versioning.Outboxes
	}
	read := store.Read{Table: table, Key: partition.Key(), Consistency: x.db.Reverse().Config.Consistency}
	ctx, end := x.db.TraceRead(ctx, fanOutOp, &read)
	defer func() { end(err, len(out)) }()
	for row, err := range x.db.Store.Rows(ctx, read) {
		if err != nil {
			return nil, err
		}
		o, err := plan.DecodeOutbox(row)
		if err != nil {
			return nil, err
		}
		if _, known := x.roots[o.Source]; known {
			out = append(out, o)
		}
	}
	return out, nil
}

// fanOutOp is the name of the operation in traces and errors.
const fanOutOp = "FanOut"

// serve serves an outbox, and reports the result. An outbox that fails does not stop the others.
func (x *fanOut) serve(ctx context.Context, o plan.Outbox) error {
	err := x.roots[o.Source].resume(ctx, fanOutOp, o.Key, o.At, &x.pace)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if err == nil {
		x.progress.Served++
	} else {
		x.progress.Failed, x.progress.Err = x.progress.Failed+1, err
		x.failed = errors.Join(x.failed, err)
	}
	if x.config.Progress != nil {
		x.config.Progress(x.progress)
	}
	return nil
}
