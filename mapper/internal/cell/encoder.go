package cell

import (
	"encoding/binary"
	"math"
	"math/big"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"
	"unsafe"

	"gopkg.in/inf.v0"

	"github.com/cassaml/cassaml/aml/form"
)

// Encoder writes values in order, each after its length. The zero Encoder is ready to use. A value that CQL cannot represent is
// a fault. [Encoder.Err] returns all faults, so a caller checks once, at the end.
type Encoder struct {
	b      []byte
	faults Faults
	order  sorter
	cut    int // 1 + the position in b of the first time that was rounded down; 0: none
}

// Cut returns the number of values up to the first one with a time that was more precise than its column, so that it was rounded down;
// 0 if there is none.
func (e *Encoder) Cut() (n int) {
	for rest := e.b; len(rest) > 0 && len(e.b)-len(rest) < e.cut; n++ {
		_, rest, _ = form.Next(rest)
	}
	return n
}

// round records that the next value is a time that is rounded down.
func (e *Encoder) round() {
	if e.cut == 0 {
		e.cut = len(e.b) + 1
	}
}

// Use sets the storage of e, which grows as needed.
func (e *Encoder) Use(storage []byte) { e.b, e.faults, e.cut = storage[:0], nil, 0 }

// Reset removes all values from e. It keeps the storage: the next values overwrite the bytes of the earlier ones.
func (e *Encoder) Reset() { e.b, e.faults, e.cut = e.b[:0], nil, 0 }

// Len returns the number of bytes written.
func (e *Encoder) Len() int { return len(e.b) }

// Err returns all faults, as [Faults], or nil. The paths start at the values of e.
func (e *Encoder) Err() error {
	if e.faults == nil {
		return nil
	}
	all := slices.Clone(e.faults)
	for i := range all {
		all[i].prepend(Step{Member: countValues(e.b[:all[i].at])})
	}
	return all
}

// Refuse adds a fault for the next value and writes null instead. The problem continues a sentence that begins with the path of
// the value.
func (e *Encoder) Refuse(problem string) {
	e.fail(problem)
	e.Null()
}

// Cells appends the cells of all values to row and returns it. The cells share the encoder's bytes: it must not be used again.
func (e *Encoder) Cells(row Row) (Row, error) {
	if e.faults != nil {
		return nil, e.Err()
	}
	row, _ = e.split(row, math.MaxInt)
	return row, nil
}

// All appends the cells of all values to row, with null or an incorrect value for each value that has a fault, and returns it.
func (e *Encoder) All(row Row) Row {
	row, _ = e.split(row, math.MaxInt)
	return row
}

// Count returns the number of values, including one that is incomplete.
func (e *Encoder) Count() int { return countValues(e.b) }

// First returns the first n values, even if later values have faults. It returns nil if one of the first n has a fault.
func (e *Encoder) First(n int) Row {
	row, end := e.split(make(Row, 0, n), n)
	if slices.ContainsFunc(e.faults, func(f Fault) bool { return f.at < end }) {
		return nil
	}
	return row
}

// split appends the first n values to row, and returns the position of their end.
func (e *Encoder) split(row Row, n int) (_ Row, from int) {
	for ; from < len(e.b) && n > 0; n-- {
		size := int(int32(binary.BigEndian.Uint32(e.b[from:])))
		from += lengthSize
		if size < 0 {
			row = append(row, nil)
			continue
		}
		row = append(row, e.b[from:from+size:from+size])
		from += size
	}
	return row, from
}

// Null writes a null.
func (e *Encoder) Null() { e.b = append(e.b, 0xff, 0xff, 0xff, 0xff) }

// Blob writes a blob; nil is null, empty is the empty blob.
func (e *Encoder) Blob(v []byte) {
	if v == nil {
		e.Null()
		return
	}
	e.length(len(v))
	e.b = append(e.b, v...)
}

// Boolean writes a boolean.
func (e *Encoder) Boolean(v bool) {
	if v {
		e.Tinyint(1)
	} else {
		e.Tinyint(0)
	}
}

// Tinyint writes a tinyint.
func (e *Encoder) Tinyint(v int8) { e.b = append(e.b, 0, 0, 0, 1, byte(v)) }

// Smallint writes a smallint.
func (e *Encoder) Smallint(v int16) { e.b = append(e.b, 0, 0, 0, 2, byte(v>>8), byte(v)) }

// Int writes an int.
func (e *Encoder) Int(v int32) {
	e.b = append(e.b, 0, 0, 0, 4, byte(v>>24), byte(v>>16), byte(v>>8), byte(v))
}

// Bigint writes a bigint.
func (e *Encoder) Bigint(v int64) {
	e.b = append(e.b, 0, 0, 0, 8, byte(v>>56), byte(v>>48), byte(v>>40), byte(v>>32),
		byte(v>>24), byte(v>>16), byte(v>>8), byte(v))
}

// Float writes a float.
func (e *Encoder) Float(v float32) { e.Int(int32(math.Float32bits(v))) }

// Double writes a double.
func (e *Encoder) Double(v float64) { e.Bigint(int64(math.Float64bits(v))) }

// Floats writes a vector of floats, whose elements have no lengths.
func (e *Encoder) Floats(v []float32) {
	e.length(4 * len(v))
	for _, x := range v {
		e.b = binary.BigEndian.AppendUint32(e.b, math.Float32bits(x))
	}
}

// TimeUUID writes a timeuuid. The zero UUID is null; a UUID of another version is a fault.
func (e *Encoder) TimeUUID(v [16]byte) {
	if v == [16]byte{} {
		e.Null()
		return
	}
	if version := v[6] >> 4; version != 1 {
		e.fail("is a UUID of version " + strconv.Itoa(int(version)) + ", and a timeuuid has version 1")
	}
	e.UUID(v)
}

// UUID writes a uuid.
func (e *Encoder) UUID(v [16]byte) {
	e.b = append(e.b, 0, 0, 0, 16)
	e.b = append(e.b, v[:]...)
}

// The encodings of the zero time.
const (
	zeroMilli = -62135596800_000
	zeroDay   = -719162
)

// Timestamp writes a timestamp, in milliseconds since 1970, rounded down. The zero time is null.
func (e *Encoder) Timestamp(t time.Time) {
	if t.IsZero() {
		e.Null()
		return
	}
	if s := t.Unix(); s > math.MaxInt64/1000-1 || s < math.MinInt64/1000+1 {
		e.fail("is outside the range of a timestamp")
	}
	ms := t.UnixMilli()
	if ms == zeroMilli {
		e.fail("is so close to the zero time that it would be read back as that")
	}
	if t.Nanosecond()%int(time.Millisecond) != 0 {
		e.round()
	}
	e.Bigint(ms)
}

// Date writes a date: the calendar date of t in its time zone. The zero time is null.
func (e *Encoder) Date(t time.Time) {
	if t.IsZero() {
		e.Null()
		return
	}
	_, offset := t.Zone()
	shown := t.Unix() + int64(offset)
	day := floorDiv(shown, secondsPerDay)
	if day < math.MinInt32 || day > math.MaxInt32 {
		e.fail("is outside the range of a date")
	}
	if day == zeroDay {
		e.fail("falls on the day of the zero time and would be read back as that")
	}
	if shown != day*secondsPerDay || t.Nanosecond() != 0 {
		e.round()
	}
	e.Int(int32(day + dateEpoch))
}

// ClockTime writes a time: the clock time of t in UTC. The zero time is null.
func (e *Encoder) ClockTime(t time.Time) {
	if t.IsZero() {
		e.Null()
		return
	}
	s := t.Unix()
	s -= floorDiv(s, secondsPerDay) * secondsPerDay
	e.Bigint(s*int64(time.Second) + int64(t.Nanosecond()))
}

// Time writes a time, the nanoseconds since midnight. A negative time, and 24 hours or more, are faults.
func (e *Encoder) Time(d time.Duration) {
	if d < 0 || d >= 24*time.Hour {
		e.fail("is not a time within a day")
	}
	e.Bigint(int64(d))
}

// Duration writes a duration of months, days and nanoseconds. Mixed signs are a fault.
func (e *Encoder) Duration(months, days int32, nanoseconds int64) {
	if (months < 0 || days < 0 || nanoseconds < 0) && (months > 0 || days > 0 || nanoseconds > 0) {
		e.fail("mixes positive and negative parts")
	}
	at := e.open()
	e.b = appendVint(e.b, int64(months))
	e.b = appendVint(e.b, int64(days))
	e.b = appendVint(e.b, nanoseconds)
	e.close(at)
}

// Inet writes an inet; nil is null. An IPv4 address in IPv6 form is written as IPv4.
func (e *Encoder) Inet(ip net.IP) {
	switch v4 := ip.To4(); {
	case v4 != nil:
		e.Blob(v4)
	case ip == nil || len(ip) == net.IPv6len:
		e.Blob(ip)
	default:
		e.Refuse("is not an IP address")
	}
}

// Addr writes an inet; the zero Addr is null. An IPv4 address in IPv6 form is written as IPv4. A zone is a fault, because inet
// has no zones.
func (e *Encoder) Addr(a netip.Addr) {
	switch a = a.Unmap(); {
	case !a.IsValid():
		e.Null()
	case a.Is4():
		v4 := a.As4()
		e.Blob(v4[:])
	default:
		if a.Zone() != "" {
			e.fail("has a zone, which an inet cannot hold")
		}
		v6 := a.As16()
		e.Blob(v6[:])
	}
}

// Varint writes a varint; nil is null.
func (e *Encoder) Varint(v *big.Int) {
	if v == nil {
		e.Null()
		return
	}
	at := e.open()
	e.b = form.AppendVarint(e.b, v)
	e.close(at)
}

// Decimal writes a decimal; nil is null.
func (e *Encoder) Decimal(v *inf.Dec) {
	if v == nil {
		e.Null()
		return
	}
	at := e.open()
	e.b = binary.BigEndian.AppendUint32(e.b, uint32(int32(v.Scale())))
	e.b = form.AppendVarint(e.b, v.UnscaledBig())
	e.close(at)
}

// length writes the length of a value. Here and elsewhere each append is directly assigned to e.b: then the compiler stores
// only the new length. Otherwise it would also store the pointer, with a write barrier.
func (e *Encoder) length(n int) {
	if n > math.MaxInt32 {
		e.fail("is longer than 2 GiB")
	}
	e.b = append(e.b, byte(n>>24), byte(n>>16), byte(n>>8), byte(n))
}

// open starts a value of unknown length and returns its start; close writes the length.
func (e *Encoder) open() int {
	e.b = append(e.b, 0, 0, 0, 0)
	return len(e.b) - lengthSize
}

func (e *Encoder) close(at int) {
	n := len(e.b) - at - lengthSize
	if n > math.MaxInt32 {
		e.failAt(at, "is longer than 2 GiB")
	}
	binary.BigEndian.PutUint32(e.b[at:], uint32(n))
}

func (e *Encoder) fail(problem string) { e.failAt(len(e.b), problem) }

func (e *Encoder) failAt(at int, problem string) {
	e.faults = append(e.faults, Fault{Problem: problem, at: at})
}

const (
	secondsPerDay = 24 * 60 * 60
	dateEpoch     = 1 << 31 // the day of 1970-01-01
)

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// Ascii writes an ascii. A byte above 127 is a fault.
//
//lint:ignore ST1003 it has the name of the CQL type, like its siblings
func (e *Encoder) Ascii(s string) {
	if !isASCII(s) {
		e.fail("is not ASCII")
	}
	e.text(s)
}

// Text writes a text. Invalid UTF-8 is a fault.
func (e *Encoder) Text(s string) {
	if !isASCII(s) && !utf8.ValidString(s) {
		e.fail("is not valid UTF-8")
	}
	e.text(s)
}

// text writes bytes after their length. It is the most frequent value, so it grows once and copies once.
func (e *Encoder) text(s string) {
	if len(s) > math.MaxInt32 {
		e.fail("is longer than 2 GiB")
	}
	from, size := len(e.b), lengthSize+len(s)
	if cap(e.b)-from < size {
		e.grow(size)
	}
	e.b = e.b[:from+size]
	binary.BigEndian.PutUint32(e.b[from:], uint32(len(s)))
	copy(e.b[from+lengthSize:], s)
}

func (e *Encoder) grow(n int) { e.b = append(e.b, make([]byte, n)...)[:len(e.b)] }

const highBits = 0x8080808080808080

// isASCII reports whether all bytes of s are below 128. It checks eight bytes at a time, the last eight twice.
func isASCII(s string) bool {
	b := unsafe.Slice(unsafe.StringData(s), len(s)) // only read
	if len(b) < 8 {
		var all byte
		for _, c := range b {
			all |= c
		}
		return all < utf8.RuneSelf
	}
	all := binary.NativeEndian.Uint64(b[len(b)-8:])
	for ; len(b) >= 8; b = b[8:] {
		all |= binary.NativeEndian.Uint64(b)
	}
	return all&highBits == 0
}
