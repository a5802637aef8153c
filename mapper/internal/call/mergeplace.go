package call

import (
	"encoding/binary"

	"github.com/cassaml/cassaml/aml/statement"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// mergePlace is the position of a row in the merged rows of several partitions.
type mergePlace struct {
	partition  int // the place in the query
	clustering cell.Row
}

// set sets the place of a row, which begins with its clustering key.
func (p *mergePlace) set(partition int, row cell.Row) {
	p.partition = partition
	copy(p.clustering, row)
}

// state returns the place as the state of a token.
func (p *mergePlace) state() []byte {
	out := binary.BigEndian.AppendUint32(nil, uint32(p.partition))
	for _, c := range p.clustering {
		out = cell.AppendValue(out, c)
	}
	return out
}

// placeIn returns the place in the state of a token; nil at the beginning. A token that is not sealed can be forged: a place that the
// query does not have is refused.
func (q Query) placeIn(state []byte) (*mergePlace, error) {
	if state == nil {
		return nil, nil
	}
	if len(state) < 4 {
		return nil, mapper.ErrPageToken
	}
	p := &mergePlace{partition: int(binary.BigEndian.Uint32(state))}
	w := cell.Members(state[4:])
	for w.More() {
		p.clustering = append(p.clustering, w.Next())
	}
	if w.Broken() || p.partition >= len(q.partitions) || !q.has(p.clustering) {
		return nil, mapper.ErrPageToken
	}
	return p, nil
}

// has reports whether a clustering key satisfies the restrictions of the query.
func (q Query) has(clustering cell.Row) bool {
	t := q.r.Codec.Table
	if len(clustering) != t.Key-t.Partition {
		return false
	}
	for i, c := range clustering {
		column := t.Partition + i
		switch {
		case c == nil:
			return false
		case column < len(q.key):
			if t.Columns[column].Form.Compare(c, q.key[column]) != 0 {
				return false
			}
		}
	}
	next := len(q.key) - t.Partition
	compare := func(i int, a, b cell.Cell) int { return t.Columns[len(q.key)+i].Form.Compare(a, b) }
	return q.low.Holds(clustering[next:], compare) && q.up.Holds(clustering[next:], compare)
}

// descends reports whether the query returns the greater values of a clustering column first.
func (q Query) descends(column int) bool { return q.r.Codec.Table.Columns[column].Desc != q.reverse }

// readsAfter returns the reads of one of the partitions, one after the other: of all its rows, or of those after a place in the merged
// rows. In CQL one restriction has the rows after a place only if the columns are in one direction: otherwise there is a read for each
// run of columns in one direction.
func (q Query) readsAfter(after *mergePlace, partition, pageSize int) (reads []store.Read) {
	one := q.partition(partition)
	all := one.read()
	all.PageSize, all.Limit = pageSize, 0
	t := q.r.Codec.Table
	if after == nil || len(all.Key) == t.Key && partition > after.partition {
		return []store.Read{all}
	}
	inclusive := partition > after.partition
	first := len(all.Key)
	statement.Runs(first, t.Key, one.descends, func(from, to int) {
		read := all
		read.Key = append(all.Key[:first:first], after.clustering[first-t.Partition:from-t.Partition]...)
		if from > first {
			read.Low, read.Up = store.Bound{}, store.Bound{} // the column has one value
		}
		place := store.Bound{Comparison: one.comparisonAfter(from, inclusive), Values: after.clustering[from-t.Partition : to-t.Partition]}
		if one.descends(from) {
			read.Up = place
		} else {
			read.Low = place
		}
		reads, inclusive = append(reads, read), false
	})
	return reads
}

// comparisonAfter returns the comparison of the rows after a place, and of the row at the place if inclusive is set.
func (q Query) comparisonAfter(column int, inclusive bool) store.Comparison {
	switch {
	case q.descends(column) && inclusive:
		return store.AtMost
	case q.descends(column):
		return store.LessThan
	case inclusive:
		return store.AtLeast
	}
	return store.MoreThan
}
