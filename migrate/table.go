package migrate

import (
	"context"
	"crypto/sha1"
	"errors"
	"fmt"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
)

// database is what a run needs of Cassandra.
type database interface {
	// create makes the table of records, unless it is there.
	create(ctx context.Context) error
	// read returns the records; it fails with errNoTable before create, and
	// while another run creates. With serial it sees every record whose writing
	// was confirmed anywhere.
	read(ctx context.Context, serial bool) ([]record, error)
	// claim enters a runner for a time where nobody else is entered and as much
	// is applied as before says.
	claim(ctx context.Context, before record, runner string, lease time.Duration) (bool, error)
	// finish replaces the record before and takes the runner out, if it still
	// is entered.
	finish(ctx context.Context, before, now record, runner string) (bool, error)
	// fail notes why a statement failed, if the runner still is entered, and
	// takes the runner out when release is set.
	fail(ctx context.Context, now record, runner string, release bool) error
	// exec runs a statement of a migration, once.
	exec(ctx context.Context, statement string) error
	// agree waits until all nodes have one schema.
	agree(ctx context.Context) error
}

// errNoTable reports that the keyspace has no table of records yet.
var errNoTable = errors.New("the table is not there")

// Every migration is a row of one partition, so that one request reads them all
// and one conditional batch can look at any of them.
const (
	// partition is the key of that partition: the one folder of a keyspace.
	partition = "migrations"

	createTable = `CREATE TABLE IF NOT EXISTS aml_migrations (
	folder text, number int, name text, checksum text, total int, applied int,
	hashes frozen<list<text>>, applied_at timestamp, error text, runner text,
	PRIMARY KEY (folder, number)
) WITH ID = %s AND comment = 'migrations applied to this keyspace'`

	selectRecords = `SELECT number, name, checksum, total, applied, hashes, applied_at, error, runner
FROM aml_migrations WHERE folder = ?`

	claimRecord = `UPDATE aml_migrations USING TTL ? SET runner = ?
WHERE folder = ? AND number = ? IF runner = null AND applied = ?`

	finishRecord = `UPDATE aml_migrations SET name = ?, checksum = ?, total = ?, applied = ?, hashes = ?,
applied_at = ?, error = null, runner = null
WHERE folder = ? AND number = ? IF runner = ? AND applied = ?`

	failRecord = `UPDATE aml_migrations SET name = ?, error = ?
WHERE folder = ? AND number = ? IF runner = ?`

	failAndRelease = `UPDATE aml_migrations SET name = ?, error = ?, runner = null
WHERE folder = ? AND number = ? IF runner = ?`
)

// table is the database behind a session.
type table struct {
	session gocqlx.Session
}

func (t table) create(ctx context.Context) error {
	id := tableID(t.keyspace() + ".aml_migrations")
	if err := t.exec(ctx, fmt.Sprintf(createTable, id)); err != nil {
		return err
	}
	return t.agree(ctx)
}

// keyspace is the one that the session was opened on, "" without one.
func (t table) keyspace() string {
	return t.session.Session.Query("").Keyspace()
}

// tableID derives the id of a table from its name (a version 5 UUID): nodes
// that are told to create one name at the same time then create one table.
func tableID(name string) gocql.UUID {
	space := gocql.UUID{0x3f, 0x1d, 0x0c, 0x52, 0x6a, 0x7e, 0x4b, 0x0e, 0x9c, 0x41, 0x5d, 0x2b, 0x88, 0xe0, 0x17, 0xa6}
	sum := sha1.Sum(append(space.Bytes(), name...))
	id := gocql.UUID(sum[:16])
	id[6] = id[6]&0x0f | 0x50
	id[8] = id[8]&0x3f | 0x80
	return id
}

// query is a query that the driver sends once and whose columns it reads from
// the answer, not from what it remembers of the table.
func (t table) query(ctx context.Context, statement string, values ...any) *gocql.Query {
	return t.session.Session.Query(statement, values...).WithContext(ctx).
		RetryPolicy(nil).Idempotent(false).NoSkipMetadata()
}

// read takes the records at LOCAL_QUORUM or at SERIAL. What LOCAL_QUORUM shows
// was confirmed, but it may not be all: a record is written at SERIAL across
// data centres and reaches the replicas of this one a little later.
func (t table) read(ctx context.Context, serial bool) ([]record, error) {
	consistency := gocql.LocalQuorum
	if serial {
		consistency = gocql.Consistency(gocql.Serial)
	}
	rows := t.query(ctx, selectRecords, partition).Consistency(consistency).Iter().Scanner()
	var records []record
	for rows.Next() {
		r, err := scanRecord(rows)
		if err != nil {
			return nil, err
		}
		records = append(records, r)
	}
	return records, tableMissing(rows.Err())
}

func scanRecord(rows gocql.Scanner) (record, error) {
	var r record
	err := rows.Scan(&r.number, &r.name, &r.checksum, &r.total, &r.applied, &r.hashes,
		&r.appliedAt, &r.failure, &r.runner)
	return r, err
}

// tableMissing makes an errNoTable of the answer to a query without its table.
// While a node makes a table it knows its name before it can read it, and then
// answers with a server error ("Unknown CF"); that code may mean anything else,
// too, which does no harm: create leaves a table that is there as it is.
func tableMissing(err error) error {
	e, ok := errors.AsType[gocql.RequestError](err)
	if ok && (e.Code() == gocql.ErrCodeInvalid || e.Code() == gocql.ErrCodeServer) {
		return fmt.Errorf("%w: %w", errNoTable, err)
	}
	return err
}

func (t table) claim(ctx context.Context, before record, runner string, lease time.Duration) (bool, error) {
	return t.cas(ctx, claimRecord, int(lease.Seconds()), runner, partition, before.number, before.applied)
}

func (t table) finish(ctx context.Context, before, now record, runner string) (bool, error) {
	return t.cas(ctx, finishRecord, now.name, now.checksum, now.total, now.applied, now.hashes, now.appliedAt,
		partition, now.number, runner, before.applied)
}

func (t table) fail(ctx context.Context, now record, runner string, release bool) error {
	statement := failRecord
	if release {
		statement = failAndRelease
	}
	_, err := t.cas(ctx, statement, now.name, now.failure, partition, now.number, runner)
	return err
}

// cas runs a conditional write. SERIAL, not LOCAL_SERIAL: replicas in two data
// centres may start at once. The commit is at LOCAL_QUORUM, for the plain read
// of the next run.
func (t table) cas(ctx context.Context, statement string, values ...any) (bool, error) {
	return t.query(ctx, statement, values...).
		Consistency(gocql.LocalQuorum).SerialConsistency(gocql.Serial).
		MapScanCAS(map[string]any{})
}

func (t table) exec(ctx context.Context, statement string) error {
	return t.query(ctx, statement).Exec()
}

func (t table) agree(ctx context.Context) error {
	if err := t.session.AwaitSchemaAgreement(ctx); err != nil {
		return &AgreementError{Err: err}
	}
	return nil
}

// refused reports whether an error of exec says that the server did not run the
// statement. After any other error it may have, or may do so later.
func refused(err error) bool {
	e, ok := errors.AsType[gocql.RequestError](err)
	if !ok {
		return errors.Is(err, gocql.ErrUseStmt) || errors.Is(err, gocql.ErrQueryArgLength)
	}
	switch e.Code() {
	case gocql.ErrCodeSyntax, gocql.ErrCodeUnauthorized, gocql.ErrCodeInvalid, gocql.ErrCodeConfig,
		gocql.ErrCodeAlreadyExists, gocql.ErrCodeCredentials, gocql.ErrCodeBootstrapping:
		return true
	}
	return false
}
