package model

import "slices"

// groupReader collects the groups that fields of one struct declare.
type groupReader struct{ *faults }

// groups collects the groups of xor= and any= in a struct. The column with the name of the member in use is the field with the
// group's name, else a hidden column before the first member.
func (r *groupReader) groups(in []*Attribute) ([]*Attribute, []*Disjunction, []*Alternatives) {
	var xors []*Disjunction
	var anys []*Alternatives
	for _, at := range in {
		if at.Counter { // a group cannot contain counters
			continue
		}
		if o, ok := at.Tag.Option("xor"); ok {
			xors = r.join(xors, at, o)
		}
		if o, ok := at.Tag.Option("any"); ok {
			anys = r.joinAlternatives(anys, at, o)
		}
	}
	for _, g := range xors {
		in = r.disjunction(g, in)
	}
	for _, g := range anys {
		if len(g.Members) == 1 {
			o, _ := g.Members[0].Tag.Option("any")
			r.add(o.Pos, RuleGroupOfOne, "add any="+g.Name+" to another field, or write required", "the group %s has one member", g.Name)
		}
	}
	return in, xors, anys
}

func (r *groupReader) join(groups []*Disjunction, at *Attribute, o Option) []*Disjunction {
	if why := checkGroup(o.Value); why != "" {
		r.add(o.Pos, RuleName, "use a valid Go name for the group", "group %q: %s", o.Value, why)
		return groups
	}
	switch {
	case at.Static:
		r.add(o.Pos, RuleNeverEmpty, "delete static, or remove it from the group", "%s belongs to the partition and cannot be an alternative of a row", at.GoName())
	case at.Key || !at.Type.canBeEmpty():
		r.add(o.Pos, RuleNeverEmpty, "use a pointer, outside the key", "%s always has a value and cannot be an alternative", at.GoName())
	}
	i := slices.IndexFunc(groups, func(g *Disjunction) bool { return g.Name == o.Value })
	if i < 0 {
		groups = append(groups, &Disjunction{Name: o.Value})
		i = len(groups) - 1
	}
	at.Disjunction = groups[i]
	groups[i].Members = append(groups[i].Members, at)
	return groups
}

func (r *groupReader) joinAlternatives(groups []*Alternatives, at *Attribute, o Option) []*Alternatives {
	if why := checkGroup(o.Value); why != "" {
		r.add(o.Pos, RuleName, "use a valid Go name for the group", "group %q: %s", o.Value, why)
		return groups
	}
	if !at.Type.canBeMissing() || at.Key {
		r.add(o.Pos, RuleNeverEmpty, "use a pointer, outside the key", "%s always has a value, so any=%s is always satisfied", at.GoName(), o.Value)
	}
	i := slices.IndexFunc(groups, func(g *Alternatives) bool { return g.Name == o.Value })
	if i < 0 {
		groups = append(groups, &Alternatives{Name: o.Value})
		i = len(groups) - 1
	}
	at.Alternative = groups[i]
	groups[i].Members = append(groups[i].Members, at)
	return groups
}

// checkGroup returns the reason why a group's name is invalid; "" if it is valid.
func checkGroup(name string) string {
	for i, r := range name {
		if !isWord(r) || i == 0 && r >= '0' && r <= '9' {
			return "it is not a valid Go name"
		}
	}
	if SnakeCase(name) == "" {
		return "no column name can be derived from it"
	}
	return ""
}

// disjunction completes a group: whether it is required, and its column.
func (r *groupReader) disjunction(g *Disjunction, in []*Attribute) []*Attribute {
	first := g.Members[0]
	o, _ := first.Tag.Option("xor")
	if len(g.Members) == 1 {
		r.add(o.Pos, RuleGroupOfOne, "add xor="+g.Name+" to another field, or delete it", "the group %s has one member", g.Name)
	}
	g.Mandatory = first.Mandatory
	for _, m := range g.Members {
		if m.Mandatory != g.Mandatory {
			o, _ := m.Tag.Option("xor")
			r.add(o.Pos, RuleHalfRequired, "write required on every member or on none", "only some members of the group %s are required: %s differs from %s", g.Name, m.GoName(), first.GoName())
			break
		}
	}
	if i := slices.IndexFunc(in, func(a *Attribute) bool { return a.GoName() == g.Name }); i >= 0 {
		g.Column = in[i]
		in[i].Disjunction = g
		if in[i].Key || in[i].Static {
			r.add(in[i].Pos, RuleDisjunctionColumn, "delete identifier, discriminator or static", "%s is computed from the members of the group and cannot be part of a key or static", g.Name)
		}
		if t := in[i].Type; in[i].Field.Type.Kind != String || t.CQL != "text" || t.Nullable {
			r.add(in[i].Pos, RuleDisjunctionColumn, "make it a string, or use another name for the group", "%s contains the name of the member of the group %s that is in use, so it must be a string", g.Name, g.Name)
		}
		return in
	}
	g.Column = &Attribute{Path: []string{g.Name}, Name: SnakeCase(g.Name), Disjunction: g, Pos: o.Pos,
		Multiplicity: Multiplicity{-1, -1}, Type: &Type{Kind: Scalar, CQL: "text", Go: &GoType{Kind: String, Text: "string"}}}
	return slices.Insert(slices.Clone(in), slices.Index(in, first), g.Column)
}
