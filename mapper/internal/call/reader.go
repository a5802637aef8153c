package call

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/rowname"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// Reader reads the rows of a table. Values are pointers to the struct of the table. The operations of a store that read are its methods, with
// the steps that they share (begin, send, decode, verify, wrap an error): therefore it has more than 25.
type Reader struct {
	DB    *DB
	Codec *Codec
}

// NewReader returns a reader of the table of a codec.
func NewReader(db *DB, c *Codec) Reader { return Reader{db, c} }

// On returns a reader of another table on the same database.
func (r Reader) On(c *Codec) Reader { return Reader{r.DB, c} }

// Get returns the row with the given primary key. It returns mapper.ErrNotFound if there is no such row.
func (r Reader) Get(ctx context.Context, key *cell.Encoder) (any, error) {
	ctx, end, err := r.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	args, err := r.DB.Key(r.Codec.Table, key)
	if err != nil {
		return nil, err
	}
	return r.Existing("Get", args)(r.IfAny(ctx, "Get", args))
}

// Existing returns a function that returns the result of a read, and mapper.ErrNotFound if there is no row.
func (r Reader) Existing(op string, key cell.Row) func(any, error) (any, error) {
	return func(v any, err error) (any, error) {
		if v == nil && err == nil {
			err = r.WrapError(op, key, mapper.ErrNotFound)
		}
		return v, err
	}
}

// IfAny reads the row with the given primary key. It returns nil if there is no row.
func (r Reader) IfAny(ctx context.Context, op string, args cell.Row) (any, error) {
	l := &lookup{}
	l.Read = store.Read{Table: r.Codec.Table, Key: args, Lasting: r.Lasting(), Consistency: r.Consistency()}
	return r.first(ctx, op, l)
}

// first reads the first row of a lookup. It returns nil if there is no row. With Options.SpeculativeDelay it can send a second request.
func (r Reader) first(ctx context.Context, op string, l *lookup) (v any, err error) {
	if err = r.checkRead(); err == nil && r.speculates(&l.Read) {
		v, err = speculate(ctx, r, op, l.Read, func(ctx context.Context, read store.Read) (any, int, error) {
			l := &lookup{}
			l.Read = read
			v, _, err := r.answer(ctx, op, l)
			return v, RowCount(v != nil), err
		})
	} else if err == nil {
		v, _, err = r.traced(ctx, op, l)
	}
	if err != nil {
		return nil, r.WrapError(op, l.Key, err)
	}
	return v, nil
}

// loaded contains the data that was read with a row in addition to its value.
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
	l.Read = store.Read{Table: r.Codec.Table, Key: args, Written: r.Codec.Table.Load != "", Lasting: r.Lasting(), Consistency: r.DB.Config.Consistency}
	err := r.checkRead()
	if err != nil {
		return nil, loaded{}, r.WrapError(op, args, err)
	}
	v, at, err := r.traced(ctx, op, l)
	switch {
	case err != nil:
		return nil, loaded{}, r.WrapError(op, args, err)
	case v == nil:
		return nil, loaded{}, r.WrapError(op, args, mapper.ErrNotFound)
	}
	return v, at, nil
}

// traced is answer as one request that the tracer sees.
func (r Reader) traced(ctx context.Context, op string, l *lookup) (any, loaded, error) {
	ctx, end := r.DB.TraceRead(ctx, op, &l.Read)
	v, at, err := r.answer(ctx, op, l)
	end(err, RowCount(v != nil))
	return v, at, err
}

// answer sends the request of a lookup and decodes its row. It returns nil if there is no row, or none that readers see.
func (r Reader) answer(ctx context.Context, op string, l *lookup) (any, loaded, error) {
	row, err := r.DB.row(ctx, &l.Lookup)
	if err == nil && row != nil && r.DB.verify && !r.Omits(row) {
		row, err = r.CurrentRow(ctx, op, row)
	}
	if err != nil || row == nil || r.Omits(row) {
		return nil, loaded{}, err
	}
	return r.decodeOne(l, row)
}

// Omits reports whether readers do not return a row: it is a partition that has only static values, a head row, or a deleted root.
func (r Reader) Omits(row cell.Row) bool {
	t := r.Codec.Table
	return row[t.Key-1] == nil || t.IsDeleted(row) || t.IsHead(row)
}

// checkRead returns the reason why the table cannot be read with the options of the store, or nil.
func (r Reader) checkRead() error {
	switch {
	case r.DB.broken != nil:
		return r.DB.broken
	case r.DB.serial && r.Codec.Table.Deleted == 0:
		return errors.New("mapper.Options.Serial is for the tables of versioned roots: no conditional statement writes this table")
	case r.DB.verify:
		return r.checkVerified()
	}
	return nil
}

// CheckScan returns the reason why the table cannot be scanned with the options of the store, or nil.
func (r Reader) CheckScan() error {
	err := r.checkRead()
	if err == nil && r.DB.serial {
		err = errors.New("mapper.Options.Serial is for a query of one partition, without an index")
	}
	return err
}

// Verifies reports whether rows of redundant tables are compared with their roots.
func (r Reader) Verifies() bool { return r.DB.verify }

// Consistency returns the consistency level of reads.
func (r Reader) Consistency() driver.Consistency {
	if r.DB.serial {
		return r.DB.Config.SerialConsistency
	}
	if c := r.DB.reads.consistency; c != driver.Any {
		return c
	}
	return r.DB.Config.Consistency
}

// ReadRow reads a row by its primary key, nil for none, without decoding it.
func (db *DB) ReadRow(ctx context.Context, op string, l *store.Lookup) (cell.Row, error) {
	ctx, end := db.TraceRead(ctx, op, &l.Read)
	row, err := db.row(ctx, l)
	end(err, RowCount(err == nil && row != nil))
	return row, err
}

// row reads a row by its primary key. A read that times out, as one at the serial consistency does while others save the row, is
// repeated until the time of the call ends.
func (db *DB) row(ctx context.Context, l *store.Lookup) (cell.Row, error) {
	for attempt := 1; ; attempt++ {
		row, err := db.Store.Row(ctx, l)
		if err == nil || !store.TimedOut(err) || !db.Env.Resend(ctx, attempt) {
			return row, err
		}
	}
}

// RowCount returns the number of rows that a read of one row has returned, for tracers.
func RowCount(found bool) int {
	if found {
		return 1
	}
	return 0
}

// WrapError adds the operation and the row to an error of the driver.
func (r Reader) WrapError(op string, key cell.Row, err error) error {
	return r.wrapValues(op, r.Codec.Table.KeyText(key), err)
}

// wrapValues is like WrapError. values is the text of the values by which the row is read.
func (r Reader) wrapValues(op, values string, err error) error {
	if _, ok := err.(*mapper.DecodeError); ok {
		return err
	}
	return fmt.Errorf("mapper: %s %s: %w", op, rowname.Format(r.Codec.Table.Aggregate, r.Codec.Table.Name, values), err)
}

// LatestTime returns the greatest of the timestamps in row; a cell that was never written has none.
func LatestTime(row cell.Row) (at int64) {
	for _, c := range row {
		if len(c) == 8 {
			at = max(at, int64(binary.BigEndian.Uint64(c)))
		}
	}
	return at
}

// latestOwn returns the greatest of the timestamps after a row's columns, except the timestamps of static columns.
func latestOwn(t *plan.Table, row cell.Row) (at int64) {
	for i, n := t.Key, len(t.Columns); i < n && n+i-t.Key < len(row); i++ {
		if t.Columns[i].Kind != projection.Static {
			at = max(at, LatestTime(row[n+i-t.Key:n+i-t.Key+1]))
		}
	}
	return at
}

// KeyString returns the first cells of a row, which are its key, as the key of a map.
func KeyString(row cell.Row, columns int) string {
	var short [64]byte
	return string(AppendKey(short[:0], row[:columns]))
}

// AppendKey appends the cells of a key with their lengths: two different keys of a table have different bytes.
func AppendKey(b []byte, key cell.Row) []byte {
	for _, c := range key {
		b = cell.AppendValue(b, c)
	}
	return b
}
