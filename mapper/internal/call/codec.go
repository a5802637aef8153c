package call

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cassaml/cassaml/mapper/driver"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// Codec encodes and decodes the rows of a table. Values are pointers to the struct of the table. Codec is not generic, because
// a generic function is compiled for every struct, in every package that uses it.
type Codec struct {
	Table  *plan.Table
	Typed  Typed
	source *Source // set for a redundant table

	once sync.Once
	zero func() cell.Row // the encoded zero value of a root that has static columns; nil for any other table
	size int32           // bytes of the last encoded row; shared by goroutines
}

// Typed is the part of a codec that is written for one struct.
type Typed interface {
	EncodeAny(*cell.Encoder, any)     // every column in the order of the table; nil encodes the zero value
	ComputeAny(*cell.Encoder, any)    // the results of methods, in the order of the table's Computed; only of a table that has some
	ComputeKeyAny(*cell.Encoder, any) // the results of methods that read only the key, null for others; only of a table with KeyRow
	DecodeAny(*cell.Decoder) any
	VersionAny(any) *int64           // the field with the version; only of a versioned root
	CopyAny(to, from any)            // sets the fields that are copies of fields of other roots; only of a root with some
	RemainingAny(any) *time.Duration // the field for the remaining TTL of a row; only of a table with Remaining
	CheckAny(any) []mapper.Violation // the rules of the model that the value violates
}

// Start sets the table, the typed part and the source of c, once, and returns c. root is true if values are written, too.
func (c *Codec) Start(t *plan.Table, of Typed, source *Source, root bool) *Codec {
	c.once.Do(func() {
		c.Table, c.Typed, c.source = t, of, source
		static := func(x descriptor.Column) bool { return x.Kind == projection.Static }
		if root && slices.ContainsFunc(t.Columns, static) {
			c.zero = sync.OnceValue(c.encodeZero)
		}
	})
	return c
}

// Violations returns the rules of the model that a value violates.
func (c *Codec) Violations(v any) []mapper.Violation { return c.Typed.CheckAny(v) }

// Version returns the field of a value of a versioned root that has its version.
func (c *Codec) Version(v any) *int64 { return c.Typed.VersionAny(v) }

// encodeZero returns the row of the zero value; null for a value that its type does not encode. It is not called before the first write,
// because types of the model encode their values, and no code of the model runs while a program is initialized.
func (c *Codec) encodeZero() cell.Row {
	var e cell.Encoder
	c.Typed.EncodeAny(&e, nil)
	row, err := c.Table.ValidRow(&e, nil, nil)
	if err != nil {
		return make(cell.Row, len(c.Table.Columns))
	}
	c.Table.Normalize(row)
	return row
}

// record is the storage of an encoded row without its bytes. It is large enough for most rows.
type record struct {
	e     cell.Encoder
	cells [16]cell.Cell
}

// shortRecord is the storage of a short row, in one allocation. The bytes are last, because the garbage collector scans a
// value only up to its last pointer.
type shortRecord struct {
	record
	bytes [640]byte
}

const (
	moreRow = 64      // bytes by which a row may be longer than the previous one
	mostRow = 1 << 16 // bytes to reserve for a row: after one long row, the storage of later rows must not stay large
)

// newRecord returns storage for a row that is as long as the last one, or a little longer.
func newRecord(last int) *record {
	if last+moreRow > len(shortRecord{}.bytes) {
		r := &record{}
		r.e.Use(make([]byte, 0, min(last+moreRow, mostRow)))
		return r
	}
	s := &shortRecord{}
	s.e.Use(s.bytes[:])
	return &s.record
}

// Encode returns the row of v with the results of methods. If v cannot be encoded, the error is cell.Faults and the row is the key of
// v, or nil.
func (c *Codec) Encode(v any) (cell.Row, error) {
	row, err := c.EncodeColumns(v)
	if err != nil {
		return row, err
	}
	if err := c.Compute(nil, row, v); err != nil {
		return row[:c.Table.Key], err
	}
	return row, nil
}

// Compute calls the methods of v, and writes their results into the row of v. If a method panics, or returns a value that cannot be
// stored, the error is cell.Faults, and the row has no results. e is an empty encoder, whose storage the results use; nil for a new one.
func (c *Codec) Compute(e *cell.Encoder, row cell.Row, v any) error {
	t := c.Table
	if len(t.Computed) == 0 {
		return nil
	}
	if e == nil {
		e = new(cell.Encoder)
	}
	return c.compute(e, row, v, c.Typed.ComputeAny)
}

// compute calls methods with a function, and writes their results as Compute does.
func (c *Codec) compute(e *cell.Encoder, row cell.Row, v any, methods func(*cell.Encoder, any)) error {
	t, n := c.Table, len(c.Table.Columns)
	clear(row[n:])
	if err := c.callMethods(e, v, methods); err != nil {
		return ShiftFaults(err, n)
	}
	results, err := e.Cells(row[n:n:len(row)])
	if err == nil && len(results) != len(t.Computed) {
		err = fmt.Errorf("the codec of %s wrote the wrong number of results of methods: want %d, got %d", t.Name, len(t.Computed), len(results))
	}
	return err
}

// callMethods writes the results of the methods of v. A panic is a fault of the result after those that are written.
func (c *Codec) callMethods(e *cell.Encoder, v any, methods func(*cell.Encoder, any)) (err error) {
	defer func() {
		if p := recover(); p != nil {
			failed := min(e.Count(), len(c.Table.Computed)-1)
			err = cell.Faults{{Path: []cell.Step{{Member: failed}}, Problem: cell.PanicText(p)}}
		}
	}()
	methods(e, v)
	return e.Err()
}

// EncodeColumns is Encode without the results of methods, which are null.
func (c *Codec) EncodeColumns(v any) (cell.Row, error) {
	last := int(atomic.LoadInt32(&c.size))
	r := newRecord(last)
	c.Typed.EncodeAny(&r.e, v)
	if n := r.e.Len(); n != last {
		atomic.StoreInt32(&c.size, int32(min(n, mostRow)))
	}
	row, err := c.Table.Row(&r.e, r.cells[:0])
	if err != nil {
		return c.key(&r.e), err
	}
	return row, nil
}

// key returns the key of a row that cannot be encoded, or nil if the key itself cannot be encoded.
func (c *Codec) key(e *cell.Encoder) cell.Row {
	row := c.Table.FirstKey(e)
	c.Table.Canonical(row)
	return row
}

// EncodeOver returns the row of v, with the UDT fields of the read row that this program does not know, and without the results of
// methods. read is nil if no row was read.
func (c *Codec) EncodeOver(s *plan.Schema, read cell.Row, v any) (cell.Row, error) {
	if read == nil {
		return c.EncodeColumns(v)
	}
	var e cell.Encoder
	c.Typed.EncodeAny(&e, v)
	row, err := c.Table.Cells(&e, nil)
	if err != nil {
		return c.key(&e), err
	}
	s.Keep(c.Table, read, row)
	c.Table.Normalize(row)
	return row, nil
}

// encodeBefore returns the row of v, which was read as read before a write that replaces it, with the results of methods. With keep, it
// has the UDT fields that this program does not know. A value that cannot be encoded stays as it was read.
func (c *Codec) encodeBefore(s *plan.Schema, read cell.Row, keep bool, v any) (row cell.Row, failed bool, err error) {
	r := newRecord(int(atomic.LoadInt32(&c.size)))
	c.Typed.EncodeAny(&r.e, v)
	if row, err = c.Table.ValidRow(&r.e, r.cells[:0], read); err != nil {
		return nil, false, err
	}
	if keep {
		s.Keep(c.Table, read, row)
	}
	c.Table.Normalize(row)
	return row, c.ComputeBefore(row, v), nil
}

// ComputeBefore is Compute for a row that a write replaces. If a method fails, the row has no results, and failed is true: it counts
// as a row without the rows of copies that derive from methods, so that it can be replaced and deleted.
func (c *Codec) ComputeBefore(row cell.Row, v any) (failed bool) {
	return c.Compute(nil, row, v) != nil
}

// decodeError returns a *mapper.DecodeError with the row, the column and the path of the fault.
func (db *DB) decodeError(t *plan.Table, row cell.Row, err error) error {
	var fault *cell.Fault
	if !errors.As(err, &fault) {
		return err
	}
	e := &mapper.DecodeError{Aggregate: t.Aggregate, Table: t.Name, Key: t.KeyText(row)}
	e.Path, e.Problem = t.Masked(db.Schema.Path(t, fault.Path), discreet(t, fault))
	if i := fault.Path[0].Member; i < len(t.Columns) {
		e.Column = t.Columns[i].Name
	}
	return e
}

// discreet returns the problem of a fault. For a secret column, and for a method of a struct that has one, it omits the text after the
// colon: it is an error of the user's code, and can contain the value.
func discreet(t *plan.Table, f *cell.Fault) string {
	problem, i := f.Problem, f.Path[0].Member
	secret := func(c descriptor.Column) bool { return c.Secret }
	if i < len(t.Columns) && t.Columns[i].Secret || i >= len(t.Columns) && slices.ContainsFunc(t.Columns, secret) {
		problem, _, _ = strings.Cut(problem, ": ")
	}
	return problem
}

// Decode returns the value of a row.
func (r Reader) Decode(d *cell.Decoder, row cell.Row) (any, error) {
	t := r.Codec.Table
	d.Row(row[:len(t.Columns)-t.Hidden])
	if t.Head > 0 {
		d.NextRow(t.Head, t.Head+1)
	}
	v := r.Codec.Typed.DecodeAny(d)
	if err := d.Err(); err != nil {
		return nil, r.DB.decodeError(t, row, err)
	}
	return v, nil
}

// Lasting returns the column whose remaining TTL a read returns for a field of the root; nil for a table without such a field.
func (r Reader) Lasting() []int {
	if r.Codec.Table.Remaining == 0 {
		return nil
	}
	return []int{r.Codec.Table.Remaining}
}

// DecodeRead returns the value of a row with the remaining TTL that follows its columns, if it was read.
func (r Reader) DecodeRead(d *cell.Decoder, row cell.Row) (any, error) {
	v, err := r.Decode(d, row)
	if n := len(r.Codec.Table.Columns); err == nil && r.Codec.Table.Remaining > 0 && len(row) > n {
		r.SetRemaining(v, plan.DecodeTTL(row[n]))
	}
	return v, err
}

// SetRemaining sets the field for the remaining TTL of the row of a value.
func (r Reader) SetRemaining(v any, left plan.TTL) {
	*r.Codec.Typed.RemainingAny(v) = time.Duration(left) * time.Second
}

// rows decodes rows until the last one, an error, or a break of the caller. n is the number of rows that were yielded.
func (r Reader) rows(rows iter.Seq2[cell.Row, error], yield func(any, error) bool) (n int, err error) {
	l := &listing{Reader: r, yield: yield}
	rows(l.add)
	return l.n, l.err
}

// listing is the state of a read of several rows, in one allocation.
type listing struct {
	Reader
	d     cell.Decoder
	yield func(any, error) bool
	n     int
	err   error
}

// add decodes a row, and reports whether to continue.
func (l *listing) add(row cell.Row, err error) bool {
	if l.err = err; err != nil {
		return false
	}
	if l.Omits(row) {
		return true
	}
	v, err := l.DecodeRead(&l.d, row)
	if l.err = err; err != nil {
		return false
	}
	l.n++
	return l.yield(v, nil)
}

// lookup is the storage of a read by key, in one allocation.
type lookup struct {
	store.Lookup
	d cell.Decoder
}

// decodeOne decodes the row of a read by key.
func (r Reader) decodeOne(l *lookup, row cell.Row) (v any, at loaded, err error) {
	n := len(r.Codec.Table.Columns)
	at.written, at.own, at.read = LatestTime(row[n:]), latestOwn(r.Codec.Table, row), row[:n]
	v, err = r.Decode(&l.d, at.read)
	at.unknown = l.d.Unknown()
	if ttls := l.TTLs(row); err == nil && len(ttls) > 0 {
		r.SetRemaining(v, plan.DecodeTTL(ttls[0]))
	}
	return v, at, err
}

// ConstraintError returns the violated rules and the faults of encoding or planning as one error. It returns other errors
// unchanged.
func (db *DB) ConstraintError(t *plan.Table, row cell.Row, broken []mapper.Violation, err error) error {
	if len(broken) == 0 && err == nil {
		return nil // the key is not formatted, because that costs more than to encode a row
	}
	e := &mapper.ConstraintError{Aggregate: t.Aggregate, Table: t.Name, Key: t.KeyText(row), Violations: broken}
	var encoding cell.Faults
	var planning *plan.FaultError
	switch {
	case errors.As(err, &encoding):
		for _, f := range encoding {
			e.Violations = append(e.Violations, mapper.Violation{Path: db.Schema.Path(t, f.Path), Problem: discreet(t, &f)})
		}
	case errors.As(err, &planning):
		e.Violations = append(e.Violations, PlanFaults(planning.Faults)...)
	case err != nil:
		return err
	}
	for i := range e.Violations {
		f := &e.Violations[i]
		f.Path, f.Problem = t.Masked(f.Path, f.Problem)
	}
	return e
}

// Key returns the cells of a key, or of the first part of one, and checks that they are allowed in a key.
func (db *DB) Key(t *plan.Table, k *cell.Encoder) (cell.Row, error) {
	return db.cutKey(t, k, make(cell.Row, 0, t.Key))
}

// cutKey is like Key, and appends the cells to room.
func (db *DB) cutKey(t *plan.Table, k *cell.Encoder, room cell.Row) (cell.Row, error) {
	row, err := t.KeyCells(k, room)
	if err != nil {
		return nil, db.ConstraintError(t, nil, nil, err)
	}
	t.Canonical(row)
	return row, db.CheckKey(t, row)
}

// CheckKey returns an error for the cells that are not allowed in a key.
func (db *DB) CheckKey(t *plan.Table, row cell.Row) error {
	var faults []mapper.Violation
	for i, c := range row {
		switch {
		case c == nil:
			faults = append(faults, mapper.Violation{Path: t.Columns[i].Field, Problem: "is null, but is in the key"})
		case len(c) == 0 && i == 0 && t.Partition == 1:
			faults = append(faults, mapper.Violation{Path: t.Columns[i].Field, Problem: "is empty, but is in the key"})
		}
	}
	return db.ConstraintError(t, row, faults, nil)
}

// nullOr returns the error of a column of the key: the encoding error err or, if err is nil, that the column is null.
func (db *DB) nullOr(t *plan.Table, key cell.Row, column int, err error) error {
	if err != nil {
		return db.ConstraintError(t, key, nil, err)
	}
	fault := mapper.Violation{Path: t.Columns[column].Field, Problem: "is null, but is in the key"}
	return db.ConstraintError(t, key, []mapper.Violation{fault}, nil)
}

// nowhere is a DB without a database, for decoding only.
var nowhere = &DB{Schema: new(plan.Schema)}

// First decodes the first row of the result of the table's Get, and closes it. It returns nil if there is no row.
func (c *Codec) First(values driver.Values, it driver.Rows) (any, error) {
	l := &lookup{}
	l.Table = c.Table
	row, err := l.Scan(values, it)
	if err != nil || row == nil || c.Table.IsDeleted(row) {
		return nil, err
	}
	v, _, err := Reader{nowhere, c}.decodeOne(l, row)
	return v, err
}

// Scan decodes the rows of the result of the table's Select, passes them to yield until it returns false, and closes the result.
func (c *Codec) Scan(values driver.Values, it driver.Rows, yield func(any, error) bool) error {
	_, err := Reader{nowhere, c}.rows(store.Scan(values, it, len(c.Table.Columns)), yield)
	return err
}

// ShiftFaults returns an error of encoding with the numbers of its columns increased.
func ShiftFaults(err error, by int) error {
	var faults cell.Faults
	errors.As(err, &faults)
	for _, f := range faults {
		f.Path[0].Member += by
	}
	return err
}

// Source is the root from which the rows of a redundant table come.
type Source struct {
	Codec     *Codec
	Aggregate *plan.Aggregate
}
