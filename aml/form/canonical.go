package form

import (
	"encoding/binary"
	"math"
	"math/big"
	"slices"
)

func canonicalBoolean(b []byte) []byte {
	if len(b) == 1 && b[0] > 1 {
		return []byte{1}
	}
	return b
}

// The bits of Java's Float.NaN and Double.NaN, and the bits of infinity without the sign.
const (
	nan32, infinity32 = 0x7fc00000, 0x7f800000
	nan64, infinity64 = 0x7ff8000000000000, 0x7ff0000000000000
)

func canonicalFloat(b []byte) []byte {
	if len(b) == 4 && binary.BigEndian.Uint32(b)&^(1<<31) > infinity32 {
		return binary.BigEndian.AppendUint32(nil, nan32)
	}
	return b
}

func canonicalDouble(b []byte) []byte {
	if len(b) == 8 && binary.BigEndian.Uint64(b)&^(1<<63) > infinity64 {
		return binary.BigEndian.AppendUint64(nil, nan64)
	}
	return b
}

// canonicalVarint removes the leading bytes that only repeat the sign.
func canonicalVarint(b []byte) []byte {
	for len(b) > 1 && (b[0] == 0 && b[1] < 0x80 || b[0] == 0xff && b[1] >= 0x80) {
		b = b[1:]
	}
	return b
}

// canonicalDecimal removes the trailing zeros, as far as the scale allows.
func canonicalDecimal(b []byte) []byte {
	if len(b) <= scaleSize {
		return b
	}
	v, scale := decimal(b)
	if v.Sign() == 0 {
		scale = 0
	} else {
		scale -= stripZeros(v, scale-math.MinInt32)
	}
	out := binary.BigEndian.AppendUint32(make([]byte, 0, len(b)), uint32(int32(scale)))
	return AppendVarint(out, v)
}

// scaleSize is the size of the scale that a decimal begins with.
const scaleSize = 4

func decimal(b []byte) (unscaled *big.Int, scale int64) {
	return Varint(b[scaleSize:]), int64(int32(binary.BigEndian.Uint32(b)))
}

// stripZeros divides v by ten while the remainder is zero, at most the given number of times, and returns the number of
// divisions. It tries large powers first: a value of 64 KiB can have 150,000 zeros.
func stripZeros(v *big.Int, most int64) (n int64) {
	powers := []*big.Int{big.NewInt(10)}
	for {
		last := powers[len(powers)-1]
		if 2*last.BitLen() > v.BitLen() {
			break
		}
		powers = append(powers, new(big.Int).Mul(last, last))
	}
	q, r := new(big.Int), new(big.Int)
	for k, power := range slices.Backward(powers) {
		for zeros := int64(1) << k; n+zeros <= most; n += zeros {
			if q.QuoRem(v, power, r); r.Sign() != 0 {
				break
			}
			v.Set(q)
		}
	}
	return n
}
