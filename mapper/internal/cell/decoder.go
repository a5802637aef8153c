package cell

import (
	"encoding/binary"
	"math"
	"math/big"
	"net"
	"net/netip"
	"strconv"
	"time"
	"unsafe"

	"gopkg.in/inf.v0"

	"github.com/cassaml/cassaml/aml/form"
)

// Decoder reads the values of a row, one after the other. Null is read as the zero value, and so does a value of no
// bytes, which Cassandra allows for every type. Bytes that are no value of the type are a fault; the first
// one is kept for [Decoder.Err], after it every value is zero.
//
// Texts and blobs are copies: what is decoded never keeps the driver's buffer. Neighbouring small ones share
// an allocation of at most 4 KiB.
type Decoder struct {
	cells  Row    // what is left of the row
	b      []byte // inside a UDT or a collection: its bytes
	at     int    // how many of them were read: moving b itself would cost a write barrier for every value
	depth  int    // 0: the row itself
	column int    // columns read
	chunk  []byte // free storage for texts and blobs
	grow   int    // the size of the next chunk
	fault  *Fault
	spare  int // bytes that Go values of the row may still take beyond memoryPerByte

	unknown bool // a UDT had more members than were read
}

const (
	chunkMax = 4096
	chunkBig = 1024 // a value of this size is an allocation of its own

	memoryPerByte = 64      // a value takes so many bytes of memory for each of its own,
	memorySpare   = 4 << 20 // and all values of a row so many more: a UDT may have been stored before most of its fields were added
)

// Row starts reading a row. The same Decoder can read many rows, one after the other.
func (d *Decoder) Row(r Row) {
	d.cells, d.b, d.at, d.depth, d.column, d.fault, d.unknown, d.spare = r, nil, 0, 0, 0, nil, false, memorySpare
	if d.grow == 0 {
		for _, c := range r {
			d.grow += len(c)
		}
		d.grow = min(d.grow, chunkMax)
	}
}

// Err returns the first fault of the row, a *[Fault], or nil.
func (d *Decoder) Err() error {
	if d.fault == nil {
		return nil
	}
	f := *d.fault
	f.inMember(d.column - 1)
	return &f
}

// Refuse notes that the value read last is none that its Go type can have. The problem continues a sentence that begins
// with the path of the value.
func (d *Decoder) Refuse(problem string) { d.fail(problem) }

// Failed reports whether there is a fault: then every value is zero.
func (d *Decoder) Failed() bool { return d.fault != nil }

// Unknown reports whether a UDT of the row had members that were not read: a newer version of the type wrote them.
func (d *Decoder) Unknown() bool { return d.unknown }

// Text reads a text or an ascii.
func (d *Decoder) Text() string {
	b := d.keep(d.next())
	return unsafe.String(unsafe.SliceData(b), len(b)) // keep's bytes are written once and never again
}

// Ascii reads an ascii.
//
//lint:ignore ST1003 it has the name of the CQL type, as its siblings have
func (d *Decoder) Ascii() string { return d.Text() }

// Blob reads a blob: nil for null, empty and not nil for the empty blob.
func (d *Decoder) Blob() []byte { return d.keep(d.next()) }

// Boolean reads a boolean.
func (d *Decoder) Boolean() bool { return d.Tinyint() != 0 }

// Tinyint reads a tinyint.
func (d *Decoder) Tinyint() int8 {
	if c := d.fixed(1); c != nil {
		return int8(c[0])
	}
	return 0
}

// Smallint reads a smallint.
func (d *Decoder) Smallint() int16 {
	if c := d.fixed(2); c != nil {
		return int16(binary.BigEndian.Uint16(c))
	}
	return 0
}

// Int reads an int.
func (d *Decoder) Int() int32 {
	if c := d.fixed(4); c != nil {
		return int32(binary.BigEndian.Uint32(c))
	}
	return 0
}

// Bigint reads a bigint.
func (d *Decoder) Bigint() int64 {
	if c := d.fixed(8); c != nil {
		return int64(binary.BigEndian.Uint64(c))
	}
	return 0
}

// Float reads a float.
func (d *Decoder) Float() float32 { return math.Float32frombits(uint32(d.Int())) }

// Double reads a double.
func (d *Decoder) Double() float64 { return math.Float64frombits(uint64(d.Bigint())) }

// Floats reads a vector of as many floats as v has; null makes them 0.
func (d *Decoder) Floats(v []float32) {
	c := d.fixed(4 * len(v))
	if c == nil {
		clear(v)
		return
	}
	for i := range v {
		v[i] = math.Float32frombits(binary.BigEndian.Uint32(c[4*i:]))
	}
}

// UUID reads a uuid or a timeuuid.
func (d *Decoder) UUID() (v [16]byte) {
	copy(v[:], d.fixed(16))
	return v
}

// Timestamp reads a timestamp, in UTC; null is the zero time.
func (d *Decoder) Timestamp() time.Time {
	c := d.fixed(8)
	if c == nil {
		return time.Time{}
	}
	return time.UnixMilli(int64(binary.BigEndian.Uint64(c))).UTC()
}

// Date reads a date as its midnight in UTC; null is the zero time.
func (d *Decoder) Date() time.Time {
	c := d.fixed(4)
	if c == nil {
		return time.Time{}
	}
	return time.Unix((int64(binary.BigEndian.Uint32(c))-dateEpoch)*secondsPerDay, 0).UTC()
}

// ClockTime reads a time as that clock on 1970-01-01 in UTC, which distinguishes midnight from null: the zero time.
func (d *Decoder) ClockTime() time.Time {
	c := d.fixed(8)
	if c == nil {
		return time.Time{}
	}
	return time.Unix(0, int64(binary.BigEndian.Uint64(c))).UTC()
}

// Time reads a time, the nanoseconds since midnight.
func (d *Decoder) Time() time.Duration { return time.Duration(d.Bigint()) }

// Duration reads a duration.
func (d *Decoder) Duration() (months, days int32, nanoseconds int64) {
	c := d.next()
	if len(c) == 0 {
		return 0, 0, 0
	}
	m, c, ok1 := vint(c)
	n, c, ok2 := vint(c)
	nanoseconds, c, ok3 := vint(c)
	if !ok1 || !ok2 || !ok3 || len(c) != 0 || m != int64(int32(m)) || n != int64(int32(n)) {
		d.fail("is no duration")
		return 0, 0, 0
	}
	return int32(m), int32(n), nanoseconds
}

// Inet reads an inet; null is nil. An IPv4 address has four bytes.
func (d *Decoder) Inet() net.IP {
	c := d.next()
	switch len(c) {
	case 0:
		return nil
	case net.IPv4len, net.IPv6len:
		ip := net.IP(d.keep(c))
		if v4 := ip.To4(); v4 != nil {
			return v4
		}
		return ip
	}
	d.wrongLength(len(c))
	return nil
}

// Addr reads an inet; null is the zero Addr. An IPv4 address in IPv6 form is given as IPv4.
func (d *Decoder) Addr() netip.Addr {
	c := d.next()
	if len(c) == 0 {
		return netip.Addr{}
	}
	a, ok := netip.AddrFromSlice(c)
	if !ok {
		d.wrongLength(len(c))
	}
	return a.Unmap()
}

// Varint reads a varint; null is nil.
func (d *Decoder) Varint() *big.Int {
	c := d.next()
	if c == nil {
		return nil
	}
	return form.Varint(c)
}

// Decimal reads a decimal; null is nil.
func (d *Decoder) Decimal() *inf.Dec {
	c := d.next()
	switch {
	case c == nil:
		return nil
	case len(c) == 0:
		return new(inf.Dec)
	case len(c) < 4:
		d.wrongLength(len(c))
		return nil
	}
	return inf.NewDecBig(form.Varint(c[4:]), inf.Scale(int32(binary.BigEndian.Uint32(c))))
}

// next returns the next value of what is being read.
func (d *Decoder) next() Cell {
	if d.fault != nil {
		return nil
	}
	if d.depth == 0 {
		if d.column++; d.column > len(d.cells) {
			d.fail("is missing in the row")
			return nil
		}
		return d.cells[d.column-1]
	}
	b := d.b[d.at:]
	if len(b) < lengthSize {
		return d.end()
	}
	n := int(int32(binary.BigEndian.Uint32(b)))
	if b = b[lengthSize:]; uint(n) > uint(len(b)) {
		return d.nullOrEnd(n)
	}
	d.at += lengthSize + n
	return b[:n:n]
}

// nullOrEnd returns a value whose length is less than zero, or more than what follows.
func (d *Decoder) nullOrEnd(n int) Cell {
	if n < 0 {
		d.at += lengthSize
		return nil
	}
	return d.end()
}

// end returns what follows the last value: nulls, because the value may be older than its last fields.
func (d *Decoder) end() Cell {
	if d.left() > 0 {
		d.at = len(d.b)
		d.fail("ends within a value")
	}
	return nil
}

// left is how many bytes of a UDT or a collection were not read.
func (d *Decoder) left() int { return len(d.b) - d.at }

// SkipNull reads the next value if it is null, and reports whether it was. After a fault every value is.
func (d *Decoder) SkipNull() bool {
	if d.fault != nil {
		return true
	}
	if d.depth > 0 {
		if null := d.left() == 0 || d.b[d.at] >= 0x80; !null {
			return false
		}
	} else if d.column < len(d.cells) && d.cells[d.column] != nil {
		return false
	}
	return d.next() == nil
}

// fixed returns the next value if it has n bytes; nil for null and for no bytes.
func (d *Decoder) fixed(n int) Cell {
	c := d.next()
	if len(c) == n {
		return c
	}
	if len(c) != 0 {
		d.wrongLength(len(c))
	}
	return nil
}

// take notes that Go values of size bytes are made of so many encoded ones, and faults where that is out of proportion:
// elements of no bytes, which every type has, would take the memory of their Go type each.
func (d *Decoder) take(size, encoded int) {
	excess := size - memoryPerByte*encoded
	if excess <= 0 {
		return
	}
	if d.spare -= excess; d.spare < 0 {
		d.fail("would take " + strconv.Itoa(size) + " bytes of memory, and has " + strconv.Itoa(encoded) + " bytes")
	}
}

// keep copies a value's bytes; nil stays nil.
func (d *Decoder) keep(c Cell) []byte {
	n, from := len(c), len(d.chunk)
	if n == 0 || n >= chunkBig {
		return alone(c)
	}
	if n > cap(d.chunk)-from {
		d.chunk, from = make([]byte, 0, max(n, d.grow)), 0
		d.grow = min(2*d.grow, chunkMax)
	}
	d.chunk = d.chunk[:from+n]
	copy(d.chunk[from:], c)
	return d.chunk[from : from+n : from+n]
}

// alone copies bytes into an allocation of their own.
func alone(c Cell) []byte {
	if c == nil {
		return nil
	}
	return append(make([]byte, 0, len(c)), c...)
}

func (d *Decoder) wrongLength(n int) { d.fail("has a value of " + strconv.Itoa(n) + " bytes") }

func (d *Decoder) fail(problem string) {
	if d.fault == nil {
		d.fault = &Fault{Problem: problem}
	}
}
