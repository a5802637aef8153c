package plan

import (
	"iter"
	"math/bits"
)

// Bits is a set of numbers up to 255: of columns of a table, of units of a root.
type Bits [4]uint64

// Add puts i into the set.
func (s *Bits) Add(i int) { s[i>>6] |= 1 << (i & 63) }

// Has reports whether i is in the set.
func (s *Bits) Has(i int) bool { return s[i>>6]&(1<<(i&63)) != 0 }

// Len counts the set.
func (s *Bits) Len() int {
	return bits.OnesCount64(s[0]) + bits.OnesCount64(s[1]) + bits.OnesCount64(s[2]) + bits.OnesCount64(s[3])
}

// first returns the least number in the set, which is not empty.
func (s *Bits) first() int {
	i := 0
	for s[i] == 0 {
		i++
	}
	return 64*i + bits.TrailingZeros64(s[i])
}

// Empty reports whether nothing is in the set.
func (s *Bits) Empty() bool { return s[0]|s[1]|s[2]|s[3] == 0 }

// all returns the numbers in order.
func (s *Bits) all() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, word := range s {
			for ; word != 0; word &= word - 1 {
				if !yield(64*i + bits.TrailingZeros64(word)) {
					return
				}
			}
		}
	}
}

func (s *Bits) drop(i int) { s[i>>6] &^= 1 << (i & 63) }

func (s *Bits) meets(o *Bits) bool {
	return s[0]&o[0]|s[1]&o[1]|s[2]&o[2]|s[3]&o[3] != 0
}

func (s *Bits) addAll(o *Bits) {
	for i := range s {
		s[i] |= o[i]
	}
}
