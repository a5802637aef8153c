package migrate

import (
	"context"
	"sync"
	"time"

	"github.com/cassaml/cassaml/internal/wait"
)

// releaseTimeout is how long a run that ends tries to release the lock, or to record a failure.
const releaseTimeout = 10 * time.Second

// lease is the time for which a run has the lock. A goroutine renews it, also while a statement or a function runs.
type lease struct {
	lock
	db      database
	ctx     context.Context // the context of the work; ends with the context of the run, or with errLockLost
	has     context.Context // ends with errLockLost, or with the lease
	cancel  context.CancelCauseFunc
	renewer sync.WaitGroup

	mu      sync.Mutex
	renewed time.Time // when the last request began that renewed the lock
}

// startLease starts a lease. It began when the lock was requested, at the time asked.
func startLease(ctx context.Context, db database, l lock, asked time.Time) *lease {
	t := &lease{lock: l, db: db, renewed: asked}
	has, lose := context.WithCancelCause(context.WithoutCancel(ctx))
	work, stop := context.WithCancelCause(ctx)
	t.ctx, t.has = work, has
	t.cancel = func(cause error) {
		lose(cause)
		stop(cause)
	}
	t.renewer.Go(t.keep)
	return t
}

// interval is the time between two renewals.
func (t *lease) interval() time.Duration { return t.ttl / renewals }

// keep renews the lock until the lease ends. After a request without an answer, it repeats the request soon.
func (t *lease) keep() {
	for pause := t.interval(); wait.Sleep(t.has, min(pause, max(t.left(), 0))) == nil; {
		ok, err := t.renew()
		switch {
		case t.left() <= 0, err == nil && !ok:
			t.cancel(errLockLost)
		case err == nil:
			pause = t.interval()
		default:
			pause = t.interval() / renewals
		}
	}
}

// renew extends the lock to its whole TTL again.
func (t *lease) renew() (ok bool, err error) {
	ctx, cancel := context.WithTimeout(t.has, min(t.interval(), max(t.left(), 0)))
	defer cancel()
	asked := time.Now()
	ok, err = t.db.renew(ctx, t.lock)
	if err == nil && ok {
		t.extend(asked)
	}
	return ok, err
}

// extend records that the lock was renewed by a request that began at the time asked.
func (t *lease) extend(asked time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if asked.After(t.renewed) {
		t.renewed = asked
	}
}

// left returns how long the run may continue without renewing the lock.
func (t *lease) left() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return time.Until(t.renewed.Add(missable * t.interval()))
}

// lost reports whether another run has the lock, or may have it.
func (t *lease) lost() bool { return context.Cause(t.has) == errLockLost }

// end releases the lock or, if expire is set, leaves it until it expires.
func (t *lease) end(expire bool) error {
	lost := t.lost()
	t.cancel(context.Canceled)
	t.renewer.Wait()
	if lost || expire {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.has), releaseTimeout)
	defer cancel()
	return t.db.release(ctx, t.lock)
}

// write sends a conditional write until it is answered, also after the context of the run has ended, so that completed work is recorded. It
// may be repeated, see database.
func (t *lease) write(send func(ctx context.Context) (bool, error)) error {
	return retry(t.has, "write aml_migrations", func(ctx context.Context) error {
		ok, err := send(ctx)
		if err == nil && !ok {
			t.cancel(errLockLost)
			return errLockLost
		}
		return err
	})
}
