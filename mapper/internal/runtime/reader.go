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
	return r.existing("Get", args)(r.ifAny(ctx, "Get", args))
}

// existing returns a function that returns the result of a read, and mapper.ErrNotFound if there is no row.
func (r Reader) existing(op string, key cell.Row) func(any, error) (any, error) {
	return func(v any, err error) (any, error) {
		if v == nil && err == nil {
			err = r.wrap(op, key, mapper.ErrNotFound)
		}
		return v, err
	}
}

// ifAny reads the row with the given primary key. It returns nil if there is no row.
func (r Reader) ifAny(ctx context.Context, op string, args cell.Row) (any, error) {
	l := &lookup{}
	l.Read = store.Read{Table: r.c.Table, Key: args, Consistency: r.consistency()}
	return r.first(ctx, op, l)
}

// first reads the first row of a lookup. It returns nil if there is no row. With Options.Speculate it can send a second request.
func (r Reader) first(ctx context.Context, op string, l *lookup) (v any, err error) {
	if err = r.readable(); err == nil && r.speculates(&l.Read) {
		v, err = speculate(ctx, r, op, l.Read, func(ctx context.Context, read store.Read) (any, int, error) {
			l := &lookup{}
			l.Read = read
			v, _, err := r.answer(ctx, op, l)
			return v, count(v != nil), err
		})
	} else if err == nil {
		v, _, err = r.traced(ctx, op, l)
	}
	if err != nil {
		return nil, r.wrap(op, l.Key, err)
	}
	return v, nil
}

// loaded contains what was read of a row in addition to its value.
type loaded struct {
	written int64    // the greatest timestamp of its cells; 0 if it has only its key
	own     int64    // the greatest timestamp of its cells that are not static
	read    cell.Row // the row itself
	unknown bool     // its UDTs have members that a newer program added
}

// rowToKeep returns the row if it has unknown UDT members, which a write of its changed value must keep; nil if it has none.
func (l *loaded) rowToKeep() cell.Row {
	if l.unknown {
		return l.read
	}
	return nil
}

// load reads the row with the given primary key for a write: with its timestamps, and at the consistency of writes.
func (r Reader) load(ctx context.Context, op string, args cell.Row) (any, loaded, error) {
	l := &lookup{}
	l.Read = store.Read{Table: r.c.Table, Key: args, Written: r.c.Table.Load != "", Consistency: r.db.config.Consistency}
	err := r.readable()
	if err != nil {
		return nil, loaded{}, r.wrap(op, args, err)
	}
	v, at, err := r.traced(ctx, op, l)
	switch {
	case err != nil:
		return nil, loaded{}, r.wrap(op, args, err)
	case v == nil:
		return nil, loaded{}, r.wrap(op, args, mapper.ErrNotFound)
	}
	return v, at, nil
}

// traced is answer as one request that the tracer sees.
func (r Reader) traced(ctx context.Context, op string, l *lookup) (any, loaded, error) {
	ctx, end := r.db.traceRead(ctx, op, &l.Read)
	v, at, err := r.answer(ctx, op, l)
	end(err, count(v != nil))
	return v, at, err
}

// answer sends the request of a lookup and decodes its row. It returns nil if there is no row, or none that readers see.
func (r Reader) answer(ctx context.Context, op string, l *lookup) (any, loaded, error) {
	row, err := r.db.row(ctx, &l.Lookup)
	if err == nil && row != nil && r.db.verify && !r.leavesOut(row) {
		row, err = r.current(ctx, op, row)
	}
	if err != nil || row == nil || r.leavesOut(row) {
		return nil, loaded{}, err
	}
	return r.decodeOne(l, row)
}

// leavesOut reports whether readers do not return a row: it is a partition that has only static values, or a deleted root.
func (r Reader) leavesOut(row cell.Row) bool {
	return row[r.c.Table.Key-1] == nil || r.c.Table.IsDeleted(row)
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

// scannable returns the reason why the table cannot be scanned with the options of the store, or nil.
func (r Reader) scannable() error {
	err := r.readable()
	if err == nil && r.db.serial {
		err = errors.New("mapper.Options.Serial is for a query of one partition, without an index")
	}
	return err
}

// verifies reports whether rows of redundant tables are compared with their roots.
func (r Reader) verifies() bool { return r.db.verify }

// consistency returns the consistency level of reads.
func (r Reader) consistency() gocql.Consistency {
	if r.db.serial {
		return gocql.Consistency(r.db.config.Serial)
	}
	if c := r.db.reads.consistency; c != gocql.Any {
		return c
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
		if err == nil || !store.TimedOut(err) || !db.env.Resend(ctx, attempt) {
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
	return r.wrapOf(op, r.c.Table.KeyText(key), err)
}

// wrapOf is like wrap. values is the text of the values by which the row is read.
func (r Reader) wrapOf(op, values string, err error) error {
	if _, ok := err.(*mapper.DecodeError); ok {
		return err
	}
	return fmt.Errorf("mapper: %s %s: %w", op, rowname.Of(r.c.Table.Aggregate, r.c.Table.Name, values), err)
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

func keyString(row cell.Row, columns int) string {
	var short [64]byte
	return string(appendKey(short[:0], row[:columns]))
}

// appendKey appends the cells of a key with their lengths: two different keys of a table have different bytes.
func appendKey(b []byte, key cell.Row) []byte {
	for _, c := range key {
		b = cell.AppendValue(b, c)
	}
	return b
}
