package projection

import (
	"iter"
	"math/bits"
)

// Bits is a set of numbers up to 255: of columns of a table, of units of a root.
type Bits [4]uint64

// Add adds i to the set.
func (s *Bits) Add(i int) { s[i>>6] |= 1 << (i & 63) }

// Has reports whether i is in the set.
func (s *Bits) Has(i int) bool { return s[i>>6]&(1<<(i&63)) != 0 }

// Len returns the number of elements.
func (s *Bits) Len() int {
	return bits.OnesCount64(s[0]) + bits.OnesCount64(s[1]) + bits.OnesCount64(s[2]) + bits.OnesCount64(s[3])
}

// First returns the smallest number in the set, which must not be empty.
func (s *Bits) First() int {
	i := 0
	for s[i] == 0 {
		i++
	}
	return 64*i + bits.TrailingZeros64(s[i])
}

// Empty reports whether the set is empty.
func (s *Bits) Empty() bool { return s[0]|s[1]|s[2]|s[3] == 0 }

// All returns the numbers in order.
func (s *Bits) All() iter.Seq[int] {
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

// Drop removes i from the set.
func (s *Bits) Drop(i int) { s[i>>6] &^= 1 << (i & 63) }

// Intersects reports whether two sets have a number in common.
func (s *Bits) Intersects(o *Bits) bool {
	return s[0]&o[0]|s[1]&o[1]|s[2]&o[2]|s[3]&o[3] != 0
}

// AddAll adds the numbers of another set.
func (s *Bits) AddAll(o *Bits) {
	for i := range s {
		s[i] |= o[i]
	}
}

// IsSubset reports whether all numbers of the set are in another set.
func (s *Bits) IsSubset(o *Bits) bool {
	for i := range s {
		if s[i]&^o[i] != 0 {
			return false
		}
	}
	return true
}
