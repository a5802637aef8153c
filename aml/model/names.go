package model

import "strings"

// names refuses what would meet under one name: columns of a table, fields of a type, tables, types.
func (b *builder) names() {
	tables := map[string]*Aggregate{}
	for _, a := range b.model.Aggregates {
		if first, taken := tables[a.Table]; taken {
			b.add(a.Struct.Pos, RuleTableTwice, "give one of them another name", "%s and %s are both stored in table %s", first.Struct.Name, a.Struct.Name, a.Table)
		} else {
			tables[a.Table] = a
		}
		b.columns(a.Attributes, "column", a.Table)
	}
	types := map[string]*Object{}
	for _, o := range b.model.Objects {
		if first, taken := types[o.UDT]; taken {
			b.add(b.own(o.Struct, first.Struct).Pos, RuleTypeTwice, "embed aml.ValueObject with another name in its tag", "%s.%s and %s.%s are both stored as type %s",
				first.Struct.Pkg, first.Struct.Name, o.Struct.Pkg, o.Struct.Name, o.UDT)
		} else {
			types[o.UDT] = o
		}
		b.columns(o.Attributes, "field", o.UDT)
	}
}

// own gives the struct that is declared in the package itself, where the user can mend it; s when none or both are.
func (b *builder) own(s, o *Struct) *Struct {
	if s.Path != b.model.Package.Path && o.Path == b.model.Package.Path {
		return o
	}
	return s
}

func (b *builder) columns(in []*Attribute, kind, of string) {
	seen := map[string]*Attribute{}
	for _, at := range in {
		if first, taken := seen[at.Name]; taken {
			b.add(at.Pos, RuleColumnTwice, "give one of them another name", "%s and %s are both stored in %s %s of %s",
				strings.Join(first.Path, "."), strings.Join(at.Path, "."), kind, at.Name, of)
			continue
		}
		seen[at.Name] = at
	}
}
