package work

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/cassaml/cassaml/mapper/driver"
)

// Slice is a slice of a phase as it was read.
type Slice struct {
	Checkpoint []byte // the last one that a worker saved; nil: none
	Held       bool   // a worker has a lease of it

	q      *Queue
	key    key
	record record
}

// ReadSlice reads a slice of a phase. Together with [Slice.Lease] it is for workers that choose their slices, and do not wait.
func (q *Queue) ReadSlice(ctx context.Context, phase, slice int) (*Slice, error) {
	k := key{phase, slice}
	r, err := q.records.read(ctx, k)
	if err != nil {
		return nil, q.wrap("read", k, err)
	}
	return &Slice{Checkpoint: r.checkpoint, Held: r.held(), q: q, key: k, record: r}, nil
}

// Lease leases a slice that no worker has. It returns nil if another worker has leased it since it was read.
func (s *Slice) Lease(ctx context.Context) (*Lease, error) { return s.q.acquire(ctx, s.key, s.record) }

// The presence of the worker that has a lease is a row of its own, which only plain writes change, and which expires with the lease. So a renewal
// costs no conditional statement, and no plain write is in a partition with conditional ones.
const (
	setPresence    = `UPDATE aml_work USING TTL ? SET owner = ? WHERE job = ? AND phase = '' AND tbl = 'owner' AND slice = 0`
	selectPresence = `SELECT owner FROM aml_work WHERE job = ? AND phase = '' AND tbl = 'owner' AND slice = 0`

	// ownerTTL is the default_time_to_live of the table: the owner in the record of a slice is valid as long as its presence.
	ownerTTL = 30 * 24 * time.Hour
)

// Slots are the slices of jobs without a header and without an end, which several processes work on again and again. Only the checkpoints of
// a worker, and taking and ending its lease, cost conditional statements.
type Slots struct {
	table table
	ttl   time.Duration // the time of a lease
}

// OpenSlots returns the slots in the keyspace of a session. It creates the table aml_work unless it exists.
func OpenSlots(ctx context.Context, session driver.Session, c Config) (*Slots, error) {
	s := &Slots{table{session: session, serial: cmp.Or(c.Serial, driver.Serial), ttl: ownerTTL}, cmp.Or(c.TTL, defaultTTL)}
	_, err := onTable(ctx, &s.table, func(ctx context.Context) (bool, error) { return s.table.present(ctx, uuid.UUID{}) })
	if err != nil {
		return nil, fmt.Errorf("work: open the table of slots: %w", err)
	}
	return s, nil
}

// Queue returns the queue of a job. Its slices are leased by [Queue.ReadSlice], and never done.
func (s *Slots) Queue(job Job) *Queue {
	t := s.table
	t.job = job
	q := newQueue(job, slots{&t, s.ttl}, pause, 0)
	q.renewal = s.ttl / 3
	return q
}

// slots is the records of a job without an end.
type slots struct {
	*table

	lease time.Duration
}

func (s slots) read(ctx context.Context, k key) (record, error) {
	r, err := s.table.read(ctx, k)
	if err != nil || !r.held() {
		return r, err
	}
	present, err := repeat(ctx, func() (bool, error) { return s.present(ctx, r.owner) })
	if !present {
		r.owner = uuid.UUID{}
	}
	return r, err
}

func (s slots) acquire(ctx context.Context, k key, r record) (bool, error) {
	if _, err := s.renew(ctx, k, r); err != nil {
		return false, err
	}
	return s.replaceFree(ctx, k, r, setRecord)
}

func (s slots) renew(ctx context.Context, _ key, r record) (bool, error) {
	return repeat(ctx, func() (bool, error) {
		args := []any{int(s.lease.Seconds()), orNull([16]byte(r.owner)), r.owner.String()}
		return true, s.query(ctx, driver.Query{CQL: setPresence, Args: args, Consistency: driver.LocalQuorum}).Close()
	})
}

// present reports whether the presence of a worker has not expired.
func (t *table) present(ctx context.Context, owner uuid.UUID) (bool, error) {
	var found []byte
	rows := t.query(ctx, driver.Query{CQL: selectPresence, Args: []any{owner.String()}, Consistency: driver.LocalQuorum})
	_, err := driver.ScanOne(rows, t.session.Value(&found))
	return found != nil, err
}
