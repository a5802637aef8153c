package corpus

import (
	"fmt"
	"slices"
	"strings"
)

// Pair is a model before and after some changes. The second can be rejected, if a change removes a field that another struct
// refers to.
type Pair struct {
	Name          string // name of the package
	Before, After []byte // Go source
	Changes       []string
}

// Pair generates a valid model and changes it in one to five ways, as between two releases of a program. Half of the objects
// that Cassandra cannot change have a new table afterwards, with the name of the old one in an option.
func (g *Generator) Pair() *Pair {
	m := g.model(1 + g.rand.IntN(3))
	p := &Pair{Name: m.Name, Before: m.Source()}
	m.Has = nil
	for range 1 + g.rand.IntN(5) {
		g.choose("change", g.changes())
	}
	for _, h := range m.Has {
		if change, ok := strings.CutPrefix(h, "change: "); ok {
			p.Changes = append(p.Changes, change)
		}
	}
	p.After = m.Source()
	return p
}

// changes are the changes that are possible for the model.
func (g *Generator) changes() []choice {
	out := []choice{{"new family", func() { g.family++; g.choose("family", g.families()) }}}
	add := func(name string, of []*Struct, do func(*Struct)) {
		if len(of) > 0 {
			out = append(out, choice{name, func() { do(of[g.rand.IntN(len(of))]) }})
		}
	}
	roots := g.structs(func(s *Struct) bool { return s.Role == Root })
	objects := g.structs(func(s *Struct) bool { return s.Role == Object && s.Params == "" })
	add("new attribute", roots, func(s *Struct) { g.choose("attribute", g.attributes(s)) })
	add("new field", objects, func(s *Struct) { g.add(s, g.scalar(atField, wants{ordered: true, comparable: true, flat: true})) })
	add("dropped attribute", having(roots, droppable), func(s *Struct) { s.remove(g.randomField(s, droppable)) })
	add("dropped family", roots, func(s *Struct) { g.dropFamily(s.Family) })
	add("renamed field", having(objects, named), func(s *Struct) { g.rename(g.randomField(s, named)) })
	add("renamed key", having(roots, namedKey), func(s *Struct) { g.rename(g.randomField(s, namedKey)) })
	add("renamed attribute", having(roots, namedAttribute), func(s *Struct) { g.rename(g.randomField(s, namedAttribute)) })
	add("renamed table", g.structs(renameable), g.renameTable)
	add("other type", having(roots, retypeable), func(s *Struct) { g.retype(s, g.randomField(s, retypeable)) })
	add("other order", having(roots, ordered), func(s *Struct) { g.reorder(s, g.randomField(s, ordered)) })
	add("new index", having(roots, unindexed), func(s *Struct) { g.randomField(s, unindexed).option("index") })
	add("dropped index", having(roots, indexed), func(s *Struct) { g.randomField(s, indexed).Tag.drop("index") })
	add("other properties", roots, g.reset)
	return out
}

func (g *Generator) structs(is func(*Struct) bool) (out []*Struct) {
	for _, s := range g.m.Structs {
		if is(s) {
			out = append(out, s)
		}
	}
	return out
}

// having returns the structs that have a field of some kind.
func having(in []*Struct, is func(*Field) bool) []*Struct {
	return slices.DeleteFunc(slices.Clone(in), func(s *Struct) bool { return !slices.ContainsFunc(s.Fields, is) })
}

// randomField returns a random field of a kind.
func (g *Generator) randomField(s *Struct, is func(*Field) bool) *Field {
	all := slices.DeleteFunc(slices.Clone(s.Fields), func(f *Field) bool { return !is(f) })
	return all[g.rand.IntN(len(all))]
}

func (f *Field) hasOne(options ...string) bool { return slices.ContainsFunc(options, f.Has) }

// independent reports whether a field is in no key or group and its tag refers to no other field.
func independent(f *Field) bool {
	return !f.Embedded && !f.hasOne("identifier", "discriminator", "version", "association", "checked", "copy", "xor", "any", "unique", "counter", "from", "qualifier")
}

func droppable(f *Field) bool { return independent(f) }

// named reports whether the tag contains the CQL name, which can then be changed.
func named(f *Field) bool {
	return f.Tag != nil && f.Tag.Name != "" && f.Tag.Name != "-" && !f.Has("was")
}

func namedKey(f *Field) bool {
	return named(f) && f.hasOne("identifier", "discriminator") && !f.hasOne("index", "association", "qualifier")
}

func namedAttribute(f *Field) bool { return named(f) && independent(f) && !f.Has("index") }

func retypeable(f *Field) bool {
	return independent(f) && f.Type.Kind == Native && !f.Has("index") && f.Tag == nil
}

func ordered(f *Field) bool { return f.Has("discriminator") }

func unindexed(f *Field) bool {
	return independent(f) && !f.Has("index") && f.Type.Kind == Native && slices.Contains([]string{"int", "bigint", "text", "uuid", "double"}, f.Type.CQL)
}

func indexed(f *Field) bool { return independent(f) && f.Has("index") }

func renameable(s *Struct) bool {
	return (s.Role == Root || s.Role == Redundant) && s.Marker == Aggregate && s.Tag != nil && s.Tag.Name != ""
}

func (s *Struct) remove(f *Field) {
	s.Fields = slices.DeleteFunc(s.Fields, func(x *Field) bool { return x == f })
}

// drop removes an option from a tag.
func (t *Tag) drop(key string) *Tag {
	t.Options = slices.DeleteFunc(t.Options, func(o Option) bool { return o.Key == key })
	return t
}

func (g *Generator) dropFamily(family int) {
	g.m.Structs = slices.DeleteFunc(g.m.Structs, func(s *Struct) bool { return s.Family == family })
	if len(g.m.Structs) == 0 {
		g.family++
		g.root()
	}
}

// rename changes the CQL name of a field.
func (g *Generator) rename(f *Field) {
	was := f.Tag.Name
	f.Tag.Name = fmt.Sprintf("other_%d", g.rand.IntN(1000000))
	f.option("was=" + was)
}

// renameTable changes the table of an aggregate.
func (g *Generator) renameTable(s *Struct) {
	was, ok := s.Tag.Value("was")
	if !ok || was == s.Name+"_before" {
		was = s.Tag.Name
	}
	s.Tag.drop("was").add("was=" + was)
	s.Tag.Name = fmt.Sprintf("%s_n%d", strings.ToLower(s.Name), g.rand.IntN(1000000))
}

func (g *Generator) retype(s *Struct, f *Field) {
	before := f.Type.CQL
	for f.Type.CQL == before {
		f.Type = g.scalar(atColumn, wants{flat: true})
	}
	if g.chance(50) && renameable(s) {
		g.renameTable(s)
	}
}

func (g *Generator) reorder(s *Struct, f *Field) {
	if f.Has("desc") {
		f.Tag.drop("desc")
	} else {
		f.Tag.drop("asc").add("desc")
	}
	if g.chance(50) && renameable(s) {
		g.renameTable(s)
	}
}

// reset changes the properties of a table.
func (g *Generator) reset(s *Struct) {
	if s.Tag != nil {
		s.Tag.drop("comment").drop("gc_grace").drop("with").drop("ttl")
	}
	if !g.chance(80) {
		return
	}
	if g.properties(s); s.Tag != nil {
		given := map[string]bool{}
		s.Tag.Options = slices.DeleteFunc(s.Tag.Options, func(o Option) bool {
			again := given[o.Key]
			given[o.Key] = true
			return again
		})
	}
}
