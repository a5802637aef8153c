package plan

import (
	"hash/maphash"
	"math/bits"

	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// finder finds rows by key. It starts at the last match, because rows usually keep their order. If that fails, many rows are
// indexed by a hash.
type finder struct {
	rows  *rows
	key   int
	from  int
	seed  maphash.Seed
	slots []int32 // 1 + the row, by hash; open addressing
	same  bool    // two rows have the same key
}

// fewRows is the maximum number of rows for which a comparison of all is faster than an index.
const fewRows = 16

func newFinder(r *rows, key int) finder { return finder{rows: r, key: key} }

// find returns the first row with the key of row, or -1.
func (f *finder) find(row cell.Row) int {
	if f.rows.n > fewRows {
		return f.findIndexed(row)
	}
	for k := range f.rows.n {
		i := f.from + k
		if i >= f.rows.n {
			i -= f.rows.n
		}
		if SameKey(f.rows.row(i), row, f.key) {
			f.from = i + 1
			return i
		}
	}
	return -1
}

// first returns the first row with the key of row i, which is i itself if no earlier row has it.
func (f *finder) first(i int) int {
	row := f.rows.row(i)
	if f.rows.n > fewRows {
		if f.slots == nil {
			f.index()
		}
		if !f.same {
			return i
		}
		return f.findIndexed(row)
	}
	for j := range i {
		if SameKey(f.rows.row(j), row, f.key) {
			return j
		}
	}
	return i
}

func (f *finder) findIndexed(row cell.Row) int {
	if f.slots == nil {
		f.index()
	}
	for s := f.slot(row); f.slots[s] != 0; s = (s + 1) & (len(f.slots) - 1) {
		if i := int(f.slots[s]) - 1; SameKey(f.rows.row(i), row, f.key) {
			return i
		}
	}
	return -1
}

func (f *finder) index() {
	size := 4 * fewRows
	for size < 2*f.rows.n {
		size *= 2
	}
	f.slots, f.seed = make([]int32, size), maphash.MakeSeed()
	for i := range f.rows.n {
		row := f.rows.row(i)
		s := f.slot(row)
		for f.slots[s] != 0 && !SameKey(f.rows.row(int(f.slots[s])-1), row, f.key) {
			s = (s + 1) & (size - 1)
		}
		if f.slots[s] == 0 {
			f.slots[s] = int32(i) + 1
		} else {
			f.same = true
		}
	}
}

func (f *finder) slot(row cell.Row) int {
	var h uint64
	for _, c := range row[:f.key] {
		h = bits.RotateLeft64(h, 1) ^ maphash.Bytes(f.seed, c)
	}
	return int(h & uint64(len(f.slots)-1))
}
