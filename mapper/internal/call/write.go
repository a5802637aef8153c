package call

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/rowname"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// MaxAttempts is how often one write is sent.
const MaxAttempts = 4

const (
	maxMutation = 16 << 20 // bytes: half of commitlog_segment_size, and native_transport_max_frame_size

	maxStatements = math.MaxUint16 // limit of a batch: the protocol has two bytes for the number
)

// batch is a write to send.
type batch struct {
	change
	table     *plan.Table // the table of the root
	mutations []plan.Mutation
	bytes     int
	spread    bool // it writes to more than one partition
	lists     bool // it writes a list that is not frozen
	expires   bool // a mutation has a TTL
	unlogged  bool // the batch is not atomic
	piece     bool // it is sent again after a refusal, too: too few replicas can be available for a while
	seconds   int64
	since     *time.Duration // the time on the monotonic clock from which TTLs count, in place of a timestamp; nil: none
	done      *plan.Table    // the table of done-markers
	late      bool           // a row expired, by the time since, before it was sent: the done-marker is not sent
}

func newBatch(c change, t *plan.Table, mutations []plan.Mutation) batch {
	b := batch{change: c, table: t, mutations: mutations}
	for i := range mutations {
		m := &mutations[i]
		b.bytes += m.Size()
		b.spread = b.spread || !m.SamePartition(&mutations[0])
		b.lists = b.lists || m.WritesList()
		b.expires = b.expires || m.TTL > 0
	}
	return b
}

// totalSize returns the number of bytes that the server counts for the mutations of a batch.
func totalSize(mutations []plan.Mutation) (bytes int) {
	for i := range mutations {
		bytes += mutations[i].Size()
	}
	return bytes
}

// timestamp returns the timestamp of a write. It is above the timestamps that were read, so that the write takes effect.
func (db *DB) timestamp(c *change, repeats int) (int64, error) {
	written := c.written
	switch {
	case c.at != 0:
		return c.at, nil
	case written > math.MaxInt64-store.Spacing*MaxAttempts:
		return 0, fmt.Errorf("a cell of the row has the timestamp %d, and nothing can be written above it", written)
	case db.at == 0:
		return db.clock.Next(written+store.Spacing, repeats), nil
	case written > 0 && db.at <= written:
		return 0, fmt.Errorf("the timestamp %d of the options is not above the row's, which was written at %d", db.at, written)
	}
	return db.at, nil
}

// errExpired is returned for a write whose TTL expires before it is sent.
var errExpired = errors.New("its TTL has expired")

// age sets the seconds since the timestamp. A TTL counts from the timestamp, however late the write is sent. Mutations whose
// TTL has expired are removed. The row of the root can have a later TTL than since shows, if one of several attempts was applied: then the
// done-marker is removed, too, and Reconcile writes the rows.
func (b *batch) age(db *DB, at int64) {
	switch {
	case !b.expires:
		return
	case b.since != nil: // the row of the root expires: no copy outlives it
		b.seconds = int64((db.Env.Elapsed() - *b.since + time.Second - 1) / time.Second)
	default:
		b.seconds = max(0, (db.Config.Now().UnixMicro()-at)/1e6)
	}
	over := func(m plan.Mutation) bool {
		return m.TTL > 0 && int64(m.TTL) <= b.seconds || b.late && m.Table == b.done
	}
	if b.since != nil && slices.ContainsFunc(b.mutations, over) {
		b.late = true
	}
	if slices.ContainsFunc(b.mutations, over) {
		b.mutations = slices.DeleteFunc(slices.Clone(b.mutations), over)
	}
}

// write sends the mutations as one atomic write, or as several requests if the model allows it: see [delivery]. A write of
// unknown outcome is repeated with the same timestamp, which changes nothing if the first attempt took effect. Only list elements
// would be duplicated, so a write with a list is repeated with a slightly greater timestamp.
func (db *DB) write(ctx context.Context, c *change, t *plan.Table, mutations []plan.Mutation) error {
	d := db.newDelivery(c, t, mutations)
	b := &d.main
	b.repeatable = b.repeatable && (db.at == 0 || !b.lists) // the call, repeated at the same timestamp, would double the list
	if err := cmp.Or(db.broken, ctx.Err()); err != nil {
		return b.wrap(err)
	}
	if err := d.check(); err != nil {
		return err
	}
	if err := db.Admit(mutations); err != nil {
		return err
	}
	repeats := 0
	if b.lists {
		repeats = MaxAttempts - 1
	}
	at, err := db.timestamp(c, repeats)
	if err != nil {
		return b.wrap(err)
	}
	c.at = at
	return d.send(ctx)
}

// sendMain sends the row of the root, and everything that is written atomically with it. After an attempt of unknown outcome, a
// write that is sent once is not repeated. An attempt for which there was no connection is always repeated.
func (d *delivery) sendMain(ctx context.Context) error {
	db, b := d.db, &d.main
	var unknown error
	for attempt := 1; ; attempt++ {
		if b.age(db, d.change.at); len(b.mutations) == 0 {
			return d.result(errExpired, unknown)
		}
		err := db.send(ctx, b, d.change.at, attempt)
		outcome := store.Refused
		failure, ok := errors.AsType[*store.Error](err)
		if ok {
			outcome = failure.Outcome
		}
		if outcome == store.Unknown {
			unknown = failure.Err
		}
		last := attempt == MaxAttempts && (d.pieces == nil || b.lists) || outcome == store.Unknown && b.once
		if err == nil || outcome.Final() || last || !db.Env.Resend(ctx, attempt) {
			return d.result(err, unknown)
		}
		if b.lists {
			d.change.at += store.Spacing
		}
	}
}

// send makes one attempt.
func (db *DB) send(ctx context.Context, b *batch, at int64, attempt int) error {
	ctx, end := db.traceWrite(ctx, b, at, attempt)
	err := db.Store.Apply(ctx, b.mutations, store.Write{Timestamp: at, Age: b.seconds, Unlogged: b.unlogged, Consistency: db.Config.Consistency})
	end(err, 0)
	return err
}

// result returns the error for the caller. If one attempt may have been executed, the outcome stays unknown, even if a later
// attempt was refused.
func (b *batch) result(err, unknown error) error {
	if err == nil {
		return nil
	}
	if unknown == nil {
		return b.wrap(err)
	}
	return &mapper.UnknownOutcomeError{Aggregate: b.table.Aggregate, Table: b.table.Name, Key: b.key(), Writes: b.writes,
		Repeatable: b.repeatable, Err: unknown}
}

func (b *batch) key() string { return b.table.KeyText(b.row()) }

func (b *batch) wrap(err error) error {
	if failure, ok := errors.AsType[*store.Error](err); ok {
		err = failure.Err
	}
	return fmt.Errorf("mapper: %s %s: %w", b.op, rowname.First(b.table.Aggregate, b.table.Name, b.key(), b.writes), err)
}

// tooLarge returns a [*mapper.BatchTooLargeError] for a write that the server would refuse: a batch over several partitions
// above the limit, and any mutation or request above 16 MiB.
func (b *batch) tooLarge(limit int) error {
	size := b.bytes
	if !b.spread || size <= limit {
		size, limit = b.sent(), maxMutation
	}
	if size <= limit {
		return nil
	}
	return &mapper.BatchTooLargeError{Aggregate: b.table.Aggregate, Table: b.table.Name, Key: b.key(), Writes: b.writes, Bytes: size, Limit: limit}
}

// sent returns an upper bound of the size of the request, and of the mutation that the server creates from it. Far below the
// limit it returns the size of the values only.
func (b *batch) sent() int {
	size := b.bytes
	if size+len(b.mutations)*plan.MaxOverhead > maxMutation {
		for i := range b.mutations {
			size += b.mutations[i].Overhead()
		}
	}
	return size
}

// change is a write of one aggregate, or the first write of a batch.
type change struct {
	op         string
	old, new   cell.Row
	written    int64 // the greatest timestamp that was read
	at         int64 // the timestamp: after a write was sent, its last one; 0: from the clock or the options
	over       bool  // the row may exist and was not read
	whole      bool  // all columns of the row are written
	differs    bool  // it writes the difference from the row that was read, which a repeated call does not find again
	repairs    bool  // it is a repair, which writes all rows
	computed   bool  // the new row has the results of methods
	imported   bool  // written at the timestamp of the options, even if there are newer cells
	repeatable bool  // the caller can repeat the call after an unknown outcome
	once       bool  // an attempt of unknown outcome is not repeated
	epoch      int64 // how often the set of remembered rows had been emptied before the write
	writes     int   // number of writes in a batch, of which this is the first; 0 for a write without a batch
}

// row returns the new row, or the old one if there is no new row.
func (c *change) row() cell.Row {
	if c.new != nil {
		return c.new
	}
	return c.old
}
