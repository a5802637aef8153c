package plan

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// Follows reports whether columns of the root follow columns of the target.
func (r *CheckedReference) Follows() bool { return len(r.Copied) > 0 }

// Follows reports whether columns of the root follow columns of other roots.
func (a *Aggregate) Follows() bool {
	return a.Versioning != nil && slices.ContainsFunc(a.Versioning.References, func(r CheckedReference) bool { return r.Follows() })
}

// FollowingRefs returns the references of a row whose targets have columns that columns of the row follow. The columns that follow a reference
// which is null are set to null.
func (a *Aggregate) FollowingRefs(row cell.Row) (out Refs, err error) {
	for i := range a.Versioning.References {
		r := &a.Versioning.References[i]
		if !r.Follows() {
			continue
		}
		n := len(out)
		if out, err = a.appendRefs(out, r, row); err != nil {
			return nil, err
		}
		if len(out) == n {
			r.copyFrom(row, nil, nil)
		}
	}
	return out, nil
}

// AddedFollowing returns the references of a row that the old state does not have.
func (a *Aggregate) AddedFollowing(old *State, all Refs) (Refs, error) {
	before, err := a.Refs(old)
	return all.addedTo(before, old), err
}

// Rows returns the mutations that write the rows of references at a version.
func (all Refs) Rows(at Version) []Mutation {
	out := make([]Mutation, len(all))
	for i, r := range all {
		out[i] = r.Put(at)
	}
	return out
}

// copyFrom sets the columns that follow the target, and the version of the target from which they are. A nil row has null in every column.
func (r *CheckedReference) copyFrom(row, target cell.Row, version cell.Cell) {
	for i := range r.Copied {
		var value cell.Cell
		if target != nil {
			value = target[r.Copied[i].From]
		}
		setCopied(row, &r.Copied[i], value)
	}
	row[r.Version] = version
}

// setCopied sets a column of a row that follows a column of another root, or a field of the UDT in the column. A column without a UDT stays
// as it is.
func setCopied(row cell.Row, f *descriptor.CopiedField, value cell.Cell) {
	switch {
	case f.Member == 0:
		row[f.Column] = value
	case row[f.Column] != nil:
		values := decodeMembers(row[f.Column])
		for len(values) < f.Member {
			values = append(values, nil)
		}
		values[f.Member-1] = value
		row[f.Column] = encodeMembers(values)
	}
}

// copiedValue returns the value that follows a column of another root.
func copiedValue(row cell.Row, f *descriptor.CopiedField) cell.Cell {
	if f.Member == 0 {
		return row[f.Column]
	}
	if values := decodeMembers(row[f.Column]); len(values) >= f.Member {
		return values[f.Member-1]
	}
	return nil
}

// FollowingField returns the Go field that follows a column of another root.
func (t *Table) FollowingField(f *descriptor.CopiedField) string {
	if f.Member > 0 {
		return f.Field
	}
	return t.Columns[f.Column].Field
}

// Follow sets the columns of a row that follow the target, from a state of it.
func (r *CheckedReference) Follow(row cell.Row, target *State) {
	r.copyFrom(row, target.Row, Bigint(target.Version))
}

// HasUnserved reports whether the columns of a deleted row have changed after a version, and not all roots have followed that yet.
func (s *State) HasUnserved(since Version) bool { return s != nil && s.Deleted && s.Outbox > since }

// Keep sets the columns of a row that follow the target to the columns of an earlier row.
func (r *CheckedReference) Keep(row, old cell.Row) {
	for i := range r.Copied {
		setCopied(row, &r.Copied[i], copiedValue(old, &r.Copied[i]))
	}
	row[r.Version] = old[r.Version]
}

// FollowedVersion returns the version of the target from which the columns of a row are; 0: not known.
func (r *CheckedReference) FollowedVersion(t *Table, row cell.Row) (Version, error) {
	at, err := DecodeBigint(row[r.Version])
	if err != nil {
		err = fmt.Errorf("column %s: %w", t.Columns[r.Version].Name, err)
	}
	return at, err
}

// Stale returns the Go fields of a row that differ from the columns of a target which they follow.
func (r *CheckedReference) Stale(t *Table, row, target cell.Row) (fields []string) {
	for i := range r.Copied {
		if f := &r.Copied[i]; !same(copiedValue(row, f), target[f.From]) {
			fields = append(fields, t.FollowingField(f))
		}
	}
	return fields
}

// NextVersion returns the version of a save that replaces a state and claims no values.
func (o SaveOptions) NextVersion(old *State) Version {
	return nextVersion(old.CurrentVersion(), o.Now, o.Floor)
}

// setOutbox sets the outbox of the row that a save writes: the version of the save if roots that follow its columns can have other values.
func (s *Save) setOutbox(a *Aggregate, old *State) {
	v, row := a.Versioning, s.State.Row
	if row[v.Outbox] = nil; old.Exists() && (!s.State.Deleted || a.IsKept()) {
		row[v.Outbox], s.State.Outbox = old.Row[v.Outbox], old.Outbox
	}
	if !s.State.Deleted && a.mayDiffer(old, row) {
		row[v.Outbox], s.State.Outbox = Bigint(s.State.Version), s.State.Version
	}
}

// mayDiffer reports whether roots that follow the columns of a row can have other values after the row has replaced an old state. A root that
// keeps its reference to a deleted row can have any.
func (a *Aggregate) mayDiffer(old *State, row cell.Row) bool {
	if !old.Exists() {
		return a.IsKept()
	}
	return slices.ContainsFunc(a.Versioning.Followed, func(i int) bool { return !same(old.Row[i], row[i]) })
}

// IsKept reports whether other roots keep their references to a deleted row, and the columns that follow it.
func (a *Aggregate) IsKept() bool { return len(a.Versioning.Kept) > 0 }

// deletedRow returns the row of a deleted root: the key, and null in every other column of the model, so that no data of it can
// be read and no index finds it. The columns that other roots keep stay, so that roots which have not followed the last save can.
func (a *Aggregate) deletedRow(row cell.Row) cell.Row {
	out := deletedRow(a.Root, row)
	for _, i := range a.Versioning.Kept {
		out[i] = row[i]
	}
	return out
}

// ChangesFollowed reports whether the save changes columns that other roots follow.
func (s *Save) ChangesFollowed() bool { return s.State.Outbox > 0 && s.State.Outbox == s.State.Version }

// PlanServed returns the statement that clears the outbox of a state, if no later save has set it.
func PlanServed(a *Aggregate, s *State) *Conditional {
	v, t := a.Versioning, a.Root
	c := &Conditional{Table: t, Row: slices.Clone(s.Row[:len(t.Columns)]), CQL: "UPDATE " + t.CQL() + " SET " + t.Columns[v.Outbox].CQL + " = ?" + t.where(t.Key)}
	c.require(s.Row, v.Outbox)
	c.Row[v.Outbox] = nil
	c.Write.Add(v.Outbox)
	return c
}

// outboxShards is the number of partitions of the outboxes. It must be the same in every release, because the rows stay where they are.
const outboxShards = 64

// OutboxKey returns the key of the row of a root in the outboxes.
func (a *Aggregate) OutboxKey(key cell.Row) cell.Row {
	source := cell.Cell(a.Root.Name)
	var encoded cell.Cell
	for _, c := range key[:a.Root.Key] {
		encoded = cell.AppendValue(encoded, c)
	}
	return cell.Row{BucketCell(Bucket(cell.Row{source, encoded}, outboxShards)), source, encoded}
}

// OutboxPartition is the number of a partition of the outboxes.
type OutboxPartition int32

// OutboxPartitions returns the partitions of the outboxes.
func OutboxPartitions() []OutboxPartition {
	out := make([]OutboxPartition, outboxShards)
	for i := range out {
		out[i] = OutboxPartition(i)
	}
	return out
}

// Key returns the key of the partition.
func (p OutboxPartition) Key() cell.Row { return cell.Row{BucketCell(int32(p))} }

// PutOutbox returns the mutation that lists a root in the outboxes, at a version.
func (a *Aggregate) PutOutbox(key cell.Row, at Version) Mutation {
	t := a.Versioning.Outboxes
	m := Mutation{Table: t, Row: append(a.OutboxKey(key), Bigint(at)), Action: Put, At: at}
	m.Write.Add(t.Key)
	return m
}

// DeleteOutbox returns the mutation that removes a root from the outboxes, unless it was listed after a version.
func (a *Aggregate) DeleteOutbox(key cell.Row, at Version) Mutation {
	return Mutation{Table: a.Versioning.Outboxes, Row: append(a.OutboxKey(key), nil), Action: Delete, At: at}
}

// Outbox is a row of the outboxes.
type Outbox struct {
	Source string   // the table of the root
	Key    cell.Row // the key of the root
	At     Version  // the version of the save that has written the row, or the write time of the row if it is later
}

// OutboxSource returns the table of the root that a row of the outboxes lists.
func OutboxSource(row cell.Row) string { return string(row[1]) }

// DecodeOutbox decodes a row of the outboxes that lists a root of the aggregate. The write time of its version follows its columns. A store
// writes a row at its version. If a copy of the table has written the row again later, only a deletion at that time removes it, so this time
// counts as its version.
func (a *Aggregate) DecodeOutbox(row cell.Row) (Outbox, error) {
	out := Outbox{Source: OutboxSource(row)}
	members := cell.Members(row[2])
	for members.More() {
		out.Key = append(out.Key, slices.Clone(members.Next()))
	}
	at, err := DecodeBigint(row[3])
	written, timeErr := DecodeBigint(row[4])
	if cmp.Or(err, timeErr) != nil || row[3] == nil || members.Broken() || len(out.Key) != a.Root.Key || !SameKey(a.OutboxKey(out.Key), row, a.Versioning.Outboxes.Key) {
		return out, a.damagedOutbox(row)
	}
	out.At = max(at, written)
	return out, nil
}

// damagedOutbox returns the error of a row of the outboxes that no store can have written.
func (a *Aggregate) damagedOutbox(row cell.Row) error {
	t := a.Versioning.Outboxes
	return fmt.Errorf("the row of %s with %s names no row of %s and its version: no store has written it; delete it", t.Name, t.KeyText(row), a.Root.Name)
}
