package model

import (
	"slices"
	"strings"
)

// uniqueReader collects the values that are declared unique.
type uniqueReader struct {
	*faults
	model *Model
}

// uniques collects the unique values of an aggregate.
func (r *uniqueReader) uniques() {
	for _, a := range r.model.Aggregates {
		if a.Tag.Has("redundant") || a.Root != nil {
			continue
		}
		for _, w := range walk(a.Attributes) {
			o, ok := w.attribute().Tag.Option("unique")
			if ok && !w.attribute().Type.collection() && !w.copied() {
				r.unique(a, w, o)
			}
		}
		for _, u := range a.Uniques {
			u.Table = a.Table + "__" + u.table() + "_unique"
			checkDerived(r.faults, u.Paths[0].Steps[0], u.Table)
			r.reservation(a, u)
		}
	}
	for _, a := range r.model.Aggregates {
		if a.Tag.Has("redundant") {
			for _, at := range a.Attributes {
				if o, ok := at.Tag.Option("unique"); ok && !at.Type.collection() {
					r.add(o.Pos, RuleMisplacedOption, "delete it, and declare it on the source", "unique on a single value has no effect on a redundant aggregate")
				}
			}
		}
	}
}

// reservation refuses columns with the same name in a reservation table.
func (r *uniqueReader) reservation(a *Aggregate, u *Unique) {
	taken := set("aml_at aml_floor")
	for _, k := range a.Key() {
		taken["aml_owner_"+k.Name] = true
	}
	for _, p := range u.Paths {
		name := u.Column(p)
		if taken[name] {
			o, _ := p.Steps[len(p.Steps)-1].Tag.Option("unique")
			r.add(o.Pos, RuleColumnTwice, "use another name", "%s: the table %s already has a column %s", o, u.Table, name)
		}
		taken[name] = true
	}
}

// unique adds one attribute, separately or to its group.
func (r *uniqueReader) unique(a *Aggregate, w walkStep, o Option) {
	if why := uniqueFault(w, o); why != "" {
		r.add(o.Pos, RuleUnique, "declare it on another field", "%s on %s: %s", o, w.attribute().GoName(), why)
		return
	}
	p := &Path{Source: a, Steps: w.path, Loop: slices.IndexFunc(w.path[:len(w.path)-1], func(x *Attribute) bool { return x.Type.collection() })}
	if o.Value != "" {
		if i := slices.IndexFunc(a.Uniques, func(u *Unique) bool { return u.Name == o.Value }); i >= 0 {
			a.Uniques[i].Paths = append(a.Uniques[i].Paths, p)
			return
		}
		if why := checkGroup(o.Value); why != "" {
			r.add(o.Pos, RuleName, "use a valid Go name for the group", "group %q: %s", o.Value, why)
			return
		}
	}
	name := o.Value
	if name == "" {
		name = p.GoNames()
	}
	a.Uniques = append(a.Uniques, &Unique{Name: name, Paths: []*Path{p}})
}

// uniqueFault returns why a value cannot be claimed; "" if it can.
func uniqueFault(w walkStep, o Option) string {
	if w.tuple {
		return "its values are in a tuple in " + w.path[0].GoName()
	}
	loops := 0
	for i, s := range w.path {
		switch {
		case s.Type.Kind == MapType && len(s.Type.Qualifier) == 0 && i < len(w.path)-1:
			return "its values are in a map"
		case s.Static:
			return "it belongs to the partition, not to the row"
		case s.Type.collection() && s.Type.Elem.collection():
			loops += 2
		case s.Type.collection():
			loops++
		}
	}
	at := w.attribute()
	switch {
	case at.Key && len(w.path) == 1:
		return "it is part of the key"
	case loops > 1:
		return "its values are in a collection inside a collection"
	case loops > 0 && o.Value != "":
		return "the fields of a group must be in single values, and this one is in a collection"
	case at.Type.Kind != Scalar || at.Type.holds("duration") || at.Counter:
		return at.Type.String() + " cannot be a key of the reservation table"
	}
	return ""
}

// Column returns the name of a value of the group in the reservation table: its own, or its whole path if two values have the
// same name.
func (u *Unique) Column(p *Path) string {
	name := p.Steps[len(p.Steps)-1].Name
	for _, o := range u.Paths {
		if o != p && o.Steps[len(o.Steps)-1].Name == name {
			return walkStep{path: p.Steps}.names()
		}
	}
	return name
}

// table returns the part of the reservation table's name that identifies the unique values.
func (u *Unique) table() string {
	if len(u.Paths) == 1 && u.Name == u.Paths[0].GoNames() {
		return walkStep{path: u.Paths[0].Steps}.names()
	}
	return SnakeCase(u.Name)
}

// GoName returns the name of the values in method names: Email, PassportNumber for Passport.Number, TaxID for the group tax_id.
func (u *Unique) GoName() string {
	if path := u.Paths[0].GoNames(); len(u.Paths) == 1 && u.Name == path {
		return strings.ReplaceAll(path, ".", "")
	}
	return CamelCase(u.Name)
}
