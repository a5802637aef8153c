package conformance

import (
	"fmt"
	"strings"

	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// Report is the result of a check.
type Report struct {
	Seed        uint64
	Sequences   int
	Mutations   int
	Ties        int // writes to a column of a row, or to a row, at the timestamp of an earlier write to it
	Older       int // at an older timestamp
	Expiring    int // with a TTL
	Ranges      int // deletes of several rows
	Rows        int // that remained at the end
	Stamped     int // rows that were read with the write times of their cells
	Statics     int // partitions with static values only
	Differences []string
}

// String returns the numbers and the first differences.
func (r *Report) String() string {
	text := fmt.Sprintf("seed %d", r.Seed)
	for _, count := range []struct {
		n    int
		what string
	}{
		{r.Sequences, "sequences"}, {r.Mutations, "mutations"}, {r.Ties, "at an equal timestamp"}, {r.Older, "at an older timestamp"}, {r.Expiring, "with a TTL"},
		{r.Ranges, "deletes of ranges"}, {r.Rows, "rows"}, {r.Stamped, "rows with times"}, {r.Statics, "partitions with static values only"}, {len(r.Differences), "differences"},
	} {
		text += fmt.Sprintf(", %d %s", count.n, count.what)
	}
	return strings.Join(append([]string{text}, r.Differences[:min(5, len(r.Differences))]...), "\n")
}

// differ adds a difference.
func (r *Report) differ(what, server, local string) {
	if server != local {
		r.Differences = append(r.Differences, fmt.Sprintf("%s\nserver  %s\nbackend %s", what, server, local))
	}
}

func (r *Report) add(o *Report) {
	r.Sequences += o.Sequences
	r.Mutations += o.Mutations
	r.Ties += o.Ties
	r.Older += o.Older
	r.Expiring += o.Expiring
	r.Ranges += o.Ranges
	r.Rows += o.Rows
	r.Stamped += o.Stamped
	r.Statics += o.Statics
	r.Differences = append(r.Differences, o.Differences...)
}

// history has the write times of each part of a partition, to count which cases a sequence covers.
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
