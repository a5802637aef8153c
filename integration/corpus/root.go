package corpus

import (
	"fmt"
	"strings"
)

// shapeOf has the properties of a root that a reference to it needs.
type shapeOf struct {
	versioned bool
	single    bool // no discriminators
	simple    bool // key types that are never nil and that a tag can repeat
	bare      bool // no attributes beyond the key
	one       bool // a key of one field
}

// root adds a root of any shape.
func (g *Generator) root() *Struct { return g.addRoot(shapeOf{}) }

// addRoot adds a root.
func (g *Generator) addRoot(o shapeOf) *Struct {
	s := g.structure(Root, Aggregate, "")
	if name := g.table(s.Name); name != "" || g.chance(50) {
		s.Tag = tag(name)
	}
	g.keys(s, o)
	if o.versioned {
		g.named(s, "Version", scalar("int64", "bigint"), "version")
	}
	if !o.bare {
		for range 2 + g.rand.IntN(5) {
			g.choose("attribute", g.attributes(s))
		}
		g.properties(s)
	}
	if g.chance(20) {
		g.rand.Shuffle(len(s.Fields), func(i, j int) { s.Fields[i], s.Fields[j] = s.Fields[j], s.Fields[i] })
	}
	return s
}

// keys adds the primary key to a root.
func (g *Generator) keys(s *Struct, o shapeOf) {
	ids := "1"
	if !o.one {
		ids = g.pick("identifiers", []string{"1", "1 again", "2", "3"})
	}
	g.note("identifiers: " + ids[:1])
	for range int(ids[0] - '0') {
		g.addPlain(s, g.keyType(s, atPartition, o.simple), true, "identifier")
	}
	if o.single || o.one {
		return
	}
	n := g.pick("discriminators", []string{"0", "1", "2", "3"})
	g.note("discriminators: " + n)
	for range int(n[0] - '0') {
		f := g.addPlain(s, g.keyType(s, atClustering, o.simple), true, "discriminator")
		if order := g.pick("order", []string{"", "asc", "desc"}); order != "" {
			f.option(order)
		}
	}
	for _, f := range s.Fields {
		if t := f.Type; t.collection() || t.Kind == Value {
			f.option("final")
		}
	}
}

// keyType returns the type of a part of the key. The caller adds final if it must be frozen.
func (g *Generator) keyType(s *Struct, at string, simple bool) *Type {
	if simple {
		return g.scalar(at, wants{ordered: true, present: true, comparable: true})
	}
	switch {
	case g.chance(8) && !s.single():
		return &Type{Kind: Slice, Elem: g.scalar(atElement, wants{ordered: true, flat: true})}
	case g.chance(8) && !s.single():
		return &Type{Kind: MapSet, Key: g.scalar(atSetElement, wants{ordered: true, comparable: true, flat: true})}
	case g.chance(8) && !s.single():
		return g.valueObject(wants{ordered: true, comparable: true, depth: 2})
	}
	return g.scalar(at, wants{ordered: true})
}

// single reports whether the key of a struct has single values only because another struct repeats it.
func (s *Struct) single() bool { return s.Role != Root }

// attributes are the ways to add an attribute to a root.
func (g *Generator) attributes(s *Struct) []choice {
	if g.executed {
		return g.executedAttributes(s)
	}
	out := []choice{
		{"single value", func() { g.single(s) }},
		{"value", func() { g.fieldOptions(g.add(s, g.value(atColumn))) }},
		{"composition of one", func() { g.fieldOptions(g.add(s, g.valueObject(wants{depth: 1}))) }},
		{"composition of many", func() { g.many(s) }},
		{"composition by key", func() { g.keyed(s) }},
		{"qualifier", func() { g.qualified(s, 1) }},
		{"qualifier of several", func() { g.qualified(s, 2) }},
		{"qualifier by discriminator", func() { g.discriminated(s) }},
		{"entities", func() { g.entities(s) }},
		{"inherited", func() { g.inherited(s) }},
		{"omitted field", func() { g.leftOut(s) }},
		{"xor", func() { g.exclusive(s, false) }},
		{"xor with a column", func() { g.exclusive(s, true) }},
		{"any", func() { g.anyGroup(s) }},
		{"index", func() { g.indexed(s) }},
		{"index with options", func() { g.indexedWith(s) }},
		{"index of a vector", func() { g.indexedVector(s) }},
		{"index of elements", func() { g.indexedElements(s) }},
	}
	if len(s.with("discriminator")) > 0 && !s.versioned() {
		out = append(out, choice{"static", func() { g.static(s) }})
	}
	return out
}

func (g *Generator) single(s *Struct) {
	f := g.add(s, g.scalar(atColumn, wants{}))
	g.fieldOptions(f)
	if f.Type.missing() && !f.Has("required") {
		g.randomOption(20, f, "required")
	}
}

// many composes a list or a set of structs.
func (g *Generator) many(s *Struct) {
	e := g.valueObject(wants{depth: 1})
	f := g.add(s, &Type{Kind: Slice, Elem: e})
	if !e.duration() {
		g.randomOption(50, f, "unique")
	}
	g.randomOption(30, f, "final")
	g.randomOption(50, f, "max=20")
}

// keyed composes a map of structs.
func (g *Generator) keyed(s *Struct) {
	g.add(s, &Type{Kind: Map, Key: g.mapKey(wants{}, true), Elem: g.valueObject(wants{depth: 1})}, "max=9")
}

// element adds a struct whose first fields can be keys.
func (g *Generator) element(marker Marker, keys int, option string) (*Struct, []string) {
	s := g.structure(Object, marker, "")
	if marker != Plain {
		s.Tag = tag(g.udt(s.Name))
		g.maybeMarker(20, s, "final")
	}
	var names []string
	for range keys {
		t := g.scalar(atField, wants{ordered: true, present: true, comparable: true})
		f := g.add(s, t)
		if option != "" {
			f.option(option)
		}
		names = append(names, f.Name)
	}
	g.fill(s, atField, wants{depth: 1})
	return s, names
}

func (g *Generator) qualified(s *Struct, keys int) {
	e, names := g.element(Plain, keys, "")
	value := names[0]
	if keys > 1 {
		value += "+" + names[1]
	}
	g.add(s, &Type{Kind: Slice, Elem: &Type{Kind: Value, Struct: e}}, "qualifier="+value, "max=5")
}

func (g *Generator) discriminated(s *Struct) {
	e, _ := g.element(ValueObject, 1+g.rand.IntN(2), "discriminator")
	g.add(s, &Type{Kind: Slice, Elem: &Type{Kind: Value, Struct: e}}, "max=5")
}

func (g *Generator) entities(s *Struct) {
	e, _ := g.element(Entity, 1+g.rand.IntN(2), "identifier")
	f := g.add(s, &Type{Kind: Slice, Elem: &Type{Kind: Value, Struct: e}}, "max=5")
	g.randomOption(30, f, "final")
}

// inherited embeds a plain struct.
func (g *Generator) inherited(s *Struct) {
	base := g.structure(Inherited, Plain, "")
	base.names = s.names
	for range 1 + g.rand.IntN(3) {
		g.add(base, g.scalar(atColumn, wants{}))
	}
	s.names = base.names
	s.Fields = append(s.Fields, &Field{Name: base.Name, Type: &Type{Kind: Value, Struct: base}, Embedded: true})
}

func (g *Generator) leftOut(s *Struct) {
	t := g.pickOne([]string{"chan int", "func()", "map[string]any", "uint64", "error", "*string"})
	s.Fields = append(s.Fields, &Field{Name: g.fieldName(s, false), Type: scalar(t, ""), Tag: tag("-")})
}

// absent returns a type whose value can be null.
func (g *Generator) absent() *Type {
	for {
		t := g.value(atColumn)
		if t.nilable() && !t.anywhere(func(x *Type) bool { return x.Kind == Tuple }) {
			return t
		}
	}
}

// exclusive adds a disjunction.
func (g *Generator) exclusive(s *Struct, column bool) {
	group := "Kind" + g.fieldName(s, true)
	s.claim(group)
	if column {
		g.named(s, group, scalar("string", "text"))
	}
	required := g.chance(40)
	for range 2 + g.rand.IntN(2) {
		f := g.add(s, g.absent(), "xor="+group)
		if required {
			f.option("required")
		}
	}
}

// anyGroup adds a group in which one field has a value.
func (g *Generator) anyGroup(s *Struct) {
	group := "Some" + g.fieldName(s, true)
	for range 2 + g.rand.IntN(2) {
		t := g.absent()
		if g.chance(30) {
			t = scalar("string", "text")
		}
		g.add(s, t, "any="+group)
	}
}

func (g *Generator) static(s *Struct) {
	for range 3 + g.rand.IntN(4) {
		g.fieldOptions(g.add(s, g.scalar(atStatic, wants{}), "static"))
	}
	g.choose("static", []choice{
		{"pointer", func() {
			g.add(s, &Type{Kind: Pointer, Elem: g.scalar(atStatic, wants{present: true})}, "static")
		}},
		{"sql.Null", func() { g.add(s, &Type{Kind: Null, Elem: g.scalar(atStatic, wants{})}, "static") }},
		{"list", func() { g.add(s, &Type{Kind: Slice, Elem: g.scalar(atElement, wants{})}, "static") }},
		{"map", func() {
			g.add(s, &Type{Kind: Map, Key: g.mapKey(wants{}, true), Elem: g.scalar(atMapValue, wants{flat: true})}, "static")
		}},
		{"set", func() { g.fieldOptions(g.add(s, g.set(wants{depth: maxDepth}), "static")) }},
		{"struct", func() { g.fieldOptions(g.add(s, g.valueObject(wants{depth: 1}), "static")) }},
		{"any", func() { g.fieldOptions(g.add(s, g.value(atStatic), "static")) }},
	})
}

// indexable returns a single value that can have an index.
func (g *Generator) indexable(at string) *Type {
	for {
		t := g.scalar(at, wants{})
		if t.Kind != Vector && t.CQL != "blob" && !strings.ContainsAny(t.CQL, "<") && t.CQL != "duration" {
			return t
		}
	}
}

func (g *Generator) indexed(s *Struct) {
	f := g.addPlain(s, g.indexable(atColumn), true, "index")
	if len(s.with("discriminator")) > 0 && !s.versioned() && s.Role == Root {
		g.randomOption(30, f, "static")
	}
	if ck := s.with("discriminator"); len(ck) > 0 && g.chance(30) && !ck[0].Has("index") && g.canIndex(ck[0]) {
		ck[0].option("index")
		g.note("index of a clustering key")
	}
	if pk := s.with("identifier"); s.Role == Root && len(pk) > 1 && g.chance(30) && !pk[0].Has("index") && g.canIndex(pk[0]) {
		pk[0].option("index")
		g.note("index of a partition key")
	}
}

func (g *Generator) canIndex(f *Field) bool {
	return f.Type.Kind == Native && f.Type.CQL != "blob" && !f.Type.collection() || f.Type.Kind == Vector && f.Type.Size > 1 && !f.Has("desc")
}

func (g *Generator) indexedWith(s *Struct) {
	options := g.pickOne([]string{"case_sensitive=false", "normalize=true", "ascii=true", "case_sensitive=false, normalize=true, ascii=true"})
	t := g.pickOne([]string{"text", "ascii"})
	g.addPlain(s, &Type{Kind: Native, Go: "string", CQL: t, Odd: t != "text"}, true, "index="+options)
}

func (g *Generator) indexedVector(s *Struct) {
	f := g.addPlain(s, &Type{Kind: Vector, Size: 2 + g.rand.IntN(20)}, true)
	switch function := g.pick("similarity", []string{"", "COSINE", "DOT_PRODUCT", "EUCLIDEAN", "euclidean of one"}); function {
	case "":
		f.option("index")
	case "euclidean of one":
		f.Type.Size = 1
		f.option("index=similarity_function=euclidean")
	default:
		f.option("index=similarity_function=" + function)
	}
}

func (g *Generator) indexedElements(s *Struct) {
	e, option := g.indexable(atElement), "index"
	if g.chance(30) {
		e, option = scalar("string", "text"), "index=normalize=true"
	}
	if e.comparable() && g.chance(30) {
		g.addPlain(s, &Type{Kind: MapSet, Key: e}, true, option, "max=7")
		return
	}
	f := g.addPlain(s, &Type{Kind: Slice, Elem: e}, true, option, "max=7")
	g.randomOption(50, f, "unique")
}

// properties sets the properties of a table.
func (g *Generator) properties(s *Struct) {
	var all []string
	if !s.versioned() && s.Role == Root && !g.executed {
		all = append(all, fmt.Sprintf("ttl=%d", 60+g.rand.IntN(630720000-59)))
	}
	all = append(all, "comment="+g.pickOne([]string{"plain", "two words", "it's", `a "quoted" one`, "ünï"}), "gc_grace=86400", "was="+s.Name+"_before",
		"with="+g.pick("with", with))
	if len(s.with("discriminator")) > 0 {
		all = append(all, "rows=20")
	}
	for _, o := range all {
		key, _ := cut(o)
		if s.Marker == Entity && key == "ttl" {
			continue
		}
		g.maybeMarker(25, s, o)
	}
}

// with are table properties without a separate option.
var with = []string{
	"compaction = {'class': 'LeveledCompactionStrategy'}",
	"compaction = {'class': 'SizeTieredCompactionStrategy', 'min_threshold': 4} and compression = {'class': 'LZ4Compressor', 'chunk_length_in_kb': 64}",
	"compaction = {'class': 'UnifiedCompactionStrategy', 'scaling_parameters': 'T4'}",
	"compaction = {'class': 'TimeWindowCompactionStrategy', 'compaction_window_unit': 'DAYS', 'compaction_window_size': '1'}",
	"compression = {'enabled': false}",
	"caching = {'keys': 'ALL', 'rows_per_partition': 'NONE'} AND speculative_retry = '99p'",
	"bloom_filter_fp_chance = 0.01 AND crc_check_chance = 0.5",
	"read_repair = 'NONE' AND additional_write_policy = '95p'",
	"memtable_flush_period_in_ms = 60000 AND min_index_interval = 64 AND max_index_interval = 4096",
	"cdc = false AND allow_auto_snapshot = true AND incremental_backups = false",
	"speculative_retry = 'MIN(99p,50ms)'",
}

// counters adds a root with counters.
func (g *Generator) counters() {
	s := g.structure(Counters, Aggregate, "")
	s.Tag = tag(g.table(s.Name))
	g.addPlain(s, g.scalar(atPartition, wants{ordered: true}), true, "identifier")
	if g.chance(60) {
		g.addPlain(s, g.scalar(atClustering, wants{ordered: true}), true, "discriminator", g.pickOne([]string{"asc", "desc"}))
	}
	for i := range 1 + g.rand.IntN(3) {
		f := g.add(s, scalar(g.pickOne([]string{"int64", "int"}), "bigint"), "counter")
		if i > 0 && len(s.with("discriminator")) > 0 && g.chance(30) { // a row has a counter that is not static
			f.option("static")
			g.note("static counter")
		}
	}
	g.maybeMarker(30, s, "comment=counts")
}

// versionedRoot adds a root with an optimistic lock and options that need one.
func (g *Generator) versionedRoot() {
	s := g.addRoot(shapeOf{versioned: true})
	for range 1 + g.rand.IntN(3) {
		g.choose("unique", []choice{
			{"single value", func() { g.addPlain(s, g.claimable(atColumn), true, "unique") }},
			{"group", func() { g.uniqueGroup(s) }},
			{"inside a composition", func() { g.uniqueInside(s, false) }},
			{"inside a collection", func() { g.uniqueInside(s, true) }},
			{"group inside compositions", func() { g.uniqueGroupInside(s) }},
		})
	}
}

// claimable returns a type whose single values can be claimed.
func (g *Generator) claimable(at string) *Type {
	for {
		if t := g.scalar(at, wants{ordered: true}); t.Kind != Vector {
			return t
		}
	}
}

func (g *Generator) uniqueGroup(s *Struct) {
	group := "Together" + g.fieldName(s, true)
	for range 2 + g.rand.IntN(2) {
		g.addPlain(s, g.claimable(atColumn), true, "unique="+group)
	}
}

// uniqueInside declares a field of a composed struct unique.
func (g *Generator) uniqueInside(s *Struct, many bool) {
	e := g.structure(Object, Plain, "")
	t := g.claimable(atField)
	for t.Kind == Coded && many {
		t = g.claimable(atField)
	}
	g.addPlain(e, t, true, "unique")
	g.fill(e, atField, wants{depth: maxDepth})
	value := &Type{Kind: Value, Struct: e}
	if many {
		g.addPlain(s, &Type{Kind: Slice, Elem: value}, true, "max=3")
	} else {
		g.addPlain(s, value, true)
	}
}

// uniqueGroupInside adds a group with a field of the root and one of a composed struct.
func (g *Generator) uniqueGroupInside(s *Struct) {
	group := "Both" + g.fieldName(s, true)
	e := g.structure(Object, Plain, "")
	inner := g.addPlain(e, g.claimable(atField), true)
	inner.option("unique=" + group)
	g.addPlain(s, &Type{Kind: Value, Struct: e}, true)
	outer := g.claimable(atColumn)
	g.addPlain(s, outer, true, "unique="+group)
}
