package plan

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// CheckedReference describes a reference to another root, which must exist.
type CheckedReference struct {
	*descriptor.CheckedReference

	Table *Table
	Of    Projection
}

// Ref is the reference of one root to one target, and its row in the reverse table.
type Ref struct {
	*CheckedReference
	Key  cell.Row // the primary key of the row
	name string   // distinguishes the row from the rows of all references
}

// Refs are references of one root, each once, in the order of their names.
type Refs []Ref

// targetKey is the number of columns of the target's key in a reverse table: the columns of the partition key before the bucket.
func (r *CheckedReference) targetKey() int { return r.Table.Partition - 1 }

// TargetKey returns the key of the target in a row of the reverse table.
func (r *CheckedReference) TargetKey(row cell.Row) cell.Row { return row[:r.targetKey():r.targetKey()] }

// HolderKey returns the key of the root that refers to the target, in a row of the reverse table.
func (r *CheckedReference) HolderKey(row cell.Row) cell.Row {
	return row[r.Table.Partition:r.Table.Key:r.Table.Key]
}

// WrittenAt returns the version at which a row of the reverse table was written. The row has its write time after the columns: if another program, such as
// one that copies the table, has written the row again at a later time, WrittenAt returns that time. A write time after now is not used: no root gets a
// version that is ahead of the clock.
func (r *CheckedReference) WrittenAt(row cell.Row, now Version) (Version, error) {
	at, err := DecodeBigint(row[r.Table.Key])
	written, timeErr := DecodeBigint(row[len(r.Table.Columns)])
	if err := cmp.Or(err, timeErr); err != nil {
		return 0, fmt.Errorf("column %s of %s: %w", r.Table.Columns[r.Table.Key].Name, r.Table.Name, err)
	}
	if written <= now {
		at = max(at, written)
	}
	return at, nil
}

// Bucket returns the number of the partition that has the row of a root among the rows of one target: the FNV-1a hash of its key, modulo the
// number of buckets. It must be the same in every release, because the rows stay where they are.
func Bucket(key cell.Row, buckets int) int32 {
	h := fnv.New32a()
	for _, c := range key {
		_, _ = h.Write(cell.AppendValue(nil, c))
	}
	return int32(h.Sum32() % uint32(buckets))
}

// BucketCell returns the number of a bucket as a cell.
func BucketCell(bucket int32) cell.Cell {
	return binary.BigEndian.AppendUint32(nil, uint32(bucket))
}

// Refs returns the checked references of a state. It returns none for a missing or deleted row.
func (a *Aggregate) Refs(s *State) (out Refs, err error) {
	if !s.Exists() || a.Versioning == nil {
		return nil, nil
	}
	for i := range a.Versioning.References {
		if out, err = a.appendRefs(out, &a.Versioning.References[i], s.Row); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(out, Ref.compare)
	return slices.CompactFunc(out, func(a, b Ref) bool { return a.name == b.name }), nil
}

// appendRefs adds the references of a row. A reference of which a field is null refers to nothing.
func (a *Aggregate) appendRefs(out Refs, r *CheckedReference, row cell.Row) (Refs, error) {
	rows, err := r.Of.project(row)
	if err != nil {
		return nil, fmt.Errorf("plan: reference %s: %w", r.Field, err)
	}
	for i := range rows.n {
		key := rows.row(i)[:r.Table.Key:r.Table.Key]
		if slices.ContainsFunc(r.TargetKey(key), func(c cell.Cell) bool { return c == nil }) {
			continue
		}
		key[r.targetKey()] = BucketCell(Bucket(r.HolderKey(key), r.Table.Buckets))
		out = append(out, Ref{r, key, string(pendingKey(r.Table.Name, key))})
	}
	return out, nil
}

func (r Ref) compare(o Ref) int { return strings.Compare(r.name, o.name) }

// Has reports whether a reference is one of the references.
func (all Refs) Has(r Ref) bool {
	_, has := slices.BinarySearchFunc(all, r, Ref.compare)
	return has
}

// addedTo returns the references that a save adds to the references of the old state. The rows of a row without a version have not been written.
func (all Refs) addedTo(before Refs, old *State) (out Refs) {
	for _, r := range all {
		if !before.Has(r) || old.CurrentVersion() == 0 {
			out = append(out, r)
		}
	}
	return out
}

// HasTarget reports whether one of the references is by r to the target of a key.
func (all Refs) HasTarget(r *CheckedReference, target cell.Row) bool {
	return slices.ContainsFunc(all, func(x Ref) bool { return x.Table == r.Table && SameKey(x.Key, target, len(target)) })
}

// Targets returns the references of which each target occurs once.
func (all Refs) Targets() (out Refs) {
	seen := map[string]bool{}
	for _, r := range all {
		if name := r.TargetName(); !seen[name] {
			seen[name] = true
			out = append(out, r)
		}
	}
	return out
}

// TargetName distinguishes the target from all other roots.
func (r Ref) TargetName() string { return string(pendingKey(r.Target, r.TargetKey(r.Key))) }

// tooLong returns why the row of a reference cannot be written, or remembered by the root until it is deleted; "" if it can.
func (r Ref) tooLong() string {
	if problem := tooLong(r.Table, r.Key); problem != "" {
		return problem
	}
	if pendingSize(r.Table.Name, r.Key) > maxKey {
		return fmt.Sprintf("makes the primary key of %s longer than %d bytes in all, the limit of an entry of a map", r.Table.Name, maxKey)
	}
	return ""
}

// Put returns the mutation that writes the row of a reference at a version.
func (r Ref) Put(at Version) Mutation {
	m := Mutation{Table: r.Table, Row: append(r.Key, Bigint(at)), Action: Put, At: at}
	m.Write.Add(r.Table.Key)
	return m
}

// DeleteRef returns the mutation that deletes a row of a reverse table at the version that wrote it, so that the row of a later save stays.
func (r *CheckedReference) DeleteRef(row cell.Row, at Version) Mutation {
	full := make(cell.Row, len(r.Table.Columns))
	copy(full, row[:r.Table.Key])
	return Mutation{Table: r.Table, Row: full, Action: Delete, At: at}
}

// ReferenceNamed returns the reference whose reverse table has a name; nil for none.
func (a *Aggregate) ReferenceNamed(table string) *CheckedReference {
	i := slices.IndexFunc(a.Versioning.References, func(r CheckedReference) bool { return r.Table.Name == table })
	if i < 0 {
		return nil
	}
	return &a.Versioning.References[i]
}

// derivedTable returns the table with a name whose rows follow from the rows of the root or of its part, or nil if this program has no such table.
func (a *Aggregate) derivedTable(name string) *Table {
	if c := a.PendingCopy(name); c != nil {
		return c.Table
	}
	if r := a.ReferenceNamed(name); r != nil {
		return r.Table
	}
	return nil
}

// PlanDeleting plans a save that marks a row as being deleted, or removes the mark. Every version between belongs to the deletion.
func PlanDeleting(a *Aggregate, old *State, deleting bool, o SaveOptions) *Save {
	s := PlanFence(a, old, nil, 0, o)
	s.State.Deleting = deleting
	s.Root.Row[a.Versioning.Deleted] = nil
	if deleting {
		s.Root.Row[a.Versioning.Deleted] = cell.Cell{0}
	}
	return s
}

// Cleared returns a row of the root without its reference to a target: the fields of the reference are null, and an element that is
// the reference is removed. It reports whether the row has the reference.
func (r *CheckedReference) Cleared(t *Table, row, target cell.Row) (cell.Row, bool) {
	out := slices.Clone(row)
	found := r.clear(out, r.Clear, target)
	t.Normalize(out[:len(t.Columns)])
	return out, found
}

// clear clears the reference in the values of a row or of a UDT.
func (r *CheckedReference) clear(values []cell.Cell, steps []descriptor.Step, target cell.Row) (found bool) {
	fields := steps[0].Fields
	if len(steps) > 1 {
		f := fields[0]
		if f < len(values) {
			values[f], found = r.clearIn(values[f], steps[1:], target)
		}
		return found
	}
	has := make(cell.Row, len(fields))
	for i, f := range fields {
		if f < len(values) { // a UDT without its last fields
			has[i] = values[f]
		}
	}
	if found = r.refersTo(has, target); found {
		for _, f := range fields {
			values[f] = nil
		}
	}
	return found
}

// clearIn clears the reference in a value: in a UDT, or in the elements of a collection.
func (r *CheckedReference) clearIn(c cell.Cell, steps []descriptor.Step, target cell.Row) (_ cell.Cell, found bool) {
	if c == nil {
		return nil, false
	}
	if steps[0].Fields != nil {
		values := decodeMembers(c)
		if found = r.clear(values, steps, target); !found {
			return c, false
		}
		return encodeMembers(values), true
	}
	per := 1
	if steps[0].Map {
		per = 2
	}
	var kept []cell.Cell
	w, n := cell.Elements(c, per)
	for range n {
		element := []cell.Cell{w.Next()}
		if per == 2 {
			element = append(element, w.Next())
		}
		in := false
		if last := &element[per-1]; len(steps) > 1 {
			*last, in = r.clearIn(*last, steps[1:], target)
		} else if in = r.isReference(*last, target); in {
			element = nil
		}
		found = found || in
		kept = append(kept, element...)
	}
	if found && steps[0].Set && len(steps) > 1 {
		kept = distinct(kept)
	}
	out := cell.Cell(cell.AppendCount(nil, len(kept)/per))
	for _, v := range kept {
		out = cell.AppendValue(out, v)
	}
	return out, found
}

// distinct returns the UDTs of a set without those that are equal to an earlier one. A UDT that ends early has nulls at the end.
func distinct(elements []cell.Cell) (out []cell.Cell) {
	seen := map[string]bool{}
	for _, c := range elements {
		members := decodeMembers(c)
		for len(members) > 0 && members[len(members)-1] == nil {
			members = members[:len(members)-1]
		}
		if name := string(encodeMembers(members)); !seen[name] {
			seen[name] = true
			out = append(out, c)
		}
	}
	return out
}

// decodeMembers returns the values of a UDT or a tuple.
func decodeMembers(c cell.Cell) (out []cell.Cell) {
	for w := cell.Members(c); w.More(); {
		out = append(out, w.Next())
	}
	return out
}

// encodeMembers returns the UDT or tuple with the values.
func encodeMembers(values []cell.Cell) (out cell.Cell) {
	for _, v := range values {
		out = cell.AppendValue(out, v)
	}
	return out
}

// isReference reports whether an element of a collection refers to a target: it is the key, or a tuple with a key of several values.
func (r *CheckedReference) isReference(c cell.Cell, target cell.Row) bool {
	if len(target) == 1 {
		return r.refersTo(cell.Row{c}, target)
	}
	return c != nil && r.refersTo(decodeMembers(c), target)
}

// refersTo reports whether values are the key of a target.
func (r *CheckedReference) refersTo(values []cell.Cell, target cell.Row) bool {
	if len(values) != len(target) {
		return false
	}
	for i, v := range values {
		if v == nil || !same(r.Table.Columns[i].Form.Canonical(v), target[i]) {
			return false
		}
	}
	return true
}

// Equal reports whether two rows have the same references.
func (all Refs) Equal(o Refs) bool {
	return slices.EqualFunc(all, o, func(a, b Ref) bool { return a.name == b.name })
}
