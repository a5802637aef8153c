package model

import (
	"slices"
	"strings"
)

// NotExecuted reports what the model declares and a generated store cannot do yet, each at its place. The schema of such
// a model is right, and code written by hand can use it.
func NotExecuted(m *Model) []Diagnostic {
	e := &execution{}
	for _, a := range m.Aggregates {
		e.tag(a.Tag)
		if r := a.Redundancy; r != nil && r.Path.Method() != nil {
			e.refuse(r.Pos, "a method in redundant=")
		}
		e.attributes(a.Attributes)
	}
	for _, o := range m.Objects {
		if o.Entity {
			e.refuse(o.Struct.Tag.Pos, "a secondary entity (aml.Entity)")
		}
		e.attributes(o.Attributes)
	}
	for _, v := range m.Views {
		e.refuse(v.Struct.Tag.Pos, "a view")
	}
	return Sorted(e.list)
}

type execution struct{ faults }

func (e *execution) refuse(pos Pos, what string) {
	e.add(pos, RuleNotExecuted, "leave it out for now, or generate the schema alone with -schema", "%s is not executed yet", what)
}

// tag reports options that no store executes yet.
func (e *execution) tag(t Tag) {
	for _, o := range t.Options {
		if r, _ := ruleOf(o.Key); !r.executed {
			e.refuse(o.Pos, o.Key)
		}
	}
}

func (e *execution) attributes(in []*Attribute) {
	for _, at := range in {
		e.tag(at.Tag)
		if o, ok := at.Tag.Option("unique"); ok && !at.Type.collection() {
			e.refuse(o.Pos, "unique on a single value")
		}
		e.kind(at, at.Type)
		if at.Origin == nil {
			continue
		}
		for _, p := range at.Origin.paths() {
			if p.Method() != nil && p.Loop < 0 {
				e.refuse(at.from.Pos, "a method in from=")
			} else if p.Part == Position {
				e.refuse(at.from.Pos, "$index")
			}
		}
	}
}

// nameable says whether generated code can write the type: one without a name can have parts of packages that nobody else
// in the file imports.
func (g *GoType) nameable() bool {
	if g == nil {
		return true
	}
	if g.Named != nil {
		return !slices.ContainsFunc(g.Named.Args, func(a *GoType) bool { return !a.nameable() })
	}
	return g.Elem.nameable() && g.Key.nameable() && (g.Kind != Unsupported || !strings.Contains(g.Text, "."))
}

// kind reports types that the codecs do not know yet.
func (e *execution) kind(at *Attribute, t *Type) {
	pos := at.Pos
	if o, ok := at.Tag.Option("type"); ok {
		pos = o.Pos
	}
	switch {
	case t.Kind == Declared && t.Conversion == BySQL:
		e.refuse(pos, "a type that package database/sql converts into "+t.Spelled.String())
	case t.Conversion == BySQL && t.CQL == "duration":
		e.refuse(pos, "a type that package database/sql converts into a duration")
	case !t.Go.nameable():
		e.refuse(at.Pos, "the type argument of "+t.Go.Text)
	case t.Qualifier != nil && !at.Tag.Has("qualifier"):
		e.refuse(at.Pos, "a composition qualified by a discriminator")
	case t.Qualifier != nil: // the option has been reported
	case t.collection():
		if t.Key != nil {
			e.kind(at, t.Key)
		}
		e.kind(at, t.Elem)
	}
}
