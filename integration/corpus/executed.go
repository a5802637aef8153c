package corpus

import (
	"slices"
	"strings"
)

// Executable generates a model for which a store can be generated: it uses only supported constructs. Two of three models
// have a fault that only the generator finds, and that other models cannot have.
func (g *Generator) Executable() *Model {
	g.executed = true
	defer func() { g.executed = false }()
	m := g.model(5 + g.rand.IntN(3))
	g.remaining()
	m.Executable = true
	if g.executables++; g.executables%3 != 0 {
		for range 1 + g.rand.IntN(2) {
			g.plant((*Fault).Generated)
		}
	}
	return m
}

// executes reports whether a store supports the type, without regard to the types in it.
func (t *Type) executes() bool {
	return !slices.Contains([]Kind{Vector, Coded, Texted, Null, Tuple}, t.Kind)
}

// executedFamilies are the kinds of aggregates that a store supports.
func (g *Generator) executedFamilies() []choice {
	return []choice{
		{"executed root", func() { g.root() }},
		{"executed counters", func() { g.counters() }},
		{"executed projection", func() {
			g.choose("executed projection", []choice{
				{"by another key", func() { g.byAnotherKey() }},
				{"distinct", func() { g.distinct() }},
				{"source embedded", func() { g.embedded() }},
				{"path into a composition", func() { g.intoComposition() }},
			})
		}},
		{"executed collection projection", func() {
			g.choose("executed elements", []choice{
				{"of a map", func() { g.elementsOfMap() }},
				{"of a map of structs", func() { g.elementsOfObjects(true) }},
				{"of a set", func() { g.elementsOfSet() }},
				{"of a list", func() { g.elementsOfList() }},
				{"of value objects", func() { g.elementsOfObjects(false) }},
			})
		}},
		{"executed view", func() {
			root := g.root()
			g.choose("executed view", []choice{
				{"of a root", func() { g.view(root) }},
				{"of a projection", func() { g.viewOfProjection(g.addRoot(shapeOf{single: true, simple: true})) }},
			})
		}},
	}
}

// executedAttributes are the ways to add an attribute that a store supports to a root.
func (g *Generator) executedAttributes(s *Struct) []choice {
	return []choice{
		{"single value", func() { g.single(s) }},
		{"value", func() { g.fieldOptions(g.add(s, g.value(atColumn))) }},
		{"composition of one", func() { g.fieldOptions(g.add(s, g.valueObject(wants{depth: 1}))) }},
		{"composition of many", func() { g.many(s) }},
		{"composition by key", func() { g.keyed(s) }},
		{"inherited", func() { g.inherited(s) }},
		{"omitted field", func() { g.leftOut(s) }},
		{"executed index", func() {
			g.choose("executed index", []choice{
				{"of a value", func() { g.indexed(s) }},
				{"with options", func() { g.indexedWith(s) }},
				{"of a vector", func() { g.indexedVector(s) }},
				{"of elements", func() { g.indexedElements(s) }},
			})
		}},
	}
}

// generatedFaults are names that only the generated file declares. Unlike all others they can be in one name space with the
// names that the generator itself declares, so they are never created in a keyspace.
func generatedFaults() []*Fault {
	declared := func(what string, names ...string) *Fault {
		return &Fault{"AML505", what, func(g *Generator) Place { return g.declared(g.untaken(names)) }}
	}
	return []*Fault{
		declared("a name of the store", "Store", "Open", "newStore", "storeSchema"),
		declared("a predeclared name of Go", "len", "cap", "close", "copy"),
		declared("the name of a package", "gen", "mapper", "gocqlx", "context"),
		{"AML505", "a name of a table", func(g *Generator) Place {
			s := g.base()
			s.Tag.Name = strings.ToLower(s.Name)
			name := strings.ToUpper(s.Tag.Name[:1]) + s.Tag.Name[1:]
			return g.declared(g.untaken([]string{name + "Table", name + "Metadata", s.Tag.Name + "Table", s.Tag.Name + "Codec", s.Tag.Name + "Insert"}))
		}},
		{"AML505", "two tables of one Go name", func(g *Generator) Place {
			first, second := g.base(), g.base()
			first.Tag.Name = strings.ToLower(first.Name) + "_b"
			second.Tag.Name = strings.ToLower(first.Name) + "_B"
			return Place{Struct: second}
		}},
		{"AML505", "a member of the store", func(g *Generator) Place {
			s := g.base()
			s.Tag.Name = g.untaken([]string{"session", "with", "batch", "reconcile"})
			return Place{Struct: s}
		}},
		{"AML505", "a member of a query", func(g *Generator) Place {
			s := g.base()
			g.bad2(s, g.pickOne([]string{"All", "First", "Limit", "Page", "PageSize", "Query", "Reverse"}), "int32", "discriminator")
			g.bad2(s, "No", "int32", "discriminator")
			return Place{Struct: s}
		}},
		{"AML505", "a method of an index", func(g *Generator) Place {
			s := g.base()
			g.bad2(s, "Rack", "string", "index")
			g.bad2(s, "ByRack", "int32", "discriminator")
			return Place{Struct: s}
		}},
		{"AML505", "a view named like a table", func(g *Generator) Place {
			v := g.badView(g.base().Name)
			g.base().Tag.Name = v.Name
			return Place{Struct: v}
		}},
		{"AML506", "a digit", func(g *Generator) Place {
			s := g.base()
			s.Tag.Name = "2fa_" + strings.ToLower(s.Name)
			return Place{Struct: s}
		}},
		{"AML506", "a digit after _", func(g *Generator) Place {
			s := g.base()
			s.Tag.Name = "_9_" + strings.ToLower(s.Name)
			return Place{Struct: s}
		}},
		{"AML506", "no letter", func(g *Generator) Place {
			s := g.base()
			s.Tag.Name = g.untaken([]string{"___", "_", "____", "_____"})
			return Place{Struct: s}
		}},
	}
}

// declared adds a plain struct with a name.
func (g *Generator) declared(name string) Place {
	s := g.pair(Plain)
	s.Name = name
	return Place{Struct: s}
}

// untaken returns and claims one of some names that the model does not use. A model has fewer faults than there are names.
func (g *Generator) untaken(names []string) string {
	name := g.pickOne(names)
	for g.m.taken[name] {
		name = g.pickOne(names)
	}
	g.m.taken[name] = true
	return name
}
