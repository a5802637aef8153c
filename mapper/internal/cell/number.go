package cell

import (
	"encoding/binary"
	"math/bits"
)

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
