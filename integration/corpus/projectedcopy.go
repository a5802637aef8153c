package corpus

import (
	"fmt"
	"slices"
)

// provenance is a value from which a redundant aggregate can derive.
type provenance struct {
	path string // Root.F1.A0
	t    *Type
	nils bool // it can be null
}

// single reports whether it is a single value.
func (v provenance) single() bool { return v.t.single() }

// hasPath returns a condition: the value has a path.
func hasPath(path string) func(provenance) bool {
	return func(v provenance) bool { return v.path == path }
}

// makeCopy adds a redundant aggregate.
func (p *projector) makeCopy(number int) {
	var all, own []provenance
	for _, f := range p.source.Fields {
		if f != p.static {
			all = append(all, nested(provenance{path: "Root." + f.Name, t: f.Type})...)
		}
	}
	of := "Root"
	collection := p.collection(all)
	if collection != nil && collection.t.set() && !collection.t.element().flat() && p.chance(80) {
		collection = nil // its elements are rarely a key
	}
	if collection != nil {
		of = collection.path
		own = elements(*collection)
	}
	s := &Struct{Name: fmt.Sprintf("Copy%d", number), Role: Redundant, Marker: Aggregate, Tag: tag(fmt.Sprintf("%scopy%d", p.m.prefix, number), "redundant="+of)}
	mode := p.rand.IntN(100)
	var key []provenance
	switch {
	case mode < 12 && !p.versioned:
		s.marker("distinct")
		key = p.some(append(all, own...), 1+p.rand.IntN(2), provenance.single)
	case mode < 24:
		s.marker("shared")
		key = p.some(append(own, all...), 1+p.rand.IntN(2), provenance.single)
	default:
		key = p.wholeKey(all, own, collection)
	}
	if len(key) == 0 {
		return
	}
	if path := p.condition(append(all, own...), key); path != "" {
		s.marker("when=" + path)
	}
	if p.chance(12) {
		s.marker(fmt.Sprintf("ttl=%d", 20+20*p.rand.IntN(3)))
	}
	if !p.keyFields(s, key) {
		return
	}
	elsewhere := !slices.ContainsFunc(p.source.key(), func(f *Field) bool { return key[0].path == "Root."+f.Name })
	if mode >= 12 && elsewhere && p.chance(25) {
		s.marker("unlogged")
	}
	p.columns(s, all, own, key)
	if len(s.Tag.Options) == 1 && of == "Root" {
		p.staticColumn(s)
	}
	p.put(s)
}

// collection returns a collection whose elements each have a row; often nil, for none.
func (p *projector) collection(all []provenance) *provenance {
	var found []provenance
	for _, v := range all {
		if v.t.collection() {
			found = append(found, v)
		}
	}
	if len(found) == 0 || p.chance(40) {
		return nil
	}
	return &found[p.rand.IntN(len(found))]
}

// nested returns a value and the values in it.
func nested(v provenance) []provenance {
	t := v.t
	if t.Kind == Pointer {
		v.nils, t = true, t.Elem
	}
	out := []provenance{v}
	if t.Kind != Value {
		out[0].nils = v.nils || t.Kind != Native || t.Go == "time.Time"
		return out
	}
	for _, f := range t.Struct.Fields {
		out = append(out, nested(provenance{path: v.path + "." + f.Name, t: f.Type, nils: v.nils})...)
	}
	return out
}

// elements returns the values in the elements of a collection.
func elements(v provenance) []provenance {
	value := provenance{path: v.path + ".$value", t: v.t.element()}
	out := []provenance{value}
	switch {
	case v.t.Kind == Map:
		out = append(out, provenance{path: v.path + ".$key", t: v.t.Key})
	case !v.t.set():
		out = append(out, provenance{path: v.path + ".$index", t: scalar("int32", "int")})
	}
	if value.t.Kind == Value {
		value.path = v.path
		out = append(out, nested(value)[1:]...)
	}
	return out
}

// some returns some values that satisfy a condition.
func (p *projector) some(in []provenance, n int, fit func(provenance) bool) (out []provenance) {
	for range 20 * n {
		if v := in[p.rand.IntN(len(in))]; len(out) < n && fit(v) && !slices.ContainsFunc(out, hasPath(v.path)) {
			out = append(out, v)
		}
	}
	return out
}

// wholeKey returns the key of the root and the identity of the element, often after a value that can change.
func (p *projector) wholeKey(all, own []provenance, collection *provenance) (key []provenance) {
	for _, f := range p.source.key() {
		key = append(key, all[slices.IndexFunc(all, hasPath("Root."+f.Name))])
	}
	if collection != nil {
		key = append(key, p.identity(own, collection))
	}
	if p.static == nil || collection != nil {
		p.rand.Shuffle(len(key), func(i, j int) { key[i], key[j] = key[j], key[i] })
		return p.withChanging(key, append(slices.Clone(own), all...), provenance.single, func() int { return p.rand.IntN(2) })
	}
	plain := func(v provenance) bool { return v.single() && v.t.Kind != Pointer }
	return p.withChanging(key, slices.Clone(all), plain, func() int { return len(key) }) // a row moves within its partition
}

// withChanging often adds a value that can change to a key, at a place.
func (p *projector) withChanging(key, from []provenance, valid func(provenance) bool, place func() int) []provenance {
	if !p.chance(60) {
		return key
	}
	for _, v := range p.some(from, 1, valid) {
		if !slices.ContainsFunc(key, hasPath(v.path)) {
			key = slices.Insert(key, place(), v)
		}
	}
	return key
}

// identity returns the values that distinguish the elements of a collection.
func (p *projector) identity(own []provenance, collection *provenance) provenance {
	id, set := own[len(own)-1], collection.t.set()
	for _, v := range own {
		switch v.path {
		case collection.path + ".$key", collection.path + ".$index":
			id = v
		case collection.path + ".$value":
			if (set || p.chance(50)) && collection.t.Kind != Map && (set || collection.t.Elem.Kind == Native) {
				id = v
			}
		}
	}
	return id
}

// condition returns a condition, always if a part of the key can be null, or "" for none.
func (p *projector) condition(all, key []provenance) string {
	if p.chance(14) {
		for _, v := range p.some(all, 1, func(v provenance) bool { return isBool(bare(v.t)) }) {
			return v.path
		}
	}
	if p.chance(12) {
		native := func(v provenance) bool { return compared[bare(v.t).Go] != nil && bare(v.t).Kind == Native }
		for _, v := range p.some(all, 1, native) {
			return p.compare(v)
		}
	}
	i := slices.IndexFunc(key, func(v provenance) bool { return v.nils })
	if i >= 0 && p.chance(80) {
		return key[i].path
	}
	if i < 0 && p.chance(85) {
		return ""
	}
	fit := func(v provenance) bool { return v.nils || isBool(v.t) }
	for _, v := range p.some(all, 1, fit) {
		return v.path
	}
	if i >= 0 {
		return key[i].path
	}
	return ""
}

// compared are the constants of each Go type that a condition compares a value with: most are values that tests draw.
var compared = map[string][]string{
	"string": {"a", "b", "''", "'a b'"}, "int32": {"-1", "0", "7"}, "int64": {"0", "1099511627776"}, "bool": {"true", "false"},
	"Grade": {"GradeA", "GradeB"},
}

// bare returns the type that a pointer refers to, or the type itself.
func bare(t *Type) *Type {
	if t.Kind == Pointer {
		return t.Elem
	}
	return t
}

func isBool(t *Type) bool { return t.Kind == Native && t.Go == "bool" }

// compare returns a condition on a value: that it is true, or a comparison.
func (p *projector) compare(v provenance) string {
	if isBool(v.t) {
		return v.path
	}
	return p.comparison(v)
}

// comparison returns a comparison of a value with one or two constants.
func (p *projector) comparison(v provenance) string {
	constants := compared[bare(v.t).Go]
	i := p.rand.IntN(len(constants))
	if p.chance(50) {
		return v.path + " = " + constants[i]
	}
	return v.path + " in (" + constants[i] + ", " + constants[(i+1)%len(constants)] + ")"
}

// keyFields adds the key. It reports whether the values are a valid key.
func (p *projector) keyFields(s *Struct, key []provenance) bool {
	ids := 1 + p.rand.IntN(len(key))
	if p.static != nil && key[0].path == "Root.ID" { // so that both have one partition key
		ids = len(p.source.with("identifier"))
	}
	if slices.ContainsFunc(key, func(v provenance) bool { return !v.t.flat() }) {
		return false
	}
	for i, v := range key {
		t, kind := v.t, "identifier"
		if t.Kind == Pointer {
			t = t.Elem
		}
		if i >= ids {
			kind = "discriminator"
		}
		f := p.add(s, fmt.Sprintf("K%d", i), t, kind, "from="+v.path)
		if i >= ids {
			p.randomOption(30, f, "desc")
		}
		if t.Kind != Native {
			f.option("final")
		}
	}
	return true
}

// columns adds the columns beyond the key.
func (p *projector) columns(s *Struct, all, own, key []provenance) {
	anything := func(provenance) bool { return true }
	some := p.some(all, p.rand.IntN(3), anything)
	if len(own) > 0 {
		some = append(some, p.some(own, p.rand.IntN(4), anything)...)
	} else {
		some = append(some, p.some(all, p.rand.IntN(3), anything)...)
	}
	if p.chance(25) { // a struct, of which a part can be used
		some = append(some, p.some(append(slices.Clone(own), all...), 1, func(v provenance) bool { return v.t.Kind == Value })...)
	}
	var seen []provenance
	for _, v := range some {
		if slices.ContainsFunc(seen, hasPath(v.path)) || slices.ContainsFunc(key, hasPath(v.path)) {
			continue
		}
		seen = append(seen, v)
		f := p.add(s, fmt.Sprintf("C%d", len(seen)), p.assignableType(v.t), "from="+v.path)
		if p.chance(35) && !f.Type.single() {
			f.option("final")
		}
	}
	if p.chance(15) {
		p.add(s, "Whole", p.assignableType(&Type{Kind: Value, Struct: p.source}), "from=Root")
	}
}

// staticColumn adds the static value of the root if a partition of the copy is one of the root.
func (p *projector) staticColumn(s *Struct) {
	if from, _ := s.Fields[0].Tag.Value("from"); p.static != nil && from == "Root.ID" && !p.chance(30) {
		p.add(s, "Common", p.static.Type, "static")
	}
}

// assignableType returns a type that can be assigned from another: the same type, or a struct with some of the fields.
func (p *projector) assignableType(t *Type) *Type {
	if t.Kind == Pointer && t.Elem.Kind == Value {
		return &Type{Kind: Pointer, Elem: p.assignableType(t.Elem)}
	}
	if t.Kind != Value || t.Struct != p.source && p.chance(35) {
		return t
	}
	number := len(p.m.Structs) + 1
	s := &Struct{Name: fmt.Sprintf("S%d", number), Role: Object, Marker: ValueObject, Tag: tag(fmt.Sprintf("%spart%d", p.m.prefix, number))}
	p.put(s)
	for _, f := range t.Struct.Fields {
		if (p.chance(50) || len(s.Fields) == 0) && f != p.static {
			p.add(s, f.Name, f.Type)
		}
	}
	return &Type{Kind: Value, Struct: s}
}
