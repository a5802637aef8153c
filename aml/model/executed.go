package model

import (
	"slices"
	"strings"
)

// NotExecuted reports the constructs of the model that a generated store does not execute yet, with their positions. The
// schema of such a model is correct, and hand-written code can use it.
func NotExecuted(m *Model) []Diagnostic {
	e := &execution{}
	for _, a := range m.Aggregates {
		e.attributes(a.Attributes)
	}
	for _, o := range m.Objects {
		e.attributes(o.Attributes)
	}
	for _, v := range m.Views {
		e.attributes(v.Attributes)
	}
	return Sorted(e.list)
}

// Unexecuted returns the diagnostics of [NotExecuted] as warnings: they prevent only the generation of a store.
func Unexecuted(m *Model) []Diagnostic {
	list := NotExecuted(m)
	for i := range list {
		list[i].Rule.Severity = Warning
		list[i].Fix = "aml generate -schema and aml diff generate the schema and the migrations; a store cannot be generated yet"
	}
	return list
}

type execution struct{ faults }

func (e *execution) refuse(pos Pos, what string) {
	e.add(pos, RuleNotExecuted, "delete it for now, or generate only the schema with -schema", "%s is not executed yet", what)
}

func (e *execution) attributes(in []*Attribute) {
	for _, at := range in {
		e.kind(at, at.Type)
	}
}

// nameable reports whether generated code can write the type: an unnamed type can contain types of packages that the generated
// file does not import.
func (g *GoType) nameable() bool {
	if g == nil {
		return true
	}
	if g.Named != nil {
		return !slices.ContainsFunc(g.Named.Args, func(a *GoType) bool { return !a.nameable() })
	}
	return g.Elem.nameable() && g.Key.nameable() && (g.Kind != Unsupported || !strings.Contains(g.Text, "."))
}

// kind reports types that the codecs do not support yet.
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
	case t.collection():
		if t.Key != nil {
			e.kind(at, t.Key)
		}
		e.kind(at, t.Elem)
	}
}
