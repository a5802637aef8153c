package plan

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// Save describes the writes of one save of a versioned aggregate: the root's row, and the copies after that statement has been
// applied. Unique values are claimed before the save and released after it.
type Save struct {
	State  State       // the state after the save
	Root   Conditional // the root's row
	ID     Attempt
	Claims Claims // the unique values of State
	Added  Refs   // the checked references of State that the old state does not have: their rows are written before the save

	before, after Refs // the references of the old state, and of State

	rows     []Mutation // the rows of copies that follow from State
	partRows []Mutation // the rows of copies that follow from the parts that the save changes
	dropped  []Pending  // the rows of copies that are deleted after the save, and those in partRows
	blind    bool       // the row can have pending rows that the save has not read, so it writes no done-marker
}

// ExceedsFloor reports whether the version of the save is above the floor of a value that it has claimed.
func (s *Save) ExceedsFloor(floor Version) bool { return floor <= 0 || s.State.Version >= floor+2 }

// Copies returns the mutations of the copies, which are written after the save has been applied.
func (s *Save) Copies(a *Aggregate) []Mutation {
	return a.propagate(&s.State, slices.Concat(s.rows, s.partRows), s.dropped, !s.blind)
}

// SaveOptions contains the parameters of a save, except for the rows.
type SaveOptions struct {
	Now    int64   // the clock, in microseconds since 1970
	Floor  Version // the greatest floor of the claimed reservations
	ID     Attempt
	Synced bool // the copies of the old state have been written, and its pending rows have been deleted

	// Unowned are the unique values before and after the save whose reservations the row does not own. Rows of copies that have one of them
	// in place of the root's key belong to another root: the save neither writes nor deletes them.
	Unowned Claims

	Parts   []PartWrite  // the writes of parts, unless the root is deleted
	Changed []PartChange // the rows that Parts change, if the part has copies
	Settled bool         // the pending rows of the old state that are copies of parts have been written or deleted
	Clear   bool         // used for a deleted root whose parts are still there: the copies of the parts have been deleted, so the save deletes the parts
	Life    Life         // the TTLs of the row, if the rows of the root expire
}

// nextVersion returns the version of a save: above the version that it replaces, and above the floors of all values that it claims.
func nextVersion(old, now, floor Version) Version {
	v := max(now, old+2)
	if floor > 0 {
		v = max(v, floor+2)
	}
	return v
}

// PlanSave plans a save that replaces an old state with a new row. If old is nil, the row is inserted; if new is nil, it is
// deleted. The new row has every column of the root and the computed values; its hidden columns are ignored. If it has values
// that cannot be written, PlanSave returns a *[FaultError]. A row that is being deleted stays marked.
func PlanSave(a *Aggregate, old *State, new cell.Row, o SaveOptions) (*Save, error) {
	v := a.Versioning
	s := &Save{ID: o.ID, State: State{Version: nextVersion(old.CurrentVersion(), o.Now, o.Floor), Deleted: new == nil, Life: o.Life}}
	if s.State.Deleted {
		new = a.deletedRow(old.Row)
	} else {
		new, s.State.Deleting = slices.Clone(new), old.Exists() && old.Deleting
	}
	s.State.Row, new[v.Version] = new, Bigint(s.State.Version) // a copy can contain the version, too
	var err error
	if s.rows, err = a.copyRows(&s.State); err != nil {
		return nil, err
	}
	s.rows = a.ownedRows(s.rows, o.Unowned)
	if s.Claims, err = a.checkedClaims(old, &s.State); err != nil {
		return nil, err
	}
	if err := s.reference(a, old); err != nil {
		return nil, err
	}
	var attempts []Attempt
	if old != nil {
		attempts = old.Attempts
	}
	s.State.Attempts = withAttempt(attempts, o.ID)
	if s.State.Deleting { // the save can be repeated, and a deletion knows by the attempts that its mark is still there
		s.State.Attempts = attempts
	}
	if v.Pending > 0 {
		if s.State.Pending, err = a.pendingAfter(old, s, o); err != nil {
			return nil, err
		}
		new[v.Pending] = pendingCell(s.State.Pending)
		s.dropped = s.State.Pending
	}
	new[v.Attempts], new[v.Deleted] = attemptsCell(s.State.Attempts), nil
	switch {
	case s.State.Deleted:
		new[v.Deleted] = cell.Cell{1}
	case s.State.Deleting:
		new[v.Deleted] = cell.Cell{0}
	}
	if v.Outbox > 0 {
		s.setOutbox(a, old)
	}
	if v.Live > 0 {
		new[v.Live] = liveCell(!s.State.Deleted)
	}
	s.Root = a.conditional(old, new[:len(a.Root.Columns)], o.Life)
	switch {
	case s.State.Deleted && v.Part != nil && (o.Clear || v.Part.Of == nil):
		s.Root.Parts = append([]PartWrite{v.Part.Clearing(new)}, v.Part.head(PutHead, new)...)
	case s.State.Deleted:
	case old.Exists():
		s.Root.Parts = o.Parts
	default:
		s.Root.Parts = slices.Concat(o.Parts, v.Part.head(PutHead, new))
	}
	return s, nil
}

// reference sets the references before and after the save. The rows of a row without a version have not been written.
func (s *Save) reference(a *Aggregate, old *State) (err error) {
	if s.before, err = a.Refs(old); err != nil {
		return err
	}
	if s.after, err = a.Refs(&s.State); err != nil {
		return err
	}
	added := s.after.addedTo(s.before, old)
	p := planner{a: a, new: s.State.Row}
	for _, r := range added {
		if problem := r.tooLong(); problem != "" {
			p.fault(a.Root, r.Field, "is a reference and "+problem)
		}
	}
	s.Added = slices.DeleteFunc(added, func(r Ref) bool { return r.Follows() }) // FollowingRefs has the others
	return p.faulty()
}

// PlanChange plans a save that replaces an old row, which the caller provides with its version, with a new one. The hidden columns
// of the old row are not known. The rows that the save drops are therefore added to the pending rows, and the rows that it writes
// are removed from them. The attempts of earlier saves are replaced by the marker [truncated].
func PlanChange(a *Aggregate, old *State, new cell.Row, o SaveOptions) (*Save, error) {
	o.Synced = true
	s, err := PlanSave(a, old, new, o)
	if err != nil {
		return nil, err
	}
	v := a.Versioning
	s.State.Attempts = []Attempt{truncated, o.ID}
	s.State.Row[v.Attempts] = attemptsCell(s.State.Attempts)
	if v.Pending == 0 {
		return s, nil
	}
	s.blind = true
	s.Root.requireVersion(a.Versioning.Change)
	s.Root.Map = v.Pending
	a.requireLive(&s.Root, old)
	s.Root.Added, s.Root.Removed = pendingCell(s.dropped), a.pendingNames(s.rows)
	if s.Root.Added == nil {
		s.Root.Added = cell.AppendCount(nil, 0)
	}
	s.Root.Write.Drop(v.Pending)
	return s, nil
}

// truncated marks the beginning of a list of attempts from which a Change has removed the earlier ones. No save has this identifier.
var truncated Attempt

// SaveOutcome describes the known facts about a save of unknown outcome.
type SaveOutcome uint8

// The outcomes of saves.
const (
	Undecided SaveOutcome = iota // it may have been applied, or may be applied later
	Applied
	NotApplied // and it will not be applied later
)

// ResolveOutcome determines from the current row whether a save was applied. The caller has made sure that a save that was not applied
// will not be applied later: the same statement has been refused, or the version of the row differs from the version of the old state.
// A blind save has not read the attempts of the saves before it.
func ResolveOutcome(old, now *State, id Attempt, blind bool) SaveOutcome {
	if slices.Contains(now.Attempts, id) {
		return Applied
	}
	if old != nil && len(old.Attempts) > 0 && !blind {
		if slices.Contains(now.Attempts, old.Attempts[len(old.Attempts)-1]) {
			return NotApplied
		}
		return Undecided
	}
	if len(now.Attempts) < maxAttempts && !slices.Contains(now.Attempts, truncated) {
		return NotApplied
	}
	return Undecided
}

// conditional returns the statement that writes every column of the root's row, with the TTLs of a row that expires.
func (a *Aggregate) conditional(old *State, row cell.Row, life Life) Conditional {
	v := a.Versioning
	c := Conditional{Table: a.Root, CQL: v.Insert, Row: row, Insert: old == nil}
	if old != nil {
		c.CQL = v.Save
		c.If = []Condition{{Column: v.Version, Value: old.Row[v.Version]}}
		c.Write = a.Root.BeyondKey()
		a.requireOutbox(&c, old)
	}
	if v.Live == 0 {
		return c
	}
	c.Kept, c.Values = &life.Kept, &Values{CQL: v.Values, TTL: life.Left, Write: a.Root.BeyondKey()}
	c.Write = projection.Bits{}
	for i := a.Root.Key; i < len(a.Root.Columns); i++ {
		if a.keeps(i) {
			c.Write.Add(i)
			c.Values.Write.Drop(i)
		}
	}
	a.requireLive(&c, old)
	return c
}

// requireOutbox adds the condition that an outbox which the statement writes again is still set. Clearing it does not raise the version.
func (a *Aggregate) requireOutbox(c *Conditional, old *State) {
	if i := a.Versioning.Outbox; i > 0 && old.Outbox > 0 && same(c.Row[i], old.Row[i]) {
		c.require(old.Row, i)
	}
}

// keeps reports whether a column outlives the values of a row that expires: the version and the hidden columns, without which a late or
// repeated save of the expired row would be applied.
func (a *Aggregate) keeps(column int) bool {
	v := a.Versioning
	return column != v.Live && (column == v.Version || column >= len(a.Root.Columns)-a.Root.Hidden)
}

// requireLive adds the condition that a row which has not expired has not expired meanwhile. The row of a deleted one needs only its version:
// its statement, once it is refused, cannot be applied later, whatever the clocks of the servers show.
func (a *Aggregate) requireLive(c *Conditional, old *State) {
	if v := a.Versioning; v.Live > 0 && old.Exists() {
		c.CQL += " AND " + a.Root.Columns[v.Live].CQL + " = ?"
		c.If = append(slices.Clip(c.If), Condition{Column: v.Live, Value: liveCell(true)})
	}
}

// liveCell returns the value of the hidden column that shows that a row has not expired.
func liveCell(live bool) cell.Cell {
	if live {
		return cell.Cell{1}
	}
	return nil
}

// deletedRow returns the row of a deleted root that no other root follows: the key, and null in every other column of the model.
func deletedRow(t *Table, row cell.Row) cell.Row {
	out := make(cell.Row, len(t.Columns)+len(t.Computed))
	copy(out, row[:t.Key])
	return out
}

// PlanFence plans a save that changes only the version, so that no other save of the old state can be applied later. If old is
// nil, it inserts a deleted row with the given key. The version is above floor.
func PlanFence(a *Aggregate, old *State, key cell.Row, floor Version, o SaveOptions) *Save {
	v := a.Versioning
	s := &Save{}
	if old == nil {
		s.State = State{Row: deletedRow(a.Root, key), Deleted: true}
		s.State.Row[v.Deleted], s.State.Life = cell.Cell{1}, o.Life
	} else {
		s.State = *old
		s.State.Row = slices.Clone(old.Row)
	}
	s.State.Version = nextVersion(old.CurrentVersion(), o.Now, floor)
	s.State.Row[v.Version] = Bigint(s.State.Version)
	if old == nil {
		s.State.Row[v.Attempts] = attemptsCell(nil)
	}
	s.Root = a.conditional(old, s.State.Row[:len(a.Root.Columns)], s.State.Life)
	s.Root.Values = nil // the values keep the time that is left
	return s
}

// copyRows returns mutations that write the complete rows of all copies of a state at its version, with null for absent values.
// It returns an error if the row of the root or a row of a copy cannot be written. A deleted row has no copies.
func (a *Aggregate) copyRows(s *State) ([]Mutation, error) {
	if !s.Exists() {
		return nil, nil
	}
	out, err := a.completeRows(s.Row, s.Version, a.Versioning.Pending > 0)
	for i := range out {
		out[i].TTL = a.copyTTL(&out[i], s.Life.Left)
	}
	return out, err
}

// completeRows returns mutations that write the complete rows of all copies of a row at a version. pending reports whether their keys are also stored
// in the pending rows of a root, and have its limit.
func (a *Aggregate) completeRows(row cell.Row, at Version, pending bool) ([]Mutation, error) {
	p := planner{a: a, new: row, over: true, whole: true}
	if err := p.root(); err != nil {
		return nil, err
	}
	p.out = p.out[:0]
	for i := range a.Copies {
		if err := p.copy(&a.Copies[i]); err != nil {
			return nil, err
		}
	}
	for i := range p.out {
		p.out[i].At = at
	}
	p.checkLimits(pending)
	return p.out, p.faulty()
}

// copyTTL returns the TTL of a row of a copy, of which left is the remaining TTL of the root's row. The copy of a root's row that does not expire
// has only a TTL of its own.
func (a *Aggregate) copyTTL(m *Mutation, left TTL) int32 {
	if a.Versioning.Live > 0 && left == 0 && a.TTL(m.Table) >= a.TTL(a.Root) {
		return 0
	}
	return shorter(m.TTL, int32(left))
}

// pendingAfter returns the pending rows after a save: the rows of the old state, unless Synced reports that they have been deleted, and
// the rows that the save drops, without the rows that it writes.
func (a *Aggregate) pendingAfter(old *State, s *Save, o SaveOptions) ([]Pending, error) {
	was, err := a.leavingKeys(old, &s.State, o.Unowned)
	if err != nil {
		return nil, err
	}
	for _, r := range s.before {
		if !s.after.Has(r) {
			was = withKey(was, r.Table, r.Key)
		}
	}
	parts, err := a.pendingOfParts(old, s, o)
	if err != nil {
		return nil, err
	}
	synced := o.Synced || old == nil || len(old.Pending) == 0
	if len(was) == 0 && len(parts) == 0 && synced {
		return nil, nil
	}
	now, out := a.copyKeys(s.rows), map[string]Pending{}
	if !synced {
		for _, p := range old.Pending {
			if !a.marksParts(p) && !(o.Settled && a.partCopy(p.Table) != nil) {
				out[string(pendingKey(p.Table, p.Key))] = p
			}
		}
	}
	maps.Copy(out, parts)
	for name, p := range was {
		if _, stays := now[name]; !stays {
			p.At = s.State.Version
			out[name] = p
		}
	}
	for name := range now {
		delete(out, name)
	}
	for _, r := range s.after {
		delete(out, r.name)
	}
	return sorted(out), nil
}

// pendingOfParts returns the pending rows that a save adds because of its parts: the rows of their copies, or the parts of a deleted root.
func (a *Aggregate) pendingOfParts(old *State, s *Save, o SaveOptions) (map[string]Pending, error) {
	switch {
	case a.CopiedPart() == nil:
		return nil, nil
	case !s.State.Deleted:
		return a.changeParts(s, o.Changed)
	case o.Clear:
		return nil, nil
	}
	p := a.partsEntry(old.Row, s.State.Version)
	return map[string]Pending{string(pendingKey(p.Table, p.Key)): p}, nil
}

// sorted returns pending rows in the order of their names.
func sorted(in map[string]Pending) []Pending {
	names := make([]string, 0, len(in))
	for n := range in {
		names = append(names, n)
	}
	slices.Sort(names)
	out := make([]Pending, len(names))
	for i, n := range names {
		out[i] = in[n]
	}
	return out
}

// leavingKeys returns the rows of copies that follow from an old state and may not follow from a new one, by name, except rows of
// shared copies, which are never deleted, and rows that belong to another root. It returns none for a missing or deleted row.
func (a *Aggregate) leavingKeys(old, new *State, unowned Claims) (out map[string]Pending, err error) {
	if !old.Exists() {
		return nil, nil
	}
	p := planner{a: a, old: old.Row, new: new.Row}
	p.compare()
	for i := range a.Copies {
		c := &a.Copies[i]
		if c.Shared || new.Exists() && !c.Exists.Rewritten(&p.changed, true) {
			continue
		}
		rows, err := c.project(old.Row)
		if err != nil {
			return nil, err
		}
		for j := range rows.n {
			if row := rows.row(j); hasKey(view{row: row}, c.Table) && a.owns(c, row, unowned) {
				out = withKey(out, c.Table, row[:c.Table.Key:c.Table.Key])
			}
		}
	}
	return out, nil
}

// copyKeys returns the rows of copies that mutations write, by name, except rows of shared copies.
func (a *Aggregate) copyKeys(rows []Mutation) (out map[string]Pending) {
	for i := range rows {
		if m := &rows[i]; !a.CopyTo(m.Table).Shared {
			out = withKey(out, m.Table, m.PrimaryKey())
		}
	}
	return out
}

func withKey(all map[string]Pending, t *Table, key cell.Row) map[string]Pending {
	if all == nil {
		all = map[string]Pending{}
	}
	all[string(pendingKey(t.Name, key))] = Pending{Table: t.Name, Key: key}
	return all
}

// pendingNames returns the names of the rows of copies that mutations write, except rows of shared copies, as a set.
func (a *Aggregate) pendingNames(rows []Mutation) cell.Cell {
	names := make([]cell.Cell, 0, len(rows))
	size := 0
	for i := range rows {
		if m := &rows[i]; !a.CopyTo(m.Table).Shared {
			names = append(names, pendingKey(m.Table.Name, m.PrimaryKey()))
			size += len(names[len(names)-1]) + 2*lengthSize
		}
	}
	slices.SortFunc(names, func(a, b cell.Cell) int { return bytes.Compare(a, b) })
	names = slices.CompactFunc(names, same)
	out := cell.AppendCount(make(cell.Cell, 0, size+lengthSize), len(names))
	for _, n := range names {
		out = cell.AppendValue(out, n)
	}
	return out
}

// Propagate returns the mutations that make the copies equal to a state: the deletes of the pending rows, each at the version of
// the save that dropped the row; every complete row that follows from the state, at its version; and the done-marker, which is the
// last. Any client can repeat them at any time: they do not overwrite the results of a later save. If a pending row belongs to a table
// that this program does not know, the row stays pending and there is no done-marker. unowned is SaveOptions.Unowned of the state.
// parts are the existing rows of [Aggregate.PendingParts] at the version of the state.
func (a *Aggregate) Propagate(s *State, unowned Claims, parts []cell.Row) ([]Mutation, error) {
	rows, err := a.copyRows(s)
	if err != nil {
		return nil, err
	}
	of, err := a.partRows(parts, s.Version)
	if err != nil {
		return nil, err
	}
	return a.propagate(s, append(a.ownedRows(rows, unowned), of...), s.Pending, true), nil
}

// ownedRows removes the mutations of rows that belong to another root.
func (a *Aggregate) ownedRows(rows []Mutation, unowned Claims) []Mutation {
	if len(unowned) == 0 {
		return rows
	}
	return slices.DeleteFunc(rows, func(m Mutation) bool {
		row := make(cell.Row, len(m.Table.Columns))
		copy(row, m.PrimaryKey())
		return !a.owns(a.CopyTo(m.Table), row, unowned)
	})
}

// owns reports whether a row of a copy belongs to the root that it follows from: its key does not have one of the values.
func (a *Aggregate) owns(c *Projection, row cell.Row, unowned Claims) bool {
	return c.ByUnique == 0 || len(unowned) == 0 || !unowned.Has(a.KeyClaim(c, row))
}

// KeyClaim returns the unique value that a row of a copy has in its key in place of the root's key. ByUnique of the copy is not 0.
func (a *Aggregate) KeyClaim(c *Projection, row cell.Row) Claim {
	u := &a.Versioning.Uniques[c.ByUnique-1]
	key := make(cell.Row, len(c.ByColumns))
	for i, column := range c.ByColumns {
		key[i] = row[column]
	}
	u.Table.Canonical(key)
	return u.Claim(key)
}

// InKeys reports whether the rows of a copy have a unique value in their key in place of the root's key.
func (a *Aggregate) InKeys(v Claim) bool {
	return slices.ContainsFunc(a.Copies, func(c Projection) bool { return c.ByUnique > 0 && a.Versioning.Uniques[c.ByUnique-1].Table == v.Table })
}

func (a *Aggregate) propagate(s *State, rows []Mutation, pending []Pending, known bool) []Mutation {
	if a.Versioning.Done == nil {
		return nil
	}
	var out []Mutation
	known = known && a.Knows(pending)
	out = append(out, a.drop(pending, rows)...)
	out = append(out, rows...)
	if known {
		out = append(out, a.done(s))
	}
	return out
}

// Knows reports whether all pending rows belong to copies that this program has. The parts of a deleted root do not.
func (a *Aggregate) Knows(pending []Pending) bool {
	return !slices.ContainsFunc(pending, func(p Pending) bool {
		t := a.derivedTable(p.Table)
		return t == nil || len(p.Key) != t.Key
	})
}

// done returns the done-marker of a state.
func (a *Aggregate) done(s *State) Mutation {
	t := a.Versioning.Done
	row := append(slices.Clone(s.Row[:a.Root.Key]), Bigint(s.Version))
	m := Mutation{Table: t, Row: row, Action: Put, At: s.Version, TTL: int32(s.Life.Kept)}
	m.Write.Add(t.Key)
	return m
}

// PlanUnmark returns the mutation that removes a done-marker at its version. The generated descriptor has no statement for it.
func (a *Aggregate) PlanUnmark(key cell.Row, at Version) Mutation {
	t := a.Versioning.Done
	row := make(cell.Row, len(t.Columns))
	copy(row, key)
	cql := "DELETE FROM " + t.CQL() + " USING TIMESTAMP ?" + t.where(t.Key)
	return Mutation{Table: t, Row: row, Action: Delete, One: &cql, At: at}
}

// Claim is a unique value of an aggregate, and the key of its reservation.
type Claim struct {
	*Unique
	Key  cell.Row
	name string // distinguishes the value from the unique values of all fields
}

// Claim returns the unique value whose reservation has a key.
func (u *Unique) Claim(key cell.Row) Claim {
	return Claim{u, key, string(pendingKey(u.Table.Name, key))}
}

// Text returns the value for messages; a secret value is ….
func (c Claim) Text() string {
	if c.Secret {
		return "…"
	}
	return c.Table.KeyText(c.Key)
}

// Claims are unique values of an aggregate, each once, in the order of their tables' names and their keys.
type Claims []Claim

// Has reports whether a value is one of the values.
func (all Claims) Has(c Claim) bool {
	_, has := slices.BinarySearchFunc(all, c, Claim.compare)
	return has
}

func (c Claim) compare(o Claim) int { return strings.Compare(c.name, o.name) }

// equal reports whether two values are the same.
func (c Claim) equal(o Claim) bool { return c.name == o.name }

// count returns how often sorted values contain a value.
func (all Claims) count(c Claim) (n int) {
	first, _ := slices.BinarySearchFunc(all, c, Claim.compare)
	for first+n < len(all) && all[first+n].equal(c) {
		n++
	}
	return n
}

// Claims returns the unique values of a state. It returns none for a missing or deleted row.
func (a *Aggregate) Claims(s *State) (Claims, error) {
	all, err := a.everyClaim(s)
	return slices.CompactFunc(all, Claim.equal), err
}

// everyClaim is like Claims, but a value that several elements have occurs several times.
func (a *Aggregate) everyClaim(s *State) (out Claims, err error) {
	if !s.Exists() {
		return nil, nil
	}
	for i := range a.Versioning.Uniques {
		u := &a.Versioning.Uniques[i]
		rows, err := u.project(s.Row)
		if err != nil {
			return nil, err
		}
		for j := range rows.n {
			if key := rows.row(j)[:u.Table.Key:u.Table.Key]; !slices.ContainsFunc(key, ClaimsNothing) {
				out = append(out, u.Claim(key))
			}
		}
	}
	slices.SortFunc(out, Claim.compare)
	return out, nil
}

// In reports whether a row of the root has the value.
func (c Claim) In(row cell.Row) (bool, error) {
	rows, err := c.project(row)
	if err != nil {
		return false, err
	}
	for i := range rows.n {
		if SameKey(rows.row(i), c.Key, c.Table.Key) {
			return true, nil
		}
	}
	return false, nil
}

// project returns the unique values of a row of the root.
func (u *Unique) project(row cell.Row) (rows, error) {
	out, err := u.Of.project(row)
	if err != nil {
		err = fmt.Errorf("plan: unique %s: %w", u.Field, err)
	}
	return out, err
}

// ClaimsNothing reports whether a value that is unique, alone or in a group, has no reservation: it is null or an empty text.
func ClaimsNothing(c cell.Cell) bool { return len(c) == 0 }

// PlanPurge returns the statement that removes a deleted row, so that no row is left of the root.
func (a *Aggregate) PlanPurge(s *State) *Conditional {
	v := a.Versioning
	c := removal(a.Root, s.Row)
	c.require(s.Row, v.Version, v.Deleted)
	c.Parts = v.Part.head(DropHead, s.Row)
	return c
}

// ReservationOwner returns the key of the root that has claimed the value of a reservation, or nil if the value has no owner.
func (a *Aggregate) ReservationOwner(t *Table, row cell.Row) cell.Row {
	if row[t.Key] == nil {
		return nil
	}
	return row[t.Key : t.Key+a.Root.Key]
}

// PlanPurgeReservation returns the statement that removes a reservation that was read and has no owner.
func PlanPurgeReservation(t *Table, row cell.Row) *Conditional {
	c := removal(t, row)
	c.require(row, t.nonKeyColumns()...)
	return c
}

// PlanRaise returns the statement that writes only the floor of a reservation, which is its last column, if the row is as it was read.
func PlanRaise(t *Table, row cell.Row, floor Version) *Conditional {
	last := len(t.Columns) - 1
	c := &Conditional{Table: t, Row: slices.Clone(row[:last+1]), CQL: "UPDATE " + t.CQL() + " SET " + t.Columns[last].CQL + " = ?" + t.where(t.Key)}
	c.Row[last] = Bigint(floor)
	c.Write.Add(last)
	c.require(row, t.nonKeyColumns()...)
	return c
}

// removal returns the statement that removes a row, without its conditions.
func removal(t *Table, row cell.Row) *Conditional {
	return &Conditional{Table: t, Row: row[:len(t.Columns)], Delete: true, CQL: "DELETE " + t.everyStatic() + "FROM " + t.CQL() + t.where(t.Key)}
}

// requireVersion replaces the statement of a row that exists with one whose only condition is the version, the first of the conditions.
func (c *Conditional) requireVersion(statement string) { c.CQL, c.If = statement, c.If[:1] }

// require adds the condition that columns are as they were read.
func (c *Conditional) require(row cell.Row, columns ...int) {
	for _, i := range columns {
		word := " AND "
		if c.If == nil {
			word = " IF "
		}
		c.CQL += word + c.Table.Columns[i].CQL + " = ?"
		c.If = append(c.If, Condition{i, row[i]})
	}
}

// nonKeyColumns returns the numbers of the columns that are not in the primary key.
func (t *Table) nonKeyColumns() (columns []int) {
	for i := t.Key; i < len(t.Columns); i++ {
		columns = append(columns, i)
	}
	return columns
}

// everyStatic returns the columns of a conditional DELETE of a root whose table also has the rows of a part, because the server
// refuses a conditional DELETE of a partition. It returns "" for any other table.
func (t *Table) everyStatic() string {
	if !t.Statics {
		return ""
	}
	names := make([]string, 0, len(t.Columns))
	for i := t.Key; i < len(t.Columns); i++ {
		names = append(names, t.Columns[i].CQL)
	}
	return strings.Join(names, ", ") + " "
}

// PlanForget plans a save that removes the pending rows of tables that no longer exist, and changes nothing else. It returns nil if there are
// none.
func PlanForget(a *Aggregate, old *State, exists func(table string) bool, o SaveOptions) *Save {
	kept := slices.DeleteFunc(slices.Clone(old.Pending), func(p Pending) bool { return a.derivedTable(p.Table) == nil && !exists(p.Table) })
	if len(kept) == len(old.Pending) {
		return nil
	}
	s := PlanFence(a, old, nil, 0, o)
	s.State.Pending = kept
	s.Root.Row[a.Versioning.Pending] = pendingCell(kept)
	return s
}
