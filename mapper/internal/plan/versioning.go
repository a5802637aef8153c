package plan

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// Versioning describes how a versioned root is saved.
type Versioning struct {
	*descriptor.Versioning

	Done    *Table      // nil without copies
	Part    *PartWrites // nil without a part in the root's table
	Uniques []Unique

	References []CheckedReference
	Outboxes   *Table // nil if no columns of other roots follow its own columns, and a deletion of a row deletes or clears no other root
}

// Unique describes values that have one owner each.
type Unique struct {
	*descriptor.Unique

	Table *Table
	Of    Projection
}

// Version is the version of an aggregate: microseconds since 1970, or a greater number if saves follow each other faster than the
// clock advances. It is the timestamp of the copies that the save writes.
type Version = int64

// maxAttempts is the number of attempts that a row keeps.
const maxAttempts = 16

// Attempt is the identifier of a save.
type Attempt [16]byte

// Pending is a row of a copy that a save has dropped and that may not have been deleted yet.
type Pending struct {
	Table string
	Key   cell.Row
	At    Version // version of the save that dropped the row: the timestamp of its delete
}

// State is a row of a versioned root as it was read, or as it is after a save.
type State struct {
	Row      cell.Row  // every column of the root, followed by the computed values if the row is to be written
	Version  Version   // 0: null, in a row that was written before the root had a version
	Deleted  bool      // or expired
	Deleting bool      // a deletion of the row has begun, and waits for the rows that refer to it; the row still exists
	Attempts []Attempt // oldest first
	Pending  []Pending
	Outbox   Version // the version of the last save that has changed columns which other roots have not followed yet; 0: none
	Life     Life    // of a row that expires: as it was read with its TTLs, or after a save
}

// Life has the remaining TTLs of a row of a versioned root whose rows expire, in seconds; 0: no expiry.
type Life struct {
	Left TTL // of the columns of the model
	Kept TTL // of the version and the hidden columns, without which a later save could not know that the row has expired

	Since time.Duration // the monotonic clock of the process before the request from which they count
}

// DecodeState decodes the state of a row that was read.
func (a *Aggregate) DecodeState(row cell.Row) (*State, error) {
	v := a.Versioning
	s := &State{Row: row, Deleted: isTrue(row[v.Deleted])}
	s.Deleting = row[v.Deleted] != nil && !s.Deleted
	if v.Live > 0 {
		s.Deleted = row[v.Live] == nil
	}
	var err error
	if s.Version, err = DecodeBigint(row[v.Version]); err != nil {
		return nil, fmt.Errorf("column %s: %w", a.Root.Columns[v.Version].Name, err)
	}
	if s.Attempts, err = decodeAttempts(row[v.Attempts]); err != nil {
		return nil, fmt.Errorf("column %s: %w", a.Root.Columns[v.Attempts].Name, err)
	}
	if v.Outbox > 0 {
		if s.Outbox, err = DecodeBigint(row[v.Outbox]); err != nil {
			return nil, fmt.Errorf("column %s: %w", a.Root.Columns[v.Outbox].Name, err)
		}
	}
	if v.Pending > 0 {
		if s.Pending, err = decodePending(row[v.Pending]); err != nil {
			return nil, fmt.Errorf("column %s: %w", a.Root.Columns[v.Pending].Name, err)
		}
		if !s.Deleted { // a program that does not know it has inserted the root again
			s.Pending = a.withoutParts(s.Pending)
		}
	}
	return s, nil
}

// Lasting returns the columns that show the remaining TTLs of a row; nil if the rows do not expire. DecodeLife decodes the TTLs.
func (v *Versioning) Lasting() []int {
	if v.Live == 0 {
		return nil
	}
	return []int{v.Live, v.Version}
}

// DecodeTTL returns a remaining TTL; 0 for null: the value does not expire, or does not exist.
func DecodeTTL(c cell.Cell) TTL {
	if len(c) != 4 {
		return 0
	}
	return TTL(binary.BigEndian.Uint32(c))
}

// DecodeLife decodes the remaining TTLs of the Lasting columns, which count from a time on the monotonic clock.
func DecodeLife(ttls cell.Row, since time.Duration) Life {
	l := Life{Since: since}
	for i, to := range []*TTL{&l.Left, &l.Kept} {
		*to = DecodeTTL(ttls[i])
	}
	return l
}

// Exists reports whether a row exists, is not deleted and has not expired. s is nil if there is no row.
func (s *State) Exists() bool { return s != nil && !s.Deleted }

// CurrentVersion returns the version of a state, or 0 if there is no row.
func (s *State) CurrentVersion() Version {
	if s == nil {
		return 0
	}
	return s.Version
}

var errNotBigint = errors.New("is not a bigint")

// DecodeBigint returns the value of a bigint; null is 0.
func DecodeBigint(c cell.Cell) (int64, error) {
	switch len(c) {
	case 0:
		return 0, nil
	case 8:
		return int64(binary.BigEndian.Uint64(c)), nil
	}
	return 0, errNotBigint
}

// Bigint returns a bigint as a cell.
func Bigint(v int64) cell.Cell { return binary.BigEndian.AppendUint64(nil, uint64(v)) }

func decodeAttempts(c cell.Cell) ([]Attempt, error) {
	w, n := cell.Elements(c, 1)
	out := make([]Attempt, 0, n)
	for range n {
		id := w.Next()
		if len(id) != len(Attempt{}) {
			return nil, errors.New("has an element that is not a uuid")
		}
		out = append(out, Attempt(id))
	}
	if w.Broken() {
		return nil, errBroken
	}
	return out, nil
}

func attemptsCell(ids []Attempt) cell.Cell {
	out := cell.AppendCount(make(cell.Cell, 0, lengthSize+len(ids)*(lengthSize+len(Attempt{}))), len(ids))
	for i := range ids {
		out = cell.AppendValue(out, ids[i][:])
	}
	return out
}

// withAttempt returns the attempts after a save: the last ones of ids, followed by id.
func withAttempt(ids []Attempt, id Attempt) []Attempt {
	from := max(0, len(ids)-(maxAttempts-1))
	return append(append(make([]Attempt, 0, len(ids)-from+1), ids[from:]...), id)
}

// pendingKey encodes the name of a row of a copy: its table and its key.
func pendingKey(table string, key cell.Row) cell.Cell {
	out := append(cell.AppendCount(make(cell.Cell, 0, pendingSize(table, key)), len(table)), table...)
	for _, c := range key {
		out = cell.AppendValue(out, c)
	}
	return out
}

// pendingSize returns the length of a pendingKey.
func pendingSize(table string, key cell.Row) int {
	size := lengthSize + len(table)
	for _, c := range key {
		size += lengthSize + len(c)
	}
	return size
}

func decodePending(c cell.Cell) ([]Pending, error) {
	w, n := cell.Elements(c, 2)
	out := make([]Pending, 0, n)
	for range n {
		name, at := w.Next(), w.Next()
		p := Pending{}
		m := cell.Members(name)
		p.Table = string(m.Next())
		for m.More() {
			p.Key = append(p.Key, m.Next())
		}
		var err error
		if p.At, err = DecodeBigint(at); err != nil || m.Broken() {
			return nil, errors.New("has an entry that is not a row of a copy")
		}
		out = append(out, p)
	}
	if w.Broken() {
		return nil, errBroken
	}
	return out, nil
}

// pendingCell encodes pending rows, which are sorted by name, as a map; it returns nil if there are none.
func pendingCell(in []Pending) cell.Cell {
	if len(in) == 0 {
		return nil
	}
	out := cell.AppendCount(nil, len(in))
	for _, p := range in {
		out = cell.AppendValue(out, pendingKey(p.Table, p.Key))
		out = cell.AppendValue(out, Bigint(p.At))
	}
	return out
}
