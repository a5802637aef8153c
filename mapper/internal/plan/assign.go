package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// Unversioned is a row of a versioned root that no save has written yet: programs without versions have.
type Unversioned struct {
	Key     cell.Row
	Version cell.Cell // unchanged since the read; nil is null
	At      Version   // the same; 0 is null
	Values  Stamp     // the newest write time and the first expiry of the columns of the model, without the version
	Newest  int64     // the newest write time of all columns
	saved   bool      // a save has written the row, before the rows of the root expired
}

// DecodeUnversioned returns the row that was read with its stamps; nil for a row that a save has written.
func (a *Aggregate) DecodeUnversioned(read cell.Row) (*Unversioned, error) {
	v, n, key := a.Versioning, len(a.Root.Columns), a.Root.Key
	saved := read[v.Attempts] != nil
	if isTrue(read[v.Deleted]) || saved && !a.lacksLife(read) {
		return nil, nil
	}
	u := &Unversioned{saved: saved, Key: CloneRow(read[:key]), Version: CloneRow(read[v.Version : v.Version+1])[0]}
	var err error
	if u.At, err = DecodeBigint(u.Version); err != nil {
		return nil, fmt.Errorf("column %s: %w", a.Root.Columns[v.Version].Name, err)
	}
	times := a.Root.Timed()
	for i := key; i < n-a.Root.Hidden; i++ {
		all, err := decodeStamps(&a.Root.Columns[i], read[n+i-key], read[n+len(times)+i-key])
		if err != nil {
			return nil, fmt.Errorf("plan: write times of column %s: %w", a.Root.Columns[i].Name, err)
		}
		for _, s := range all {
			u.Newest = max(u.Newest, s.At)
			if i != v.Version {
				u.Values = u.Values.with(s)
			}
		}
	}
	return u, nil
}

// lacksLife reports whether a row that was read with its stamps was saved before the rows of the root expired: it has no TTL, and the hidden
// column that shows that it has not expired is null.
func (a *Aggregate) lacksLife(read cell.Row) bool {
	v, times := a.Versioning, a.Root.Timed()
	left := read[len(a.Root.Columns)+len(times)+slices.Index(times, v.Version)]
	return v.Live > 0 && read[v.Live] == nil && left == nil
}

// CloneRow copies cells that are valid only until the next row is read.
func CloneRow(in cell.Row) cell.Row {
	size := 0
	for _, c := range in {
		size += len(c)
	}
	out, bytes := make(cell.Row, len(in)), make(cell.Cell, 0, size)
	for i, c := range in {
		if c != nil {
			first := len(bytes)
			bytes = append(bytes, c...)
			out[i] = bytes[first:len(bytes):len(bytes)]
		}
	}
	return out
}

// Assign returns the statement that gives the row a version above the write times of its values, so that the copies at that
// version replace the copies that programs without versions have written; nil if the row has such a version. No other column is written.
func (a *Aggregate) Assign(u *Unversioned, now int64) *Conditional {
	least := u.Values.At + 2
	if u.At >= least && a.Versioning.Live == 0 {
		return nil
	}
	c := &Conditional{Table: a.Root, CQL: a.assignment(), Row: make(cell.Row, len(a.Root.Columns))}
	copy(c.Row, u.Key)
	c.Row[a.Versioning.Version] = Bigint(max(least, nextVersion(u.At, now, 0)))
	c.Write.Add(a.Versioning.Version)
	c.If = []Condition{{Column: a.Versioning.Version, Value: u.Version}}
	return c
}

// RestoreHead returns the statement that writes the head row of the partition of a root, at its unchanged version.
func (a *Aggregate) RestoreHead(s *State) *Conditional {
	version := s.Row[a.Versioning.Version]
	c := &Conditional{Table: a.Root, CQL: a.assignment(), Row: make(cell.Row, len(a.Root.Columns))}
	copy(c.Row, s.Row[:a.Root.Key])
	c.Row[a.Versioning.Version] = version
	c.Write.Add(a.Versioning.Version)
	c.If = []Condition{{Column: a.Versioning.Version, Value: version}}
	c.Parts = a.Versioning.Part.head(PutHead, s.Row)
	return c
}

// HeadRowKey returns the primary key of the head row of the partition of a root; nil without head rows.
func (p *PartWrites) HeadRowKey(key cell.Row) cell.Row {
	if head := p.head(PutHead, key); head != nil {
		return head[0].Row[:p.Table.Key]
	}
	return nil
}

// AssignLife is like Assign for a root whose rows expire: the row gets the hidden columns of a save, with the rest of its TTL.
func (a *Aggregate) AssignLife(u *Unversioned, now int64, life Life) *Conditional {
	v := a.Versioning
	c := a.Assign(u, now)
	live := a.Root.Columns[v.Live].CQL
	c.Kept, c.Values = &life.Kept, &Values{CQL: "UPDATE " + a.Root.CQL() + " USING TTL ? SET " + live + " = ?" + a.Root.where(a.Root.Key), TTL: life.Left}
	c.Row[v.Live] = liveCell(true)
	c.Values.Write.Add(v.Live)
	if !u.saved {
		c.Row[v.Attempts] = attemptsCell(nil)
		c.Write.Add(v.Attempts)
		c.CQL = strings.Replace(c.CQL, " = ?", " = ?, "+a.Root.Columns[v.Attempts].CQL+" = ?", 1)
	}
	return c
}

// PlanVersion is like PlanFence for a row that exists, but its statement writes only the version. The write times of the other columns stay
// below the version, so a row that no save has written is not assigned a version again.
func PlanVersion(a *Aggregate, old *State, floor Version, o SaveOptions) *Save {
	s := PlanFence(a, old, nil, floor, o)
	s.Root.requireVersion(a.assignment())
	s.Root.Write = projection.Bits{}
	s.Root.Write.Add(a.Versioning.Version)
	return s
}

// assignment returns the statement of Assign: "UPDATE t SET version = ? WHERE key = ? IF version = ?".
func (a *Aggregate) assignment() string {
	version := a.Root.Columns[a.Versioning.Version].CQL
	using := ""
	if a.Versioning.Live > 0 {
		using = "USING TTL ? "
	}
	return "UPDATE " + a.Root.CQL() + " " + using + "SET " + version + " = ?" + a.Root.where(a.Root.Key) + " IF " + version + " = ?"
}

// CopyRows plans the rows of one copy of a state, whole and at its version, absent columns as null. A state without a version has the
// time longAgo: every other write of the row replaces it. unowned is SaveOptions.Unowned of the state.
func (a *Aggregate) CopyRows(s *State, c *Projection, unowned Claims) ([]Mutation, error) {
	of := *s
	of.Version = max(of.Version, longAgo)
	rows, err := a.copyRows(&of)
	var out []Mutation
	for _, m := range a.ownedRows(rows, unowned) {
		if m.Table == c.Table {
			out = append(out, m)
		}
	}
	return out, err
}
