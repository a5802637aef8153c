package work

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/cassaml/cassaml/internal/wait"
)

// Job describes work that is divided into slices.
type Job struct {
	Name   string // the name of a job that several processes share
	Header string // determines the slices and their results; processes that share a job must have the same
	Slices int    // the number of slices of each phase
	Phases []Phase
}

// Phase is a step of a job. It begins when all slices of the phase before it are done. The phases of a job differ.
type Phase struct{ Name, Table string }

// String returns the name and the table.
func (p Phase) String() string { return p.Name + " of " + p.Table }

// ErrLost is returned to a worker whose slice another worker has taken over.
var ErrLost = errors.New("work: the lease has expired, and another worker has taken the slice")

// HeaderError reports a job that was started with another header.
type HeaderError struct {
	Job  string
	Have string // the header that the job was started with
	Want string // the header of this process
}

// Error returns a message with both headers.
func (e *HeaderError) Error() string {
	return fmt.Sprintf("work: the job %q was started with\n  %s\nand this process has\n  %s\n"+
		"use the same configuration and model in all processes, or another name", e.Job, e.Have, e.Want)
}

// Queue leases the slices of a job to the workers of this process. Its methods can be called by several goroutines.
type Queue struct {
	job     Job
	records records
	pause   Pause
	renewal time.Duration // how often Keep renews a lease; 0: leases do not expire

	mu      sync.Mutex
	reports []map[int][]byte // the reports of the slices that are known to be done, by phase
	next    []int            // the slice to look at next, by phase
	changed chan struct{}    // is closed when a worker of this process ends a lease
}

// Pause waits until slices are to be looked at again: after some time, or when changed is closed because a worker of this process
// has ended a lease. It returns an error if the context ends.
type Pause func(ctx context.Context, changed <-chan struct{}) error

// key identifies a slice.
type key struct{ phase, slice int }

// record is the stored state of a slice.
type record struct {
	epoch      int64     // how many times it has been leased
	owner      uuid.UUID // a random one for each lease, until the lease expires
	checkpoint []byte
	done       bool
	report     []byte
}

// held reports whether a worker has a lease that has not expired.
func (r record) held() bool { return r.owner != uuid.UUID{} }

func (r record) equal(o record) bool {
	return r.epoch == o.epoch && r.owner == o.owner && r.done == o.done &&
		bytes.Equal(r.checkpoint, o.checkpoint) && bytes.Equal(r.report, o.report)
}

// records has the record of each slice.
type records interface {
	read(ctx context.Context, k key) (record, error)
	// acquire replaces the record of a free slice, which is not done, has no owner, and has the epoch r.epoch-1. It returns
	// false if the slice is not free.
	acquire(ctx context.Context, k key, r record) (bool, error)
	// write replaces a record that has the epoch of r and is not done. It returns false if there is none.
	write(ctx context.Context, k key, r record) (bool, error)
	// renew extends the lease of a record that has the epoch of r and is not done. It returns false if there is none, as far as it knows.
	renew(ctx context.Context, k key, r record) (bool, error)
}

// newQueue returns a queue that looks first at the given slice of each phase.
func newQueue(job Job, r records, pause Pause, first int) *Queue {
	q := &Queue{job: job, records: r, pause: pause, changed: make(chan struct{})}
	for range job.Phases {
		q.reports = append(q.reports, map[int][]byte{})
		q.next = append(q.next, first)
	}
	return q
}

// Next leases a slice of a phase, which is given by its index. While other workers have all slices that are not done, or a phase
// before this one is not done, Next waits. It returns nil if every slice of the phase is done.
func (q *Queue) Next(ctx context.Context, phase int) (*Lease, error) {
	for {
		changed := q.now()
		begun, err := q.begun(ctx, phase)
		if err != nil {
			return nil, err
		}
		if begun {
			if l, err := q.lease(ctx, phase); l != nil || err != nil {
				return l, err
			}
			if q.complete(phase) {
				return nil, nil
			}
		}
		if err := q.pause(ctx, changed); err != nil {
			return nil, fmt.Errorf("work: wait for the slices of %s: %w", q.job.Phases[phase], err)
		}
	}
}

// Reports returns the reports of all slices, in the order of the phases and slices. It returns an error if a slice is not done.
func (q *Queue) Reports(ctx context.Context) ([][]byte, error) {
	ended, err := q.begun(ctx, len(q.job.Phases))
	if err != nil {
		return nil, err
	}
	if !ended {
		return nil, errors.New("work: the reports of a job are read before it is done")
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	var all [][]byte
	for _, reports := range q.reports {
		for i := range q.job.Slices {
			all = append(all, reports[i])
		}
	}
	return all, nil
}

// begun reports whether all slices of the phases before a phase are done.
func (q *Queue) begun(ctx context.Context, phase int) (bool, error) {
	for p := range phase {
		for i := 0; i < q.job.Slices && !q.complete(p); i++ {
			r, err := q.readRecord(ctx, key{p, i})
			if err != nil || !r.done {
				return false, err
			}
		}
	}
	return true, nil
}

// lease leases a slice of a phase; nil if no slice is free.
func (q *Queue) lease(ctx context.Context, phase int) (*Lease, error) {
	for range q.job.Slices {
		k := key{phase, q.advance(phase)}
		r, err := q.readRecord(ctx, k)
		if err != nil {
			return nil, err
		}
		if r.done || r.held() {
			continue
		}
		if l, err := q.acquire(ctx, k, r); l != nil || err != nil {
			return l, err
		}
	}
	return nil, nil
}

// acquire leases a free slice, as it was read; nil if it is not free any more.
func (q *Queue) acquire(ctx context.Context, k key, r record) (*Lease, error) {
	r.epoch, r.owner = r.epoch+1, uuid.New()
	taken, err := q.records.acquire(ctx, k, r)
	if !taken || err != nil {
		return nil, q.wrap("lease", k, err)
	}
	return &Lease{Phase: q.job.Phases[k.phase], Slice: k.slice, Checkpoint: r.checkpoint, q: q, key: k, record: r}, nil
}

// readRecord returns the record of a slice. It reads the record unless the slice is known to be done.
func (q *Queue) readRecord(ctx context.Context, k key) (record, error) {
	q.mu.Lock()
	_, done := q.reports[k.phase][k.slice]
	q.mu.Unlock()
	if done {
		return record{done: true}, nil
	}
	r, err := q.records.read(ctx, k)
	if err == nil && r.done {
		q.note(k, r.report)
	}
	return r, q.wrap("read", k, err)
}

// note notes that a slice is done.
func (q *Queue) note(k key, report []byte) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.reports[k.phase][k.slice] = report
}

// advance returns the slice of a phase to look at.
func (q *Queue) advance(phase int) int {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := q.next[phase]
	q.next[phase] = (i + 1) % q.job.Slices
	return i
}

// complete reports whether all slices of a phase are known to be done.
func (q *Queue) complete(phase int) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.reports[phase]) == q.job.Slices
}

// now returns a channel that is closed when the next lease ends.
func (q *Queue) now() <-chan struct{} {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.changed
}

func (q *Queue) wrap(what string, k key, err error) error {
	if err == nil {
		return nil
	}
	return &SliceError{what, k.slice, q.job.Phases[k.phase], err}
}

// SliceError is an error of the records of a slice: the work on the slice is not the reason.
type SliceError struct {
	Op    string // such as "lease"
	Slice int
	Phase Phase
	Err   error
}

func (e *SliceError) Error() string {
	return fmt.Sprintf("work: %s slice %d of %s: %v", e.Op, e.Slice, e.Phase, e.Err)
}

func (e *SliceError) Unwrap() error { return e.Err }

// Lease is the right of one worker to carry out a slice. Its methods are for one goroutine, in addition to the goroutine of Keep, and return
// ErrLost if another worker has taken the slice.
type Lease struct {
	Phase      Phase
	Slice      int
	Checkpoint []byte // the last one that the previous worker saved; nil: none

	q     *Queue
	key   key
	ended bool

	mu     sync.Mutex // held during a write
	record record
}

// Save saves a checkpoint, from which another worker continues if this one ends, and renews the lease.
func (l *Lease) Save(ctx context.Context, checkpoint []byte) error {
	return l.write(ctx, "save", l.q.records.write, func(r *record) { r.checkpoint = bytes.Clone(checkpoint) })
}

// Renew extends the lease to its whole time again. A worker must renew its lease, or save a checkpoint, before the lease expires.
func (l *Lease) Renew(ctx context.Context) error {
	return l.write(ctx, "renew", l.q.records.renew, func(*record) {})
}

// Keep renews the lease until stop is called, however long the work between two checkpoints takes. The context that it returns ends with
// the cause ErrLost if another worker has taken the slice.
func (l *Lease) Keep(ctx context.Context) (_ context.Context, stop func()) {
	if l.q.renewal == 0 {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	var renewing sync.WaitGroup
	renewing.Go(func() { l.keep(ctx, cancel) })
	return ctx, func() {
		cancel(nil)
		renewing.Wait()
	}
}

// keep renews the lease until the context ends. A renewal that fails is repeated after the same time: if the lease expires first, and
// another worker takes the slice, the next renewal returns ErrLost.
func (l *Lease) keep(ctx context.Context, cancel context.CancelCauseFunc) {
	for wait.Sleep(ctx, l.q.renewal) == nil {
		if err := l.Renew(ctx); errors.Is(err, ErrLost) {
			cancel(err)
		}
	}
}

// Done records that the slice is done, with its report, and ends the lease.
func (l *Lease) Done(ctx context.Context, report []byte) error {
	defer l.end()
	err := l.write(ctx, "complete", l.q.records.write, func(r *record) { *r = record{epoch: r.epoch, done: true, report: bytes.Clone(report)} })
	if err == nil {
		l.q.note(l.key, report)
	}
	return err
}

// releaseTimeout is how long a worker tries to release its lease. Without an answer the worker ends, and the lease expires later.
const releaseTimeout = 10 * time.Second

// Release ends the lease of a slice that is not done, so that another worker can continue it at once. It does nothing after Done. It has a time
// limit of its own, because the context of a worker that is stopped has ended.
func (l *Lease) Release(ctx context.Context) error { return l.release(ctx, func(*record) {}) }

// ReleaseAt is Release with a last checkpoint.
func (l *Lease) ReleaseAt(ctx context.Context, checkpoint []byte) error {
	return l.release(ctx, func(r *record) { r.checkpoint = bytes.Clone(checkpoint) })
}

func (l *Lease) release(ctx context.Context, change func(*record)) error {
	if l.ended {
		return nil
	}
	defer l.end()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTimeout)
	defer cancel()
	return l.write(ctx, "release", l.q.records.write, func(r *record) {
		*r = record{epoch: r.epoch, checkpoint: r.checkpoint}
		change(r)
	})
}

// write changes the record, and sends it to the records.
func (l *Lease) write(ctx context.Context, what string, send func(context.Context, key, record) (bool, error), change func(*record)) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := l.record
	change(&r)
	ok, err := send(ctx, l.key, r)
	switch {
	case err != nil:
		return l.q.wrap(what, l.key, err)
	case !ok:
		return ErrLost
	}
	l.record = r
	return nil
}

// end resumes the workers of this process that wait.
func (l *Lease) end() {
	l.ended = true
	l.q.mu.Lock()
	defer l.q.mu.Unlock()
	close(l.q.changed)
	l.q.changed = make(chan struct{})
}
