package projection

import "slices"

// Ranges reports whether the rows of a copy that follow from a range of its source are one range of the copy, in which there are no rows
// of other sources. columns contains the register of each column of the copy, the first partition of which are its partition key and the
// first key its primary key. The range of the source is given by the values of its first columns, and compares the next ones, compared of
// them, with others.
func Ranges(columns []uint16, partition, key, given, compared int) bool {
	if given < partition || given+compared > key {
		return false
	}
	for i := range given {
		if !slices.Contains(columns[:given], uint16(i)) {
			return false
		}
	}
	for i := given; i < given+compared; i++ {
		if int(columns[i]) != i {
			return false
		}
	}
	return true
}
