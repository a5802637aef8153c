package cell

import (
	"encoding/binary"
	"math/big"
	"math/bits"
)

// appendVarint appends v in two's complement, as few bytes as hold it.
func appendVarint(b []byte, v *big.Int) []byte {
	if v.IsInt64() {
		return appendInt64(b, v.Int64())
	}
	// -1-v has as many bits as v needs beside its sign, and its bits are those of v inverted.
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

// varint reads a two's complement number; no bytes are zero.
func varint(b []byte) *big.Int {
	v := new(big.Int).SetBytes(b)
	if len(b) > 0 && b[0] >= 0x80 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(len(b))*8))
	}
	return v
}

// appendVint appends v in Cassandra's variable length: zigzag, and as many leading ones as bytes follow.
func appendVint(b []byte, v int64) []byte {
	u := uint64(v>>63) ^ uint64(v<<1)
	extra := (bits.Len64(u|1) - 1) / 7
	if extra > 8 {
		extra = 8
	}
	var buf [9]byte
	binary.BigEndian.PutUint64(buf[1:], u)
	from := len(buf) - 1 - extra
	buf[from] |= ^(byte(0xff) >> extra)
	return append(b, buf[from:]...)
}

// vint reads one such number off b.
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
