package form

import (
	"encoding/binary"
	"math/big"
	"math/bits"
)

// LengthSize is the size of the length before every value of a UDT, a tuple or a collection, and of a collection's count.
const LengthSize = 4

// Append appends the length of a value and the value; nil is null.
func Append(to, v []byte) []byte {
	if v == nil {
		return append(to, 0xff, 0xff, 0xff, 0xff)
	}
	return append(binary.BigEndian.AppendUint32(to, uint32(len(v))), v...)
}

// Next reads the first value of b. If b is empty, the value is null; ok is false if the value is longer than b.
func Next(b []byte) (v, rest []byte, ok bool) {
	if len(b) < LengthSize {
		return nil, nil, len(b) == 0
	}
	n := int(int32(binary.BigEndian.Uint32(b)))
	b = b[LengthSize:]
	if n < 0 {
		return nil, b, true
	}
	if n > len(b) {
		return nil, nil, false
	}
	return b[:n:n], b[n:], true
}

// AppendVarint appends v in two's complement, in as few bytes as possible.
func AppendVarint(b []byte, v *big.Int) []byte {
	if v.IsInt64() {
		return appendInt64(b, v.Int64())
	}
	// -1-v has as many bits as v needs in addition to its sign, and its bits are the inverted bits of v.
	magnitude, invert := v, byte(0)
	if v.Sign() < 0 {
		magnitude, invert = new(big.Int).Not(v), 0xff
	}
	size := magnitude.BitLen()/8 + 1
	from := len(b)
	b = append(b, make([]byte, size)...)
	magnitude.FillBytes(b[from:])
	for i := from; i < len(b); i++ {
		b[i] ^= invert
	}
	return b
}

func appendInt64(b []byte, v int64) []byte {
	size := bits.Len64(uint64(v^v>>63))/8 + 1
	for i := size - 1; i >= 0; i-- {
		b = append(b, byte(v>>(8*i)))
	}
	return b
}

// Varint reads a two's complement number; an empty one is zero.
func Varint(b []byte) *big.Int {
	v := new(big.Int).SetBytes(b)
	if len(b) > 0 && b[0] >= 0x80 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(len(b))*8))
	}
	return v
}
