package model

import (
	"slices"
	"strings"
)

// walkStep is an attribute of an aggregate or of an object inside it, with the path to it.
type walkStep struct {
	path  []*Attribute // the steps from the aggregate's attribute to this one, both included
	tuple bool         // it is in a struct inside a tuple
}

func (w walkStep) attribute() *Attribute { return w.path[len(w.path)-1] }

// copied reports whether the attribute is in a copy of another root, which has the rules for it.
func (w walkStep) copied() bool { return len(w.path) > 1 && w.path[0].Tag.Has("copy") }

// names returns the CQL names on the path, joined, for the names of derived tables.
func (w walkStep) names() string {
	var out []string
	for _, a := range w.path {
		out = append(out, a.Name)
	}
	return strings.Join(out, "_")
}

// walk returns every attribute of an aggregate, also those inside its compositions, in order.
func walk(in []*Attribute) []walkStep { return walkFrom(in, walkStep{}) }

func walkFrom(in []*Attribute, before walkStep) []walkStep {
	var out []walkStep
	for _, a := range in {
		w := walkStep{append(slices.Clone(before.path), a), before.tuple}
		out = append(append(out, w), w.nested(a.Type)...)
	}
	return out
}

// nested returns the attributes of the structs in a value. The members of a tuple are not among them, but structs inside the members are.
func (w walkStep) nested(t *Type) []walkStep {
	switch {
	case t.Kind == Composed:
		return walkFrom(t.Object.Attributes, w)
	case t.Kind == MapType && t.Key.Object != nil:
		return append(w.nested(t.Key), w.nested(t.Elem)...)
	case t.collection():
		return w.nested(t.Elem)
	case t.Kind != Tuple || t.Object == nil:
		return nil
	}
	var out []walkStep
	for _, m := range t.Object.Attributes {
		out = append(out, walkStep{append(slices.Clone(w.path), m), true}.nested(m.Type)...)
	}
	return out
}
