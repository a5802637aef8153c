package corpus

import "fmt"

// repeat copies the key of another struct into one, with the same Go names and types. Same is whether the CQL names are the
// same, too.
func (g *Generator) repeat(s *Struct, from *Field, same bool, options ...string) *Field {
	f := &Field{Name: from.Name, Type: from.Type}
	s.claim(f.Name)
	name := ""
	if !same {
		name = g.column(s, true)
	} else if from.Tag != nil && (s.claim(from.Tag.Name) || s.Role == Part) {
		name = from.Tag.Name
	}
	f.Tag = tag(name, options...)
	for _, key := range []string{"composition", "type", "qualifier", "final", "secret"} {
		if v, ok := from.Tag.Value(key); ok {
			f.Tag.Options = append(f.Tag.Options, Option{key, v})
		}
	}
	if from.Has("unique") && from.Type.Kind == Slice {
		f.option("unique")
	}
	if f.Tag.Name == "" && len(f.Tag.Options) == 0 {
		f.Tag = nil
	}
	s.Fields = append(s.Fields, f)
	return f
}

// parts adds a root with parts, in separate tables or in its own.
func (g *Generator) parts() {
	inside := g.chance(50)
	root := g.addRoot(shapeOf{single: true, simple: true, versioned: inside && g.chance(50)})
	if inside {
		g.named(root, "Present", scalar("string", "text"), "required")
		g.part(root, true)
		return
	}
	for range 1 + g.rand.IntN(2) {
		g.part(root, false)
	}
}

// part adds one part of a root.
func (g *Generator) part(root *Struct, inside bool) *Struct {
	p := g.structure(Part, Entity, "")
	p.Tag = tag("", "part="+root.Name)
	if inside {
		p.Tag.Name = g.nameTable(root)
		for k := range root.names { // both have one name space
			p.claim(k)
		}
		g.note("part: in its root's table")
	} else {
		p.Tag.Name = g.table(p.Name)
		g.note("part: in a separate table")
	}
	for _, k := range root.with("identifier") {
		g.repeat(p, k, inside || g.chance(50), "identifier")
	}
	least := 0
	if inside {
		least = 1
	}
	for range least + g.rand.IntN(2) {
		f := g.addPlain(p, g.scalar(atClustering, wants{ordered: true}), true, "discriminator")
		g.randomOption(50, f, "desc")
	}
	for range 1 + g.rand.IntN(4) {
		g.choose("attribute of a part", g.attributes(p)[:17])
	}
	if !inside {
		g.maybeMarker(30, p, "comment=parts")
		g.maybeMarker(30, p, "gc_grace=7200")
	}
	if len(p.with("discriminator")) > 0 {
		g.maybeMarker(40, p, fmt.Sprintf("rows=%d", 1+g.rand.IntN(500)))
	}
	return p
}

// nameTable returns the name of a root's table, and adds it to the tag.
func (g *Generator) nameTable(s *Struct) string {
	if s.Tag == nil {
		s.Tag = &Tag{}
	}
	if s.Tag.Name == "" {
		s.Tag.Name = s.Name + "_table"
	}
	return s.Tag.Name
}

// associated adds a target and a struct that refers to it.
func (g *Generator) associated() {
	checked := g.chance(60)
	target := g.addRoot(shapeOf{versioned: checked, simple: true, bare: g.chance(70), one: g.chance(60)})
	holder := g.addRoot(shapeOf{versioned: checked, bare: g.chance(50)})
	for range 1 + g.rand.IntN(3) {
		if len(target.key()) == 1 {
			g.refer(holder, target, checked)
		} else {
			g.referByAll(holder, target, checked)
		}
	}
	if g.chance(70) {
		g.referAbroad(holder)
	}
}

// refer adds a key of one field.
func (g *Generator) refer(holder, target *Struct, checked bool) {
	k := target.key()[0]
	option := "association=" + target.Name
	object := func() *Struct {
		e := g.structure(Object, Plain, "")
		g.addPlain(holder, &Type{Kind: Value, Struct: e}, true)
		return e
	}
	g.choose("association", []choice{
		{"one", func() { g.check(g.addPlain(holder, k.Type, true, option), checked, false) }},
		{"one or none", func() {
			g.check(g.addPlain(holder, &Type{Kind: Pointer, Elem: k.Type}, true, option), checked, true)
		}},
		{"list", func() { g.check(g.addPlain(holder, &Type{Kind: Slice, Elem: k.Type}, true, option), checked, true) }},
		{"set", func() {
			g.check(g.addPlain(holder, &Type{Kind: Slice, Elem: k.Type}, true, option, "unique"), checked, true)
		}},
		{"map set", func() {
			g.check(g.addPlain(holder, &Type{Kind: MapSet, Key: k.Type}, true, option), checked, true)
		}},
		{"inside a composition", func() { g.check(g.addPlain(object(), k.Type, true, option), checked, false) }},
		{"disjunctive", func() {
			group := "Way" + g.fieldName(holder, true)
			g.check(g.addPlain(holder, &Type{Kind: Pointer, Elem: k.Type}, true, option, "xor="+group), checked, true)
			g.add(holder, g.absent(), "xor="+group)
		}},
		{"in the key", func() {
			f := g.addPlain(holder, k.Type, true, "discriminator", option)
			g.check(f, checked, false)
		}},
	})
}

// check makes an association a checked one. If it can be cleared, it sometimes has that option.
func (g *Generator) check(f *Field, checked, clear bool) {
	if !checked || g.chance(20) {
		return
	}
	f.option("checked")
	ways := []string{"", "restrict", "cascade"}
	if clear {
		ways = append(ways, "clear")
	}
	if way := g.pick("ondelete", ways); way != "" {
		f.option("ondelete=" + way)
	}
}

// referByAll adds a key of several fields: each separately, or as tuples.
func (g *Generator) referByAll(holder, target *Struct, checked bool) {
	g.choose("association by several fields", []choice{
		{"one", func() {
			for _, k := range target.key() {
				f := g.addPlain(holder, k.Type, true, "association="+target.Name+"."+k.Name)
				if checked {
					f.option("checked")
				}
			}
		}},
		{"many", func() {
			e := g.structure(TupleOf, Plain, "")
			for _, k := range target.key() {
				g.repeat(e, k, true)
			}
			f := g.addPlain(holder, &Type{Kind: Slice, Elem: &Type{Kind: Tuple, Struct: e}}, true, "association="+target.Name)
			g.randomOption(50, f, "unique")
			g.check(f, checked, true)
		}},
	})
}

// referAbroad refers to a root of another package.
func (g *Generator) referAbroad(holder *Struct) {
	g.choose("association abroad", []choice{
		{"one", func() { g.add(holder, scalar("int64", "bigint"), "association=kinds.Account") }},
		{"many", func() {
			g.add(holder, &Type{Kind: Slice, Elem: scalar("int64", "bigint")}, "association=kinds.Account", "max=4")
		}},
		{"several fields", func() {
			g.add(holder, scalar("string", "text"), "association=kinds.Branch.Bank")
			g.add(holder, scalar("int32", "int"), "association=kinds.Branch.No")
		}},
	})
}

// copied adds a target and holders of copies of its fields.
func (g *Generator) copied() {
	target := g.addRoot(shapeOf{versioned: true, simple: true, bare: g.chance(50)})
	g.named(target, "Headline0", scalar("string", "text"))
	g.named(target, "Grade0", &Type{Kind: Pointer, Elem: scalar("int32", "int")})
	holder := g.addRoot(shapeOf{versioned: true, bare: g.chance(50)})
	g.choose("copy", []choice{
		{"composition", func() { g.copyWhole(holder, target) }},
		{"fields", func() { g.copyFields(holder, target) }},
	})
	if g.chance(40) {
		p := g.redundant(target, "")
		g.addKey(p, target)
		g.repeat(p, target.field("Headline0"), true)
	}
}

func (g *Generator) copyWhole(holder, target *Struct) {
	e := g.structure(Object, Plain, "")
	for _, k := range target.key() {
		g.repeat(e, k, true)
	}
	g.named(e, "Headline0", scalar("string", "text"))
	t := &Type{Kind: Value, Struct: e}
	if g.chance(30) {
		t = &Type{Kind: Pointer, Elem: t}
	}
	f := g.addPlain(holder, t, true, "copy="+target.Name)
	g.chooseOnDelete(f)
	g.randomOption(30, f, "final")
}

func (g *Generator) copyFields(holder, target *Struct) {
	key := target.key()
	for _, k := range key {
		option := "association=" + target.Name
		if len(key) > 1 {
			option += "." + k.Name
		}
		g.addPlain(holder, k.Type, true, option)
	}
	f := g.add(holder, scalar("string", "text"), "copy="+target.Name+".Headline0")
	g.chooseOnDelete(f)
	if g.chance(50) {
		g.add(holder, &Type{Kind: Pointer, Elem: scalar("int32", "int")}, "copy="+target.Name+".Grade0")
	}
}

func (g *Generator) chooseOnDelete(f *Field) {
	if way := g.pick("ondelete of a copy", []string{"", "restrict", "keep"}); way != "" {
		f.option("ondelete=" + way)
	}
}

// viewed adds a view of a root, a part or a redundant aggregate.
func (g *Generator) viewed() {
	root := g.addRoot(shapeOf{single: true, simple: true})
	g.choose("view", []choice{
		{"of a root", func() { g.view(root) }},
		{"of a part", func() { g.view(g.part(root, false)) }},
		{"of a projection", func() { g.viewOfProjection(root) }},
	})
}

func (g *Generator) viewOfProjection(root *Struct) {
	p := g.redundant(root, "")
	g.addKey(p, root)
	g.view(p)
}

func (g *Generator) view(of *Struct) {
	v := g.structure(View, Aggregate, "")
	v.Tag = tag("", "of="+of.Name)
	for i, f := range of.all() {
		if f.Tag != nil && f.Tag.Name == "-" || f.Has("ttl") {
			continue
		}
		if i == 0 || g.chance(50) {
			if x := g.repeat(v, f, true); g.chance(50) && x.Tag != nil {
				x.Tag.Name = ""
			}
		}
	}
}
