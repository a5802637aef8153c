package plan

import (
	"fmt"
	"math"
	"slices"

	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// maxKey is the limit of the server for the bytes of a partition key, of all clustering columns of a row together, and of an
// element of a set or a key of a map that is not frozen.
const maxKey = math.MaxUint16

// keyParts returns the sizes of the two parts of a primary key as the server counts them: a partition key of several columns has
// 3 additional bytes for each column.
func keyParts(t *Table, key cell.Row) (partition, clustering int) {
	for i := range t.Key {
		switch {
		case i >= t.Partition:
			clustering += len(key[i])
		case t.Partition > 1:
			partition += len(key[i]) + 3
		default:
			partition += len(key[i])
		}
	}
	return partition, clustering
}

// tooLong returns why a key is too long, or "" if it is not.
func tooLong(t *Table, key cell.Row) string {
	switch partition, clustering := keyParts(t, key); {
	case partition > maxKey:
		return fmt.Sprintf("makes the partition key of %s %d bytes long, the limit is %d", t.Name, partition, maxKey)
	case clustering > maxKey:
		return fmt.Sprintf("makes the clustering columns of %s %d bytes long, the limit is %d", t.Name, clustering, maxKey)
	}
	return ""
}

// checkLimits adds the faults of rows of copies that the server would refuse. Without this check the root would be saved and the
// rows could never be written. pending: they can be pending rows.
func (p *planner) checkLimits(pending bool) {
	for i := range p.out {
		m := &p.out[i]
		t, key := m.Table, m.PrimaryKey()
		if problem := tooLong(t, key); problem != "" {
			p.fault(t, p.longest(p.a.CopyTo(t), key), problem)
		} else if pending && pendingSize(t.Name, key) > maxKey {
			p.fault(t, p.longest(p.a.CopyTo(t), key), fmt.Sprintf("makes the primary key of %s longer than %d bytes in all, the limit of an entry of a map", t.Name, maxKey))
		}
		for k := t.Key; k < len(t.Columns); k++ {
			if per := t.Columns[k].Cells; per == projection.Set || per == projection.Map {
				p.checkElements(t, k, *m.Cell(k), per)
			}
		}
	}
}

// checkElements adds a fault for the first element of a set, or key of a map, that is too long.
func (p *planner) checkElements(t *Table, column int, c cell.Cell, kind projection.Cells) {
	per := 1
	if kind == projection.Map {
		per = 2
	}
	for e := newEntries(c, per); e.more; e.next() {
		if len(e.key) > maxKey {
			p.fault(t, p.columnPath(p.a.CopyTo(t), column), fmt.Sprintf("has an element or key of %d bytes, the limit is %d", len(e.key), maxKey))
			return
		}
	}
}

// longest returns the path of the longest value in the key of a copy.
func (p *planner) longest(c *Projection, key cell.Row) string {
	at := 0
	for i := range key {
		if len(key[i]) > len(key[at]) {
			at = i
		}
	}
	return p.columnPath(c, at)
}

// checkedClaims returns the unique values of a state, and a fault for each that is too long for a key, or that more elements have than in
// the old state.
func (a *Aggregate) checkedClaims(old, s *State) (Claims, error) {
	all, err := a.everyClaim(s)
	if err != nil {
		return nil, err
	}
	claims := slices.CompactFunc(slices.Clone(all), Claim.equal)
	p := planner{a: a, new: s.Row}
	if len(claims) < len(all) {
		if err := a.checkRepeated(&p, old, all); err != nil {
			return nil, err
		}
	}
	for _, c := range claims {
		if problem := c.TooLong(); problem != "" {
			p.fault(a.Root, p.longestClaim(c), "is unique and "+problem)
		}
	}
	return claims, p.faulty()
}

// checkRepeated adds a fault for each value that several elements have, unless as many elements had it before: a program without versions
// can have written such a row.
func (a *Aggregate) checkRepeated(p *planner, old *State, all Claims) error {
	was, err := a.everyClaim(old)
	if err != nil {
		return err
	}
	for n := 0; len(all) > 0; all = all[n:] {
		n = all.count(all[0])
		if n > 1 && n > was.count(all[0]) {
			p.fault(a.Root, all[0].Field, fmt.Sprintf("is unique, and %d elements have the value %s", n, all[0].Text()))
		}
	}
	return nil
}

// TooLong returns why no save can claim the values, or "" if their reservation has a key that the server accepts.
func (c Claim) TooLong() string { return tooLong(c.Table, c.Key) }

// longestClaim returns the path of the longest value in the key of a reservation.
func (p *planner) longestClaim(c Claim) string {
	if c.Of.Loop >= 0 {
		return c.Field
	}
	of := Projection{Projection: c.Of.Projection, Table: c.Table}
	return p.longest(&of, c.Key)
}

// PrimaryKey returns the primary key of the row that a mutation writes.
func (m *Mutation) PrimaryKey() cell.Row {
	key := make(cell.Row, m.Table.Key)
	for i := range key {
		key[i] = *m.Cell(i)
	}
	return key
}
