package corpus

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Block is the number of models that share a keyspace: all their tables and types have different names.
const Block = 50

// Generator generates models. It prefers constructs that it has generated least, so that a few hundred models contain all of
// the language. Equal seeds give equal models.
type Generator struct {
	rand    *rand.Rand
	made    map[string]int // how often a choice was taken
	claimed map[string]bool
	number  int
	m       *Model
	family  int

	executed    bool // use only what a store supports
	executables int  // number of such models
}

// New returns a generator.
func New(seed uint64) *Generator {
	return &Generator{rand: rand.New(rand.NewPCG(seed, 0)), made: map[string]int{}}
}

// Models generates n models. Three of ten are valid, and one of ten uses only what a store supports, valid or not.
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

// Valid generates a model without refusals. Some have a fault that causes only a warning.
func (g *Generator) Valid() *Model {
	m := g.model(3 + g.rand.IntN(3))
	g.remaining()
	if g.chance(90) {
		g.plant((*Fault).Warning)
	}
	return m
}

// Broken generates a valid model and adds one to four faults.
func (g *Generator) Broken() *Model {
	m := g.model(1 + g.rand.IntN(3))
	for range 2 + g.rand.IntN(3) {
		g.plant((*Fault).Refused)
	}
	return m
}

// model begins a model with some families.
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

// choice is one of several alternatives.
type choice struct {
	name string
	do   func()
}

// families are the kinds of aggregates, with their related structs.
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

// choose runs one of several choices, preferably one that was taken rarely.
func (g *Generator) choose(of string, among []choice) {
	var names []string
	for _, c := range among {
		names = append(names, c.name)
	}
	c := among[slices.Index(names, g.pick(of, names))]
	g.note(of + ": " + c.name)
	c.do()
}

// pick returns one of some names. Its weight decreases with the number of times that it was taken.
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

func (g *Generator) pickOne(in []string) string { return in[g.rand.IntN(len(in))] }

// chance returns true in the given percentage of cases.
func (g *Generator) chance(percent int) bool { return g.rand.IntN(100) < percent }

// randomOption adds an option to a field in the given percentage of cases.
func (g *Generator) randomOption(percent int, f *Field, option string) {
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

// add appends a field with a new name. Its tag has the options that its type needs.
func (g *Generator) add(s *Struct, t *Type, options ...string) *Field {
	return g.addPlain(s, t, false, options...)
}

// addPlain is add; plain requires a name that can be part of the name of a table.
func (g *Generator) addPlain(s *Struct, t *Type, plain bool, options ...string) *Field {
	f := &Field{Name: g.fieldName(s, plain), Type: t}
	f.Tag = g.fieldTag(t, g.column(s, plain), options...)
	s.Fields = append(s.Fields, f)
	return f
}

// named appends a field of a given Go name and the default CQL name.
func (g *Generator) named(s *Struct, name string, t *Type, options ...string) *Field {
	s.claim(name)
	f := &Field{Name: name, Type: t, Tag: g.fieldTag(t, "", options...)}
	s.Fields = append(s.Fields, f)
	return f
}

// fieldTag returns the tag of a field of some type, or nil if it needs none.
func (g *Generator) fieldTag(t *Type, name string, options ...string) *Tag {
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
