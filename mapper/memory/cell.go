package memory

import (
	"bytes"
	"cmp"
	"iter"
	"math"

	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// never is the timestamp of a deletion or a marker that does not exist.
const never = math.MinInt64

// written is the write time and the expiry of a cell or a marker.
type written struct {
	at      int64 // microseconds since 1970
	expires int64 // seconds since 1970; 0: never
}

// live reports whether a cell or a marker can be read at now, in seconds, if everything up to deleted has been deleted.
func (w written) live(deleted, now int64) bool {
	return w.at > deleted && (w.expires == 0 || now < w.expires)
}

// version is one write of a cell.
type version struct {
	written
	path  cell.Cell // set in a column of several cells: the element, the key, the position
	value cell.Cell // nil: a tombstone
}

// beats reports whether v wins over o, another write of the same cell. The order of the writes does not matter: the one with the
// later timestamp wins. At one timestamp a tombstone wins, then a cell that expires (the one that expires last), then the
// larger bytes.
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

// supersedes reports whether w wins over o, another write of the same row's marker.
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
