package memory

import (
	"slices"

	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// partition has the rows with one partition key.
type partition struct {
	key     cell.Row
	token   int64
	deleted int64 // everything up to this timestamp
	ranges  []span
	static  *row
	rows    []*row // rows in clustering order
}

// span is a deletion of all rows whose first clustering columns equal prefix and whose next ones are within the bounds.
type span struct {
	prefix  cell.Row
	low, up plan.Bound
	deleted int64
}

// has reports whether a row is in the range.
func (s *span) has(clustering cell.Row, t *table) bool {
	n := len(s.prefix)
	return t.compare(clustering[:n], s.prefix) == 0 && (n == len(clustering) || t.inBounds(n, clustering[n:], s.low, s.up))
}

func newPartition(key cell.Row) *partition {
	return &partition{key: key, token: computeToken(key), deleted: never, static: newRow(nil)}
}

// row returns the row with a clustering key, which may be new.
func (p *partition) row(clustering cell.Row, compare rowOrder) *row {
	i, found := slices.BinarySearchFunc(p.rows, clustering, func(r *row, c cell.Row) int { return compare(r.clustering, c) })
	if !found {
		p.rows = slices.Insert(p.rows, i, newRow(clustering))
	}
	return p.rows[i]
}

// delete deletes a range of rows. A range without a prefix and bounds is the whole partition, including its static values.
func (p *partition) delete(s span) {
	if len(s.prefix) == 0 && s.low.Comparison == plan.Unbounded && s.up.Comparison == plan.Unbounded {
		p.deleted = max(p.deleted, s.deleted)
		return
	}
	p.ranges = append(p.ranges, s)
}

// deletion returns the timestamp up to which a row is deleted by deletions of the partition and of ranges.
func (p *partition) deletion(clustering cell.Row, t *table) int64 {
	deleted := p.deleted
	for i := range p.ranges {
		if s := &p.ranges[i]; s.deleted > deleted && s.has(clustering, t) {
			deleted = s.deleted
		}
	}
	return deleted
}
