package memory

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// computeToken returns the token of a partition key, as the server's Murmur3Partitioner computes it.
func computeToken(key cell.Row) int64 {
	if len(key) == 1 {
		return token(key[0])
	}
	var b []byte
	for _, c := range key {
		b = append(append(binary.BigEndian.AppendUint16(b, uint16(len(c))), c...), 0)
	}
	return token(b)
}

// tokenSize is the size of a position in bytes.
const tokenSize = 8

// tokenIn returns the token in the position of a read.
func tokenIn(position cell.Cell) int64 { return int64(binary.BigEndian.Uint64(position)) }

// The constants of MurmurHash3_x64_128, which is in the public domain.
const (
	c1 = 0x87c37b91114253d5
	c2 = 0x4cf5ad432745937f
)

// token returns the first half of the 128 bits of MurmurHash3, in the variant of Cassandra: the bytes after the last whole block
// of 16 are signed. No partition has the smallest token.
func token(b []byte) int64 {
	var h1, h2 uint64
	n := uint64(len(b))
	for ; len(b) >= 16; b = b[16:] {
		h1 ^= mixFirst(binary.LittleEndian.Uint64(b))
		h1 = (bits.RotateLeft64(h1, 27)+h2)*5 + 0x52dce729
		h2 ^= mixSecond(binary.LittleEndian.Uint64(b[8:]))
		h2 = (bits.RotateLeft64(h2, 31)+h1)*5 + 0x38495ab5
	}
	var k1, k2 uint64
	for i, c := range b {
		signed := uint64(int64(int8(c)))
		if i < 8 {
			k1 ^= signed << (8 * i)
		} else {
			k2 ^= signed << (8 * (i - 8))
		}
	}
	h1, h2 = h1^mixFirst(k1)^n, h2^mixSecond(k2)^n
	h1 += h2
	h2 += h1
	h1, h2 = finish(h1), finish(h2)
	if h1 += h2; h1 == 1<<63 {
		return math.MaxInt64
	}
	return int64(h1)
}

func mixFirst(k uint64) uint64 { return bits.RotateLeft64(k*c1, 31) * c2 }

func mixSecond(k uint64) uint64 { return bits.RotateLeft64(k*c2, 33) * c1 }

func finish(h uint64) uint64 {
	h = (h ^ h>>33) * 0xff51afd7ed558ccd
	h = (h ^ h>>33) * 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}
