package model

import (
	"fmt"
	"slices"
	"strings"
)

// redundancies resolves the sources of the redundant aggregates and the origins of their values.
func (b *builder) redundancies() {
	for _, a := range b.model.Aggregates {
		if a.Redundancy != nil {
			b.source(a)
		}
	}
	for _, a := range b.model.Aggregates {
		switch {
		case a.Redundancy == nil:
			for _, at := range a.Attributes {
				b.misplaced(at.Tag, "on an aggregate that is not redundant", "from")
			}
		case a.Redundancy.Source != nil:
			b.redundant(a)
		}
	}
}

// source resolves redundant= and when=.
func (b *builder) source(a *Aggregate) {
	r := a.Redundancy
	o, _ := a.Tag.Option("redundant")
	p := b.resolve(o, RuleSourcePath, "write redundant=Source or redundant=Source.Collection in Go names")
	if p == nil {
		return
	}
	switch s := p.Source; {
	case a.Counter:
		b.add(r.Pos, RuleCounter, "keep the counters in a root", "%s has counters and cannot be redundant", a.Struct.Name)
		return
	case s.Redundancy != nil || s.Tag.Has("redundant"):
		b.add(r.Pos, RuleChain, "write the source of "+s.Struct.Name+" instead", "%s: %s is redundant itself", o, s.Struct.Name)
		return
	case s.Counter:
		b.add(r.Pos, RuleCounter, "count in several roots", "%s: %s has counters, which a logged batch cannot contain", o, s.Struct.Name)
		return
	case s.Root != nil && s.Root.Version != nil:
		b.add(r.Pos, RuleSourcePath, "derive it from "+s.Root.Struct.Name, "%s: %s is a part of a versioned root", o, s.Struct.Name)
		return
	case r.Distinct && r.Shared:
		d, _ := a.Tag.Option("distinct")
		b.add(d.Pos, RuleMisplacedOption, "keep one of them", "distinct and shared contradict each other")
	}
	last := len(p.Steps) - 1
	if m := p.Method(); m != nil && p.Steps[0].Type.Kind == MapType {
		b.add(r.Pos, RuleSourcePath, "return a slice", "%s: the method returns a map", o)
		return
	}
	if last >= 0 && (p.Loop >= 0 || !p.Steps[last].Type.collection()) {
		b.add(r.Pos, RuleSourcePath, "end the path with the collection, or write only the source", "%s: the path does not end with a collection", o)
		return
	}
	if r.Source = p.Source; last >= 0 {
		p.Loop, r.Path = last, p
	}
	b.condition(a)
	r.Source.Projections = append(r.Source.Projections, a)
}

func isBool(t *Type) bool { return t.Kind == Scalar && t.CQL == "boolean" }

// redundant resolves the values of a redundant aggregate and checks its key.
func (b *builder) redundant(a *Aggregate) {
	whole := true
	for _, at := range a.Attributes {
		if at.Origin = b.origin(a, at); at.Origin == nil {
			whole = false
			continue
		}
		for _, p := range at.Origin.paths() {
			at.Secret = at.Secret || slices.ContainsFunc(p.Steps, func(s *Attribute) bool { return s.Secret })
		}
	}
	b.staticDecisions(a)
	if whole {
		b.staticOrigins(a)
	}
	if whole && len(a.Identifier) > 0 && !a.unread && !a.Redundancy.Source.unread {
		b.copyKey(a)
	}
}

// origin resolves one attribute: by its from=, else by its Go name in the element or the source.
func (b *builder) origin(a *Aggregate, at *Attribute) *Origin {
	r := a.Redundancy
	p, pos := &Path{Source: r.Source, Loop: -1}, at.Pos
	if at.from.Key != "" {
		pos = at.from.Pos
		if p = b.resolve(at.from, RuleFromPath, "write from=Source.Field in Go names"); p == nil {
			return nil
		}
		if p.Source != r.Source {
			b.add(pos, RuleFromPath, "start it with "+r.Source.Struct.Name, "%s: the source of %s is %s", at.from, a.Struct.Name, r.Source.Struct.Name)
			return nil
		}
		if p.Loop >= 0 && !p.sameLoop(r.Path) {
			collection := &Path{Source: p.Source, Steps: p.Steps[:p.Loop+1], Loop: -1}
			b.add(pos, RuleFromPath, "write the collection in redundant=, or use another value", "%s: the rows of %s are not derived from %s", at.from, a.Struct.Name, collection)
			return nil
		}
	} else if p = b.byName(r, at); p == nil {
		return nil
	}
	if m := p.Method(); m != nil && p.Loop < 0 {
		return b.computed(at, p, m)
	}
	o, why := makeOrigin(p, at.Type)
	if o == nil && why != "" {
		b.add(pos, RuleFromType, "use the same type for both", "%s is %s, %s", at.GoName(), at.Type, why)
	}
	return o
}

// computed returns the origin of an attribute from a method, whose result must have exactly its Go type.
func (b *builder) computed(at *Attribute, p *Path, m *Method) *Origin {
	got, want := m.Results[0], at.Field.Type
	if strings.TrimPrefix(got.Text, "*") != strings.TrimPrefix(want.Text, "*") {
		b.add(at.from.Pos, RuleFromType, "use the same type for both", "%s is %s, %s returns %s", at.GoName(), want.Text, p, got.Text)
		return nil
	}
	step := *p.Steps[0]
	t := *at.Type
	t.Nullable = got.Kind == Pointer || got.Kind == SQLNull
	step.Type = &t
	q := *p
	q.Steps = []*Attribute{&step}
	return &Origin{Path: &q}
}

// byName finds the field with the same Go name in the element or the source.
func (b *builder) byName(r *Redundancy, at *Attribute) *Path {
	base := r.Path
	if base == nil {
		base = &Path{Source: r.Source, Loop: -1}
	}
	for _, x := range base.attributes() {
		if x.GoName() == at.GoName() {
			q := *base
			q.Steps = append(slices.Clone(base.Steps), x)
			return &q
		}
	}
	if base.unread(at.GoName()) {
		return nil
	}
	fix := fmt.Sprintf("add from=%s.Field, or delete the field", r.Source.Struct.Name)
	if r.Path != nil && slices.ContainsFunc(r.Source.Attributes, func(x *Attribute) bool { return x.GoName() == at.GoName() }) {
		fix = fmt.Sprintf("add from=%s.%s", r.Source.Struct.Name, at.GoName())
	} else if t := base.valueType(); t != nil && t.fields() == nil {
		fix = fmt.Sprintf("add from=%s for the element", base)
	}
	b.add(at.Pos, RuleNoSource, fix, "%s has no field %s to fill it from", base.where(), at.GoName())
	return nil
}

// makeOrigin returns an origin of type t with the value at the end of p, or the reason why there is none: "" if that has been
// reported. A struct is filled field by field if the path leads to another struct or to the source itself.
func makeOrigin(p *Path, t *Type) (*Origin, string) {
	from := p.valueType()
	if from != nil && from.same(t) {
		return &Origin{Path: p}, ""
	}
	if t.fields() == nil || from != nil && from.fields() == nil {
		return nil, fmt.Sprintf("%s is %s", p, typeName(from))
	}
	o := &Origin{Path: p, Object: t.Object}
	for _, at := range t.Object.Attributes {
		i := slices.IndexFunc(p.attributes(), func(x *Attribute) bool { return x.GoName() == at.GoName() })
		if i < 0 && p.unread(at.GoName()) {
			return nil, ""
		}
		if i < 0 {
			return nil, fmt.Sprintf("whose field %s is not a field of %s", at.GoName(), p.where())
		}
		q := *p
		q.Steps = append(slices.Clone(p.Steps), p.attributes()[i])
		f, why := makeOrigin(&q, at.Type)
		if f == nil && why == "" {
			return nil, ""
		}
		if f == nil {
			return nil, fmt.Sprintf("whose field %s is %s, and %s", at.GoName(), at.Type, why)
		}
		o.Fields = append(o.Fields, f)
	}
	return o, ""
}

func typeName(t *Type) string {
	if t == nil {
		return "an aggregate"
	}
	return t.String()
}

// paths returns every path that an origin reads, those of its fields instead of the struct's.
func (o *Origin) paths() []*Path {
	if o.Object == nil {
		return []*Path{o.Path}
	}
	var out []*Path
	for _, f := range o.Fields {
		out = append(out, f.paths()...)
	}
	return out
}

// staticDecisions refuses a copy whose rows, or results of methods, depend on a static value: a write of one source changes the value
// for all sources of its partition, and the rows of the others stay as they are.
func (b *builder) staticDecisions(a *Aggregate) {
	r := a.Redundancy
	o, _ := a.Tag.Option("redundant")
	b.staticDecision(o.Pos, o.String(), r.Path)
	if r.When != nil {
		b.staticDecision(r.when.Pos, r.when.String(), r.When)
	}
	for _, at := range a.Attributes {
		if at.Origin == nil {
			continue
		}
		for _, p := range at.Origin.paths() {
			if p.Method() != nil && p.Loop < 0 {
				b.staticDecision(at.Pos, at.GoName()+" comes from "+p.String(), p)
			}
		}
	}
}

// staticDecision refuses a path that begins with a static field, or with a method that reads one. what is the text of the path.
func (b *builder) staticDecision(pos Pos, what string, p *Path) {
	if p == nil || len(p.Steps) == 0 {
		return
	}
	const fix = "use fields that are not static"
	first, every := p.Steps[0], p.Source.Struct.Name
	if first.Static {
		b.add(pos, RuleStatic, fix, "%s: %s is static: a write of one %s changes it for the whole partition, and the rows of the others would stay", what, first.GoName(), every)
		return
	}
	if p.Method() == nil {
		return
	}
	reads, why := p.Source.Reads(p.Method())
	how := "the method reads "
	if why != "" {
		reads, how = p.Source.Attributes, "the method counts as reading every field, because "+why+", and so "
	}
	if i := slices.IndexFunc(reads, func(at *Attribute) bool { return at.Static }); i >= 0 {
		b.add(pos, RuleStatic, fix, "%s: %s%s, which is static: a write of one %s changes it for the whole partition, and the rows of the others would stay", what, how, reads[i].GoName(), every)
	}
}

// staticOrigins refuses static values in a table with another partition key: a change would affect all rows of the source's
// partition.
func (b *builder) staticOrigins(a *Aggregate) {
	same := slices.EqualFunc(a.Identifier, a.Redundancy.Source.Identifier, func(c, s *Attribute) bool {
		return c.Origin.Object == nil && len(c.Origin.Path.Steps) == 1 && c.Origin.Path.Steps[0] == s
	})
	for _, at := range a.Attributes {
		for _, p := range at.Origin.paths() {
			if p.Loop >= 0 && p.Steps[0].Static {
				continue // the collection has been refused
			}
			if static := len(p.Steps) > 0 && p.Steps[0].Static; static && !a.everySource() {
				b.add(at.Pos, RuleStatic, "leave the field out, or give every source a row", "%s comes from %s, which is static: a source without a row of %s can change it, too", at.GoName(), p, a.Struct.Name)
			} else if static && !same {
				b.add(at.Pos, RuleStatic, "give both tables the same partition key, or leave the field out", "%s comes from %s, which is static: it belongs to a partition of %s and not to a row", at.GoName(), p, a.Redundancy.Source.Struct.Name)
			} else if static && !at.Static {
				b.add(at.Pos, RuleStatic, "add static", "%s comes from %s, which is static", at.GoName(), p)
			} else if !static && at.Static && !b.onePartition(a) {
				b.add(at.Pos, RuleStatic, "delete static, or make the whole key of the source identifiers", "%s comes from %s, and rows of several sources share a partition", at.GoName(), p)
			}
		}
	}
}

// everySource reports whether every source has exactly one row until it expires or is deleted.
func (a *Aggregate) everySource() bool {
	return a.Redundancy.When == nil && a.Redundancy.Path == nil && !a.Properties.Expires()
}

// onePartition reports whether all rows of a partition come from one source.
func (b *builder) onePartition(a *Aggregate) bool {
	var paths []*Path
	for _, k := range a.Identifier {
		if k.Origin.Object == nil {
			paths = append(paths, k.Origin.Path)
		}
	}
	return within(a.Redundancy.sourceKey(), paths)
}
