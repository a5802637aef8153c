package corpus

import (
	"slices"
	"strings"
)

// projection adds a root with a label, and a redundant aggregate of it.
func (g *Generator) projection() (source, p *Struct) {
	s := g.base()
	g.named(s, "Label", scalar("string", "text"))
	return s, g.addCopy(s)
}

// listed adds a root with a list of structs.
func (g *Generator) listed() (source, element *Struct) {
	s, e := g.base(), g.pair(Plain)
	g.named(s, "Items", &Type{Kind: Slice, Elem: &Type{Kind: Value, Struct: e}}, "max=3")
	return s, e
}

// keyedBy adds a redundant aggregate of a path, with one identifier.
func (g *Generator) keyedBy(path, name, goText string, options ...string) *Struct {
	p := g.structure(Redundant, Aggregate, "")
	p.Tag = tag("", "redundant="+path)
	g.bad2(p, name, goText, append([]string{"identifier"}, options...)...)
	return p
}

func redundancyFaults() []*Fault {
	return slices.Concat(sourceFaults(), fromFaults(), []*Fault{
		{"AML404", "the key is lost", func(g *Generator) Place {
			s, _ := g.projection()
			return Place{Struct: g.keyedBy(s.Name, "Label", "string")}
		}},
		{"AML404", "value objects in a list", func(g *Generator) Place {
			s, _ := g.listed()
			p := g.keyedBy(s.Name+".Items", "X", "int32")
			g.bad2(p, "ID", "int32", "discriminator", "from="+s.Name+".ID")
			return Place{Struct: p}
		}},
		{"AML404", "the key of a map is lost", func(g *Generator) Place {
			s := g.base()
			g.named(s, "Names", &Type{Kind: Map, Key: scalar("string", "text"), Elem: scalar("int32", "int")}, "max=3")
			return Place{Struct: g.keyedBy(s.Name+".Names", "ID", "int32", "from="+s.Name+".ID")}
		}},
		{"AML404", "an empty unique text", func(g *Generator) Place {
			s := g.versionedBase()
			g.bad2(s, "Email", "string", "unique")
			g.bad2(s, "Region", "string")
			p := g.keyedBy(s.Name, "Region", "string")
			g.bad2(p, "Email", "string", "discriminator")
			return Place{Struct: p}
		}},
		{"AML404", "the key inside a composition", func(g *Generator) Place {
			s, _ := g.projection()
			p := g.keyedBy(s.Name, "Label", "string")
			e := g.structure(Object, Plain, "")
			g.bad2(e, "ID", "int32")
			g.bad2(p, "Of", e.Name, "composition", "final", "discriminator", "from="+s.Name)
			return Place{Struct: p}
		}},
		{"AML405", "a chain", func(g *Generator) Place {
			_, p := g.projection()
			return Place{Struct: g.addCopy(p), Marker: true}
		}},
		{"AML406", "a pointer", func(g *Generator) Place {
			s, p := g.projection()
			at := g.bad(s, "*string")
			return g.bad2(p, at.Field.Name, "string", "discriminator")
		}},
		{"AML406", "a blob", func(g *Generator) Place {
			s, p := g.projection()
			at := g.bad(s, "[]byte")
			return g.bad2(p, at.Field.Name, "[]byte", "discriminator")
		}},
		{"AML407", "no such field", func(g *Generator) Place {
			_, p := g.projection()
			return g.bad(p, "string")
		}},
		{"AML407", "of the source, not of the element", func(g *Generator) Place {
			s, _ := g.listed()
			g.bad2(s, "Note", "string")
			p := g.keyedBy(s.Name+".Items", "X", "int32")
			p.marker("distinct")
			return g.bad2(p, "Note", "string")
		}},
		{"AML408", "a number", func(g *Generator) Place {
			_, p := g.projection()
			o, _ := p.Tag.Value("redundant")
			return marked(p, "when="+o+".ID")
		}},
		{"AML408", "a negation", func(g *Generator) Place {
			s, p := g.projection()
			g.bad2(s, "Flag", "bool")
			return marked(p, "when=!"+s.Name+".Flag")
		}},
		{"AML408", "a constant of another type", func(g *Generator) Place {
			s, p := g.projection()
			g.bad2(s, "Flag", "bool")
			return marked(p, "when="+s.Name+".Flag = "+g.pickOne([]string{"yes", "1", "'true'"}))
		}},
		{"AML408", "a comparison that is not supported", func(g *Generator) Place {
			s, p := g.projection()
			g.bad2(s, "Size", "int32")
			return marked(p, "when="+s.Name+".Size "+g.pickOne([]string{"!= 1", "== 1", "= 1 2", "in (1, 2", "in (1, 1)", "= 3000000000", "=", "= 'a"}))
		}},
		{"AML408", "another source", func(g *Generator) Place {
			_, p := g.projection()
			other := g.base()
			g.bad2(other, "Flag", "bool")
			return marked(p, "when="+other.Name+".Flag")
		}},
		{"AML408", "no such method", func(g *Generator) Place {
			s, p := g.projection()
			return marked(p, "when="+s.Name+".Nothing()")
		}},
		{"AML408", "another collection", func(g *Generator) Place {
			s, e := g.listed()
			g.bad2(e, "Flag", "bool")
			return marked(g.addCopy(s), "when="+s.Name+".Items.Flag")
		}},
	})
}

func sourceFaults() []*Fault {
	source := func(name string, path func(*Generator, *Struct) string) *Fault {
		return &Fault{"AML401", name, func(g *Generator) Place {
			s, _ := g.projection()
			return Place{Struct: g.keyedBy(path(g, s), "ID", "int32"), Marker: true}
		}}
	}
	return []*Fault{
		source("nothing", func(*Generator, *Struct) string { return "Nothing" }),
		source("a view", func(g *Generator, s *Struct) string { return g.badView(s.Name).Name }),
		source("the name of a table", func(_ *Generator, s *Struct) string {
			s.Tag.Name = "named_" + strings.ToLower(s.Name)
			return s.Tag.Name
		}),
		source("no such field", func(_ *Generator, s *Struct) string { return s.Name + ".Nothing" }),
		source("a field that is no collection", func(_ *Generator, s *Struct) string { return s.Name + ".Label" }),
		source("no such method", func(_ *Generator, s *Struct) string { return s.Name + ".Nothing()" }),
		source("a method with parameters", func(_ *Generator, s *Struct) string {
			s.Methods = append(s.Methods, "With(n int) []string { return nil }")
			return s.Name + ".With()"
		}),
		source("a method of two results", func(_ *Generator, s *Struct) string {
			s.Methods = append(s.Methods, "Two() ([]string, error) { return nil, nil }")
			return s.Name + ".Two()"
		}),
	}
}

func fromFaults() []*Fault {
	from := func(code, name, goText, path string) *Fault {
		return &Fault{code, name, func(g *Generator) Place {
			s, p := g.projection()
			s.Methods = append(s.Methods, "Day() int32 { return 0 }")
			return g.bad(p, goText, "from="+strings.ReplaceAll(path, "Source", s.Name))
		}}
	}
	return []*Fault{
		from("AML402", "nothing", "string", "Nothing.Label"), from("AML402", "no such field", "string", "Source.Lable"),
		from("AML402", "no collection", "string", "Source.Label.$value"), from("AML402", "no such method", "string", "Source.Night()"),
		from("AML402", "an empty step", "string", "Source..Label"), from("AML402", "a method without ()", "int32", "Source.Day"), from("AML402", "a method of a field", "string", "Source.Label.Day()"),
		{"AML402", "another source", func(g *Generator) Place {
			other, _ := g.projection()
			_, p := g.projection()
			return g.bad(p, "string", "from="+other.Name+".Label")
		}},
		from("AML403", "another type", "int32", "Source.Label"), from("AML403", "another type than that of a method", "string", "Source.Day()"),
		{"AML403", "another struct", func(g *Generator) Place {
			s, p := g.projection()
			return g.bad(p, g.pair(Plain).Name, "composition", "from="+s.Name)
		}},
		{"AML403", "by name", func(g *Generator) Place {
			_, p := g.projection()
			return g.bad2(p, "Label", "int32")
		}},
	}
}

func nameFaults() []*Fault {
	return slices.Concat(badNames(), []*Fault{
		{"AML501", "two roots", func(g *Generator) Place {
			g.base().Tag.Name = "twice_" + g.m.Name
			s := g.base()
			s.Tag.Name = "twice_" + g.m.Name
			return Place{Struct: s}
		}},
		{"AML501", "the migrations", func(g *Generator) Place {
			s := g.base()
			s.Tag.Name = "aml_migrations"
			return Place{Struct: s}
		}},
		{"AML501", "a derived table", func(g *Generator) Place {
			u := g.versionedBase()
			u.Tag.Name = "d_" + g.m.Name
			g.bad2(u, "Email", "string", "unique")
			s := g.base()
			s.Tag.Name = u.Tag.Name + "__email_unique"
			return Place{Struct: s}
		}},
		{"AML502", "two columns", func(g *Generator) Place {
			s := g.base()
			g.named(s, "Label", scalar("string", "text"))
			at := g.bad(s, "string")
			at.Field.Tag.Name = "label"
			return at
		}},
		{"AML502", "two fields", func(g *Generator) Place {
			e := g.pair(Plain)
			g.bad(g.victim(), e.Name, "composition")
			at := g.bad(e, "string")
			at.Field.Tag.Name = "x"
			return at
		}},
		{"AML502", "the column of a group", func(g *Generator) Place {
			s := g.base()
			g.bad(s, "*string", "xor=Choice")
			g.bad(s, "*string", "xor=Choice")
			return g.bad2(s, "CHOICE", "string")
		}},
		{"AML502", "a part and its root", func(g *Generator) Place {
			s := g.base()
			s.Tag.Name = "both_" + g.m.Name
			g.named(s, "Label", scalar("string", "text"), "required")
			p := g.structure(Part, Entity, "")
			p.Tag = tag(s.Tag.Name, "part="+s.Name)
			g.named(p, "ID", scalar("int32", "int"), "identifier")
			g.named(p, "No", scalar("int32", "int"), "discriminator")
			return g.bad2(p, "Label", "string")
		}},
		{"AML503", "two instances", func(g *Generator) Place {
			e := g.structure(Object, Plain, "")
			e.Params = "[T any]"
			g.bad2(e, "Value", "T")
			s := g.base()
			g.bad(s, e.Name+"[string]", "composition")
			return g.bad(s, e.Name+"[[]string]", "composition")
		}},
		{"AML503", "two types", func(g *Generator) Place {
			s := g.victim()
			var last *Struct
			for range 2 {
				last = g.pair(ValueObject)
				last.Tag = tag("same_type")
				g.bad(s, last.Name, "composition")
			}
			return Place{Struct: last}
		}},
	})
}

func badNames() []*Fault {
	table := func(name string) *Fault {
		return &Fault{"AML504", "table " + name, func(g *Generator) Place {
			s := g.base()
			s.Tag.Name = name
			return Place{Struct: s, Marker: true}
		}}
	}
	column := func(name string) *Fault {
		return &Fault{"AML504", "column " + name, func(g *Generator) Place {
			at := g.bad(g.victim(), "string")
			at.Field.Tag.Name = name
			return at
		}}
	}
	udt := func(name string) *Fault {
		return &Fault{"AML504", "type " + name, func(g *Generator) Place {
			e := g.pair(ValueObject)
			e.Tag = tag(name)
			g.bad(g.victim(), e.Name, "composition")
			return Place{Struct: e, Marker: true}
		}}
	}
	long := strings.Repeat("n", 201)
	out := []*Fault{table("with-dash"), table("größe"), table(long), table("a b"), column("aml_own"), column(long), column("tab\tin it"),
		udt("naïve"), udt("new\nline"), udt(long),
		{"AML504", "derived table", func(g *Generator) Place {
			at := g.bad(g.versionedBase(), "string", "unique")
			at.Field.Tag.Name = strings.Repeat("n", 190)
			return at
		}},
		{"AML504", "derived table of a name with other letters", func(g *Generator) Place {
			at := g.bad(g.versionedBase(), "string", "unique")
			at.Field.Tag.Name = "é"
			return at
		}},
		{"AML504", "long index", func(g *Generator) Place {
			at := g.bad(g.base(), "string", "index")
			at.Field.Tag.Name = strings.Repeat("n", 199)
			return at
		}},
		{"AML504", "index of a name with other letters", func(g *Generator) Place {
			at := g.bad(g.base(), "string", "index")
			at.Field.Tag.Name = "é"
			return at
		}},
		field("AML504", "*int32", "xor=a b"), field("AML504", "*int32", "xor=1st"), field("AML504", "*int32", "xor=_"),
	}
	for _, native := range strings.Fields("text TEXT int blob list tuple vector frozen counter byte complex enum interval macaddr bitstring empty date ttl count cast json distinct writetime maxwritetime") {
		out = append(out, udt(native))
	}
	return out
}
