package projection

import (
	"fmt"
	"slices"
)

// place is a value that a redundant aggregate can take: where it stands, and of what type it is.
type place struct {
	path string // Root.F1.A0
	t    *typ
	nils bool // it can be missing
	loop bool // it is in the element
}

// redundant makes a redundant aggregate.
func (g *generator) redundant(number int) {
	s := &structure{name: fmt.Sprintf("Copy%d", number)}
	var all, own []place
	for _, f := range g.main.fields {
		if !slices.Contains(f.opts, "static") {
			all = append(all, descend(place{path: "Root." + f.name, t: f.t}, true)...)
		}
	}
	marker := "redundant=Root"
	collection := g.collection(all)
	if collection != nil && collection.t.kind == set && !flat(collection.t.elem) && g.chance(80) {
		collection = nil // its elements are hardly ever a key
	}
	if collection != nil {
		marker = "redundant=" + collection.path
		own = inside(*collection)
	}
	mode := g.rand.IntN(100)
	var key []place
	switch {
	case mode < 12:
		marker += ",distinct"
		key = g.some(append(all, own...), 1+g.rand.IntN(2), keyable)
	case mode < 24:
		marker += ",shared"
		key = g.some(append(own, all...), 1+g.rand.IntN(2), keyable)
	default:
		key = g.wholeKey(all, own, collection)
	}
	if len(key) == 0 {
		return
	}
	marker += g.when(append(all, own...), key)
	if g.chance(12) {
		marker += fmt.Sprintf(",ttl=%d", 20+20*g.rand.IntN(3))
	}
	s.marker = fmt.Sprintf("aml.Aggregate `aml:\"%scopy%d,%s\"`", g.prefix, number, marker)
	if !g.keyFields(s, key) {
		return
	}
	g.columns(s, all, own, key)
	if marker == "redundant=Root" {
		g.staticColumn(s)
	}
	g.structs = append(g.structs, s)
}

// collection takes a collection to make one row for each element of; often none.
func (g *generator) collection(all []place) *place {
	var found []place
	for _, p := range all {
		if p.t.kind == list || p.t.kind == set || p.t.kind == mapping {
			found = append(found, p)
		}
	}
	if len(found) == 0 || g.chance(40) {
		return nil
	}
	return &found[g.rand.IntN(len(found))]
}

// descend returns a place and what is in it.
func descend(p place, self bool) (out []place) {
	if self {
		out = append(out, p)
	}
	t := p.t
	if t.kind == pointer {
		p.nils, t = true, t.elem
		if self {
			out[0].nils = true
		}
	}
	if t.kind != object {
		if t.kind != scalar || t.text == "time.Time" {
			out[0].nils = true
		}
		return out
	}
	for _, f := range t.of.fields {
		out = append(out, descend(place{path: p.path + "." + f.name, t: f.t, nils: p.nils, loop: p.loop}, true)...)
	}
	return out
}

// inside returns what the elements of a collection hold.
func inside(p place) []place {
	value := place{path: p.path + ".$value", t: p.t.elem, loop: true}
	out := []place{value}
	switch p.t.kind {
	case list:
		out = append(out, place{path: p.path + ".$index", t: &typ{kind: scalar, text: "int32"}, loop: true})
	case mapping:
		out = append(out, place{path: p.path + ".$key", t: &typ{kind: scalar, text: "string"}, loop: true})
	}
	if p.t.elem.kind == object {
		value.path = p.path
		out = append(out, descend(value, true)[1:]...)
	}
	return out
}

func keyable(p place) bool {
	return p.t.kind == scalar || p.t.kind == pointer && p.t.elem.kind == scalar
}

// some takes some places.
func (g *generator) some(in []place, n int, fit func(place) bool) (out []place) {
	for range 20 * n {
		if p := in[g.rand.IntN(len(in))]; len(out) < n && fit(p) && !slices.ContainsFunc(out, func(o place) bool { return o.path == p.path }) {
			out = append(out, p)
		}
	}
	return out
}

// wholeKey takes the root's key and the element's identity, often with a value before them that can change.
func (g *generator) wholeKey(all, own []place, collection *place) (key []place) {
	for _, f := range g.main.fields {
		if slices.Contains(f.opts, "identifier") || slices.Contains(f.opts, "discriminator") {
			key = append(key, all[slices.IndexFunc(all, func(p place) bool { return p.path == "Root."+f.name })])
		}
	}
	if collection != nil {
		id := own[len(own)-1]
		for _, p := range own {
			if p.path == collection.path+".$key" || p.path == collection.path+".$index" || p.path == collection.path+".$value" && (collection.t.kind == set || g.chance(50)) && collection.t.kind != mapping && (collection.t.elem.kind == scalar || collection.t.kind == set) {
				id = p
			}
		}
		key = append(key, id)
	}
	if g.static == "" || collection != nil {
		g.rand.Shuffle(len(key), func(i, j int) { key[i], key[j] = key[j], key[i] })
		if g.chance(60) {
			for _, p := range g.some(append(slices.Clone(own), all...), 1, keyable) {
				if !slices.ContainsFunc(key, func(o place) bool { return o.path == p.path }) {
					key = slices.Insert(key, g.rand.IntN(2), p)
				}
			}
		}
	}
	return key
}

// when makes a condition: always where a part of the key can be missing.
func (g *generator) when(all, key []place) string {
	i := slices.IndexFunc(key, func(p place) bool { return p.nils })
	if i >= 0 && g.chance(80) {
		return ",when=" + key[i].path
	}
	if i < 0 && g.chance(85) {
		return ""
	}
	fit := func(p place) bool { return p.nils || p.t.kind == scalar && p.t.text == "bool" }
	for _, p := range g.some(all, 1, fit) {
		return ",when=" + p.path
	}
	if i >= 0 {
		return ",when=" + key[i].path
	}
	return ""
}

// keyFields makes the key. It reports whether that can be one: the text of a key shows its first bytes alone.
func (g *generator) keyFields(s *structure, key []place) bool {
	ids := 1 + g.rand.IntN(len(key))
	if g.static != "" && key[0].path == "Root.ID" { // so that both have one partition key
		ids = len(slices.DeleteFunc(slices.Clone(g.main.fields), func(f *field) bool { return !slices.Contains(f.opts, "identifier") }))
	}
	if slices.ContainsFunc(key, func(p place) bool { return !flat(p.t) }) {
		return false
	}
	for i, p := range key {
		t := p.t
		if t.kind == pointer {
			t = t.elem
		}
		f := s.add(fmt.Sprintf("K%d", i), t, "discriminator", "from="+p.path)
		if i < ids {
			f.opts[0] = "identifier"
		} else if g.chance(30) {
			f.opts = append(f.opts, "desc")
		}
		if t.kind != scalar {
			f.opts = append(f.opts, "final")
		}
	}
	return true
}

// flat reports whether a type is a single value or a struct of such.
func flat(t *typ) bool {
	for t.kind == pointer {
		t = t.elem
	}
	return t.kind == scalar || t.kind == object && !slices.ContainsFunc(t.of.fields, func(f *field) bool { return !keyable(place{t: f.t}) })
}

// columns makes what stands beyond the key.
func (g *generator) columns(s *structure, all, own, key []place) {
	some := g.some(all, g.rand.IntN(3), func(place) bool { return true })
	if len(own) > 0 {
		some = append(some, g.some(own, g.rand.IntN(4), func(place) bool { return true })...)
	} else {
		some = append(some, g.some(all, g.rand.IntN(3), func(place) bool { return true })...)
	}
	if g.chance(25) { // a struct, of which a part can be taken
		some = append(some, g.some(append(slices.Clone(own), all...), 1, func(p place) bool { return p.t.object() != nil && p.t.kind == object })...)
	}
	var seen []string
	for _, p := range some {
		if slices.Contains(seen, p.path) || slices.ContainsFunc(key, func(o place) bool { return o.path == p.path }) {
			continue
		}
		seen = append(seen, p.path)
		f := s.add(fmt.Sprintf("C%d", len(seen)), g.alike(p.t), "from="+p.path)
		if g.chance(35) && f.t.kind != scalar && !(f.t.kind == pointer && f.t.elem.kind == scalar) {
			f.opts = append(f.opts, "final")
		}
	}
	if g.chance(15) {
		s.add("Whole", g.alike(&typ{kind: object, of: g.main}), "from=Root")
	}
}

// staticColumn takes the root's static value, where a partition of the copy is one of the root's.
func (g *generator) staticColumn(s *structure) {
	if g.static == "" || s.fields[0].opts[1] != "from=Root.ID" || g.chance(30) {
		return
	}
	f := g.main.fields[slices.IndexFunc(g.main.fields, func(f *field) bool { return f.name == g.static })]
	s.add("Common", f.t, "static")
}

// alike returns a type that can be filled from another: the same, or a struct of some of the fields.
func (g *generator) alike(t *typ) *typ {
	if t.kind == pointer && t.elem.kind == object {
		return &typ{kind: pointer, elem: g.alike(t.elem)}
	}
	if t.kind != object || t.of != g.main && g.chance(35) {
		return t
	}
	s := &structure{name: fmt.Sprintf("S%d", len(g.structs)+1)}
	s.marker = fmt.Sprintf("aml.ValueObject `aml:\"%spart%d\"`", g.prefix, len(g.structs)+1)
	g.structs = append(g.structs, s)
	for _, f := range t.of.fields {
		if (g.chance(50) || len(s.fields) == 0) && !slices.Contains(f.opts, "static") {
			s.add(f.name, f.t)
		}
	}
	return &typ{kind: object, of: s}
}
