package save

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/rowname"
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
	wall   time.Time     // Config.Now when the run began
	began  time.Duration // the monotonic clock when the run began

	slots  *scan.Slots // the leases of buckets; nil: no other process sees the database
	places *places     // the limits of a pass

	mu       sync.Mutex
	progress mapper.FanOutProgress
	left     bool   // some outboxes are left for another pass
	failed   error  // the first error of a pass
	logged   string // the text of the error of the last pass, which has been logged
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
	x := &fanOut{db: db, config: c, roots: map[string]Versioned{}, pace: scan.Pace{Rate: c.Rate}, slots: scan.NewSlots(db)}
	x.wall, x.began = db.Config.Now().Round(0), db.Env.Elapsed() // without its monotonic clock reading, which After would compare
	for _, r := range roots {
		x.roots[r.Codec.Table.Name] = Versioned{r}
	}
	for attempt := 1; ; attempt++ {
		served := x.progress.Served
		left, err := x.pass(ctx)
		if x.progress.Served > served && x.failed == nil { // the roots that have failed are not tried again at once
			attempt = 1
		}
		switch x.log(ctx, err); {
		case err != nil && ctx.Err() != nil:
			return fanOutError(x.ended(ctx))
		case err != nil && !c.Follow:
			return fanOutError(err)
		case err == nil && !left && x.progress.Served == served && !c.Follow: // what it has served can have listed others
			return nil
		case !db.Env.Resend(ctx, attempt):
			return fanOutError(x.ended(ctx))
		}
	}
}

// log logs the error of a pass of a run that goes on, unless the pass before has failed with the same error.
func (x *fanOut) log(ctx context.Context, err error) {
	text := ""
	if err != nil && ctx.Err() == nil && x.config.Follow {
		text = err.Error()
	}
	if text != "" && text != x.logged {
		x.db.Config.Logger.WarnContext(ctx, "mapper: fan-out: roots are left for another attempt", slog.Any("error", err))
	}
	x.logged = text
}

// ended returns the error of a run whose context has ended, with the first error of its last pass.
func (x *fanOut) ended(ctx context.Context) error {
	err := context.Cause(ctx)
	if x.failed != nil {
		err = fmt.Errorf("%w; roots are left: %w", err, x.failed)
	}
	return err
}

func fanOutError(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("mapper: fan-out: %w", err)
}

// pass serves the outboxes that are listed. It reports whether some are listed that this process does not serve yet. It reads as many partitions
// of the outboxes as it serves roots at a time, and holds only pages of them.
func (x *fanOut) pass(ctx context.Context) (left bool, err error) {
	x.left, x.failed = false, nil
	n := x.db.Env.Parallel(cmp.Or(x.config.Parallel, fanOutParallel))
	x.places = newPlaces(n)
	err = call.ForEach(ctx, n, plan.OutboxPartitions(), func(_ context.Context, p plan.OutboxPartition) error { // the roots are served longer than it reads
		if err := x.list(ctx, p); err != nil && ctx.Err() == nil {
			x.report(err)
		}
		return context.Cause(ctx)
	})
	x.places.running.Wait()
	return x.left, cmp.Or(err, context.Cause(ctx), x.failed)
}

// list serves the outboxes of the roots of the run that are listed in a partition. An outbox of the last Config.Lease may belong to a save that
// has not ended.
func (x *fanOut) list(ctx context.Context, partition plan.OutboxPartition) (err error) {
	read := store.Read{Table: x.outboxes(), Key: partition.Key(), Written: true, Consistency: x.db.Reverse().Config.Consistency}
	limit, n := x.limit(), 0
	ctx, end := x.db.TraceRead(ctx, fanOutOp, &read)
	defer func() { end(err, n) }()
	for row, err := range x.db.Store.Rows(ctx, read) {
		if err != nil {
			return err
		}
		n++
		root, known := x.roots[plan.OutboxSource(row)]
		if !known {
			continue
		}
		switch o, err := root.Aggregate.DecodeOutbox(row); {
		case err != nil:
			x.report(err)
		case x.isAhead(o.At, limit):
			x.report(fmt.Errorf("%s lists %s at %s, later than now: a clock was wrong; it is served when this time has passed", read.Table.Name,
				rowname.Format(root.Codec.Table.Aggregate, root.Codec.Table.Name, root.Codec.Table.KeyText(o.Key)), time.UnixMicro(o.At).UTC().Format(time.RFC3339)))
		case o.At > limit:
			x.leave()
		default:
			x.places.await(ctx, func() { x.serve(ctx, o) })
		}
	}
	return nil
}

// limit returns the version up to which an outbox belongs to a save that has ended. The time of the run passes although
// Config.Now stands still, as in a test, or goes back.
func (x *fanOut) limit() plan.Version {
	now := x.db.Config.Now()
	if passed := x.wall.Add(x.db.Env.Elapsed() - x.began); passed.After(now) {
		now = passed
	}
	return now.Add(-x.db.Config.Lease).UnixMicro()
}

// isAhead reports whether no save can have a version yet, by the clocks that Config.MaxClockSkew accepts.
func (x *fanOut) isAhead(at, limit plan.Version) bool {
	skew := x.db.Config.MaxClockSkew
	return skew >= 0 && at > limit+(x.db.Config.Lease+2*skew+time.Second).Microseconds()
}

// outboxes returns the table of the outboxes, which all roots of a run share.
func (x *fanOut) outboxes() (table *plan.Table) {
	for _, r := range x.roots {
		table = r.Aggregate.Versioning.Outboxes
	}
	return table
}

// leave notes that an outbox is left for another pass.
func (x *fanOut) leave() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.left = true
}

// fail notes an error. It does not stop the run.
func (x *fanOut) fail(err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.failed = cmp.Or(x.failed, err)
}

// fanOutOp is the name of the operation in traces and errors.
const fanOutOp = "FanOut"

// serve serves an outbox, and reports the result. An outbox that fails does not stop the others.
func (x *fanOut) serve(ctx context.Context, o plan.Outbox) {
	exited := true
	defer func() {
		if exited {
			x.fail(call.ErrExited)
		}
	}()
	err := x.roots[o.Source].resume(ctx, fanOutOp, o.Key, o.At, &x.pace, x.serveHolders)
	if ctx.Err() == nil {
		x.report(err)
	}
	exited = false
}

// report counts an outbox that was served, or an error.
func (x *fanOut) report(err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	switch {
	case errors.Is(err, errTaken), errors.Is(err, errListedDeletion): // another pass serves it; this run also ends the deletion
		x.left = true
		return
	case err == nil:
		x.progress.Served++
	default:
		x.progress.Failed, x.progress.Err = x.progress.Failed+1, err
		x.failed = cmp.Or(x.failed, err)
	}
	if x.config.Progress != nil {
		x.config.Progress(x.progress)
	}
}
