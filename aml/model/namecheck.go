package model

import (
	"slices"
	"strings"
)

// nameChecker refuses names that a model declares twice.
type nameChecker struct {
	*faults
	*visits
	model *Model
}

// names refuses duplicate names: columns of a table, fields of a type, tables, types.
func (c *nameChecker) names() {
	tables := map[string]*Aggregate{"aml_migrations": nil}
	for _, a := range c.model.Aggregates {
		own := append([]string{a.Table}, a.Derived()...)
		if a.InRootTable {
			own = nil
		}
		for _, t := range own {
			c.table(a, t, tables)
		}
		if sync := a.Table + "__sync"; slices.Contains(own, sync) && checkTable(a.Table) == "" && checkTable(sync) != "" {
			c.add(a.Tag.placeOr(a.Struct.Pos), RuleName, "use another name for the table", "derived name %q: %s", sync, checkTable(sync))
		}
		if !a.InRootTable {
			c.columns(a.columns(), "column", a.Table)
		}
	}
	c.indexNames()
	types := map[string]*Object{}
	for _, a := range c.model.Aggregates {
		c.shadowed(a.Attributes)
	}
	for _, o := range c.model.Objects {
		c.way = o.way
		c.shadowed(o.Attributes)
		c.columns(o.Attributes, "field", o.UDT)
		c.way = nil
		if first, taken := types[o.UDT]; taken {
			c.sameType(first, o)
		} else {
			types[o.UDT] = o
		}
	}
}

// sameType refuses two types with the same name, at the one that the user can rename.
func (c *nameChecker) sameType(first, second *Object) {
	at := second
	if !c.written(second.Struct) && c.written(first.Struct) {
		at = first
	}
	pos, fix := c.rename(at)
	if c.written(at.Struct) {
		pos = at.Struct.Pos
	}
	describe := func(o *Object) string {
		if of := c.ofOther(o); of != "" {
			return strings.TrimPrefix(of, " of ")
		}
		return o.Struct.Pkg + "." + o.Struct.Name
	}
	c.put(pos, RuleTypeTwice, fix, "%s and %s are both stored as type %s", describe(first), describe(second), second.UDT)
}

func (c *nameChecker) table(a *Aggregate, name string, taken map[string]*Aggregate) {
	first, known := taken[name]
	switch {
	case !known && strings.HasPrefix(name, "aml_"):
		c.add(a.Struct.Pos, RuleName, "use another name for the table", "name %q: tables that begin with aml_ are reserved for the tool, and migrations must not contain them", name)
	case !known:
		taken[name] = a
	case first == nil:
		c.add(a.Struct.Pos, RuleTableTwice, "use another name for the table", "table %s is the table that records migrations", name)
	default:
		c.add(a.Struct.Pos, RuleTableTwice, "rename one of them", "%s and %s are both stored in table %s", first.Struct.Name, a.Struct.Name, name)
	}
}

// indexNames refuses two indexes with the same name, which must be unique in the keyspace.
func (c *nameChecker) indexNames() {
	seen := map[string]*Attribute{}
	for _, a := range c.model.Aggregates {
		for _, at := range a.Attributes {
			if at.Index == nil {
				continue
			}
			if first, taken := seen[at.Index.Name]; taken {
				o, _ := at.Tag.Option("index")
				c.add(o.Pos, RuleColumnTwice, "rename one of them", "the indexes of %s and %s are both named %s", first.GoName(), at.GoName(), at.Index.Name)
			}
			seen[at.Index.Name] = at
		}
	}
}

// shadowed refuses two attributes with the same Go name in one struct: Go, and every path, would refer to the outer one.
func (c *nameChecker) shadowed(in []*Attribute) {
	seen := map[string]*Attribute{}
	for _, at := range in {
		if first, taken := seen[at.GoName()]; taken && at.Name != first.Name && !at.Hidden() && !first.Hidden() {
			c.add(at.Pos, RuleColumnTwice, "rename one of the fields", "%s and %s have the same Go name, so a path would be ambiguous",
				strings.Join(first.Path, "."), strings.Join(at.Path, "."))
			continue
		}
		seen[at.GoName()] = at
	}
}

func (c *nameChecker) columns(in []*Attribute, kind, of string) {
	seen := map[string]*Attribute{}
	for _, at := range in {
		if kind == "column" && strings.HasPrefix(at.Name, "aml_") {
			c.add(at.Pos, RuleName, "use another name", "name %q: columns that begin with aml_ are reserved for the tool", at.Name)
		}
		if first, taken := seen[at.Name]; taken {
			c.add(at.Pos, RuleColumnTwice, "rename one of them", "%s and %s are both stored in %s %s of %s",
				strings.Join(first.Path, "."), strings.Join(at.Path, "."), kind, at.Name, of)
			continue
		}
		seen[at.Name] = at
	}
}
