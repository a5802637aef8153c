package model

import (
	"fmt"
	"slices"
	"strings"
)

// deriver resolves how the rows of redundant aggregates are derived from their sources.
type deriver struct{ *resolver }

// redundancies resolves the sources of the redundant aggregates and the origins of their values.
func (d *deriver) redundancies() {
	for _, a := range d.model.Aggregates {
		if a.Redundancy != nil {
			d.source(a)
		}
	}
	for _, a := range d.model.Aggregates {
		switch {
		case a.Redundancy == nil:
			for _, at := range a.Attributes {
				d.misplaced(at.Tag, "on an aggregate that is not redundant", "from")
			}
		case a.Redundancy.Source != nil:
			d.redundant(a)
		}
	}
}

// source resolves redundant= and when=.
func (d *deriver) source(a *Aggregate) {
	r := a.Redundancy
	o, _ := a.Tag.Option("redundant")
	p := d.resolve(o, RuleSourcePath, "write redundant=Source or redundant=Source.Collection in Go names")
	if p == nil {
		return
	}
	switch s := p.Source; {
	case a.Counter:
		d.add(r.Pos, RuleCounter, "keep the counters in a root", "%s has counters and cannot be redundant", a.Struct.Name)
		return
	case s.Redundancy != nil || s.Tag.Has("redundant"):
		d.add(r.Pos, RuleChain, "write the source of "+s.Struct.Name+" instead", "%s: %s is redundant itself", o, s.Struct.Name)
		return
	case s.Counter:
		d.add(r.Pos, RuleCounter, "count in several roots", "%s: %s has counters, which a logged batch cannot contain", o, s.Struct.Name)
		return
	case s.Root != nil && s.Root.Version != nil:
		d.guarded(a, s)
	case r.Distinct && r.Shared:
		distinct, _ := a.Tag.Option("distinct")
		d.add(distinct.Pos, RuleMisplacedOption, "keep one of them", "distinct and shared contradict each other")
	}
	last := len(p.Steps) - 1
	if m := p.Method(); m != nil && p.Steps[0].Type.Kind == MapType {
		d.add(r.Pos, RuleSourcePath, "return a slice", "%s: the method returns a map", o)
		return
	}
	if last >= 0 && (p.Loop >= 0 || !p.Steps[last].Type.collection()) {
		d.add(r.Pos, RuleSourcePath, "end the path with the collection, or write only the source", "%s: the path does not end with a collection", o)
		return
	}
	if r.Source = p.Source; last >= 0 {
		p.Loop, r.Path = last, p
	}
	(&conditionResolver{d.resolver}).condition(a)
	r.Source.Projections = append(r.Source.Projections, a)
}

// guarded refuses what a redundant table of a part of a versioned root cannot have. A save remembers the redundant rows of the parts that it
// writes until they are written, so each of them must show its part, and stay until the part no longer has it.
func (d *deriver) guarded(a, part *Aggregate) {
	refuse := func(option, why string) {
		if o, ok := a.Tag.Option(option); ok {
			d.add(o.Pos, RuleMisplacedOption, "delete it", "%s: %s is a part of %s, which has a version: %s", o, part.Struct.Name, part.Root.Struct.Name, why)
		}
	}
	refuse("shared", "a save could not tell which of the shared rows it has written")
	refuse("distinct", "each redundant row must contain the key of its part")
	refuse("unlogged", "the redundant rows of its parts are written in logged batches")
	refuse("ttl", "a redundant row must stay as long as its part has it")
	for _, at := range a.Attributes {
		d.misplaced(at.Tag, "in a redundant table of a part of a versioned root", "static")
	}
}

// redundant resolves the values of a redundant aggregate and checks its key.
func (d *deriver) redundant(a *Aggregate) {
	whole := true
	for _, at := range a.Attributes {
		if at.Origin = d.origin(a, at); at.Origin == nil {
			whole = false
			continue
		}
		for _, p := range at.Origin.paths() {
			at.Secret = at.Secret || slices.ContainsFunc(p.Steps, func(s *Attribute) bool { return s.Secret })
		}
	}
	static := &staticChecker{d.faults}
	static.staticDecisions(a)
	if whole {
		static.staticOrigins(a)
	}
	if whole && len(a.Identifier) > 0 && !a.unread && !a.Redundancy.Source.unread {
		checkCopyKey(d.faults, a)
	}
}

// origin resolves one attribute: by its from=, else by its Go name in the element or the source.
func (d *deriver) origin(a *Aggregate, at *Attribute) *Origin {
	r := a.Redundancy
	p, pos := &Path{Source: r.Source, Loop: -1}, at.Pos
	if at.from.Key != "" {
		pos = at.from.Pos
		if p = d.resolve(at.from, RuleFromPath, "write from=Source.Field in Go names"); p == nil {
			return nil
		}
		if p.Source != r.Source {
			d.add(pos, RuleFromPath, "start it with "+r.Source.Struct.Name, "%s: the source of %s is %s", at.from, a.Struct.Name, r.Source.Struct.Name)
			return nil
		}
		if p.Loop >= 0 && !p.sameLoop(r.Path) {
			collection := &Path{Source: p.Source, Steps: p.Steps[:p.Loop+1], Loop: -1}
			d.add(pos, RuleFromPath, "write the collection in redundant=, or use another value", "%s: the rows of %s are not derived from %s", at.from, a.Struct.Name, collection)
			return nil
		}
	} else if p = d.byName(r, at); p == nil {
		return nil
	}
	if m := p.Method(); m != nil && p.Loop < 0 {
		return d.computed(at, p, m)
	}
	o, why := makeOrigin(p, at.Type)
	if o == nil && why != "" {
		d.add(pos, RuleFromType, "use the same type for both", "%s is %s, %s", at.GoName(), at.Type, why)
	}
	return o
}

// computed returns the origin of an attribute from a method, whose result must have exactly its Go type.
func (d *deriver) computed(at *Attribute, p *Path, m *Method) *Origin {
	got, want := m.Results[0], at.Field.Type
	if strings.TrimPrefix(got.Text, "*") != strings.TrimPrefix(want.Text, "*") {
		d.add(at.from.Pos, RuleFromType, "use the same type for both", "%s is %s, %s returns %s", at.GoName(), want.Text, p, got.Text)
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
func (d *deriver) byName(r *Redundancy, at *Attribute) *Path {
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
	d.add(at.Pos, RuleNoSource, fix, "%s has no field %s to fill it from", base.where(), at.GoName())
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
