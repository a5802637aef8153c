package corpus

import "slices"

// redundant adds a redundant aggregate without attributes. A path can follow the name of its source.
func (g *Generator) redundant(source *Struct, path string, options ...string) *Struct {
	p := g.structure(Redundant, Aggregate, "")
	p.Tag = tag(g.table(p.Name), append([]string{"redundant=" + source.Name + path}, options...)...)
	if !g.executed {
		g.maybeMarker(15, p, "ttl=86400")
	}
	if large := func(o Option) bool { return o.Key == "large" }; !source.versioned() && (source.Tag == nil || !slices.ContainsFunc(source.Tag.Options, large)) {
		g.maybeMarker(25, source, "large")
	}
	g.maybeMarker(15, p, "gc_grace=3600")
	g.maybeMarker(15, p, "comment=redundant")
	g.maybeMarker(10, p, "was="+p.Name+"_old")
	return p
}

// addKey adds the complete key of the source to a redundant aggregate: one or more identifiers, then discriminators.
func (g *Generator) addKey(p, source *Struct) { g.keyFrom(p, source.key(), 0) }

// keyFrom adds the key of a source as discriminators. The first become identifiers if there is none yet.
func (g *Generator) keyFrom(p *Struct, key []*Field, have int) {
	ids := 1 + g.rand.IntN(len(key))
	if have > 0 {
		ids = 0
	}
	for i, k := range key {
		option := "discriminator"
		if i < ids {
			option = "identifier"
		}
		f := g.repeat(p, k, g.chance(50), option)
		if option == "discriminator" {
			g.randomOption(30, f, "desc")
		}
	}
}

// copyAttributes adds some attributes of a source that a redundant aggregate can have.
func (g *Generator) copyAttributes(p, source *Struct, percent int) {
	for _, f := range source.all() {
		if f.Tag != nil && f.Tag.Name == "-" || f.Has("ttl") || f.Has("static") || f.Has("version") || p.field(f.Name) != nil || !g.chance(percent) {
			continue
		}
		if f.Has("index") {
			g.repeat(p, f, true)
		} else if g.chance(30) {
			c := g.repeat(p, f, false, "from="+source.Name+"."+f.Name)
			c.Name = ascii(c.Name) + "Again"
			if !p.claim(c.Name) {
				p.Fields = p.Fields[:len(p.Fields)-1]
			}
		} else {
			g.repeat(p, f, false)
		}
	}
	if g.indexOn(p) != nil {
		g.note("index of a redundant aggregate")
	}
}

// projected adds a root and a projection of it, one row for each.
func (g *Generator) projected() {
	g.choose("projection", []choice{
		{"by another key", func() { g.byAnotherKey() }},
		{"by a unique value", func() { g.byUnique() }},
		{"distinct", func() { g.distinct() }},
		{"shared", func() { g.shared() }},
		{"when", func() { g.when() }},
		{"by a method", func() { g.byMethod() }},
		{"rows of a method", func() { g.rowsOfMethod() }},
		{"of a part", func() { g.ofPart() }},
		{"static", func() { g.staticToo() }},
		{"source embedded", func() { g.embedded() }},
		{"path into a composition", func() { g.intoComposition() }},
		{"expiring", func() { g.expiring() }},
	})
}

// source adds a root to project, sometimes a versioned one.
func (g *Generator) source() *Struct {
	return g.addRoot(shapeOf{simple: true, versioned: !g.executed && g.chance(50)})
}

// plainSource adds a plain root to project: distinct is refused for most copies of a versioned one.
func (g *Generator) plainSource() *Struct { return g.addRoot(shapeOf{simple: true}) }

func (g *Generator) byAnotherKey() {
	s := g.source()
	by := g.addPlain(s, g.scalar(atColumn, wants{ordered: true, present: true, comparable: true}), true)
	p := g.redundant(s, "")
	g.maybeMarker(30, p, "unlogged")
	g.repeat(p, by, g.chance(50), "identifier")
	g.keyFrom(p, s.key(), 1)
	g.copyAttributes(p, s, 40)
}

// indexOn adds an index to a column of a redundant aggregate.
func (g *Generator) indexOn(p *Struct) *Field {
	for _, f := range p.Fields {
		plain := f.Tag == nil || f.Tag.Name == ""
		if !f.Has("identifier") && !f.Has("discriminator") && g.canIndex(f) && f.Type.CQL != "duration" && plain && ascii(f.Name) == f.Name {
			return f.option("index")
		}
	}
	return nil
}

func (g *Generator) byUnique() {
	s := g.addRoot(shapeOf{simple: true, versioned: true})
	t := g.scalar(atColumn, wants{ordered: true, present: true, comparable: true})
	for t.Kind == Vector {
		t = g.scalar(atColumn, wants{ordered: true, present: true, comparable: true})
	}
	by := g.addPlain(s, t, true, "unique")
	p := g.redundant(s, "")
	g.repeat(p, by, true, "identifier")
	g.copyAttributes(p, s, 40)
}

func (g *Generator) distinct() {
	s := g.plainSource()
	by := g.addPlain(s, g.scalar(atColumn, wants{ordered: true, present: true, comparable: true}), true)
	p := g.redundant(s, "", "distinct")
	g.repeat(p, by, true, "identifier")
	g.copyAttributes(p, s, 50)
}

func (g *Generator) shared() {
	s := g.source()
	tags := g.addPlain(s, &Type{Kind: MapSet, Key: g.scalar(atSetElement, wants{ordered: true, present: true, comparable: true, flat: true})}, true, "max=9")
	p := g.redundant(s, "."+tags.Name, "shared")
	g.addPlain(p, tags.Type.Key, true, "identifier", "from="+s.Name+"."+tags.Name+"."+g.pickOne([]string{"$value", "$value"}))
	g.maybeMarker(30, p, "cache=30s")
	g.maybeMarker(30, p, "unlogged")
}

func (g *Generator) when() {
	s := g.source()
	by := g.addPlain(s, &Type{Kind: Pointer, Elem: g.scalar(atColumn, wants{ordered: true, present: true})}, true)
	flag := g.addPlain(s, scalar("bool", "boolean"), true)
	text := g.addPlain(s, scalar("string", "text"), true)
	number := g.addPlain(s, scalar("int32", "int"), true)
	s.Methods = append(s.Methods, "Shown() bool { return true }")
	path := g.pick("when", []string{by.Name, flag.Name, "Shown()", text.Name + " = open", text.Name + " in (open, 'not yet')", number.Name + " = -1", flag.Name + " = false"})
	p := g.redundant(s, "", "when="+s.Name+"."+path)
	key := g.repeat(p, by, true, "identifier")
	key.Type = by.Type.Elem
	g.keyFrom(p, s.key(), 1)
	g.copyAttributes(p, s, 30)
}

func (g *Generator) byMethod() {
	s := g.source()
	cql := g.pickOne([]string{"string", "int32", "time.Time"})
	s.Methods = append(s.Methods, "Bucket() "+cql+" { var b "+cql+"; return b }")
	p := g.redundant(s, "")
	g.named(p, "FromBucket", scalar(cql, map[string]string{"string": "text", "int32": "int", "time.Time": "timestamp"}[cql]), "identifier", "from="+s.Name+".Bucket()")
	g.keyFrom(p, s.key(), 1)
	g.copyAttributes(p, s, 30)
}

func (g *Generator) rowsOfMethod() {
	if g.chance(50) {
		s := g.plainSource()
		s.Methods = append(s.Methods, "Finders() []string { return nil }")
		p := g.redundant(s, ".Finders()", g.pickOne([]string{"distinct", "shared"}))
		g.addPlain(p, scalar("string", "text"), true, "identifier", "from="+s.Name+".Finders().$value")
		return
	}
	s := g.source()
	r := g.structure(Result, Plain, "")
	g.named(r, "Word", scalar("string", "text"))
	g.named(r, "Count", scalar("int32", "int"))
	s.Methods = append(s.Methods, "Words() []"+r.Name+" { return nil }")
	p := g.redundant(s, ".Words()")
	g.named(p, "Word", scalar("string", "text"), "identifier")
	g.named(p, "Count", scalar("int32", "int"))
	for _, k := range s.key() {
		f := g.repeat(p, k, true, "discriminator", "from="+s.Name+"."+k.Name)
		f.Name = "Its" + ascii(f.Name)
	}
}

func (g *Generator) ofPart() {
	versioned := g.chance(50)
	root := g.addRoot(shapeOf{single: true, simple: true, bare: true, versioned: versioned})
	part := g.structure(Part, Entity, "")
	if part.Tag = tag(g.table(part.Name), "part="+root.Name); versioned {
		part.Tag.Name = g.nameTable(root)
		for k := range root.names { // both have one name space
			part.claim(k)
		}
		g.note("copy of a part of a versioned root")
	}
	for _, k := range root.key() {
		g.repeat(part, k, true, "identifier")
	}
	g.addPlain(part, g.scalar(atClustering, wants{ordered: true, present: true, comparable: true}), true, "discriminator")
	by := g.addPlain(part, scalar("string", "text"), true)
	p := g.redundant(part, "")
	if versioned {
		p.Tag.drop("ttl")
	}
	g.repeat(p, by, true, "identifier")
	g.keyFrom(p, part.key(), 1)
}

// staticToo projects a static column into a table with the same partition key.
func (g *Generator) staticToo() {
	s := g.addRoot(shapeOf{single: true, simple: true})
	g.addPlain(s, g.scalar(atClustering, wants{ordered: true, present: true, comparable: true}), true, "discriminator")
	static := g.addPlain(s, g.scalar(atStatic, wants{}), true, "static")
	by := g.addPlain(s, g.scalar(atColumn, wants{ordered: true, present: true, comparable: true}), true)
	p := g.redundant(s, "")
	for _, k := range s.with("identifier") {
		g.repeat(p, k, g.chance(50), "identifier")
	}
	g.repeat(p, by, true, "discriminator")
	for _, k := range s.with("discriminator") {
		g.repeat(p, k, g.chance(50), "discriminator")
	}
	g.repeat(p, static, true, "static")
	// After a row has expired, the static values of its partition would remain.
	p.Tag.Options = slices.DeleteFunc(p.Tag.Options, func(o Option) bool { return o.Key == "ttl" })
}

// embedded assigns a struct from the source itself.
func (g *Generator) embedded() {
	s := g.source()
	name := g.addPlain(s, scalar("string", "text"), true)
	p := g.redundant(s, "")
	g.addKey(p, s)
	e := g.structure(Object, Plain, "")
	for _, k := range append(s.key(), name) {
		g.repeat(e, k, true)
	}
	f := g.add(p, &Type{Kind: Value, Struct: e}, "from="+s.Name)
	g.randomOption(40, f, "final")
}

// intoComposition derives a key from a composed struct.
func (g *Generator) intoComposition() {
	s := g.source()
	e := g.structure(Object, Plain, "")
	by := g.addPlain(e, g.scalar(atField, wants{ordered: true, present: true, comparable: true}), true)
	holder := g.addPlain(s, &Type{Kind: Value, Struct: e}, true)
	p := g.redundant(s, "")
	f := g.repeat(p, by, true, "identifier", "from="+s.Name+"."+holder.Name+"."+by.Name)
	f.Name = "By" + f.Name
	p.claim(f.Name)
	g.keyFrom(p, s.key(), 1)
}

// expiring inherits the TTL of a root, which can have a version.
func (g *Generator) expiring() {
	s := g.addRoot(shapeOf{simple: true, bare: true, versioned: g.chance(50)})
	s.marker(g.pickOne([]string{"ttl=3600", "ttl=$kept:3600", "ttl=$alive"}))
	p := g.redundant(s, "")
	if !slices.ContainsFunc(p.Tag.Options, func(o Option) bool { return o.Key == "ttl" }) {
		g.maybeMarker(50, p, "ttl=60")
	}
	g.addKey(p, s)
}

// projectedCollection adds a root and one row for each element of one of its collections.
func (g *Generator) projectedCollection() {
	g.choose("elements", []choice{
		{"of a map", func() { g.elementsOfMap() }},
		{"of a map of structs", func() { g.elementsOfObjects(true) }},
		{"of a set", func() { g.elementsOfSet() }},
		{"of a list", func() { g.elementsOfList() }},
		{"of entities", func() { g.elementsOfEntities() }},
		{"of a qualified list", func() { g.elementsOfQualified() }},
		{"of value objects", func() { g.elementsOfObjects(false) }},
	})
}

// sourceKey repeats the key of a source, which a row of an element contains completely.
func (g *Generator) sourceKey(p, s *Struct) {
	for _, k := range s.key() {
		f := g.repeat(p, k, true, "discriminator", "from="+s.Name+"."+k.Name)
		f.Name = "Of" + ascii(f.Name)
		p.claim(f.Name)
	}
}

func (g *Generator) elementsOfMap() {
	s := g.source()
	t := &Type{Kind: Map, Key: g.scalar(atMapKey, wants{comparable: true, ordered: true, flat: true, present: true}), Elem: g.scalar(atMapValue, wants{flat: true})}
	c := g.addPlain(s, t, true, "max=9")
	p := g.redundant(s, "."+c.Name)
	g.addPlain(p, t.Key, true, "identifier", "from="+s.Name+"."+c.Name+".$key")
	g.addPlain(p, t.Elem, true, "from="+s.Name+"."+c.Name+".$value")
	g.sourceKey(p, s)
}

func (g *Generator) elementsOfSet() {
	s := g.source()
	t := &Type{Kind: MapSet, Key: g.scalar(atSetElement, wants{comparable: true, ordered: true, flat: true, present: true})}
	c := g.addPlain(s, t, true, "max=9")
	p := g.redundant(s, "."+c.Name)
	g.addPlain(p, t.Key, true, "identifier", "from="+s.Name+"."+c.Name+".$value")
	g.sourceKey(p, s)
}

func (g *Generator) elementsOfList() {
	s := g.source()
	t := &Type{Kind: Slice, Elem: g.scalar(atElement, wants{comparable: true, ordered: true, flat: true, present: true})}
	c := g.addPlain(s, t, true, "max=9")
	p := g.redundant(s, "."+c.Name)
	g.addPlain(p, t.Elem, true, "identifier", "from="+s.Name+"."+c.Name+".$value")
	if !g.executed && g.chance(90) {
		g.addPlain(p, scalar("int32", "int"), true, "from="+s.Name+"."+c.Name+".$index")
		g.note("$index")
	}
	g.sourceKey(p, s)
}

// elementsOfObjects adds rows for the value objects in a map, which its key distinguishes, or for those in a list, for which
// only the option distinct is possible.
func (g *Generator) elementsOfObjects(keyed bool) {
	add := g.plainSource
	if keyed {
		add = g.source
	}
	s := add()
	e, names := g.element(Plain, 1, "")
	active := g.addPlain(e, scalar("bool", "boolean"), true)
	t := &Type{Kind: Slice, Elem: &Type{Kind: Value, Struct: e}}
	if keyed {
		t = &Type{Kind: Map, Key: g.scalar(atMapKey, wants{comparable: true, ordered: true, flat: true, present: true}), Elem: t.Elem}
	}
	c := g.addPlain(s, t, true, "max=9")
	path := s.Name + "." + c.Name
	p := g.redundant(s, "."+c.Name)
	if keyed {
		g.addPlain(p, t.Key, true, "identifier", "from="+path+".$key")
	} else {
		p.marker("distinct")
		g.repeat(p, e.field(names[0]), true, "identifier")
	}
	if !g.executed && g.chance(50) {
		p.marker("when=" + path + "." + active.Name)
		g.note("when= of an element")
	}
	g.sourceKey(p, s)
	g.copyElement(p, e)
}

// copyElement repeats some fields of an element.
func (g *Generator) copyElement(p, e *Struct) {
	for _, f := range e.all() {
		if p.field(f.Name) == nil && !f.Type.bare(Tuple) && g.chance(50) && p.claim(f.Name) {
			g.repeat(p, f, false)
		}
	}
}

func (g *Generator) elementsOfEntities() {
	s := g.source()
	e, names := g.element(Entity, 1, "identifier")
	c := g.addPlain(s, &Type{Kind: Slice, Elem: &Type{Kind: Value, Struct: e}}, true, "max=9")
	p := g.redundant(s, "."+c.Name)
	g.repeat(p, e.field(names[0]), true, "identifier")
	g.sourceKey(p, s)
	g.copyElement(p, e)
}

func (g *Generator) elementsOfQualified() {
	s := g.source()
	e, names := g.element(Plain, 1, "")
	c := g.addPlain(s, &Type{Kind: Slice, Elem: &Type{Kind: Value, Struct: e}}, true, "qualifier="+names[0], "max=9")
	p := g.redundant(s, "."+c.Name)
	g.repeat(p, e.field(names[0]), true, "identifier")
	g.sourceKey(p, s)
	g.copyElement(p, e)
}
