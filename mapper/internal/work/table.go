package work

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/cassaml/cassaml/internal/schemachange"
	"github.com/cassaml/cassaml/internal/wait"
	"github.com/cassaml/cassaml/mapper/driver"
)

// Each slice is a partition of the table, so that processes that lease different slices do not delay each other. A write replaces
// all columns, on the condition that the epoch is the epoch of the writer. So no column expires before the others except the owner,
// whose TTL is the time of the lease. The row with the empty phase has the header of the job, as its report.
const (
	createTable = `CREATE TABLE IF NOT EXISTS aml_work (
	job text, phase text, tbl text, slice int, epoch bigint, owner uuid, checkpoint blob, done boolean, report blob,
	PRIMARY KEY ((job, phase, tbl, slice))
) WITH ID = %s AND comment = 'work that several processes share' AND default_time_to_live = 2592000`

	where        = ` WHERE job = ? AND phase = ? AND tbl = ? AND slice = ?`
	selectRecord = `SELECT epoch, owner, checkpoint, done, report FROM aml_work` + where
	setRecord    = `UPDATE aml_work SET epoch = ?, checkpoint = ?, done = ?, report = ?` + where + ` IF epoch = ? AND done = null`
	andFree      = ` AND owner = null`
	setOwner     = `UPDATE aml_work USING TTL ? SET owner = ?` + where
	insertHeader = `INSERT INTO aml_work (job, phase, tbl, slice, report) VALUES (?, '', '', 0, ?) IF NOT EXISTS USING TTL ?`
	renewHeader  = `UPDATE aml_work USING TTL ? SET report = ? WHERE job = ? AND phase = '' AND tbl = '' AND slice = 0 IF report = ?`
)

const (
	defaultTTL   = 30 * time.Second
	defaultPause = time.Second

	// headerTTL is twice the default_time_to_live of the table, so that the slices of a job expire before its header does.
	headerTTL = 60 * 24 * 60 * 60

	attempts   = 6 // the attempts of one request
	firstPause = 100 * time.Millisecond
)

// Config configures how a process shares a job. Its zero value works.
type Config struct {
	Serial driver.Consistency // the level of conditional statements; 0: driver.Serial
	TTL    time.Duration      // the TTL of leases, in whole seconds; 0: 30 s
	Pause  Pause              // nil: about 1 s
}

// Open returns a queue of a job that this process shares with all processes that open a job of the same name in the keyspace of
// the session. It creates the table aml_work unless it exists. The job is recorded for 30 days; until then, a job that is done is
// not repeated. The error is a *[HeaderError] if the job was started with another header.
func Open(ctx context.Context, session driver.Session, job Job, c Config) (*Queue, error) {
	t := &table{session: session, job: job, serial: cmp.Or(c.Serial, driver.Serial), ttl: cmp.Or(c.TTL, defaultTTL)}
	header, err := t.open(ctx)
	switch {
	case err != nil:
		return nil, fmt.Errorf("work: open the job %q: %w", job.Name, err)
	case header != job.Header:
		return nil, &HeaderError{Job: job.Name, Have: header, Want: job.Header}
	}
	if c.Pause == nil {
		c.Pause = pause
	}
	first := rand.N(max(job.Slices, 1)) // so that processes that start together look at different slices
	q := newQueue(job, t, c.Pause, first)
	q.renewal = t.ttl / 3
	return q, nil
}

// pause waits for about a second.
func pause(ctx context.Context, changed <-chan struct{}) error {
	return wait.ForChange(ctx, defaultPause/2+rand.N(defaultPause), changed)
}

// table is the records of a job in aml_work.
type table struct {
	session driver.Session
	job     Job
	serial  driver.Consistency
	ttl     time.Duration
}

// open returns the header of the job, and creates the table if necessary.
func (t *table) open(ctx context.Context) (string, error) {
	return onTable(ctx, t, t.header)
}

// onTable sends a request, and creates the table if it is missing.
func onTable[T any](ctx context.Context, t *table, request func(context.Context) (T, error)) (T, error) {
	answer, err := request(ctx)
	if schemachange.TableMissing(err) {
		if err := t.create(ctx); err != nil {
			return answer, err
		}
	}
	if err == nil {
		return answer, nil
	}
	return repeat(ctx, func() (T, error) { return request(ctx) })
}

// create creates the table. The error of a role that may not create it contains the statement.
func (t *table) create(ctx context.Context) error {
	keyspace := t.session.Keyspace()
	statement := fmt.Sprintf(createTable, schemachange.TableID(keyspace+".aml_work"))
	if err := t.query(ctx, driver.Query{CQL: statement}).Close(); err != nil {
		return fmt.Errorf("create its table: %w; a role with the permission CREATE on keyspace %s must execute this statement once:\n%s",
			err, keyspace, statement)
	}
	nodes := schemachange.Nodes{Session: t.session}
	_, err := nodes.Agree(ctx)
	return err
}

// header returns the header of the job. It records it if there is none, and extends its TTL otherwise.
func (t *table) header(ctx context.Context) (string, error) {
	mine := []byte(t.job.Header)
	created, row, err := t.cas(ctx, insertHeader, t.job.Name, mine, headerTTL)
	if created || err != nil {
		return t.job.Header, err
	}
	recorded, _ := row["report"].([]byte)
	_, _, err = t.cas(ctx, renewHeader, headerTTL, mine, t.job.Name, mine)
	return string(recorded), err
}

func (t *table) read(ctx context.Context, k key) (record, error) {
	return repeat(ctx, func() (record, error) { return t.readAt(ctx, k, driver.LocalQuorum) })
}

func (t *table) readAt(ctx context.Context, k key, c driver.Consistency) (r record, err error) {
	var owner []byte // null if the slice is free
	rows := t.query(ctx, driver.Query{CQL: selectRecord, Args: t.where(k), Consistency: c})
	_, err = driver.ScanOne(rows, &r.epoch, t.session.Value(&owner), &r.checkpoint, &r.done, &r.report)
	copy(r.owner[:], owner)
	return r, err
}

func (t *table) acquire(ctx context.Context, k key, r record) (bool, error) {
	return t.replaceFree(ctx, k, r, setRecord+andFree)
}

// replaceFree replaces the record of a slice that has been leased once less.
func (t *table) replaceFree(ctx context.Context, k key, r record, statement string) (bool, error) {
	var before *int64
	if r.epoch > 1 {
		before = new(r.epoch - 1)
	}
	return t.replace(ctx, k, r, statement, before)
}

func (t *table) write(ctx context.Context, k key, r record) (bool, error) {
	return t.replace(ctx, k, r, setRecord, &r.epoch)
}

func (t *table) renew(ctx context.Context, k key, r record) (bool, error) { return t.write(ctx, k, r) }

// replace sends a conditional batch that writes a record. If the batch is not answered, replace reads the record at the serial
// consistency before it sends the batch again: if it was applied, its condition is no longer met.
func (t *table) replace(ctx context.Context, k key, r record, statement string, before *int64) (bool, error) {
	unknown := false
	return repeat(ctx, func() (bool, error) {
		if unknown {
			if now, err := t.readAt(ctx, k, t.serial); err != nil || now.equal(r) {
				return true, err
			}
		}
		b := t.session.Batch(ctx, driver.BatchConfig{Consistency: driver.LocalQuorum, Serial: t.serial}, 2)
		b.Add(statement, append(t.where(k, r.epoch, r.checkpoint, orNull(r.done), r.report), before))
		b.Add(setOwner, t.where(k, int(t.ttl.Seconds()), orNull([16]byte(r.owner))))
		applied, err := b.ExecCAS()
		unknown = err != nil
		return applied, err
	})
}

// orNull returns null for a zero value.
func orNull[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

// where returns the arguments of a statement, followed by the key of a slice.
func (t *table) where(k key, before ...any) []any {
	p := t.job.Phases[k.phase]
	return append(before, t.job.Name, p.Name, p.Table, k.slice)
}

// query sends a query once. Its columns are read from the answer, not from the driver's cached metadata.
func (t *table) query(ctx context.Context, q driver.Query) driver.Rows {
	q.Metadata = true
	return t.session.Query(ctx, q)
}

// cas executes a conditional statement. row has the columns of the answer if the condition is not met.
func (t *table) cas(ctx context.Context, statement string, values ...any) (applied bool, row map[string]any, err error) {
	return driver.ScanCAS(t.query(ctx, driver.Query{CQL: statement, Args: values, Consistency: driver.LocalQuorum, Serial: t.serial}))
}

// repeat sends a request again if it fails: a node may be down, and the others notice it only after some time.
func repeat[T any](ctx context.Context, request func() (T, error)) (T, error) {
	for attempt := 1; ; attempt++ {
		answer, err := request()
		if err == nil || attempt == attempts || wait.Sleep(ctx, firstPause<<(attempt-1)) != nil {
			return answer, err
		}
	}
}
