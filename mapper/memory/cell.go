package memory

import (
	"bytes"
	"cmp"
	"iter"
	"math"

	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// never is the timestamp of what has not happened: a deletion or a marker that is not there.
const never = math.MinInt64

// written is when and for how long something was written.
type written struct {
	at      int64 // microseconds since 1970
	expires int64 // seconds since 1970; 0: never
}

// live reports whether something is still there at now, in seconds, when everything up to deleted is gone.
func (w written) live(deleted, now int64) bool {
	return w.at > deleted && (w.expires == 0 || now < w.expires)
}

// version is one write of a cell.
type version struct {
	written
	path  cell.Cell // in a column of several cells: the element, the key, the position; else nil
	value cell.Cell // nil: a tombstone
}

// beats decides between two writes of one cell, whatever order they come in: the later wins; at one timestamp a
// tombstone, then what expires, and that which does so last, then the larger bytes.
func (v *version) beats(o *version) bool {
	if v.at != o.at {
		return v.at > o.at
	}
	if v.value == nil || o.value == nil {
		return v.value == nil
	}
	if v.expires != o.expires {
		return v.expires > o.expires
	}
	return bytes.Compare(v.value, o.value) > 0
}

// supersedes decides between two writes of a row's marker.
func (w written) supersedes(o written) bool {
	return cmp.Or(cmp.Compare(w.at, o.at), cmp.Compare(w.expires, o.expires)) > 0
}

// elements returns the elements of a list or set, or with per 2 the keys and values of a map.
func elements(c cell.Cell, per int) iter.Seq[[2]cell.Cell] {
	return func(yield func([2]cell.Cell) bool) {
		w, n := cell.Elements(c, per)
		for range n {
			var e [2]cell.Cell
			for i := range per {
				e[i] = w.Next()
			}
			if !yield(e) {
				return
			}
		}
	}
}

// members returns the members of a UDT, numbered.
func members(c cell.Cell) iter.Seq2[int, cell.Cell] {
	return func(yield func(int, cell.Cell) bool) {
		i := 0
		for w := cell.Members(c); w.More(); i++ {
			if !yield(i, w.Next()) {
				return
			}
		}
	}
}
