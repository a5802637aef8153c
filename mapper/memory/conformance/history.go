package conformance

import (
	"fmt"

	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// history knows when each part of a partition was written, to count what a sequence puts to the test.
type history map[string]map[int64]bool

// note counts a mutation.
func (h history) note(r *Report, m *plan.Mutation, at int64) {
	r.Mutations++
	at -= int64(m.Back)
	if m.TTL > 0 {
		r.Expiring++
	}
	if m.KeyColumns() < m.Table.Key && m.Action == plan.Delete {
		r.Ranges++
	}
	key := m.Table.Name
	for i := range m.KeyColumns() {
		key += fmt.Sprintf("|%x", *m.Cell(i))
	}
	h.noteAt(r, key, at)
	for i := m.Table.Key; i < len(m.Table.Columns); i++ {
		if m.Action == plan.Put && m.Write.Has(i) || m.Action == plan.Update && int(m.Column) == i {
			h.noteAt(r, key+m.Table.Columns[i].Name, at)
		}
	}
}

func (h history) noteAt(r *Report, what string, at int64) {
	if h[what] == nil {
		h[what] = map[int64]bool{}
	}
	for before := range h[what] {
		if before > at {
			r.Older++
			break
		}
	}
	if h[what][at] {
		r.Ties++
	}
	h[what][at] = true
}
