package cell

import (
	"encoding/binary"
	"math/bits"

	"github.com/cassaml/cassaml/aml/form"
)

// Cell is one encoded CQL value, without its length. Nil is null; empty and not nil is the empty value, which every CQL type
// has. Cells share memory and are never modified.
type Cell []byte

// Row is one cell per column of a table, in the order of its descriptor.
type Row []Cell

// lengthSize is the size of the length before every value, and of a collection's count.
const lengthSize = form.LengthSize

// AppendValue appends the length of c and c, as in a UDT, a tuple or a collection.
func AppendValue(b []byte, c Cell) []byte { return form.Append(b, c) }

// AppendCount appends the number of elements or entries at the start of a collection.
func AppendCount(b []byte, n int) []byte { return binary.BigEndian.AppendUint32(b, uint32(n)) }

// Walker iterates over the values of a UDT, a tuple or a collection. After malformed bytes it returns nulls, and
// [Walker.Broken] reports true.
type Walker struct {
	b      []byte
	broken bool
}

// Members returns a walker over the members of a UDT or a tuple. Null has no members, so [Walker.Next] returns nulls.
func Members(c Cell) Walker { return Walker{b: c} }

// Elements returns a walker over a list's or a set's elements, or a map's alternating keys and values, and their number; per is
// the number of values of one element: 1, and 2 for a map. The number is never larger than the bytes allow.
func Elements(c Cell, per int) (w Walker, count int) {
	if c == nil {
		return Walker{}, 0
	}
	n, ok := Count(c, per)
	if !ok {
		return Walker{broken: true}, 0
	}
	return Walker{b: c[lengthSize:]}, n
}

// Count returns the number of elements of a collection; ok is false if the bytes cannot contain that many.
func Count(c Cell, per int) (n int, ok bool) {
	if len(c) < lengthSize {
		return 0, c == nil
	}
	n = int(int32(binary.BigEndian.Uint32(c)))
	return n, n >= 0 && n <= (len(c)-lengthSize)/(per*lengthSize)
}

// Next returns the next value; nil if it is null or there is none: a UDT can end early, because a field was added to its type
// later.
func (w *Walker) Next() Cell {
	c, rest, ok := form.Next(w.b)
	w.b = rest
	w.broken = w.broken || !ok
	return c
}

// More reports whether there are bytes left.
func (w *Walker) More() bool { return len(w.b) > 0 }

// Broken reports whether a value was longer than the available bytes.
func (w *Walker) Broken() bool { return w.broken }

// appendVint appends v in Cassandra's variable length: zigzag, with one leading 1 bit for each following byte.
func appendVint(b []byte, v int64) []byte {
	u := uint64(v>>63) ^ uint64(v<<1)
	extra := min(8, (bits.Len64(u|1)-1)/7)
	var buf [9]byte
	binary.BigEndian.PutUint64(buf[1:], u)
	from := len(buf) - 1 - extra
	buf[from] |= ^(byte(0xff) >> extra)
	return append(b, buf[from:]...)
}

// vint reads such a number from the start of b.
func vint(b []byte) (v int64, rest []byte, ok bool) {
	if len(b) == 0 {
		return 0, nil, false
	}
	extra := bits.LeadingZeros8(^b[0])
	if len(b) <= extra {
		return 0, nil, false
	}
	u := uint64(b[0]) & (0xff >> extra)
	for _, c := range b[1 : 1+extra] {
		u = u<<8 | uint64(c)
	}
	return int64(u>>1) ^ -int64(u&1), b[1+extra:], true
}
