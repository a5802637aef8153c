package runtime

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/rowname"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// Reader reads the rows of a table. Values are pointers to the struct of the table.
type Reader struct {
	db *DB
	c  *Codec
}

// NewReader returns a reader of the table of a codec.
func NewReader(db *DB, c *Codec) Reader { return Reader{db, c} }

// On returns a reader of another table on the same database.
func (r Reader) On(c *Codec) Reader { return Reader{r.db, c} }

// Get returns the row with the given primary key. It returns mapper.ErrNotFound if there is no such row.
func (r Reader) Get(ctx context.Context, key *cell.Encoder) (any, error) {
	ctx, end, err := r.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	args, err := r.db.key(r.c.Table, key)
	if err != nil {
		return nil, err
	}
	v, _, err := r.one(ctx, "Get", args, false)
	return v, err
}

// loaded contains what was read of a row in addition to its value.
type loaded struct {
	written int64    // the greatest timestamp of its cells; 0 if it has only its key
	own     int64    // the greatest timestamp of its cells that are not static
	unknown cell.Row // the row itself, if its UDTs have members that a newer program added; otherwise nil
}

// load reads the row with the given primary key.
func (r Reader) load(ctx context.Context, op string, args cell.Row) (any, loaded, error) {
	return r.one(ctx, op, args, r.c.Table.Load != "")
}

// one reads one row, with the timestamps of its columns if timestamps is set. It returns mapper.ErrNotFound if there is no row.
func (r Reader) one(ctx context.Context, op string, args cell.Row, timestamps bool) (v any, at loaded, err error) {
	v, at, err = r.ifAny(ctx, op, args, timestamps)
	if v == nil && err == nil {
		err = r.wrap(op, args, mapper.ErrNotFound)
	}
	return v, at, err
}

// ifAny reads one row. It returns nil if there is no row.
func (r Reader) ifAny(ctx context.Context, op string, args cell.Row, timestamps bool) (v any, at loaded, err error) {
	t := r.c.Table
	if err := r.readable(); err != nil {
		return nil, loaded{}, r.wrap(op, args, err)
	}
	l := &lookup{}
	l.Read = store.Read{Table: t, Key: args, Written: timestamps, Consistency: r.consistency()}
	ctx, end := r.db.traceRead(ctx, op, &l.Read)
	row, err := r.db.row(ctx, &l.Lookup)
	found := err == nil && row != nil && !t.IsDeleted(row)
	if found && r.db.verify {
		row, err = r.current(ctx, op, row)
		found = err == nil && row != nil
	}
	if found {
		v, at, err = r.decodeOne(l, row)
	}
	end(err, count(found))
	if err != nil {
		return nil, loaded{}, r.wrap(op, args, err)
	}
	return v, at, nil
}

// readable returns the reason why the table cannot be read with the options of the store, or nil.
func (r Reader) readable() error {
	switch {
	case r.db.broken != nil:
		return r.db.broken
	case r.db.serial && r.c.Table.Deleted == 0:
		return errors.New("mapper.Options.Serial is for the tables of versioned roots: no conditional statement writes this table")
	case r.db.verify:
		return r.verifiable()
	}
	return nil
}

// consistency returns the consistency level of reads.
func (r Reader) consistency() gocql.Consistency {
	if r.db.serial {
		return gocql.Consistency(r.db.env.serial)
	}
	return r.db.config.Consistency
}

// readRow reads a row by its primary key, nil for none, without decoding it.
func (db *DB) readRow(ctx context.Context, op string, l *store.Lookup) (cell.Row, error) {
	ctx, end := db.traceRead(ctx, op, &l.Read)
	row, err := db.row(ctx, l)
	end(err, count(err == nil && row != nil))
	return row, err
}

// row reads a row by its primary key. A read that times out, as one at the serial consistency does while others save the row, is
// repeated until the time of the call ends.
func (db *DB) row(ctx context.Context, l *store.Lookup) (cell.Row, error) {
	for attempt := 1; ; attempt++ {
		row, err := db.store.Row(ctx, l)
		if err == nil || !store.TimedOut(err) || !db.env.resend(ctx, attempt) {
			return row, err
		}
	}
}

func count(found bool) int {
	if found {
		return 1
	}
	return 0
}

// wrap adds the operation and the row to an error of the driver.
func (r Reader) wrap(op string, key cell.Row, err error) error {
	if _, ok := err.(*mapper.DecodeError); ok {
		return err
	}
	t := r.c.Table
	return fmt.Errorf("mapper: %s %s: %w", op, rowname.Of(t.Aggregate, t.Name, t.KeyText(key)), err)
}

// latest returns the greatest of the timestamps in row; a cell that was never written has none.
func latest(row cell.Row) (at int64) {
	for _, c := range row {
		if len(c) == 8 {
			at = max(at, int64(binary.BigEndian.Uint64(c)))
		}
	}
	return at
}

// latestOwn returns the greatest of the timestamps after a row's columns, except those of static columns.
func latestOwn(t *plan.Table, row cell.Row) (at int64) {
	for i, n := t.Key, len(t.Columns); n+i-t.Key < len(row); i++ {
		if t.Columns[i].Kind != plan.Static {
			at = max(at, latest(row[n+i-t.Key:n+i-t.Key+1]))
		}
	}
	return at
}
