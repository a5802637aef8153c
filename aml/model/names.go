package model

import (
	"slices"
	"strings"
)

// Derived returns the tables that an aggregate needs beside its own.
func (a *Aggregate) Derived() []string {
	var out []string
	for _, u := range a.Uniques {
		out = append(out, u.Table)
	}
	if a.Pending() {
		out = append(out, a.Table+"__sync")
	}
	for _, c := range a.Copies {
		out = append(out, c.Table)
	}
	for _, x := range a.Associations {
		if x.Table != "" && !slices.Contains(out, x.Table) {
			out = append(out, x.Table)
		}
	}
	return out
}

// Pending reports whether a save of the aggregate writes rows of other tables, so that what an earlier one left to do is kept
// with it.
func (a *Aggregate) Pending() bool {
	return a.Version != nil && (len(a.Projections) > 0 || len(a.Copies) > 0 ||
		slices.ContainsFunc(a.Associations, func(x *Association) bool { return x.Checked }))
}

// names refuses what would meet under one name: columns of a table, fields of a type, tables, types.
func (b *builder) names() {
	tables := map[string]*Aggregate{"aml_migrations": nil}
	for _, a := range b.model.Aggregates {
		own := append([]string{a.Table}, a.Derived()...)
		if a.InRootTable {
			own = nil
		}
		for _, t := range own {
			b.table(a, t, tables)
		}
		if sync := a.Table + "__sync"; slices.Contains(own, sync) && checkTable(a.Table) == "" && checkTable(sync) != "" {
			b.add(a.Tag.placeOr(a.Struct.Pos), RuleName, "give the table another name", "derived name %q: %s", sync, checkTable(sync))
		}
		if !a.InRootTable {
			b.columns(a.columns(), "column", a.Table)
		}
	}
	b.indexNames()
	types := map[string]*Object{}
	for _, a := range b.model.Aggregates {
		b.shadowed(a.Attributes)
	}
	for _, o := range b.model.Objects {
		b.visits = o.way
		b.shadowed(o.Attributes)
		b.columns(o.Attributes, "field", o.UDT)
		b.visits = nil
		if first, taken := types[o.UDT]; taken {
			b.sameType(first, o)
		} else {
			types[o.UDT] = o
		}
	}
}

// sameType refuses two types of one name, at the one that the user can give another.
func (b *builder) sameType(first, second *Object) {
	at := second
	if !b.written(second.Struct) && b.written(first.Struct) {
		at = first
	}
	pos, fix := b.rename(at)
	if b.written(at.Struct) {
		pos = at.Struct.Pos
	}
	describe := func(o *Object) string {
		if of := b.ofOther(o); of != "" {
			return strings.TrimPrefix(of, " of ")
		}
		return o.Struct.Pkg + "." + o.Struct.Name
	}
	b.put(pos, RuleTypeTwice, fix, "%s and %s are both stored as type %s", describe(first), describe(second), second.UDT)
}

func (b *builder) table(a *Aggregate, name string, taken map[string]*Aggregate) {
	first, known := taken[name]
	switch {
	case !known && strings.HasPrefix(name, "aml_"):
		b.add(a.Struct.Pos, RuleName, "give the table another name", "name %q: tables that begin with aml_ belong to the tool, and no migration may name them", name)
	case !known:
		taken[name] = a
	case first == nil:
		b.add(a.Struct.Pos, RuleTableTwice, "give the table another name", "table %s is where migrations are recorded", name)
	default:
		b.add(a.Struct.Pos, RuleTableTwice, "give one of them another name", "%s and %s are both stored in table %s", first.Struct.Name, a.Struct.Name, name)
	}
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

// indexNames refuses two indexes of one name: they share the keyspace's names.
func (b *builder) indexNames() {
	seen := map[string]*Attribute{}
	for _, a := range b.model.Aggregates {
		for _, at := range a.Attributes {
			if at.Index == nil {
				continue
			}
			if first, taken := seen[at.Index.Name]; taken {
				o, _ := at.Tag.Option("index")
				b.add(o.Pos, RuleColumnTwice, "give one of them another name", "the indexes of %s and %s are both named %s", first.GoName(), at.GoName(), at.Index.Name)
			}
			seen[at.Index.Name] = at
		}
	}
}

// shadowed refuses two attributes of one Go name in one struct: Go, and every path, would mean the outer one of them.
func (b *builder) shadowed(in []*Attribute) {
	seen := map[string]*Attribute{}
	for _, at := range in {
		if first, taken := seen[at.GoName()]; taken && at.Name != first.Name && !at.Hidden() && !first.Hidden() {
			b.add(at.Pos, RuleColumnTwice, "give one of them another Go name", "%s and %s have one Go name, and no path could tell them apart",
				strings.Join(first.Path, "."), strings.Join(at.Path, "."))
			continue
		}
		seen[at.GoName()] = at
	}
}

func (b *builder) columns(in []*Attribute, kind, of string) {
	seen := map[string]*Attribute{}
	for _, at := range in {
		if kind == "column" && strings.HasPrefix(at.Name, "aml_") {
			b.add(at.Pos, RuleName, "give it another name", "name %q: columns that begin with aml_ belong to the tool", at.Name)
		}
		if first, taken := seen[at.Name]; taken {
			b.add(at.Pos, RuleColumnTwice, "give one of them another name", "%s and %s are both stored in %s %s of %s",
				strings.Join(first.Path, "."), strings.Join(at.Path, "."), kind, at.Name, of)
			continue
		}
		seen[at.Name] = at
	}
}
