package migrate

import (
	"context"
	"errors"
	"time"

	"github.com/cassaml/cassaml/migrate/folder"
	"github.com/gocql/gocql"
)

// database is what a run needs of Cassandra. Writes are conditional on the lock:
// they return false where another run has taken it since. Their conditions hold
// as long as the epoch does and their values are the same each time, so one of
// unknown outcome is simply sent again.
type database interface {
	// create makes the table of records, unless it is there.
	create(ctx context.Context) error
	// read returns the state in a partition; it fails with errNoTable before create,
	// and while another run creates. With serial it sees all whose writing was
	// confirmed anywhere.
	read(ctx context.Context, partition string, serial bool) (state, error)

	// take enters an owner where nobody is entered and the epoch is the one given,
	// which it raises by one. A repeat of an unknown outcome is refused.
	take(ctx context.Context, epoch int64, owner string, ttl time.Duration) (bool, error)
	// renew lets the lock last for its whole time again.
	renew(ctx context.Context, l lock) (bool, error)
	// release returns the lock up.
	release(ctx context.Context, l lock) error
	// fence raises the epoch of a named folder's partition from the one known to that
	// of the lock. Where the partition has another epoch it does nothing.
	fence(ctx context.Context, l lock, known int64) error
	// claim records beside the lock what belongs to a folder.
	claim(ctx context.Context, l lock, folder string, objects owned) (bool, error)

	// begin notes that the statement with this hash is about to be sent, and
	// renews. An empty hash takes the note back.
	begin(ctx context.Context, l lock, r record, hash string) (bool, error)
	// finish replaces the records of migrations, all or none.
	finish(ctx context.Context, l lock, records ...record) (bool, error)
	// fail notes why a statement failed; where it was refused it was not sent.
	fail(ctx context.Context, l lock, r record, refused bool) (bool, error)
	// save notes how far a backfill has got.
	save(ctx context.Context, l lock, f fill) (bool, error)

	// exec runs a statement of a migration, once. It may call answered, when the
	// server has answered and there is something else to wait for.
	exec(ctx context.Context, statement string, answered func()) error
	// call runs a function with the session.
	call(ctx context.Context, f Func) error
	// agree waits until the nodes that are up have one schema.
	agree(ctx context.Context) (agreement, error)
	// names returns what system_schema has under an object's name.
	names(ctx context.Context, e effect) ([]string, error)
	// fields returns the fields that system_schema has of a type, nil for none.
	fields(ctx context.Context, keyspace, name string) ([]folder.Field, error)
	// indexes returns those that system_schema has of a keyspace.
	indexes(ctx context.Context, keyspace string) ([]builtIndex, error)
	// answers returns nil when a read by the index is answered, errNoProbe when
	// there is no telling.
	answers(ctx context.Context, i index) error
	// gocqlx returns what gocqlx has recorded in this keyspace.
	gocqlx(ctx context.Context) ([]gocqlxRecord, error)
}

// agreement is what the nodes that are up agree on.
type agreement struct {
	version string   // of the schema; a node has it when it uses that schema
	silent  []string // nodes that are not up and had another one when they were seen last
}

// lock is the right to write, for a time.
type lock struct {
	epoch  int64
	owner  string
	ttl    time.Duration
	folder string // the partition in which the run records
}

// errNoTable reports that the keyspace has no table of records yet.
var errNoTable = errors.New("the table is not there")

// errNoProbe reports an index that cannot be asked without knowing its data.
var errNoProbe = errors.New("no read of this index can be made up")

// refused reports whether an error says that the server did not run the
// statement. After any other error it may have, or may do so later.
func refused(err error) bool {
	e, ok := errors.AsType[gocql.RequestError](err)
	if !ok {
		return errors.Is(err, gocql.ErrUseStmt) || errors.Is(err, gocql.ErrQueryArgLength) || errors.Is(err, gocql.ErrSessionClosed)
	}
	switch e.Code() {
	case gocql.ErrCodeSyntax, gocql.ErrCodeUnauthorized, gocql.ErrCodeInvalid, gocql.ErrCodeConfig,
		gocql.ErrCodeAlreadyExists, gocql.ErrCodeCredentials, gocql.ErrCodeBootstrapping:
		return true
	}
	return false
}

// tableMissing makes an errNoTable of the answer to a query without its table.
// While a node makes a table it knows its name before it can read it, and then
// answers with a server error ("Unknown CF"); that code may mean anything else,
// too, which is safe: create leaves a table that is there as it is.
func tableMissing(err error) error {
	e, ok := errors.AsType[gocql.RequestError](err)
	if ok && (e.Code() == gocql.ErrCodeInvalid || e.Code() == gocql.ErrCodeServer) {
		return errors.Join(errNoTable, err)
	}
	return err
}
