package gen

import (
	"errors"
	"iter"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// Codec is what generated code knows about the struct of a table.
type Codec[T any] struct {
	Table   *Table
	Encode  func(*Encoder, *T) // every column, in the table's order
	Compute func(*Encoder, *T) // the results of the table's Computed; nil: none
	Decode  func(*Decoder, *T)
	Check   func(*Faults, *T) // the model's rules; nil: none

	inner codec
}

// codec is a Codec without its type: values are pointers to the struct. What can be in it is not generic, because a generic
// function is compiled for every struct, in every package that uses it.
type codec struct {
	Table *Table
	of    typed

	once sync.Once
	zero cell.Row // the encoded zero value of a root that has static columns
	size int32    // of the last row that was encoded, in bytes; goroutines share it
}

// typed is what only the type's own code can do.
type typed interface {
	encode(*Encoder, any) // nil is the zero value
	decode(*Decoder) any
	check(any) []mapper.Fault
}

func (c *Codec[T]) encode(e *Encoder, v any) {
	x, ok := v.(*T)
	if !ok {
		x = new(T)
	}
	c.Encode(e, x)
	if c.Compute != nil {
		c.Compute(e, x)
	}
}

func (c *Codec[T]) decode(d *Decoder) any {
	v := new(T)
	c.Decode(d, v)
	return v
}

// check returns what v breaks of the model's rules.
func (c *Codec[T]) check(v any) []mapper.Fault {
	if c.Check == nil {
		return nil
	}
	var f Faults
	c.Check(&f, v.(*T))
	return f.list
}

// untyped returns c without its type, always the same.
func (c *Codec[T]) untyped() *codec { return c.inner.start(c.Table, c, c.Encode != nil) }

func (c *codec) start(t *Table, of typed, root bool) *codec {
	c.once.Do(func() {
		c.Table, c.of = t, of
		static := func(x Column) bool { return x.Kind == plan.Static }
		if !root || !slices.ContainsFunc(t.Columns, static) {
			return
		}
		if zero, err := c.encode(nil); err == nil {
			c.zero = zero
		}
	})
	return c
}

// record is what an encoded row has beside its bytes, for most rows.
type record struct {
	e     Encoder
	cells [16]cell.Cell
}

// shortRecord is the storage of a short row, in one allocation. The bytes come last, because the garbage collector looks no
// further than the last pointer.
type shortRecord struct {
	record
	bytes [640]byte
}

const (
	moreRow = 64      // bytes by which a row may be longer than the one before
	mostRow = 1 << 16 // bytes to reserve for a row: one long row must not make all after it long
)

// newRecord makes the storage of a row that is as long as the last, or a little longer.
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

// encode returns the row of v. Err is cell.Faults when v cannot be encoded; the row is its key then, or nil.
func (c *codec) encode(v any) (cell.Row, error) {
	last := int(atomic.LoadInt32(&c.size))
	r := newRecord(last)
	c.of.encode(&r.e, v)
	if n := r.e.Len(); n != last {
		atomic.StoreInt32(&c.size, int32(min(n, mostRow)))
	}
	row, err := c.Table.Row(&r.e, r.cells[:0])
	if err != nil {
		return c.key(&r.e), err
	}
	return row, nil
}

// key returns the key of a row that cannot be encoded; nil where the key is why.
func (c *codec) key(e *Encoder) cell.Row {
	row := e.First(c.Table.Key)
	c.Table.Canonical(row)
	return row
}

// encodeOver returns the row of v with what the row that was read has beyond what this program knows.
func (c *codec) encodeOver(s *Schema, read cell.Row, v any) (cell.Row, error) {
	if read == nil {
		return c.encode(v)
	}
	var e Encoder
	c.of.encode(&e, v)
	row, err := c.Table.Cells(&e, nil)
	if err != nil {
		return c.key(&e), err
	}
	s.Keep(c.Table, read, row)
	c.Table.Normalize(row)
	return row, nil
}

// decodeError returns which value of which row the fault is about.
func (db *DB) decodeError(t *Table, row cell.Row, err error) error {
	var fault *cell.Fault
	if !errors.As(err, &fault) {
		return err
	}
	e := &mapper.DecodeError{Aggregate: t.Aggregate, Table: t.Name, Key: t.KeyText(row)}
	e.Path, e.Problem = t.Masked(db.schema.Path(t, fault.Path), discreet(t, fault))
	if i := fault.Path[0].Member; i < len(t.Columns) {
		e.Column = t.Columns[i].Name
	}
	return e
}

// discreet returns the problem of a fault. What the user's own code reports of a secret value, after the colon, can have the value
// in it.
func discreet(t *Table, f *cell.Fault) string {
	problem := f.Problem
	if i := f.Path[0].Member; i < len(t.Columns) && t.Columns[i].Secret {
		problem, _, _ = strings.Cut(problem, ": ")
	}
	return problem
}

// decode reads the value of a row.
func (r reader) decode(d *Decoder, row cell.Row) (any, error) {
	d.Row(row)
	v := r.c.of.decode(d)
	if err := d.Err(); err != nil {
		return nil, r.db.decodeError(r.c.Table, row, err)
	}
	return v, nil
}

// rows decodes rows until there are no more, an error comes, or the caller breaks. N is how many it gave.
func (r reader) rows(rows iter.Seq2[cell.Row, error], yield func(any, error) bool) (n int, err error) {
	l := &listing{reader: r, yield: yield}
	rows(l.take)
	return l.n, l.err
}

// listing is the state of a read of several rows, so that it is one allocation.
type listing struct {
	reader
	d     Decoder
	yield func(any, error) bool
	n     int
	err   error
}

// take decodes a row, and reports whether there is to be another.
func (l *listing) take(row cell.Row, err error) bool {
	if l.err = err; err != nil {
		return false
	}
	if row[l.c.Table.Key-1] == nil { // a partition that has static values and no row
		return true
	}
	v, err := l.decode(&l.d, row)
	if l.err = err; err != nil {
		return false
	}
	l.n++
	return l.yield(v, nil)
}

// lookup is the storage of a read by key, so that it is one allocation.
type lookup struct {
	store.Lookup
	d Decoder
}

// decodeOne decodes the row of a read by key.
func (r reader) decodeOne(l *lookup, row cell.Row) (v any, at loaded, err error) {
	n := len(r.c.Table.Columns)
	at.written, at.own = latest(row[n:]), latestOwn(r.c.Table, row)
	if v, err = r.decode(&l.d, row[:n]); l.d.Unknown() {
		at.unknown = row[:n]
	}
	return v, at, err
}

// constraint adds what encoding or planning found to what the rules found, and returns all of it as one error.
// Other errors stay as they are.
func (db *DB) constraint(t *Table, row cell.Row, broken []mapper.Fault, err error) error {
	if len(broken) == 0 && err == nil {
		return nil // without the text of the key, which costs more than encoding a row
	}
	e := &mapper.ConstraintError{Aggregate: t.Aggregate, Table: t.Name, Key: t.KeyText(row), Faults: broken}
	var encoding cell.Faults
	var planning *plan.FaultError
	switch {
	case errors.As(err, &encoding):
		for _, f := range encoding {
			e.Faults = append(e.Faults, mapper.Fault{Path: db.schema.Path(t, f.Path), Problem: discreet(t, &f)})
		}
	case errors.As(err, &planning):
		for _, f := range planning.Faults {
			e.Faults = append(e.Faults, mapper.Fault{Path: f.Path, Problem: f.Problem})
		}
	case err != nil:
		return err
	}
	for i := range e.Faults {
		f := &e.Faults[i]
		f.Path, f.Problem = t.Masked(f.Path, f.Problem)
	}
	return e
}

// key cuts a key, or the first part of one, and checks that it can be one.
func (db *DB) key(t *Table, k *Encoder) (cell.Row, error) {
	return db.cutKey(t, k, make(cell.Row, 0, t.Key))
}

// cutKey is key with room for the cells.
func (db *DB) cutKey(t *Table, k *Encoder, room cell.Row) (cell.Row, error) {
	row, err := k.Cells(room)
	if err != nil {
		return nil, db.constraint(t, nil, nil, err)
	}
	t.Canonical(row)
	return row, db.keyable(t, row)
}

// keyable reports the cells of a key that cannot be in one.
func (db *DB) keyable(t *Table, row cell.Row) error {
	var faults []mapper.Fault
	for i, c := range row {
		switch {
		case c == nil:
			faults = append(faults, mapper.Fault{Path: t.Columns[i].Field, Problem: "is null, but is in the key"})
		case len(c) == 0 && i == 0 && t.Partition == 1:
			faults = append(faults, mapper.Fault{Path: t.Columns[i].Field, Problem: "is empty, but is in the key"})
		}
	}
	return db.constraint(t, row, faults, nil)
}

// nullOr returns the fault of the column after key: the one of its encoding, or that it is null.
func (db *DB) nullOr(t *Table, key cell.Row, err error) error {
	if err != nil {
		return db.constraint(t, key, nil, err)
	}
	fault := mapper.Fault{Path: t.Columns[len(key)].Field, Problem: "is null, but is in the key"}
	return db.constraint(t, key, []mapper.Fault{fault}, nil)
}
