package corpus

import (
	"fmt"
	"slices"
)

func typeFaults() []*Fault {
	return slices.Concat(unsupportedFaults(), compositionFaults(), markerFaults(), extentFaults(), []*Fault{
		field("AML203", "string", "type=int"), field("AML203", "int32", "type=bigint"), field("AML203", "string", "type=list<text>"),
		field("AML203", "[]string", "type=text<"+"int>"), field("AML203", "string", "type=counter"), field("AML203", "string", "type=frozn"),
		field("AML203", "[]string", "type=map<text, text>"), field("AML203", "map[string]int32", "type=map<text, bigint>"),
		field("AML203", "[3]float32", "type=vector<float, 4>"), field("AML203", "int32", "type=tuple"), field("AML203", "[]kinds.Money", "type=set<duration>"),
		field("AML203", "kinds.Money", "type=map<duration, int>"), field("AML203", "kinds.Money", "type=vector<float, 0>"), field("AML203", "kinds.Money", "type=list<int"+", int>"),
		{"AML203", "a marked struct as a tuple", func(g *Generator) Place {
			return g.bad(g.victim(), "[]"+g.pair(ValueObject).Name, "type=tuple")
		}},
		{"AML209", "a tuple", func(g *Generator) Place { return g.bad(g.victim(), g.pair(Plain).Name, "type=tuple") }},
		{"AML209", "a pointer to a tuple", func(g *Generator) Place { return g.bad(g.victim(), "*"+g.pair(Plain).Name, "type=tuple") }},
		field("AML209", "kinds.Money", "type=tuple<int, text>"), field("AML209", "kinds.Money", "type=frozen<tuple<int, text>>"),
		field("AML214", "string", "enum"), field("AML214", "int32", "enum"),
		field("AML210", "[]string", "max=0"), field("AML210", "[]string", "min=3", "max=2"), field("AML210", "map[string]int32", "max=0"),
		{"AML211", "no such field", func(g *Generator) Place {
			return g.bad(g.victim(), "[]"+g.pair(Plain).Name, "composition", "qualifier=Z")
		}},
		{"AML211", "twice", func(g *Generator) Place {
			return g.bad(g.victim(), "[]"+g.pair(Plain).Name, "composition", "qualifier=X+X")
		}},
		{"AML211", "a pointer", func(g *Generator) Place {
			e := g.pair(Plain)
			g.named(e, "P", &Type{Kind: Pointer, Elem: scalar("int32", "int")})
			return g.bad(g.victim(), "[]"+e.Name, "composition", "qualifier=P")
		}},
		{"AML211", "a duration", func(g *Generator) Place {
			e := g.pair(Plain)
			g.named(e, "D", scalar("gocql.Duration", "duration"))
			return g.bad(g.victim(), "[]"+e.Name, "composition", "qualifier=X+D")
		}},
	})
}

func unsupportedFaults() []*Fault {
	var out []*Fault
	for _, t := range []string{"uint64", "chan int32", "func()", "any", "complex128", "[4]int32", "[]*int32", "*[]string", "**int32", "error", "struct{ X int32 }",
		"map[gocql.Duration]string", "map[gocql.Duration]struct{}", "[0]float32", "[8193]float32", "uintptr", "[]any", "map[string]chan int", "sql.Null[[]string]",
		"[]sql.Null[int32]", "kinds.Money", "kinds.Cash"} {
		out = append(out, field("AML201", t))
	}
	return append(out, field("AML201", "[]gocql.Duration", "unique"), &Fault{"AML201", "an embedded value object", func(g *Generator) Place {
		s := g.victim()
		e := g.pair(ValueObject)
		f := &Field{Name: e.Name, Type: &Type{Kind: Value, Struct: e}, Embedded: true}
		s.Fields = append(s.Fields, f)
		return Place{Struct: s, Field: f}
	}}, &Fault{"AML201", "a generic root", func(g *Generator) Place {
		s := g.base()
		s.Params = "[T any]"
		return Place{Struct: s}
	}},
		&Fault{"AML202", "a field", func(g *Generator) Place { return g.bad2(g.victim(), "hidden", "string") }},
		&Fault{"AML202", "a tagged field", func(g *Generator) Place { return g.bad2(g.victim(), "hidden", "string", "required") }},
		&Fault{"AML202", "a field of a composition", func(g *Generator) Place {
			e := g.pair(Plain)
			g.named(g.victim(), "Inner_", &Type{Kind: Value, Struct: e})
			return g.bad2(e, "hidden", "string")
		}})
}

func markerFaults() []*Fault {
	marker := func(name, before string) *Fault {
		return &Fault{"AML212", name, func(g *Generator) Place {
			s := g.base()
			s.Marker = Marker(before) + Aggregate
			return Place{Struct: s, Marker: true}
		}}
	}
	return []*Fault{
		marker("a pointer", "*"), marker("a field with a name", "Root "),
		{"AML212", "a named marker of a composition", func(g *Generator) Place {
			e := g.pair("Object " + ValueObject)
			g.bad(g.victim(), e.Name, "composition")
			return Place{Struct: e, Marker: true}
		}},
		{"AML212", "of an embedded root", func(g *Generator) Place {
			root, s := g.base(), g.pair(Plain)
			g.bad(s, "string", "required")
			f := &Field{Name: root.Name, Type: &Type{Kind: Value, Struct: root}, Embedded: true}
			s.Fields = append(s.Fields, f)
			return Place{Struct: s, Field: f}
		}},
	}
}

func extentFaults() []*Fault {
	return []*Fault{
		{"AML213", "values that double", func(g *Generator) Place {
			e := g.pair(Plain)
			for range 11 { // 2 values on the first level, 4096 on the last
				of := e
				e = g.structure(Object, Plain, "")
				g.bad2(e, "A", of.Name, "composition")
				g.bad2(e, "B", "[]"+of.Name, "composition", "max=3")
			}
			g.bad(g.victim(), e.Name, "composition")
			return Place{Struct: e}
		}},
		{"AML213", "many levels", func(g *Generator) Place {
			e := g.pair(Plain)
			for range 32 { // one level more in each iteration
				of := e
				e = g.structure(Object, Plain, "")
				g.bad2(e, "Inner", of.Name, "composition")
			}
			g.bad(g.victim(), e.Name, "composition")
			return Place{Struct: e}
		}},
		{"AML213", "many fields", func(g *Generator) (last Place) {
			s := g.base()
			for i := range 1024 { // and the identifier
				last = g.bad2(s, fmt.Sprintf("F%d", i), "int32")
			}
			return last
		}},
	}
}

func compositionFaults() []*Fault {
	return []*Fault{
		{"AML204", "itself in a list", func(g *Generator) Place {
			e := g.pair(Plain)
			g.bad(g.victim(), e.Name, "composition")
			return g.bad(e, "[]"+e.Name, "composition")
		}},
		{"AML204", "two in each other", func(g *Generator) Place {
			a, b := g.pair(Plain), g.pair(Plain)
			g.bad(g.victim(), "map[string]"+a.Name, "composition")
			g.bad(a, b.Name, "composition")
			return g.bad(b, "*"+a.Name, "composition")
		}},
		{"AML205", "a root", func(g *Generator) Place { return g.bad(g.victim(), g.base().Name, "composition") }},
		{"AML205", "roots", func(g *Generator) Place { return g.bad(g.victim(), "[]"+g.base().Name, "composition") }},
		{"AML205", "a part", func(g *Generator) Place {
			s := g.base()
			p := g.structure(Part, Entity, "")
			p.Tag = tag("", "part="+s.Name)
			g.named(p, "ID", scalar("int32", "int"), "identifier")
			return g.bad(s, "[]"+p.Name, "composition")
		}},
		{"AML206", "one", func(g *Generator) Place { return g.bad(g.victim(), g.pair(Plain).Name) }},
		{"AML206", "a pointer", func(g *Generator) Place { return g.bad(g.victim(), "*"+g.pair(Entity).Name) }},
		{"AML206", "a list", func(g *Generator) Place { return g.bad(g.victim(), "[]"+g.pair(ValueObject).Name, "max=3") }},
		{"AML206", "a map", func(g *Generator) Place { return g.bad(g.victim(), "map[string]"+g.pair(Plain).Name) }},
		{"AML207", "nothing", func(g *Generator) Place {
			e := g.structure(Object, Plain, "")
			g.bad(g.victim(), e.Name, "composition")
			return Place{Struct: e}
		}},
		{"AML207", "all fields omitted", func(g *Generator) Place {
			e := g.structure(Object, ValueObject, "")
			e.Fields = append(e.Fields, &Field{Name: "Cache", Type: goType("chan int"), Tag: tag("-")})
			g.bad(g.victim(), "[]"+e.Name, "composition")
			return Place{Struct: e}
		}},
		{"AML208", "two", func(g *Generator) Place {
			s := g.base()
			s.Also = []Marker{Entity}
			return Place{Struct: s, Again: true}
		}},
	}
}

func keyFaults() []*Fault {
	return slices.Concat(identifierFaults(), staticFaults(), versionFaults(), []*Fault{
		{"AML303", "off a key", func(g *Generator) Place { return g.bad(g.victim(), "int32", "desc") }},
		{"AML303", "on an identifier", func(g *Generator) Place { return g.bad(g.base(), "int32", "identifier", "asc") }},
		{"AML303", "in a value object", func(g *Generator) Place {
			e := g.pair(ValueObject)
			g.named(g.victim(), "Ordered_", &Type{Kind: Slice, Elem: &Type{Kind: Value, Struct: e}})
			return g.bad(e, "int32", "discriminator", "desc")
		}},
		keyType("*int32"), keyType("[]string"), keyType("map[string]struct{}"), keyType("gocql.Duration"), keyType("[]gocql.Duration", "final"),
		keyType("sql.Null[string]"), keyType("map[string]int32"), keyType("kinds.Names"), keyType("kinds.Money", "type=list<int>"), keyType("kinds.Money", "type=duration"),
		keyType("kinds.Money", "type=vector<duration, 2>"),
		{"AML304", "a struct that is not frozen", func(g *Generator) Place {
			return g.bad(g.base(), g.pair(Plain).Name, "composition", "discriminator")
		}},
		{"AML304", "a duration inside", func(g *Generator) Place {
			e := g.pair(Plain)
			g.named(e, "Wait", scalar("gocql.Duration", "duration"))
			return g.bad(g.base(), e.Name, "composition", "final", "identifier")
		}},
		{"AML305", "many fields", func(g *Generator) Place {
			s := g.base()
			for i := range 256 {
				g.bad2(s, fmt.Sprintf("F%d", i), "int32")
			}
			return Place{Struct: s}
		}},
		{"AML305", "many compositions", func(g *Generator) Place {
			s, e := g.base(), g.structure(Object, Plain, "")
			for i := range 16 {
				g.bad2(e, fmt.Sprintf("F%d", i), "int32")
			}
			for i := range 16 {
				g.bad2(s, fmt.Sprintf("C%d", i), e.Name, "composition")
			}
			return Place{Struct: s}
		}},
	})
}

// keyType returns a fault of the type of a key.
func keyType(goText string, options ...string) *Fault {
	return &Fault{"AML304", goText + fmt.Sprint(options), func(g *Generator) Place {
		return g.bad(g.base(), goText, append([]string{g.pickOne([]string{"identifier", "discriminator"})}, options...)...)
	}}
}

func identifierFaults() []*Fault {
	return []*Fault{
		{"AML301", "a root", func(g *Generator) Place {
			s := g.base()
			s.Fields[0].Tag = nil
			return Place{Struct: s}
		}},
		{"AML301", "only discriminators", func(g *Generator) Place {
			s := g.base()
			s.Fields[0].Tag = tag("", "discriminator")
			return Place{Struct: s}
		}},
		{"AML301", "an entity", func(g *Generator) Place {
			e := g.pair(Entity)
			g.bad(g.victim(), "[]"+e.Name, "composition")
			return Place{Struct: e}
		}},
		{"AML302", "both", func(g *Generator) Place { return g.bad(g.base(), "int32", "identifier", "discriminator") }},
		{"AML302", "an identifier of a value object", func(g *Generator) Place {
			e := g.pair(ValueObject)
			g.bad(g.victim(), e.Name, "composition")
			return g.bad(e, "int32", "identifier")
		}},
		{"AML302", "a discriminator of an entity", func(g *Generator) Place {
			e := g.pair(Entity)
			g.bad(g.victim(), "[]"+e.Name, "composition")
			g.bad(e, "int32", "identifier")
			return g.bad(e, "int32", "discriminator")
		}},
		{"AML302", "a discriminator of a tuple", func(g *Generator) Place {
			e := g.pair(Plain)
			g.bad(g.victim(), "[]"+e.Name, "type=tuple")
			return g.bad(e, "int32", "discriminator")
		}},
	}
}

// staticSource adds a root with a static field of a type.
func (g *Generator) staticSource(goText string) (*Struct, *Field) {
	s := g.base()
	g.named(s, "No", scalar("int32", "int"), "discriminator")
	return s, g.bad(s, goText, "static").Field
}

// nearCopy adds a copy of such a root. Its partitions are the partitions of the root, or others.
func (g *Generator) nearCopy(s *Struct) *Struct {
	p := g.structure(Redundant, Aggregate, "")
	p.Tag = tag("", "redundant="+s.Name)
	partition, clustering := "ID", "No"
	if g.chance(50) {
		partition, clustering = clustering, partition
	}
	g.named(p, partition, scalar("int32", "int"), "identifier")
	g.named(p, clustering, scalar("int32", "int"), "discriminator")
	return p
}

func staticFaults() []*Fault {
	return []*Fault{
		{"AML306", "without a discriminator", func(g *Generator) Place { return g.bad(g.base(), "string", "static") }},
		{"AML306", "in the key", func(g *Generator) Place { return g.bad(g.base(), "string", "discriminator", "static") }},
		{"AML306", "with a version", func(g *Generator) Place {
			s := g.versionedBase()
			g.bad(s, "int32", "discriminator")
			return g.bad(s, "string", "static")
		}},
		{"AML306", "in a table of another partition key", func(g *Generator) Place {
			s := g.base()
			g.named(s, "No", scalar("int32", "int"), "discriminator")
			f := g.bad(s, "string", "static").Field
			p := g.structure(Redundant, Aggregate, "")
			p.Tag = tag("", "redundant="+s.Name)
			g.named(p, "No", scalar("int32", "int"), "identifier")
			g.named(p, "ID", scalar("int32", "int"), "discriminator")
			return g.bad2(p, f.Name, "string")
		}},
		{"AML306", "a condition", func(g *Generator) Place {
			s, f := g.staticSource("bool")
			return marked(g.nearCopy(s), "when="+s.Name+"."+f.Name)
		}},
		{"AML306", "a condition of a value", func(g *Generator) Place {
			s, f := g.staticSource("string")
			return marked(g.nearCopy(s), "when="+s.Name+"."+f.Name+" in (open, late)")
		}},
		{"AML306", "a condition by a method", func(g *Generator) Place {
			s, f := g.staticSource("bool")
			s.Methods = append(s.Methods, "Holds() bool { return x."+f.Name+" }")
			return marked(g.nearCopy(s), "when="+s.Name+".Holds()")
		}},
		{"AML306", "a value by a method", func(g *Generator) Place {
			s, f := g.staticSource("string")
			s.Methods = append(s.Methods, "Label() string { return x."+f.Name+" }")
			return g.bad2(g.nearCopy(s), "Label", "string", "from="+s.Name+".Label()")
		}},
		{"AML306", "a static value by a method that can read it", func(g *Generator) Place {
			s, _ := g.staticSource("string")
			s.Methods = append(s.Methods, "Label() string { all := x; return all.BadLabel() }", "BadLabel() string { return \"\" }")
			return g.bad2(g.nearCopy(s), "Label", "string", "from="+s.Name+".Label()", "static")
		}},
		{"AML306", "a row for each element", func(g *Generator) Place {
			s, f := g.staticSource("[]string")
			p := g.nearCopy(s)
			p.Tag = tag("", "redundant="+s.Name+"."+f.Name)
			for _, of := range p.Fields {
				of.Tag.add("from=" + s.Name + "." + of.Name)
			}
			g.named(p, "Element", scalar("string", "text"), "discriminator", "from="+s.Name+"."+f.Name+".$value")
			return Place{Struct: p, Marker: true}
		}},
		{"AML306", "a row for each result of a method", func(g *Generator) Place {
			s, f := g.staticSource("string")
			s.Methods = append(s.Methods, "Words() []string { return []string{x."+f.Name+"} }")
			p := g.nearCopy(s)
			p.Tag = tag("", "redundant="+s.Name+".Words()")
			for _, of := range p.Fields {
				of.Tag.add("from=" + s.Name + "." + of.Name)
			}
			g.named(p, "Word", scalar("string", "text"), "discriminator", "from="+s.Name+".Words().$value")
			return Place{Struct: p, Marker: true}
		}},
		field("AML307", "string", "counter"), field("AML307", "int32", "counter"), field("AML307", "*int64", "counter"),
		{"AML307", "among others", func(g *Generator) Place {
			s := g.base()
			g.bad(s, "int64", "counter")
			return g.bad(s, "string")
		}},
		{"AML307", "ttl", func(g *Generator) Place {
			s := g.base()
			g.bad(s, "int64", "counter")
			return marked(s, "ttl=60")
		}},
		{"AML106", "ttl of counters by another name", func(g *Generator) Place {
			s := g.base()
			g.bad(s, "int64", "counter")
			return marked(s, "with=default_time_to_live = 60")
		}},
		{"AML307", "in a projection", func(g *Generator) Place {
			p := g.addCopy(g.base())
			g.bad(p, "int64", "counter")
			return Place{Struct: p, Marker: true}
		}},
		{"AML307", "projected", func(g *Generator) Place {
			s := g.base()
			g.bad(s, "int64", "counter")
			return Place{Struct: g.addCopy(s), Marker: true}
		}},
	}
}

func versionFaults() []*Fault {
	return []*Fault{
		{"AML308", "two", func(g *Generator) Place { return g.bad(g.versionedBase(), "int64", "version") }},
		{"AML308", "of another type", func(g *Generator) Place { return g.bad(g.base(), "int32", "version") }},
		{"AML308", "a pointer", func(g *Generator) Place { return g.bad(g.base(), "*int64", "version") }},
		{"AML308", "in the key", func(g *Generator) Place { return g.bad(g.base(), "int64", "discriminator", "version") }},
		{"AML309", "unique", func(g *Generator) Place { return g.bad(g.base(), "string", "unique") }},
		{"AML309", "a unique group", func(g *Generator) Place {
			s := g.base()
			at := g.bad(s, "string", "unique=Two")
			g.bad(s, "string", "unique=Two")
			return at
		}},
		{"AML309", "unique inside", func(g *Generator) Place {
			e := g.pair(Plain)
			g.bad(g.base(), "[]"+e.Name, "composition")
			return g.bad(e, "string", "unique")
		}},
		{"AML309", "checked", func(g *Generator) Place {
			return g.bad(g.base(), "int32", "association="+g.versionedBase().Name, "checked")
		}},
		{"AML309", "a copy", func(g *Generator) Place {
			t := g.versionedBase()
			g.named(t, "Label", scalar("string", "text"))
			s := g.base()
			g.bad(s, "int32", "association="+t.Name)
			return g.bad(s, "string", "copy="+t.Name+".Label")
		}},
	}
}

func groupFaults() []*Fault {
	return []*Fault{
		field("AML310", "*int32", "xor=Lonely"), field("AML310", "*int32", "any=Lonely"),
		{"AML311", "xor", func(g *Generator) Place {
			s := g.victim()
			g.bad(s, "*int32", "xor=Never")
			return g.bad(s, "int32", "xor=Never")
		}},
		{"AML311", "any", func(g *Generator) Place {
			s := g.victim()
			g.bad(s, "*int32", "any=Never")
			return g.bad(s, "bool", "any=Never")
		}},
		{"AML311", "xor of a key", func(g *Generator) Place {
			s := g.base()
			g.bad(s, "*int32", "xor=Never")
			return g.bad(s, "time.Time", "discriminator", "xor=Never")
		}},
		{"AML312", "some", func(g *Generator) Place {
			s := g.victim()
			g.bad(s, "*int32", "xor=Half", "required")
			return g.bad(s, "*string", "xor=Half")
		}},
		{"AML313", "a number", func(g *Generator) Place {
			s := g.victim()
			g.bad(s, "*int32", "xor=Number")
			g.bad(s, "*string", "xor=Number")
			return g.bad2(s, "Number", "int32")
		}},
		{"AML313", "a pointer", func(g *Generator) Place {
			s := g.victim()
			g.bad(s, "*int32", "xor=Number")
			g.bad(s, "*string", "xor=Number")
			return g.bad2(s, "Number", "*string")
		}},
		{"AML314", "a key", func(g *Generator) Place { return g.bad(g.versionedBase(), "string", "discriminator", "unique") }},
		{"AML314", "a struct", func(g *Generator) Place {
			return g.bad(g.versionedBase(), g.pair(Plain).Name, "composition", "unique")
		}},
		{"AML314", "a duration", func(g *Generator) Place { return g.bad(g.versionedBase(), "gocql.Duration", "unique") }},
		{"AML314", "inside a map", func(g *Generator) Place {
			e := g.pair(Plain)
			g.bad(g.versionedBase(), "map[string]"+e.Name, "composition")
			return g.bad(e, "string", "unique")
		}},
		{"AML314", "inside a tuple", func(g *Generator) Place {
			e, pair := g.pair(Plain), g.structure(TupleOf, Plain, "")
			g.bad2(pair, "Item", e.Name, "composition")
			g.bad(g.versionedBase(), "[]"+pair.Name, "type=tuple", "max=3")
			return g.bad(e, "string", "unique")
		}},
		{"AML314", "a group in a list", func(g *Generator) Place {
			e := g.pair(Plain)
			s := g.versionedBase()
			g.bad(s, "string", "unique=Loop")
			g.bad(s, "[]"+e.Name, "composition")
			return g.bad(e, "string", "unique=Loop")
		}},
	}
}
