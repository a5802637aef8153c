package memory

import (
	"slices"

	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// partition has the rows with one partition key.
type partition struct {
	key     cell.Row
	token   int64
	deleted int64 // everything up to this timestamp
	ranges  []span
	static  *row
	rows    []*row // in clustering order
}

// span is a deletion of all rows whose first clustering columns equal prefix.
type span struct {
	prefix  cell.Row
	deleted int64
}

func newPartition(key cell.Row) *partition {
	return &partition{key: key, token: tokenOf(key), deleted: never, static: newRow(nil)}
}

// row returns the row with a clustering key, which may be new.
func (p *partition) row(clustering cell.Row, compare rowOrder) *row {
	i, found := slices.BinarySearchFunc(p.rows, clustering, func(r *row, c cell.Row) int { return compare(r.clustering, c) })
	if !found {
		p.rows = slices.Insert(p.rows, i, newRow(clustering))
	}
	return p.rows[i]
}

// delete deletes all rows whose first clustering columns equal prefix. If prefix is empty, it deletes the whole partition,
// including its static values.
func (p *partition) delete(prefix cell.Row, at int64) {
	if len(prefix) == 0 {
		p.deleted = max(p.deleted, at)
		return
	}
	p.ranges = append(p.ranges, span{prefix, at})
}

// deletion returns the timestamp up to which a row is deleted by deletions of the partition and of ranges.
func (p *partition) deletion(clustering cell.Row, compare rowOrder) int64 {
	deleted := p.deleted
	for _, s := range p.ranges {
		if s.deleted > deleted && compare(clustering[:len(s.prefix)], s.prefix) == 0 {
			deleted = s.deleted
		}
	}
	return deleted
}
