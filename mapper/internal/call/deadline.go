package call

import (
	"context"
	"sync/atomic"
	"time"
)

// deadlines creates the contexts of calls that have a time limit. Calls whose own context cannot end share one: a context with a timer
// costs as many allocations as a fourth of a request.
type deadlines struct{ shared atomic.Pointer[sharedContext] }

// sharedContext is the context of the calls that begin before a time.
type sharedContext struct {
	context.Context
	before time.Time
	cancel context.CancelFunc // is called for a context that no call has: the timer ends the others
}

// sharedPart is the part of the time limit in which calls share a context. The calls of one context end at the same time, so a call can
// end by this part of its limit too early, and never too late.
const sharedPart = 64

// context returns a context that ends with a time limit, which is always the same, at the latest. end must be called. Without a d, calls
// share nothing.
func (d *deadlines) context(ctx context.Context, limit time.Duration) (_ context.Context, end context.CancelFunc) {
	if d == nil || ctx.Done() != nil || fakeClock(time.Now()) {
		return context.WithTimeout(ctx, limit)
	}
	return d.share(ctx, limit)
}

// fakeClock reports whether a time is from the fake clock of testing/synctest, which has no monotonic time. A context of such a test ends the
// program if another test uses it, and a context from outside does not end by the clock of the test.
func fakeClock(now time.Time) bool {
	return now == now.Round(0) //nolint:staticcheck // Equal ignores the monotonic time
}

// share returns the shared context, for a call whose own context cannot end.
func (d *deadlines) share(ctx context.Context, limit time.Duration) (_ context.Context, end context.CancelFunc) {
	shared := d.current(limit)
	if ctx == context.Background() {
		return shared, func() {}
	}
	return valued{shared, ctx}, func() {}
}

// current returns the shared context. If several goroutines create one at the same time, all use the same.
func (d *deadlines) current(limit time.Duration) context.Context {
	for {
		old, now := d.shared.Load(), time.Now()
		if old != nil && now.Before(old.before) {
			return old.Context
		}
		ctx, cancel := context.WithDeadline(context.Background(), now.Add(limit))
		if d.shared.CompareAndSwap(old, &sharedContext{ctx, now.Add(limit / sharedPart), cancel}) {
			return ctx
		}
		cancel()
	}
}

// valued is a shared context with the values of a call's own context.
type valued struct {
	context.Context
	values context.Context
}

// Value returns a value of the call's own context. The shared context has none, except the one by which package context finds it. The own
// context can have that value, too, from a context that has been canceled and whose Done a type hides.
func (v valued) Value(key any) any {
	if x := v.Context.Value(key); x != nil {
		return x
	}
	return v.values.Value(key)
}
