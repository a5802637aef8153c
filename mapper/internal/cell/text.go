package cell

import (
	"encoding/binary"
	"math"
	"unicode/utf8"
	"unsafe"
)

// Ascii writes an ascii. A byte above 127 is a fault.
//
//lint:ignore ST1003 it has the name of the CQL type, as its siblings have
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

// isASCII reports whether all bytes of s are below 128. It looks at eight of them at once, at the last eight twice.
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
