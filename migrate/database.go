package migrate

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/cassaml/cassaml/internal/schemachange"
	"github.com/cassaml/cassaml/internal/systemschema"
	"github.com/cassaml/cassaml/migrate/folder"
	"github.com/cassaml/cassaml/migrate/internal/effect"
)

// database is the part of Cassandra that a run uses. Writes are conditional on the lock: they return false if another run has taken it. A
// write whose outcome is unknown is sent again: its condition holds as long as the epoch does, and its values are the same each time.
type database interface {
	// create creates the table of records, unless it exists.
	create(ctx context.Context) error
	// read returns the state in a partition. It returns errNoTable before create,
	// and while another run creates the table. If serial, it sees all writes that
	// any data centre has confirmed.
	read(ctx context.Context, partition string, serial bool) (state, error)

	// acquire sets the owner if the lock has no owner and the epoch is the given one,
	// and increases the epoch by one. Repeating it after an unknown outcome is refused.
	acquire(ctx context.Context, epoch int64, owner string, ttl time.Duration) (bool, error)
	// renew extends the lock to its whole TTL again.
	renew(ctx context.Context, l lock) (bool, error)
	// release releases the lock.
	release(ctx context.Context, l lock) error
	// fence raises the epoch of a named folder's partition from the known one to
	// the epoch of the lock. If the partition has another epoch, it does nothing.
	fence(ctx context.Context, l lock, known int64) error
	// claim records in the partition of the lock the objects that belong to a folder.
	claim(ctx context.Context, l lock, folder string, objects owned) (bool, error)

	// begin records that the statement with this hash is about to be sent, and
	// renews the lock. An empty hash deletes the record.
	begin(ctx context.Context, l lock, r record, hash string) (bool, error)
	// finish replaces the records of migrations, either all or none.
	finish(ctx context.Context, l lock, records ...record) (bool, error)
	// fail records why a statement failed; refused means that it was not executed.
	fail(ctx context.Context, l lock, r record, refused bool) (bool, error)
	// save records the progress of a backfill.
	save(ctx context.Context, l lock, f fill) (bool, error)

	// exec sends a statement of a migration once. It may call answered when the
	// server has answered and exec still waits for something else.
	exec(ctx context.Context, statement string, answered func()) error
	// call calls a function with the session.
	call(ctx context.Context, f Func) error
	servers

	// gocqlx returns the records of gocqlx in this keyspace.
	gocqlx(ctx context.Context) ([]gocqlxRecord, error)
}

// servers is the part of Cassandra that a run asks about its nodes and their schema.
type servers interface {
	// agree waits until the nodes that are up have one schema.
	agree(ctx context.Context) (schemachange.Agreement, error)
	// names returns the names that system_schema has of an object, as in effect.Effect.Has.
	names(ctx context.Context, e effect.Effect) ([]string, error)
	// fields returns the fields that system_schema has of a type, or nil.
	fields(ctx context.Context, keyspace, name string) ([]folder.Field, error)
	// indexes returns the indexes that system_schema has of a keyspace.
	indexes(ctx context.Context, keyspace string) ([]effect.BuiltIndex, error)
	// answers returns nil if a read by the index is answered, and errNoProbe if
	// no such read is possible.
	answers(ctx context.Context, i effect.Index) error
	// oldest returns the node with the oldest version.
	oldest(ctx context.Context) (systemschema.Node, error)
}

// lock is the right to write for a limited time.
type lock struct {
	epoch  int64
	owner  string
	ttl    time.Duration
	folder string // the partition in which the run records
}

// errNoTable reports that the keyspace has no table of records yet.
var errNoTable = errors.New("the table does not exist")

// recordColumns are the columns of the table of records, in the order in which it is created.
var recordColumns = []string{"folder", "epoch", "owner", "number", "fills", "name", "checksum", "total", "applied", "hashes", "sending", "applied_at", "error",
	"mark", "owns"}

// hasRecordTable reports whether system_schema has the table of records. It returns a *[ForeignTableError] for a table of another program with
// that name. A table that a node is creating has no columns yet, or all of them.
func hasRecordTable(ctx context.Context, db database, keyspace string) (there bool, err error) {
	names, err := db.names(ctx, effect.Effect{Object: effect.ColumnObject, Keyspace: keyspace, Name: "aml_migrations"})
	if err != nil || len(names) == 0 {
		return false, err
	}
	for _, c := range recordColumns {
		if !slices.Contains(names, c) {
			return true, &ForeignTableError{Keyspace: keyspace, Column: c}
		}
	}
	return true, nil
}

// errNoProbe reports an index that cannot be read without knowing its data.
var errNoProbe = errors.New("no read of this index is possible without a value")

// tableMissing adds errNoTable to the error of a query whose table does not exist. Other errors have the same codes, but this is harmless:
// create does not change an existing table.
func tableMissing(err error) error {
	if schemachange.TableMissing(err) {
		return errors.Join(errNoTable, err)
	}
	return err
}

// errLockLost reports that another run has taken the lock, or that this run could not renew it in time.
var errLockLost = errors.New("migrate: the lock was lost")
