package corpus

import (
	"fmt"
	"strings"
)

// nouns are Go names of fields and structs.
var nouns = strings.Fields(`Title Color Size Weight Height Price Amount Rating Email Phone City Street Country Region Score
	Status Reason Owner Author Editor Reader Genre Shelf Branch Loan Copy Page Chapter Volume Edition Year Month Start Finish
	UserID OrderID HTTPCode APIKey JSONBody ISBN URL IPv4 DocIDs OSName Address2 X Y2 ABTest Größe Ñandú Имя Prénom Élan Field_One
	Key Value Token Type Table Index Group Order Select From Where Map List Set Text Date Int`)

// words are CQL names that need quotes or care: words of CQL, capitals, other characters. None is the snake case of a noun.
var words = append(strings.Fields(`add allow alter and apply asc authorize batch begin by columnfamily create default delete desc describe
	drop entries execute full grant if in infinity insert into is keyspace limit materialized mbean mbeans modify nan norecursive not null of on
	or primary rename replace revoke schema to truncate unlogged unset update use using view with
	key_ values ttl writetime json distinct cast static frozen counter exists custom trigger function aggregate password login all permission
	clustering compact storage partition ordering per tuple uuid vector between
	CamelCase MixedCase ID_ NAME Select_ TABLE _id _rev __v 1st 2nd_choice naïve größer имя_поля 日本語 été emoji🙂 a-b a.b a:b $ref @type #tag %`),
	"with space", "with, comma", "it's", `say "so"`, " leading", "trailing ", "a=b", "<b>", "{x}", strings.Repeat("long_", 40))

// typeNames are names of user-defined types that need quotes or care.
var typeNames = append(strings.Fields(`add allow alter and apply asc authorize batch begin by columnfamily create default delete desc describe
	drop entries execute from full grant if in index infinity insert into is keyspace limit materialized mbean mbeans modify nan norecursive
	not null of on or order primary rename replace revoke schema select set_ table to token truncate unlogged unset update use using view where with
	key value values TTL Count static exists custom trigger function aggregate password login user role all type
	clustering compact storage partition CamelCase Capital _under 1digit a-b a.b $ref @type #tag %`),
	"with space", "with, comma", "it's", `say "so"`, "a=b", "a<b", "a>b", "a(b)", "semi;colon", strings.Repeat("t", 200))

// typeName returns a new Go name for a struct.
func (g *Generator) typeName(base string) string {
	if base == "" {
		base = ascii(g.pickOne(nouns))
	}
	name := g.m.prefix + base
	for i := 2; g.m.taken[name]; i++ {
		name = fmt.Sprintf("%s%s%d", g.m.prefix, base, i)
	}
	g.m.taken[name] = true
	return name
}

// ascii removes letters that are not allowed in the name of a table.
func ascii(name string) string {
	out := strings.Map(func(r rune) rune {
		if r > 127 || r == '_' {
			return -1
		}
		return r
	}, name)
	if out == "" || out[0] > 'Z' {
		return "Thing" + out
	}
	return out
}

// table returns the name of a table for a tag, or "" for the default name.
func (g *Generator) table(goName string) string {
	switch g.rand.IntN(6) {
	case 0:
		return g.m.prefix + "_" + strings.TrimPrefix(goName, g.m.prefix) // capitals
	case 1:
		return strings.ToLower(goName) + "_t"
	case 2:
		if g.rand.IntN(8) == 0 {
			base := strings.ToLower(goName) + "_"
			return base + strings.Repeat("x", 120-len(base))
		}
	}
	return ""
}

// udt returns the name of a user-defined type for a tag, or "" for the default name. A name that is not the default occurs
// once in a block of models that share a keyspace.
func (g *Generator) udt(goName string) string {
	switch g.rand.IntN(4) {
	case 0:
		return g.m.prefix + "_" + strings.TrimPrefix(goName, g.m.prefix)
	case 1, 2:
		if name := g.pickOne(typeNames); !g.claimed[name] {
			g.claimed[name] = true
			return name
		}
	}
	return ""
}

// fieldName returns a Go name that the struct does not have.
func (g *Generator) fieldName(s *Struct, plain bool) string {
	for {
		name := g.pickOne(nouns)
		if plain {
			name = ascii(name)
		}
		if g.rand.IntN(3) == 0 {
			name += g.pickOne([]string{"A", "B", "C", "Of", "To", "ID"})
		}
		if g.executed && name == "Page" { // a query by a discriminator has a method with its name, and also Page
			continue
		}
		if s.claim(name) {
			return name
		}
	}
}

// claim claims a name, and returns false if the struct has it. It does not distinguish small and capital letters, so that
// default names are different, too.
func (s *Struct) claim(name string) bool {
	if s.names == nil {
		s.names = map[string]bool{}
	}
	k := strings.ReplaceAll(strings.ToLower(name), "_", "")
	if s.names[k] {
		return false
	}
	s.names[k] = true
	return true
}

// column returns the CQL name of a field, or "" for the default name. A plain name can be part of a derived one.
func (g *Generator) column(s *Struct, plain bool) string {
	if g.rand.IntN(5) < 2 {
		return ""
	}
	name := g.pickOne(words)
	if plain || g.rand.IntN(3) == 0 {
		name = g.pickOne([]string{"Plain", "col", "Some_Col", "c", "field", "val"}) + fmt.Sprint(g.rand.IntN(1000))
	}
	if !s.claim(name) {
		return ""
	}
	return name
}
