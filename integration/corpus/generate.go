package corpus

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Block is how many models share a keyspace: among so many no two tables or types have one name.
const Block = 50

// Generator makes models. It steers chance towards what it has made least of, so that a few hundred models have all of the
// language in them. Equal seeds give equal models.
type Generator struct {
	rand    *rand.Rand
	made    map[string]int // how often a choice was taken
	claimed map[string]bool
	number  int
	m       *Model
	family  int

	executed    bool // make only what a store executes
	executables int  // models that were made so
}

// New returns a generator.
func New(seed uint64) *Generator {
	return &Generator{rand: rand.New(rand.NewPCG(seed, 0)), made: map[string]int{}}
}

// Models makes n models. Of ten three are valid, and one is of what a store executes, valid or not.
func (g *Generator) Models(n int) []*Model {
	var out []*Model
	for i := range n {
		switch {
		case i%10 == 9:
			out = append(out, g.Executable())
		case i%10%4 == 0:
			out = append(out, g.Valid())
		default:
			out = append(out, g.Broken())
		}
	}
	return out
}

// Valid makes a model that nothing refuses. Some have a fault planted that is only warned of.
func (g *Generator) Valid() *Model {
	m := g.model(3 + g.rand.IntN(3))
	if g.chance(90) {
		g.plant((*Fault).Warning)
	}
	return m
}

// Broken makes a valid model and breaks it in one to four places.
func (g *Generator) Broken() *Model {
	m := g.model(1 + g.rand.IntN(3))
	for range 2 + g.rand.IntN(3) {
		g.plant((*Fault).Refused)
	}
	return m
}

// model begins a model of some families.
func (g *Generator) model(families int) *Model {
	if g.number%Block == 0 {
		g.claimed = map[string]bool{}
	}
	g.number++
	prefix := fmt.Sprintf("Q%d", g.number)
	g.m = &Model{Name: fmt.Sprintf("m%04d", g.number), prefix: prefix, taken: map[string]bool{}}
	for range families {
		g.family++
		if g.executed {
			g.choose("executed family", g.executedFamilies())
		} else {
			g.choose("family", g.families())
		}
	}
	return g.m
}

// choice is one of several ways to go on.
type choice struct {
	name string
	do   func()
}

// families are the kinds of aggregates with what hangs on them.
func (g *Generator) families() []choice {
	return []choice{
		{"root", func() { g.root() }},
		{"versioned root", func() { g.versionedRoot() }},
		{"counters", func() { g.counters() }},
		{"parts", func() { g.parts() }},
		{"association", func() { g.associated() }},
		{"copy", func() { g.copied() }},
		{"projection", func() { g.projected() }},
		{"another projection", func() { g.projected() }},
		{"collection projection", func() { g.projectedCollection() }},
		{"another collection projection", func() { g.projectedCollection() }},
		{"another association", func() { g.associated() }},
		{"view", func() { g.viewed() }},
	}
}

// choose goes one of several ways, rather one that was seldom gone.
func (g *Generator) choose(of string, among []choice) {
	var names []string
	for _, c := range among {
		names = append(names, c.name)
	}
	c := among[slices.Index(names, g.pick(of, names))]
	g.note(of + ": " + c.name)
	c.do()
}

// pick takes one of some names with a weight that falls with how often it was taken.
func (g *Generator) pick(of string, names []string) string {
	weights := make([]float64, len(names))
	sum := 0.0
	for i, n := range names {
		x := float64(1 + g.made[of+": "+n])
		weights[i] = 1 / (x * x * x * x)
		sum += weights[i]
	}
	at := g.rand.Float64() * sum
	for i, w := range weights {
		if at -= w; at <= 0 {
			g.made[of+": "+names[i]]++
			return names[i]
		}
	}
	return names[len(names)-1]
}

// note records that the model has a construct.
func (g *Generator) note(construct string) { g.m.Has = append(g.m.Has, construct) }

func (g *Generator) oneOf(in []string) string { return in[g.rand.IntN(len(in))] }

// chance is true in so many of a hundred cases.
func (g *Generator) chance(percent int) bool { return g.rand.IntN(100) < percent }

// maybe adds an option to a field in so many of a hundred cases.
func (g *Generator) maybe(percent int, f *Field, option string) {
	if g.chance(percent) {
		f.option(option)
	}
}

// structure adds a struct to the model.
func (g *Generator) structure(role Role, marker Marker, base string) *Struct {
	s := &Struct{Name: g.typeName(base), Role: role, Marker: marker, Family: g.family}
	g.m.Structs = append(g.m.Structs, s)
	return s
}

// add appends a field with a new name; its tag says what its type needs.
func (g *Generator) add(s *Struct, t *Type, options ...string) *Field {
	return g.addPlain(s, t, false, options...)
}

// addPlain is add; plain asks for names that can be part of a table's.
func (g *Generator) addPlain(s *Struct, t *Type, plain bool, options ...string) *Field {
	f := &Field{Name: g.fieldName(s, plain), Type: t}
	f.Tag = g.tagOf(t, g.column(s, plain), options...)
	s.Fields = append(s.Fields, f)
	return f
}

// named appends a field of a given Go name and the default CQL name.
func (g *Generator) named(s *Struct, name string, t *Type, options ...string) *Field {
	s.claim(name)
	f := &Field{Name: name, Type: t, Tag: g.tagOf(t, "", options...)}
	s.Fields = append(s.Fields, f)
	return f
}

// tagOf makes the tag of a field of some type; nil where it has nothing.
func (g *Generator) tagOf(t *Type, name string, options ...string) *Tag {
	out := tag(name, options...)
	if t.composes() {
		out.add("composition")
	} else if o := t.option(); o != "" {
		out.add("type=" + o)
	} else if t.collection() && t.spellable() && g.chance(15) {
		out.add("type=" + t.spelled())
	}
	if out.Name == "" && len(out.Options) == 0 {
		return nil
	}
	return out
}
