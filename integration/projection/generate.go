package projection

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Model makes the source of a random plain model: a root and one to three redundant aggregates of it. All of its tables and
// types have names with the prefix, so that models can share a keyspace. Few models are refused: by the generator, who has
// to look.
func Model(r *rand.Rand, prefix string) string {
	g := &generator{rand: r, prefix: prefix}
	g.root()
	for i := range 1 + r.IntN(3) {
		g.redundant(i)
	}
	return g.String()
}

type generator struct {
	rand    *rand.Rand
	prefix  string
	structs []*structure
	main    *structure
	expires bool
	static  string // a static field of the root
}

// structure is a Go struct.
type structure struct {
	name   string
	marker string // aml.Aggregate with its tag; "" for none
	fields []*field
}

type field struct {
	name string
	t    *typ
	opts []string
}

// typ is a Go type.
type typ struct {
	kind kind
	text string // of a scalar
	elem *typ   // pointer, list, set, map
	of   *structure
	key  bool // of a set: it is a Go map
}

type kind int

const (
	scalar kind = iota
	pointer
	list
	set
	mapping
	object
)

func (t *typ) String() string {
	switch t.kind {
	case pointer:
		return "*" + t.elem.String()
	case list:
		return "[]" + t.elem.String()
	case set:
		if t.key {
			return "map[" + t.elem.String() + "]struct{}"
		}
		return "[]" + t.elem.String()
	case mapping:
		return "map[string]" + t.elem.String()
	case object:
		return t.of.name
	}
	return t.text
}

// object returns the struct in a type.
func (t *typ) object() *structure {
	if t.elem != nil {
		return t.elem.object()
	}
	return t.of
}

func (g *generator) chance(percent int) bool { return g.rand.IntN(100) < percent }

func (g *generator) scalar() *typ {
	texts := []string{"string", "string", "string", "int32", "int32", "int64", "bool", "time.Time", "gocql.UUID"}
	return &typ{kind: scalar, text: texts[g.rand.IntN(len(texts))]}
}

// add adds a field. Its tag says what its type needs.
func (s *structure) add(name string, t *typ, opts ...string) *field {
	if t.object() != nil {
		opts = append(opts, "composition")
	}
	if t.kind == set && !t.key {
		opts = append(opts, "unique")
	}
	f := &field{name, t, opts}
	s.fields = append(s.fields, f)
	return f
}

// root makes the source of the projections.
func (g *generator) root() {
	s := &structure{name: "Root", marker: fmt.Sprintf("aml.Aggregate `aml:\"%sroot", g.prefix)}
	if g.expires = g.chance(6); g.expires {
		s.marker += ",ttl=40"
	}
	s.marker += "\"`"
	g.main = s
	s.add("ID", &typ{kind: scalar, text: "int32"}, "identifier")
	if g.chance(25) {
		s.add("Zone", &typ{kind: scalar, text: "string"}, "identifier")
	}
	if g.chance(35) {
		f := s.add("Place", &typ{kind: scalar, text: []string{"string", "int32", "bool"}[g.rand.IntN(3)]}, "discriminator")
		if g.chance(40) {
			f.opts = append(f.opts, "desc")
		}
		if g.chance(30) && !g.expires {
			g.static = "Common"
			s.add("Common", g.plain(), "static")
		}
	}
	for i := range 3 + g.rand.IntN(5) {
		f := s.add(fmt.Sprintf("F%d", i), g.value(2))
		if g.chance(25) && f.t.kind != scalar && !(f.t.kind == pointer && f.t.elem.kind == scalar) {
			f.opts = append(f.opts, "final")
		}
	}
	if g.chance(15) {
		s.add("Either", &typ{kind: pointer, elem: g.scalar()}, "xor=Way")
		s.add("Or", &typ{kind: pointer, elem: g.scalar()}, "xor=Way")
		s.add("Way", &typ{kind: scalar, text: "string"})
	}
	g.structs = append(g.structs, s)
}

// plain makes a single value, that may be nil.
func (g *generator) plain() *typ {
	if g.chance(30) {
		return &typ{kind: pointer, elem: g.scalar()}
	}
	return g.scalar()
}

// value makes any type.
func (g *generator) value(depth int) *typ {
	switch n := g.rand.IntN(12); {
	case n < 5 || depth == 0:
		return g.plain()
	case n == 5:
		return &typ{kind: list, elem: g.present()}
	case n == 6:
		return &typ{kind: set, elem: g.present(), key: g.chance(50)}
	case n == 7:
		return &typ{kind: mapping, elem: g.present()}
	case n == 8:
		return &typ{kind: list, elem: g.object(depth)}
	case n == 9:
		return &typ{kind: mapping, elem: g.object(depth)}
	case n == 10 && g.chance(60):
		return &typ{kind: set, elem: g.object(depth)}
	}
	o := g.object(depth)
	if g.chance(40) {
		return &typ{kind: pointer, elem: o}
	}
	return o
}

// present makes a scalar that is never null, as the elements of collections are.
func (g *generator) present() *typ {
	for {
		if t := g.scalar(); t.text != "time.Time" && t.text != "bool" {
			return t
		}
	}
}

// object makes a struct that is composed.
func (g *generator) object(depth int) *typ {
	s := &structure{name: fmt.Sprintf("S%d", len(g.structs)+1)}
	s.marker = fmt.Sprintf("aml.ValueObject `aml:\"%s%s", g.prefix, strings.ToLower(s.name))
	if g.chance(10) {
		s.marker += ",final"
	}
	s.marker += "\"`"
	g.structs = append(g.structs, s)
	for i := range 1 + g.rand.IntN(3) {
		s.add(fmt.Sprintf("A%d", i), g.value(depth-1))
	}
	return &typ{kind: object, of: s}
}

// String prints the model.
func (g *generator) String() string {
	var b strings.Builder
	b.WriteString("package random\n\nimport (\n\t\"time\"\n\n\t\"github.com/gocql/gocql\"\n\n\t\"github.com/cassaml/cassaml/aml\"\n)\n\n")
	b.WriteString("var _ time.Time\n\nvar _ gocql.UUID\n")
	for _, s := range g.structs {
		fmt.Fprintf(&b, "\ntype %s struct {\n\t%s\n\n", s.name, s.marker)
		for _, f := range s.fields {
			fmt.Fprintf(&b, "\t%s %s", f.name, f.t)
			if len(f.opts) > 0 {
				fmt.Fprintf(&b, " `aml:\",%s\"`", strings.Join(f.opts, ","))
			}
			b.WriteString("\n")
		}
		b.WriteString("}\n")
	}
	return b.String()
}
