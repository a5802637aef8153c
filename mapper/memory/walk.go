package memory

import (
	"iter"

	"github.com/cassaml/cassaml/mapper/internal/cell"
)

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
