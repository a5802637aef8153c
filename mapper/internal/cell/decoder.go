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

// Decoder reads the values of a row in order. Null is read as the zero value, and so is a value of zero bytes, which Cassandra
// allows for every type. Bytes that are invalid for the type are a fault. [Decoder.Err] returns the first fault; after it every
// value is zero.
//
// Texts and blobs are copies: a decoded value never refers to the driver's buffer. Neighbouring small values share an
// allocation of at most 4 KiB.
type Decoder struct {
	cells  Row    // the rest of the row
	b      []byte // the bytes of the UDT or collection that is read
	at     int    // the number of its bytes that were read: moving b itself would cost a write barrier for every value
	depth  int    // 0: the row itself
	column int    // columns read
	chunk  []byte // free storage for texts and blobs
	grow   int    // the size of the next chunk
	fault  *Fault
	spare  int // memory that Go values of the row can still use in addition to memoryPerByte

	shared, skipped int // set by Beside: the number of columns that are read again, and the number of columns that are skipped after them

	unknown bool // a UDT had more members than were read
}

const (
	chunkMax = 4096
	chunkBig = 1024 // a value of this size is a separate allocation

	memoryPerByte = 64      // the maximum memory of a value for each of its bytes,
	memorySpare   = 4 << 20 // and the additional memory of all values of a row: a UDT may have been stored before most of its fields were added
)

// Row starts reading a row. The same Decoder can read many rows, one after the other.
func (d *Decoder) Row(r Row) {
	d.cells, d.b, d.at, d.depth, d.column, d.fault, d.unknown, d.spare, d.shared, d.skipped = r, nil, 0, 0, 0, nil, false, memorySpare, 0, 0
	if d.grow == 0 {
		for _, c := range r {
			d.grow += len(c)
		}
		d.grow = min(d.grow, chunkMax)
	}
}

// NextRow continues with a second row: the first columns of the row, as many as shared, and then its columns from column from on.
func (d *Decoder) NextRow(shared, from int) {
	d.cells, d.column = append(d.cells[:shared:shared], d.cells[from:]...), 0
	d.shared, d.skipped = shared, d.skipped+from-shared
}

// Err returns the first fault of the row, a *[Fault], or nil.
func (d *Decoder) Err() error {
	if d.fault == nil {
		return nil
	}
	f, column := *d.fault, d.column-1
	if column >= d.shared {
		column += d.skipped
	}
	f.inMember(column)
	return &f
}

// Refuse adds a fault for the last value, which is invalid for its Go type. The problem continues a sentence that begins with
// the path of the value.
func (d *Decoder) Refuse(problem string) { d.fail(problem) }

// Failed reports whether there is a fault. Then every value is zero.
func (d *Decoder) Failed() bool { return d.fault != nil }

// Unknown reports whether a UDT of the row had members that were not read, because a newer version of the type wrote them.
func (d *Decoder) Unknown() bool { return d.unknown }

// Text reads a text or an ascii.
func (d *Decoder) Text() string {
	b := d.keep(d.next())
	return unsafe.String(unsafe.SliceData(b), len(b)) // the bytes of keep are written only once
}

// Ascii reads an ascii.
//
//lint:ignore ST1003 it has the name of the CQL type, like its siblings
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

// Floats reads a vector of len(v) floats; null sets them to 0.
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

// TimeUUID reads a timeuuid. Null is the zero UUID.
func (d *Decoder) TimeUUID() [16]byte { return d.UUID() }

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

// ClockTime reads a time as a clock time on 1970-01-01 in UTC, which distinguishes midnight from null: the zero time.
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
		d.fail("is not a duration")
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

// Addr reads an inet; null is the zero Addr. An IPv4 address in IPv6 form is returned as IPv4.
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

// next returns the next value.
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

// nullOrEnd returns a value whose length is negative or exceeds the remaining bytes.
func (d *Decoder) nullOrEnd(n int) Cell {
	if n < 0 {
		d.at += lengthSize
		return nil
	}
	return d.end()
}

// end returns the values after the last one: nulls, because the value can be older than its last fields.
func (d *Decoder) end() Cell {
	if d.left() > 0 {
		d.at = len(d.b)
		d.fail("ends within a value")
	}
	return nil
}

// left returns the number of bytes of a UDT or a collection that were not read.
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

// fixed returns the next value if it has n bytes; nil for null and for zero bytes.
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

// reserve records that encoded bytes need size bytes of memory, and adds a fault if that is out of proportion: elements of zero
// bytes, which every type has, need the full memory of their Go type.
func (d *Decoder) reserve(size, encoded int) {
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
		return clone(c)
	}
	if n > cap(d.chunk)-from {
		d.chunk, from = make([]byte, 0, max(n, d.grow)), 0
		d.grow = min(2*d.grow, chunkMax)
	}
	d.chunk = d.chunk[:from+n]
	copy(d.chunk[from:], c)
	return d.chunk[from : from+n : from+n]
}

// clone copies bytes to a separate allocation.
func clone(c Cell) []byte {
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
