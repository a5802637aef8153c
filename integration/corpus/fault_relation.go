package corpus

import (
	"slices"
	"strings"
)

func relationFaults() []*Fault {
	return slices.Concat(associationFaults(), copyFaults(), partFaults(), []*Fault{
		{"AML605", "nothing", func(g *Generator) Place { return Place{Struct: g.badView("Nothing"), Marker: true} }},
		{"AML605", "a name", func(g *Generator) Place {
			v := g.badView(g.base().Name)
			v.Tag.Name = "a_view"
			return Place{Struct: v, Marker: true}
		}},
		{"AML605", "no such field", func(g *Generator) Place { return g.bad(g.badView(g.base().Name), "string") }},
		{"AML605", "another type", func(g *Generator) Place {
			s := g.base()
			g.bad2(s, "Label", "string")
			return g.bad2(g.badView(s.Name), "Label", "int32")
		}},
		{"AML605", "no fields", func(g *Generator) Place {
			v := g.badView(g.base().Name)
			v.Fields = nil
			return Place{Struct: v}
		}},
	})
}

func (g *Generator) badView(of string) *Struct {
	v := g.structure(View, Aggregate, "")
	v.Tag = tag("", "of="+of)
	g.named(v, "ID", scalar("int32", "int"))
	return v
}

func associationFaults() []*Fault {
	to := func(code, name, goText string, options ...string) *Fault {
		return &Fault{code, name, func(g *Generator) Place {
			t := g.versionedBase()
			var with []string
			for _, o := range options {
				with = append(with, strings.ReplaceAll(o, "Target", t.Name))
			}
			return g.bad(g.versionedBase(), goText, with...)
		}}
	}
	return []*Fault{
		field("AML601", "int32", "association=Nothing"), field("AML601", "int32", "association=kinds.Nothing"), field("AML601", "string", "association=kinds.Account"),
		field("AML601", "string", "association=kinds.Branch"), field("AML601", "string", "association=kinds.Branch.Bank"),
		to("AML601", "another type", "string", "association=Target"), to("AML601", "no part of the key", "int64", "association=Target.Version"),
		to("AML601", "a map", "map[string]int32", "association=Target"), to("AML601", "nested", "[][]int32", "association=Target"),
		to("AML602", "an unknown way", "int32", "association=Target", "checked", "ondelete=forget"),
		to("AML602", "keep", "int32", "association=Target", "checked", "ondelete=keep"),
		to("AML602", "clear what cannot be null", "int32", "association=Target", "checked", "ondelete=clear"),
		to("AML602", "clear what is required", "*int32", "association=Target", "checked", "ondelete=clear", "required"),
		to("AML602", "clear a key", "int32", "association=Target", "checked", "ondelete=clear", "discriminator"),
		{"AML602", "cascade of a copy", func(g *Generator) Place {
			holder, t := g.holder("int32")
			return g.bad(holder, "string", "copy="+t.Name+".Label", "ondelete=cascade")
		}},
		to("AML602", "clear what others need", "*int32", "association=Target", "checked", "ondelete=clear", "any=group"),
		{"AML606", "cascade to a restricted root", func(g *Generator) Place {
			target, child, other := g.versionedBase(), g.versionedBase(), g.versionedBase()
			g.bad2(other, "Ref", "int32", "association="+child.Name, "checked")
			return g.bad(child, "int32", "association="+target.Name, "checked", "ondelete=cascade")
		}},
		{"AML601", "checked in a tuple", func(g *Generator) Place {
			s, e, pair := g.versionedBase(), g.structure(Object, Plain, ""), g.structure(TupleOf, Plain, "")
			g.bad2(pair, "Item", e.Name, "composition")
			g.bad(s, "[]"+pair.Name, "type=tuple", "max=3")
			return g.bad2(e, "Ref", "int32", "association="+s.Name, "checked")
		}},
		{"AML601", "a projection", func(g *Generator) Place {
			_, p := g.projection()
			return g.bad(g.victim(), "int32", "association="+p.Name)
		}},
		{"AML601", "another key", func(g *Generator) Place {
			t := g.base()
			g.bad2(t, "No", "int32", "discriminator")
			return g.bad(g.victim(), "int32", "association="+t.Name)
		}},
	}
}

// holder adds a root that refers to another one with a label.
func (g *Generator) holder(goText string) (holder, target *Struct) {
	t := g.versionedBase()
	g.bad2(t, "Label", "string")
	h := g.versionedBase()
	g.bad2(h, "Target", goText, "association="+t.Name)
	return h, t
}

func copyFaults() []*Fault {
	copies := func(name, goText, value string) *Fault {
		return &Fault{"AML603", name, func(g *Generator) Place {
			h, t := g.holder("int32")
			return g.bad(h, goText, "copy="+strings.ReplaceAll(value, "Target", t.Name))
		}}
	}
	return []*Fault{
		copies("no such field", "string", "Target.Nothing"), copies("no field", "string", "Target"), copies("another type", "int32", "Target.Label"),
		copies("no association above", "string", "Other.Label"), copies("its version", "int64", "Target.Version"), copies("a collection", "[]string", "Target.Label"),
		{"AML603", "an association of many", func(g *Generator) Place {
			h, t := g.holder("[]int32")
			return g.bad(h, "string", "copy="+t.Name+".Label")
		}},
		{"AML603", "without the key", func(g *Generator) Place {
			_, t := g.holder("int32")
			e := g.structure(Object, Plain, "")
			g.bad2(e, "Label", "string")
			return g.bad(g.versionedBase(), e.Name, "composition", "copy="+t.Name)
		}},
		{"AML603", "a copy of a copy", func(g *Generator) Place {
			h, t := g.holder("int32")
			g.bad2(h, "Label", "string", "copy="+t.Name+".Label")
			third := g.versionedBase()
			g.bad2(third, "Target", "int32", "association="+h.Name)
			return g.bad(third, "string", "copy="+h.Name+".Label")
		}},
		{"AML603", "nothing", func(g *Generator) Place {
			return g.bad(g.versionedBase(), g.pair(Plain).Name, "composition", "copy=Nothing")
		}},
	}
}

// badPart adds a part with an identifier.
func (g *Generator) badPart(of, goText string) *Struct {
	p := g.structure(Part, Entity, "")
	p.Tag = tag("", "part="+of)
	g.bad2(p, "ID", goText, "identifier")
	g.bad2(p, "No", "int32", "discriminator")
	return p
}

func partFaults() []*Fault {
	part := func(name string, of func(*Generator) *Struct) *Fault {
		return &Fault{"AML604", name, func(g *Generator) Place { return Place{Struct: of(g), Marker: true} }}
	}
	return []*Fault{
		part("of nothing", func(g *Generator) *Struct { return g.badPart("Nothing", "int32") }),
		part("another identifier", func(g *Generator) *Struct { return g.badPart(g.base().Name, "string") }),
		part("of a part", func(g *Generator) *Struct { return g.badPart(g.badPart(g.base().Name, "int32").Name, "int32") }),
		part("of a root with discriminators", func(g *Generator) *Struct {
			s := g.base()
			g.bad2(s, "No", "int32", "discriminator")
			return g.badPart(s.Name, "int32")
		}),
		part("of a projection", func(g *Generator) *Struct {
			_, p := g.projection()
			return g.badPart(p.Name, "int32")
		}),
		part("of counters", func(g *Generator) *Struct {
			s := g.base()
			g.bad(s, "int64", "counter")
			return g.badPart(s.Name, "int32")
		}),
		part("in a separate table under a version", func(g *Generator) *Struct { return g.badPart(g.versionedBase().Name, "int32") }),
		part("without a discriminator in its root's table", func(g *Generator) *Struct {
			s := g.versionedBase()
			p := g.badPart(s.Name, "int32")
			p.Tag.Name = g.nameTable(s)
			p.Fields = p.Fields[:1]
			return p
		}),
		part("the second in its root's table", func(g *Generator) *Struct {
			s := g.versionedBase()
			g.badPart(s.Name, "int32").Tag.Name = g.nameTable(s)
			p := g.badPart(s.Name, "int32")
			p.Tag.Name = g.nameTable(s)
			p.Fields[1].Name = "Other"
			return p
		}),
		{"AML604", "no required field", func(g *Generator) Place {
			s := g.base()
			g.badPart(s.Name, "int32").Tag.Name = g.nameTable(s)
			return Place{Struct: s}
		}},
	}
}

func warnings() []*Fault {
	warn := func(code, goText string, options ...string) *Fault {
		return &Fault{code, goText + " " + strings.Join(options, ","), func(g *Generator) Place { return g.bad(g.base(), goText, options...) }}
	}
	return []*Fault{
		{"AML901", "a value object", func(g *Generator) Place { return Place{Struct: g.pair(ValueObject)} }},
		{"AML901", "an entity", func(g *Generator) Place {
			e := g.pair(Entity)
			e.Fields[0].option("identifier")
			return Place{Struct: e}
		}},
		{"AML902", "a key that moves", func(g *Generator) Place {
			s := g.base()
			g.bad2(s, "Label", "string")
			p := g.keyedBy(s.Name, "Label", "string")
			g.bad2(p, "ID", "int32", "discriminator")
			return Place{Struct: p}
		}},
		{"AML902", "a list", func(g *Generator) Place {
			s := g.base()
			g.bad2(s, "Names", "[]string", "max=3")
			p := g.keyedBy(s.Name+".Names", "Word", "string", "from="+s.Name+".Names.$value")
			g.bad2(p, "ID", "int32", "discriminator", "from="+s.Name+".ID")
			return Place{Struct: p}
		}},
		warn("AML903", "[]string"), warn("AML903", "map[string]int32"), warn("AML903", "map[int64]struct{}"), warn("AML903", "[]string", "min=1"),
		{"AML904", "a bool", func(g *Generator) Place { return g.fewValues("bool") }},
		{"AML904", "a small number", func(g *Generator) Place { return g.fewValues("int8") }},
		{"AML905", "rows", func(g *Generator) Place {
			s := g.base("rows=100001")
			g.bad2(s, "No", "int32", "discriminator")
			return Place{Struct: s}
		}},
		{"AML905", "bytes", func(g *Generator) Place {
			s := g.base("rows=90000")
			g.bad2(s, "No", "int32", "discriminator")
			g.bad2(s, "Names", "[]string", "max=100")
			return Place{Struct: s}
		}},
		{"AML906", "of elements", func(g *Generator) Place {
			e := g.pair(Plain)
			g.bad2(g.versionedBase(), "Items", "[]"+e.Name, "composition", "max=3")
			return g.bad2(e, "Email", "string", "unique")
		}},
		warn("AML907", "gocql.UUID", "index"),
		{"AML902", "what expires", func(g *Generator) Place {
			s := g.base("ttl=60")
			g.bad2(s, "Label", "string")
			p := g.keyedBy(s.Name, "Label", "string")
			g.bad2(p, "ID", "int32", "discriminator")
			return Place{Struct: p}
		}},
		{"AML908", "a struct of a projection", func(g *Generator) Place {
			s, e := g.base(), g.pair(Plain)
			g.bad2(s, "Home", e.Name, "composition")
			p := g.structure(Redundant, Aggregate, "")
			p.Tag = tag("", "redundant="+s.Name)
			at := g.bad2(p, "Home", e.Name, "composition", "final", "identifier")
			g.bad2(p, "ID", "int32", "discriminator")
			return at
		}},
		{"AML908", "a struct", func(g *Generator) Place {
			return g.bad(g.base(), g.pair(Plain).Name, "composition", "final", "identifier")
		}},
		{"AML909", "nothing to ignore", func(g *Generator) Place {
			at := g.bad(g.base(), "string")
			at.Field.Comment = "//aml:ignore AML903 it is short"
			return at
		}},
		{"AML910", "no key", func(g *Generator) Place {
			s := g.base()
			g.bad2(s, "Label", "string")
			return Place{Struct: g.keyedBy(s.Name, "Label", "string").marker("distinct")}
		}},
		{"AML910", "half of the key", func(g *Generator) Place {
			s := g.base()
			g.bad2(s, "Region", "string", "identifier")
			g.bad2(s, "Label", "string")
			p := g.keyedBy(s.Name, "Label", "string").marker("distinct")
			g.bad2(p, "ID", "int32", "discriminator")
			return Place{Struct: p}
		}},
		{"AML910", "of elements", func(g *Generator) Place {
			s, _ := g.listed()
			return Place{Struct: g.keyedBy(s.Name+".Items", "X", "int32").marker("distinct")}
		}},
		{"AML911", "a field", func(g *Generator) Place {
			s := g.base()
			g.bad2(s, "Label", "string")
			p := g.keyedBy(s.Name, "Label", "string")
			g.bad2(p, "ID", "int32", "discriminator")
			return Place{Struct: p, Field: p.Fields[0]}
		}},
		{"AML912", "a part in the table", func(g *Generator) Place {
			s := g.base()
			g.bad2(s, "Version", "int64", "version")
			g.badPart(s.Name, "int32").Tag.Name = g.nameTable(s)
			return Place{Struct: s}
		}},
	}
}

// fewValues adds a root with an identifier of few values.
func (g *Generator) fewValues(goText string) Place {
	s := g.base()
	s.Fields[0].Type = goType(goText)
	return Place{Struct: s, Field: s.Fields[0]}
}
