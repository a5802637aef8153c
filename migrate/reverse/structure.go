package reverse

import (
	"errors"
	"slices"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// structure is a Go struct of the model.
type structure struct {
	subject
	name    string
	marker  model.Marker // Plain for a tuple
	about   string       // the sentence of its documentation
	tag     model.Tag    // of its marker
	fields  []*field
	key     bool // it can be the key of a Go map
	imports []string
	needs   []*structure  // in the order of its fields
	of      *model.Struct // as the language reads it
}

// field is a field of a struct.
type field struct {
	subject
	name  string
	tag   model.Tag
	shape shape
}

func newStructure(marker model.Marker, name string) *structure {
	return &structure{name: name, marker: marker, of: &model.Struct{Name: name, Marker: marker}}
}

// field makes the field of a column, of a field of a type or of a member of a tuple, of which the latter has no CQL name.
// A set of the field's own is a slice: its tag can say so.
func (w *writer) field(in *structure, name, cql string, t *schema.Type) (*field, error) {
	f := &field{name: name, tag: model.Tag{Name: cql}}
	of, set := t, t.Name == "set" && !t.UDT
	if set {
		of = t.Args[0]
	}
	s, err := w.shapeOf(of, in, in.name+name)
	if err != nil {
		return nil, err
	}
	if set {
		s = slice(s, false)
	}
	f.shape = s
	switch {
	case s.spelled && s.nameless:
		return nil, errors.New("type= cannot name the user-defined type in " + t.String())
	case s.spelled:
		f.option("type", spell(t))
		return f, nil
	case s.udt:
		f.option("composition", "")
	case s.tuple:
		f.option("type", "tuple")
	case s.leaf != "":
		f.option("type", s.leaf)
	}
	if set {
		f.option("unique", "")
	}
	return f, nil
}

func (f *field) option(key, value string) { f.tag.Options = append(f.tag.Options, option(key, value)) }

func option(key, value string) model.Option {
	return model.Option{Key: key, Value: value, Valued: value != ""}
}

// spell writes a type as type= has it: what is inside another is frozen without being asked.
func spell(t *schema.Type) string {
	return unfrozen(t).String()
}

func unfrozen(t *schema.Type) *schema.Type {
	of := *t
	of.Frozen, of.Args = false, nil
	for _, a := range t.Args {
		of.Args = append(of.Args, unfrozen(a))
	}
	return &of
}

// tagText writes a tag; "" is none.
func tagText(t model.Tag) string {
	if t.Name == "-" { // alone it would leave the field out
		rest := t
		rest.Name = ""
		return "'-'" + rest.String()
	}
	return t.String()
}

// reachable returns structs and all that they need, each before what it needs, once.
func reachable(from []*structure) []*structure {
	var out []*structure
	var visit func(s *structure)
	visit = func(s *structure) {
		if slices.Contains(out, s) {
			return
		}
		out = append(out, s)
		for _, n := range s.needs {
			visit(n)
		}
	}
	for _, s := range from {
		visit(s)
	}
	return out
}
