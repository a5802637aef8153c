package work

import (
	"context"
	"time"

	"github.com/google/uuid"
)

// Shared has the jobs that the processes of a simulation share, as the table aml_work has the jobs of real processes. Leases expire, and are
// renewed only by checkpoints. It is not safe for use by several goroutines.
type Shared struct {
	ttl  time.Duration
	now  func() time.Duration
	jobs map[string]*sharedJob
}

// NewShared returns a Shared without jobs, whose leases last for ttl on a clock.
func NewShared(ttl time.Duration, now func() time.Duration) *Shared {
	return &Shared{ttl: ttl, now: now, jobs: map[string]*sharedJob{}}
}

// Open returns a queue of a job for one process. request is called before each request, which is not carried out if request returns an
// error. pause waits until slices are to be looked at again. The error is a *[HeaderError] if the job was started with another header.
func (s *Shared) Open(job Job, request func(context.Context) error, pause Pause) (*Queue, error) {
	j := s.jobs[job.Name]
	if j == nil {
		j = &sharedJob{header: job.Header, records: map[key]sharedRecord{}}
		s.jobs[job.Name] = j
	}
	if j.header != job.Header {
		return nil, &HeaderError{Job: job.Name, Have: j.header, Want: job.Header}
	}
	return newQueue(job, process{s, j, request}, pause, 0), nil
}

// sharedJob is a job with its records.
type sharedJob struct {
	header  string
	records map[key]sharedRecord
}

// sharedRecord is a record whose owner expires.
type sharedRecord struct {
	record
	expires time.Duration
}

// process is the records of a job as one process sees them.
type process struct {
	*Shared
	job     *sharedJob
	request func(context.Context) error
}

func (p process) read(ctx context.Context, k key) (record, error) {
	if err := p.request(ctx); err != nil {
		return record{}, err
	}
	return p.current(k), nil
}

// current returns the record of a slice, without an owner that has expired.
func (p process) current(k key) record {
	r := p.job.records[k]
	if p.now() >= r.expires {
		r.owner = uuid.UUID{}
	}
	return r.record
}

func (p process) acquire(ctx context.Context, k key, r record) (bool, error) {
	return p.replace(ctx, k, r, func(old record) bool { return old.epoch == r.epoch-1 && !old.held() && !old.done })
}

func (p process) write(ctx context.Context, k key, r record) (bool, error) {
	return p.replace(ctx, k, r, func(old record) bool { return old.epoch == r.epoch && !old.done })
}

func (p process) renew(ctx context.Context, k key, r record) (bool, error) { return p.write(ctx, k, r) }

func (p process) replace(ctx context.Context, k key, r record, condition func(record) bool) (bool, error) {
	if err := p.request(ctx); err != nil {
		return false, err
	}
	if !condition(p.current(k)) {
		return false, nil
	}
	p.job.records[k] = sharedRecord{r, p.now() + p.ttl}
	return true, nil
}
