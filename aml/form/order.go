package form

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"
	"math/big"
)

// order compares two values of one CQL type as Cassandra sorts them.
type order = func(a, b []byte) int

// signed compares two's complement numbers of the same length.
func signed(a, b []byte) int {
	if len(a) == 0 || len(b) == 0 {
		return cmp.Compare(len(a), len(b))
	}
	return cmp.Or(cmp.Compare(int8(a[0]), int8(b[0])), bytes.Compare(a[1:], b[1:]))
}

func nonEmpty(compare order) order {
	return validFirst(func(c []byte) bool { return len(c) > 0 }, compare)
}

func sized(n int, compare order) order {
	return validFirst(func(c []byte) bool { return len(c) == n }, compare)
}

// validFirst compares values. An empty value is not a value of the type, and sorts before all values.
func validFirst(valid func([]byte) bool, compare order) order {
	return func(a, b []byte) int {
		if x, y := valid(a), valid(b); !x || !y {
			return cmp.Or(boolean(x)-boolean(y), bytes.Compare(a, b))
		}
		return compare(a, b)
	}
}

func compareBooleans(a, b []byte) int { return min(1, int(a[0])) - min(1, int(b[0])) }

func compareFloats(a, b []byte) int {
	return compareNumbers(float64(math.Float32frombits(binary.BigEndian.Uint32(a))), float64(math.Float32frombits(binary.BigEndian.Uint32(b))))
}

func compareDoubles(a, b []byte) int {
	return compareNumbers(math.Float64frombits(binary.BigEndian.Uint64(a)), math.Float64frombits(binary.BigEndian.Uint64(b)))
}

// compareNumbers sorts -0 before 0, and NaN after all others.
func compareNumbers(a, b float64) int {
	switch {
	case math.IsNaN(a) || math.IsNaN(b):
		return -cmp.Compare(a, b) // which sorts NaN before all others, and equal to itself
	case a == b:
		return boolean(math.Signbit(b)) - boolean(math.Signbit(a))
	}
	return cmp.Compare(a, b)
}

func boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}

// compareUUIDs compares the versions first; UUIDs of version 1 are in the order of their time.
func compareUUIDs(a, b []byte) int {
	version := int(a[6] >> 4)
	if c := version - int(b[6]>>4); c != 0 {
		return c
	}
	if version == 1 {
		return cmp.Or(compareTimes(a, b), bytes.Compare(a[8:], b[8:]))
	}
	return bytes.Compare(a, b)
}

// compareTimeUUIDs compares the times first, then the rest as signed bytes.
func compareTimeUUIDs(a, b []byte) int {
	c := compareTimes(a, b)
	for i := 8; i < 16 && c == 0; i++ {
		c = cmp.Compare(int8(a[i]), int8(b[i]))
	}
	return c
}

func compareTimes(a, b []byte) int {
	return cmp.Or(bytes.Compare(a[6:8], b[6:8]), bytes.Compare(a[4:6], b[4:6]), bytes.Compare(a[:4], b[:4]))
}

func compareVarints(a, b []byte) int { return Varint(a).Cmp(Varint(b)) }

// compareDecimals compares by value: 1.0 equals 1.00. It compares the digits before the point first, so that two decimals with
// very different scales are not expanded.
func compareDecimals(a, b []byte) int {
	v, scaleV := decimal(a)
	w, scaleW := decimal(b)
	if c := cmp.Compare(v.Sign(), w.Sign()); c != 0 || v.Sign() == 0 {
		return c
	}
	if c := cmp.Compare(digits(v)-scaleV, digits(w)-scaleW); c != 0 {
		return c * v.Sign()
	}
	if scaleV < scaleW {
		v.Mul(v, powerOfTen(scaleW-scaleV))
	} else {
		w.Mul(w, powerOfTen(scaleV-scaleW))
	}
	return v.Cmp(w)
}

// digits counts the decimal digits of a number that is not zero.
func digits(v *big.Int) int64 { return int64(len(new(big.Int).Abs(v).Text(10))) }

func powerOfTen(n int64) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(n), nil) }
