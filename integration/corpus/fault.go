package corpus

import (
	"slices"
	"strings"
)

// Fault is one way to make a model invalid.
type Fault struct {
	Code  string // code of the expected diagnostic
	Name  string
	Apply func(g *Generator) Place // changes the generator's model and returns the place
}

// Warning reports whether the fault causes only a warning.
func (f *Fault) Warning() bool { return strings.HasPrefix(f.Code, "AML9") }

// Generated reports whether only the generator of a store finds the fault.
func (f *Fault) Generated() bool { return f.Code == "AML505" || f.Code == "AML506" }

// Refused reports whether the fault is rejected before a store is generated.
func (f *Fault) Refused() bool { return !f.Warning() && !f.Generated() }

// Faults are all ways to make a model invalid.
func Faults() []*Fault {
	return slices.Concat(tagFaults(), typeFaults(), keyFaults(), groupFaults(), redundancyFaults(), nameFaults(), relationFaults(), generatedFaults(), warnings())
}

// plant adds a fault of a kind in one place, with the code that was planted least.
func (g *Generator) plant(of func(*Fault) bool) {
	byCode := map[string][]*Fault{}
	var codes []string
	for _, f := range Faults() {
		if !of(f) {
			continue
		}
		if byCode[f.Code] == nil {
			codes = append(codes, f.Code)
		}
		byCode[f.Code] = append(byCode[f.Code], f)
	}
	least := slices.MinFunc(codes, func(a, b string) int { return g.made["fault: "+a] - g.made["fault: "+b] })
	g.made["fault: "+least]++
	var names []string
	for _, f := range byCode[least] {
		names = append(names, f.Name)
	}
	f := byCode[least][slices.Index(names, g.pick("fault "+least, names))]
	g.m.Faults = append(g.m.Faults, Planted{f, f.Apply(g)})
}

// victim returns a root without a fault, and counts its family as broken. It adds a root if there is none.
func (g *Generator) victim() *Struct {
	for _, s := range g.m.Structs {
		if s.Role == Root && !g.m.faulty(s) && g.chance(60) {
			g.m.markFaulty(s)
			return s
		}
	}
	return g.base()
}

// base adds a root with an identifier, in a separate family.
func (g *Generator) base(options ...string) *Struct {
	g.family++
	s := g.structure(Root, Aggregate, "")
	s.Tag = tag("", options...)
	g.named(s, "ID", scalar("int32", "int"), "identifier")
	g.m.markFaulty(s)
	return s
}

// versionedBase adds a root with an optimistic lock.
func (g *Generator) versionedBase() *Struct {
	s := g.base()
	g.named(s, "Version", scalar("int64", "bigint"), "version")
	return s
}

// pair adds a struct with two fields, X and Y.
func (g *Generator) pair(marker Marker) *Struct {
	s := g.structure(Object, marker, "")
	g.named(s, "X", scalar("int32", "int"))
	g.named(s, "Y", scalar("string", "text"))
	return s
}

func (m *Model) faulty(s *Struct) bool { return m.broken[s.Family] }

func (m *Model) markFaulty(s *Struct) {
	if m.broken == nil {
		m.broken = map[int]bool{}
	}
	m.broken[s.Family] = true
}

// goType is a type with a Go spelling only.
func goType(text string) *Type { return scalar(text, "") }

// bad appends a field whose tag has only the given options.
func (g *Generator) bad(s *Struct, goText string, options ...string) Place {
	f := &Field{Name: g.badName(s), Type: goType(goText), Tag: tag("", options...)}
	s.Fields = append(s.Fields, f)
	return Place{Struct: s, Field: f}
}

func (g *Generator) badName(s *Struct) string {
	for {
		if name := "Bad" + g.pickOne([]string{"Apple", "Pear", "Plum", "Fig", "Date", "Kiwi", "Lime", "Nut"}); s.claim(name) {
			return name
		}
	}
}

// marked adds options to the marker of a struct.
func marked(s *Struct, options ...string) Place {
	for _, o := range options {
		s.marker(o)
	}
	return Place{Struct: s, Marker: true}
}

// field returns a fault of one field in any root.
func field(code, goText string, options ...string) *Fault {
	return &Fault{code, goText + " " + strings.Join(options, ","), func(g *Generator) Place { return g.bad(g.victim(), goText, options...) }}
}

// raw returns a fault of a struct tag.
func raw(code, text string) *Fault {
	return &Fault{code, text, func(g *Generator) Place {
		at := g.bad(g.victim(), "string")
		at.Field.Raw = text
		return at
	}}
}

// marker returns a fault of the marker of a separate root.
func marker(code string, options ...string) *Fault {
	return &Fault{code, "marker " + strings.Join(options, ","), func(g *Generator) Place { return marked(g.base(), options...) }}
}

func tagFaults() []*Fault {
	return slices.Concat(optionFaults(), bareFaults(), propertyFaults(), []*Fault{
		raw("AML104", `aml:"a,required=yes"`), raw("AML104", `aml:"a,max=many"`), raw("AML104", `aml:"a,index="`), raw("AML104", `aml:"a,type=map<text"`),
		raw("AML104", `aml:"'a"`), raw("AML104", `aml:"a,"`), raw("AML104", `aml:"-,required"`), raw("AML104", `aml: "a"`), raw("AML104", `aml:"a,x>y"`),
		raw("AML104", `aml:"a,type"`), raw("AML104", `aml:"'a'b"`), raw("AML104", `aml:"a" aml:"b"`),
		{"AML108", "without a reason", func(g *Generator) Place {
			at := g.bad(g.victim(), "[]string")
			at.Field.Comment = "//aml:ignore AML903"
			return at
		}},
		{"AML108", "of a refusal", func(g *Generator) Place {
			at := g.bad(g.victim(), "string", "min=1")
			at.Field.Comment = "//aml:ignore AML105 intended"
			return at
		}},
	})
}

func optionFaults() []*Fault {
	return []*Fault{
		field("AML101", "string", "requird"), field("AML101", "string", "uniqe=X"), field("AML101", "string", "Required"),
		marker("AML101", "redundnt=X"), marker("AML101", "tll=60"),
		field("AML102", "string", "required", "required"), field("AML102", "[]string", "max=3", "max=4"), marker("AML102", "ttl=60", "ttl=60"),
		{"AML102", "asc and desc", func(g *Generator) Place { return g.bad(g.base(), "int32", "discriminator", "asc", "desc") }},
		field("AML105", "string", "composition"), field("AML105", "string", "min=1"), field("AML105", "string", "max=1"),
		field("AML105", "map[string]int32", "unique"), field("AML105", "[]string", "qualifier=X"), field("AML105", "string", "ttl=60"),
		field("AML105", "int32", "required"), field("AML105", "bool", "required"), field("AML105", "[3]float32", "required"),
		{"AML105", "required on a struct", func(g *Generator) Place {
			return g.bad(g.victim(), g.pair(Plain).Name, "composition", "required")
		}},
		field("AML105", "string", "checked"), field("AML105", "string", "ondelete=keep"), field("AML105", "string", "redundant=X"),
		marker("AML105", "distinct"), marker("AML105", "shared"), marker("AML105", "when=X"), marker("AML105", "identifier"), marker("AML105", "part=X"),
		{"AML105", "from on a root", func(g *Generator) Place {
			s := g.base()
			return g.bad(s, "int32", "from="+s.Name+".ID")
		}},
		{"AML105", "static in a part", func(g *Generator) Place {
			s := g.base()
			p := g.structure(Part, Entity, "")
			p.Tag = tag("", "part="+s.Name)
			g.named(p, "ID", scalar("int32", "int"), "identifier")
			g.named(p, "No", scalar("int32", "int"), "discriminator")
			return g.bad(p, "int32", "static")
		}},
		{"AML105", "index in a composition", func(g *Generator) Place {
			e := g.pair(Plain)
			g.named(g.victim(), "Home_", &Type{Kind: Value, Struct: e})
			return g.bad(e, "string", "index")
		}},
		{"AML105", "max on a projection", func(g *Generator) Place {
			s := g.base()
			c := g.bad(s, "[]string", "max=3")
			p := g.addCopy(s)
			return g.bad2(p, c.Field.Name, "[]string", "max=3")
		}},
	}
}

// bareFaults have an option in the position of the name.
func bareFaults() []*Fault {
	bare := func(name string, options ...string) *Tag {
		t := tag(name, options...)
		t.Bare = true
		return t
	}
	column := func(goText, name string, options ...string) *Fault {
		return &Fault{"AML109", "column " + name, func(g *Generator) Place {
			at := g.bad(g.victim(), goText)
			at.Field.Tag = bare(name, options...)
			return at
		}}
	}
	marker := func(name string) *Fault {
		return &Fault{"AML109", "marker " + name, func(g *Generator) Place {
			s := g.base()
			s.Tag = bare(name, "comment=bare")
			return Place{Struct: s, Marker: true}
		}}
	}
	return []*Fault{
		column("string", "required"), column("string", "secret", "was=before"), column("string", "counter"), column("[]string", "max", "min=1"),
		column("[]string", "max=3"), column("string", "a=b"), column("string", "a:b"), column("string", "a:required"),
		marker("distinct"), marker("ttl"), marker("ttl=60"),
		{"AML109", "a field of a composition", func(g *Generator) Place {
			e := g.pair(ValueObject)
			g.bad(g.victim(), "[]"+e.Name, "composition", "max=3")
			at := g.bad(e, "string")
			at.Field.Tag = bare("asc")
			return at
		}},
	}
}

// addCopy adds a redundant aggregate with the key of a root.
func (g *Generator) addCopy(s *Struct, options ...string) *Struct {
	p := g.structure(Redundant, Aggregate, "")
	p.Tag = tag("", append([]string{"redundant=" + s.Name}, options...)...)
	g.named(p, "ID", scalar("int32", "int"), "identifier")
	return p
}

// bad2 appends a field with a given name.
func (g *Generator) bad2(s *Struct, name, goText string, options ...string) Place {
	s.claim(name)
	f := &Field{Name: name, Type: goType(goText), Tag: tag("", options...)}
	s.Fields = append(s.Fields, f)
	return Place{Struct: s, Field: f}
}

func propertyFaults() []*Fault {
	out := []*Fault{
		marker("AML105", "large"), marker("AML105", "unlogged"), marker("AML105", "cache=1h"),
		{"AML105", "large with a version", func(g *Generator) Place { return marked(g.versionedBase(), "large") }},
		{"AML105", "large on a projection", func(g *Generator) Place { return marked(g.addCopy(g.base()), "large") }},
		{"AML105", "unlogged in the partition of the source", func(g *Generator) Place { return marked(g.addCopy(g.base()), "unlogged") }},
		{"AML105", "cache without shared", func(g *Generator) Place { return marked(g.addCopy(g.base()), "cache=1h") }},
		{"AML409", "unlogged and distinct", func(g *Generator) Place { return marked(g.addCopy(g.base(), "distinct"), "unlogged") }},
		{"AML410", "not a time", func(g *Generator) Place { return marked(g.addCopy(g.base(), "shared"), "cache=soon") }},
		{"AML410", "part of a second", func(g *Generator) Place { return marked(g.addCopy(g.base(), "shared"), "cache=1500ms") }},
		{"AML410", "with a TTL", func(g *Generator) Place { return marked(g.addCopy(g.base(), "shared", "ttl=7199"), "cache=1h") }},
		{"AML410", "with the TTL of the source", func(g *Generator) Place { return marked(g.addCopy(g.base("ttl=60"), "shared"), "cache=31s") }},
		{"AML410", "with a column", func(g *Generator) Place {
			s := g.base()
			c := g.bad(s, "int64")
			p := g.addCopy(s, "shared")
			g.bad2(p, c.Field.Name, "int64")
			return marked(p, "cache=1h")
		}},
		marker("AML104", "ttl=x"), marker("AML104", "ttl=$"), marker("AML104", "ttl=$kept:x"), marker("AML104", "ttl=$1:60"), marker("AML104", "ttl=kept:60"),
		marker("AML106", "ttl=$kept:0"),
		{"AML106", "two defaults of one name", func(g *Generator) Place {
			g.base("ttl=$twice:60")
			return marked(g.base(), "ttl=$twice")
		}},
		marker("AML106", "ttl=0"), marker("AML106", "ttl=630720001"),
		{"AML106", "ttl with a unique value", func(g *Generator) Place {
			s := g.versionedBase()
			g.named(s, "Email", scalar("string", "text"), "unique")
			return marked(s, "ttl=60")
		}},
		{"AML106", "gc_grace of a source", func(g *Generator) Place {
			s := g.base("gc_grace=60")
			g.addCopy(s)
			return Place{Struct: s, Marker: true}
		}},
		{"AML106", "comment twice", func(g *Generator) Place { return marked(g.base(), "comment=a", "with=comment = 'b'") }},
		field("AML107", "[]byte", "index"), field("AML107", "map[string]string", "index"), field("AML107", "gocql.Duration", "index"),
		field("AML107", "string", "index='similarity_function=COSINE'"), field("AML107", "int32", "index=case_sensitive=true"),
		field("AML107", "string", "index=case_sensitive=maybe"), field("AML107", "string", "index=speed=high"), field("AML107", "string", "index=fast"),
		field("AML107", "[3]float32", "index=similarity_function=NEAR"),
		field("AML107", "[]string", "index", "final"), field("AML107", "[1]float32", "index"), field("AML107", "[][3]float32", "index"), field("AML107", "string", "index=ascii=true, ascii=false"),
		field("AML107", "string", "index='ascii': 'true'"),
		{"AML107", "the whole partition key", func(g *Generator) Place {
			s := g.base()
			s.Fields[0].option("index")
			return Place{Struct: s, Field: s.Fields[0]}
		}},
		{"AML107", "options on a key", func(g *Generator) Place { return g.bad(g.base(), "string", "discriminator", "index=ascii=true") }},
		{"AML107", "a vector in descending order", func(g *Generator) Place { return g.bad(g.base(), "[3]float32", "discriminator", "desc", "index") }},
		{"AML107", "in a table of counters", func(g *Generator) Place {
			s := g.base()
			g.bad(s, "int64", "counter")
			return g.bad(s, "string", "discriminator", "index")
		}},
		{"AML107", "a list of a projection", func(g *Generator) Place {
			s := g.base()
			c := g.bad(s, "[]string", "max=3")
			return g.bad2(g.addCopy(s), c.Field.Name, "[]string", "index")
		}},
	}
	for _, with := range []string{"colour = 'red'", "compaction = 'x'", "gc_grace_seconds = -1", "crc_check_chance = 2", "cdc = maybe", "comment", "CLUSTERING ORDER BY (x DESC)", "COMPACT STORAGE", "ID = x",
		"gc_grace_seconds = 60", "default_time_to_live = 60", "compaction = {'class': 'Levelled'}", "compaction = {'min_threshold': 4}", "compression = {'class': 'LZ5Compressor'}",
		"caching = {'keys': 'SOME'}", "speculative_retry = 'often'", "additional_write_policy = 'x'", "read_repair = 'SYNC'", "bloom_filter_fp_chance = 0.00001",
		"crc_check_chance = .5", "crc_check_chance = 0x1p-2", "min_index_interval = 0", "cdc = true AND cdc = false", "comment = it's"} {
		out = append(out, marker("AML106", "with="+with))
	}
	return out
}
