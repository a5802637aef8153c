package model

import "slices"

// table returns the aggregate that has the table of a source. For a part in the table of its root this is the root.
func (a *Aggregate) table() *Aggregate {
	if a.InRootTable {
		return a.Root
	}
	return a
}

// Derived returns the tables that an aggregate needs in addition to its own.
func (a *Aggregate) Derived() []string {
	var out []string
	for _, u := range a.Uniques {
		out = append(out, u.Table)
	}
	if a.Pending() {
		out = append(out, a.Table+"__sync")
	}
	for _, c := range a.Copies {
		if !c.Checked() {
			out = append(out, c.Table)
		}
	}
	for _, x := range a.Associations {
		if x.Table != "" && !slices.Contains(out, x.Table) {
			out = append(out, x.Table)
		}
	}
	return out
}

// Pending reports whether a save of the aggregate writes rows of other tables, so that unfinished work of an earlier save is
// stored with it.
func (a *Aggregate) Pending() bool {
	return a.Version != nil && (len(a.Projections) > 0 || len(a.Copies) > 0 ||
		slices.ContainsFunc(a.Parts, func(p *Aggregate) bool { return len(p.Projections) > 0 }) ||
		slices.ContainsFunc(a.Associations, func(x *Association) bool { return x.Checked }))
}

// columns returns the columns of the table of an aggregate; a table shared with a part has the columns of both.
func (a *Aggregate) columns() []*Attribute {
	out := a.Attributes
	for _, p := range a.Parts {
		if !p.InRootTable {
			continue
		}
		for _, at := range p.Attributes {
			if !slices.Contains(p.Identifier, at) {
				out = append(slices.Clip(out), at)
			}
		}
		return out // a second one is refused
	}
	return out
}

// everySource reports whether every source has exactly one row until it expires or is deleted.
func (a *Aggregate) everySource() bool {
	return a.Redundancy.When == nil && a.Redundancy.Path == nil && !a.Properties.Expires()
}

// Reads returns the attributes that a method of the aggregate's struct reads. If it counts as reading all of them, why is the reason.
func (a *Aggregate) Reads(m *Method) (out []*Attribute, why string) {
	switch {
	case m.Reads == nil:
		return nil, "its source is not known"
	case m.Reads.Everything != "":
		return nil, m.Reads.Everything
	}
	for _, path := range m.Reads.Paths {
		i := slices.IndexFunc(a.Attributes, func(at *Attribute) bool { return slices.Equal(at.Path, path) })
		switch {
		case i < 0:
			return nil, "it reads " + path[len(path)-1] + ", which is not stored"
		case a.Attributes[i].Disjunction != nil && a.Attributes[i].Disjunction.Column == a.Attributes[i]:
			return nil, "it reads " + path[len(path)-1] + ", which the store sets"
		}
		out = append(out, a.Attributes[i])
	}
	return out, ""
}
