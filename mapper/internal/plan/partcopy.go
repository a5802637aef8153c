package plan

import (
	"slices"

	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// PartChange is a row of a part before and after a save of its versioned root, with the results of methods; nil: there is no row.
type PartChange struct{ Before, After cell.Row }

// CopiedPart returns the part of a versioned root that has copies; nil if there is none.
func (a *Aggregate) CopiedPart() *Aggregate {
	if a.Versioning == nil || a.Versioning.Part == nil {
		return nil
	}
	return a.Versioning.Part.Of
}

// PendingCopy returns the projection of the root or of its part for the table of a pending row; nil for none.
func (a *Aggregate) PendingCopy(table string) *Projection {
	if c := a.CopyNamed(table); c != nil {
		return c
	}
	return a.partCopy(table)
}

// partCopy returns the projection of the part for the table with a name; nil for none.
func (a *Aggregate) partCopy(table string) *Projection {
	if part := a.CopiedPart(); part != nil {
		return part.CopyNamed(table)
	}
	return nil
}

// partsEntry is the pending row of a deleted root whose parts are still there, because rows of their copies can be. No copy has its table.
func (a *Aggregate) partsEntry(key cell.Row, at Version) Pending {
	return Pending{Table: a.Root.Name, Key: key[:a.Root.Key:a.Root.Key], At: at}
}

// marksParts reports whether a pending row is the entry of a deleted root whose parts are still there.
func (a *Aggregate) marksParts(p Pending) bool {
	return a.Versioning.Part != nil && p.Table == a.Root.Name
}

// PartsSince returns the version at which a root was deleted whose parts are still there; 0 if no parts are left by a deletion.
func (a *Aggregate) PartsSince(s *State) Version {
	if s == nil || !s.Deleted {
		return 0
	}
	for _, p := range s.Pending {
		if a.marksParts(p) {
			return p.At
		}
	}
	return 0
}

// withoutParts removes from pending rows the one of [Aggregate.PartsSince].
func (a *Aggregate) withoutParts(pending []Pending) []Pending {
	return slices.DeleteFunc(pending, a.marksParts)
}

// PendingParts returns the keys of the parts whose copies have pending rows of a state, each once. A save adds all rows that the parts that
// it writes had or have, so the copies of all other parts are written.
func (a *Aggregate) PendingParts(s *State) (keys []cell.Row) {
	seen := map[string]bool{}
	for _, p := range s.Pending {
		c := a.partCopy(p.Table)
		if c == nil || len(p.Key) != c.Table.Key {
			continue
		}
		row := make(cell.Row, len(c.Table.Columns))
		copy(row, p.Key)
		key := c.RootKey(row)
		if key == nil {
			continue
		}
		if name := string(pendingKey("", key)); !seen[name] {
			seen[name], keys = true, append(keys, key)
		}
	}
	return keys
}

// partRows returns mutations that write the complete rows of all copies that follow from rows of the part, at a version.
func (a *Aggregate) partRows(parts []cell.Row, at Version) (out []Mutation, err error) {
	for _, row := range parts {
		rows, err := PlanPart(a.CopiedPart(), row, at)
		if err != nil {
			return nil, err
		}
		out = append(out, rows...)
	}
	return out, nil
}

// PlanPart returns mutations that write the complete rows of all copies that follow from a row of the part of a versioned root, at the version of
// the root. A root without a version has the time longAgo, as in [Aggregate.CopyRows].
func PlanPart(part *Aggregate, row cell.Row, at Version) ([]Mutation, error) {
	return part.completeRows(row, max(at, longAgo), true)
}

// partKeys adds the names of the rows of copies that follow from a row of the part.
func (a *Aggregate) partKeys(all map[string]Pending, part cell.Row) (map[string]Pending, error) {
	of := a.CopiedPart()
	for i := range of.Copies {
		c := &of.Copies[i]
		rows, err := c.project(part)
		if err != nil {
			return nil, err
		}
		for j := range rows.n {
			if row := rows.row(j); hasKey(view{row: row}, c.Table) {
				all = withKey(all, c.Table, row[:c.Table.Key:c.Table.Key])
			}
		}
	}
	return all, nil
}

// changeParts adds to a save the rows of copies of the parts that it changes: all rows that the parts had before or have now are pending until
// a later save, because nothing else shows which parts the save has changed. They are deleted or written again as the parts then are.
func (a *Aggregate) changeParts(s *Save, changed []PartChange) (pending map[string]Pending, err error) {
	var after []cell.Row
	for i := range changed {
		if pending, err = a.partKeys(pending, changed[i].Before); err != nil {
			return nil, err
		}
		if pending, err = a.partKeys(pending, changed[i].After); err != nil {
			return nil, err
		}
		if changed[i].After != nil {
			after = append(after, changed[i].After)
		}
	}
	if s.partRows, err = a.partRows(after, s.State.Version); err != nil {
		return nil, err
	}
	for name, p := range pending {
		p.At = s.State.Version
		pending[name] = p
	}
	return pending, nil
}

// PlanSettle returns the mutations that make the copies of the parts of a state right whose rows are pending: parts are the existing ones of
// [Aggregate.PendingParts], as they are at the version of the state.
func (a *Aggregate) PlanSettle(s *State, parts []cell.Row) ([]Mutation, error) {
	rows, err := a.partRows(parts, s.Version)
	if err != nil {
		return nil, err
	}
	pending := slices.DeleteFunc(slices.Clone(s.Pending), func(p Pending) bool { return a.partCopy(p.Table) == nil })
	return append(a.drop(pending, rows), rows...), nil
}

// drop returns the deletes of pending rows, each at the version of the save that dropped the row, except for rows of parts that are written.
func (a *Aggregate) drop(pending []Pending, written []Mutation) (out []Mutation) {
	var stays map[string]Pending
	for i := range written {
		if m := &written[i]; a.partCopy(m.Table.Name) != nil {
			stays = withKey(stays, m.Table, m.PrimaryKey())
		}
	}
	for _, p := range pending {
		t := a.derivedTable(p.Table)
		if t == nil || len(p.Key) != t.Key {
			continue
		}
		if _, written := stays[string(pendingKey(p.Table, p.Key))]; written {
			continue
		}
		row := make(cell.Row, len(t.Columns))
		copy(row, p.Key)
		out = append(out, Mutation{Table: t, Row: row, Action: Delete, At: p.At})
	}
	return out
}

// PlanPartDeletes returns the mutations that delete all rows of copies of a row of the part, at a version.
func (a *Aggregate) PlanPartDeletes(part cell.Row, at Version) ([]Mutation, error) {
	all, err := a.partKeys(nil, part)
	if err != nil {
		return nil, err
	}
	pending := sorted(all)
	for i := range pending {
		pending[i].At = at
	}
	return a.drop(pending, nil), nil
}

// Overlaid returns a row of a part of which a write changes some columns.
func Overlaid(before, after cell.Row, w *PartWrite) cell.Row {
	if before == nil || w.Action != ChangePart && w.Action != ChangePartIf {
		return after
	}
	out := slices.Clone(before)
	for i := range w.Write.All() {
		out[i] = after[i]
	}
	return out
}
