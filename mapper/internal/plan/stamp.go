package plan

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// Stamp is the write time of a value and its remaining TTL. A missing value has the zero Stamp.
type Stamp struct {
	At           int64 // microseconds since 1970
	RemainingTTL int32 // seconds, from the time of the read; 0: no TTL
	There        bool
}

// with returns the stamp of a value that derives from both: it has the later write time and the earlier expiry.
func (s Stamp) with(o Stamp) Stamp {
	switch {
	case !o.There:
		return s
	case !s.There:
		return o
	}
	return Stamp{At: max(s.At, o.At), RemainingTTL: shorter(s.RemainingTTL, o.RemainingTTL), There: true}
}

// or returns the stamp, or another stamp for a missing value.
func (s Stamp) or(o Stamp) Stamp {
	if s.There {
		return s
	}
	return o
}

func shorter(a, b int32) int32 {
	if a == 0 || b > 0 && b < a {
		return b
	}
	return a
}

// Stamps are the stamps of the cells of one row.
type Stamps struct {
	units    []Stamp            // numbered by the table
	elements []map[string]Stamp // one for each column that is a set or a map of several cells, by element or key
	row      Stamp              // stamp of every cell that is not static
	uneven   projection.Bits    // the lists whose elements have different remaining TTLs
}

// StampsAt returns the stamps of a row of the root of which every value was written at the same time.
func (a *Aggregate) StampsAt(at int64) *Stamps {
	columns := len(a.Root.Columns)
	whole := Stamp{At: at, There: true}
	return &Stamps{units: slices.Repeat([]Stamp{whole}, a.units[columns]), elements: make([]map[string]Stamp, columns), row: whole}
}

// Stamps returns the stamps of a row of the root that was read with them, as [Projection.Stamps] does for a row of a copy.
func (a *Aggregate) Stamps(read cell.Row) (*Stamps, error) { return a.Root.stamps(a.units, read) }

// Stamps returns the stamps of a row that was read with them: after the columns are the write times of [descriptor.Table.Timed],
// then their remaining TTLs; for a column of several cells each is a list with one value per cell.
func (p *Projection) Stamps(read cell.Row) (*Stamps, error) { return p.Table.stamps(p.units, read) }

// Unstamped returns stamps for a row of the root that does not expire and was read without stamps. A plan for such a row has a
// finding for each difference, but its writes must not be used for a repair.
func (a *Aggregate) Unstamped() *Stamps { return unstamped(a.units) }

// Unstamped returns stamps for a row of the table that was read without stamps, as [Aggregate.Unstamped] does for the root.
func (p *Projection) Unstamped() *Stamps { return unstamped(p.units) }

// unstamped returns stamps of values without write times. units has an element for each column, and then the number of stamps.
func unstamped(units []int) *Stamps {
	columns := len(units) - 1
	return &Stamps{units: make([]Stamp, units[columns]), elements: make([]map[string]Stamp, columns)}
}

// Latest returns the latest write time of a row that was read with its stamps, in microseconds since 1970; 0 if no value has one.
func (t *Table) Latest(read cell.Row) (int64, error) {
	s, err := t.stamps(projection.UnitOffsets(t.cells()), read)
	if err != nil {
		return 0, err
	}
	return s.Latest(), nil
}

func (t *Table) stamps(units []int, read cell.Row) (*Stamps, error) {
	columns := len(t.Columns)
	s := &Stamps{units: make([]Stamp, units[columns]), elements: make([]map[string]Stamp, columns)}
	times := t.Timed()
	for k, i := range times {
		written, left := read[columns+k], read[columns+len(times)+k]
		if err := s.column(&t.Columns[i], units[i:i+2], i, read[i], written, left); err != nil {
			return nil, fmt.Errorf("plan: write times of column %s: %w", t.Columns[i].Name, err)
		}
	}
	return s, nil
}

// Latest returns the latest write time, in microseconds since 1970; 0 if no value has one.
func (s *Stamps) Latest() (at int64) {
	for _, u := range s.units {
		at = max(at, u.At)
	}
	for _, column := range s.elements {
		for _, e := range column {
			at = max(at, e.At)
		}
	}
	return max(at, s.row.At)
}

// ExpireWithin reports whether all values of a row expire within a time in seconds. It returns false for a row without values.
func (s *Stamps) ExpireWithin(seconds int32) bool {
	any := false
	for _, u := range s.units {
		if u.There && (u.RemainingTTL == 0 || u.RemainingTTL > seconds) {
			return false
		}
		any = any || u.There
	}
	return any
}

// longestTTL returns the longest remaining TTL of the values of a row of the root that are not static; 0 if one of them has no TTL, or if there
// are none.
func (s *Stamps) longestTTL(a *Aggregate) (longest int32) {
	for i := a.Root.Key; i < len(a.Root.Columns); i++ {
		if a.Root.Columns[i].Kind == projection.Static {
			continue
		}
		all := s.units[a.units[i]:a.units[i+1]]
		if s.elements[i] != nil {
			all = slices.Collect(maps.Values(s.elements[i]))
		}
		for _, x := range all {
			if x.There && x.RemainingTTL == 0 {
				return 0
			}
			longest = max(longest, x.RemainingTTL)
		}
	}
	return longest
}

// column sets the stamps of column i, whose units begin with units[0] and end before units[1].
func (s *Stamps) column(column *descriptor.Column, units []int, i int, value, written, left cell.Cell) error {
	all, err := decodeStamps(column, written, left)
	if err != nil {
		return err
	}
	var whole Stamp
	for _, x := range all {
		whole = whole.with(x)
	}
	switch column.Cells {
	case projection.UDT:
		copy(s.units[units[0]:units[1]], all)
	case projection.Set, projection.Map:
		if s.elements[i], err = paired(column, value, all); err != nil {
			return err
		}
		s.units[units[0]] = whole
	default:
		s.units[units[0]] = whole
		if slices.ContainsFunc(all, func(x Stamp) bool { return x.RemainingTTL != all[0].RemainingTTL }) {
			s.uneven.Add(i)
		}
	}
	if column.Kind != projection.Static {
		s.row = s.row.with(whole)
	}
	return nil
}

// paired maps the elements or keys, which are in the order of their cells, to their stamps. They are canonical, as in written
// rows.
func paired(c *descriptor.Column, value cell.Cell, all []Stamp) (map[string]Stamp, error) {
	per := 1
	if c.Cells == projection.Map {
		per = 2
	}
	w, n := cell.Elements(value, per)
	if n != len(all) {
		return nil, fmt.Errorf("%d for %d elements", len(all), n)
	}
	out := make(map[string]Stamp, n)
	for _, x := range all {
		out[string(c.Form.Canonical(w.Next()))] = x
		if per == 2 {
			w.Next()
		}
	}
	return out, nil
}

// decodeStamps returns the stamps of the cells of a column.
func decodeStamps(c *descriptor.Column, written, left cell.Cell) ([]Stamp, error) {
	if c.Cells == projection.Single {
		return []Stamp{stamp(written, left)}, nil
	}
	return stamps(written, left)
}

// stamps combines a list of write times with one of TTLs.
func stamps(written, left cell.Cell) ([]Stamp, error) {
	w, n := cell.Elements(written, 1)
	l, m := cell.Elements(left, 1)
	if n != m {
		return nil, fmt.Errorf("%d, but %d TTLs", n, m)
	}
	out := make([]Stamp, n)
	for i := range out {
		out[i] = stamp(w.Next(), l.Next())
	}
	return out, nil
}

func stamp(written, left cell.Cell) (s Stamp) {
	if s.There = len(written) == 8; s.There {
		s.At = int64(binary.BigEndian.Uint64(written))
	}
	if len(left) == 4 {
		s.RemainingTTL = int32(binary.BigEndian.Uint32(left))
	}
	return s
}

// derive returns the stamp of a value that derives from a source.
func (s *Stamps) derive(from *projection.Origin, element Stamp) (out Stamp) {
	for u := range from.Units.All() {
		out = out.with(s.units[u])
	}
	if from.Element {
		out = out.with(element)
	}
	return out
}

// element returns the stamp of an element, or of a map's entry, of a column. If it is encoded differently than when it was
// read, it has the stamp of the column.
func (s *Stamps) element(a *Aggregate, column int, key cell.Cell) Stamp {
	return s.elements[column][string(key)].or(s.units[a.units[column]])
}
