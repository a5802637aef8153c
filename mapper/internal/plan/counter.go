package plan

import "github.com/cassaml/cassaml/mapper/internal/cell"

// Increment returns the mutation that adds deltas, one for each counter in the order of the table, to the counters of a row. A counter
// whose delta is 0 is not written. ok is false if all are 0, and there is nothing to write.
func Increment(t *Table, key cell.Row, deltas []int64) (m Mutation, ok bool) {
	m = Mutation{Table: t, Row: key, Action: Add, Values: make([]cell.Cell, len(deltas))}
	for i, d := range deltas {
		if d != 0 {
			m.Values[i] = Bigint(d)
			m.Write.Add(i)
			ok = true
		}
	}
	return m, ok
}
