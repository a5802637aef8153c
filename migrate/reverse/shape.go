package reverse

import (
	"errors"
	"fmt"
	"strings"

	"github.com/cassaml/cassaml/aml/cqltype"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// newShape returns the Go type of a column, field or member of a tuple in a struct. A tuple in it becomes a separate struct, whose name
// begins with at. The error is the reason why there is no Go type.
func (w *writer) newShape(t *schema.Type, in *structure, at string) (shape, error) {
	switch {
	case t.UDT:
		return w.composed(t, in)
	case t.Name == "list", t.Name == "set":
		return w.elements(t, in, at)
	case t.Name == "map":
		return w.mapping(t, in, at)
	case t.Name == "tuple":
		return w.tuple(t, in, at)
	case t.Name == "vector":
		return vector(t)
	}
	n, known := cqltype.Lookup(t.Name)
	if !known || n.ColumnOnly {
		return shape{}, fmt.Errorf("no Go type is stored as %s", t)
	}
	return native(n, in), nil
}

// native returns the shape of a native type.
func native(n *cqltype.Native, in *structure) shape {
	g := n.Go[0]
	if g.Import != "" {
		in.imports = append(in.imports, g.Import)
	}
	s := shape{text: g.Text, of: &model.GoType{Kind: model.ParseGoKind(g.Text), Text: g.Text}, key: !strings.HasPrefix(g.Text, "*") && !strings.HasPrefix(g.Text, "[]")}
	if n.Explicit {
		s.leaf = n.Name
	}
	return s
}

// composed returns the struct of a user-defined type.
func (w *writer) composed(t *schema.Type, in *structure) (shape, error) {
	s := w.udts[t.Name]
	if s == nil {
		return shape{}, fmt.Errorf("type %s is not in the model", model.Quote(t.Name))
	}
	in.needs = append(in.needs, s)
	return shape{text: s.name, of: &model.GoType{Kind: model.StructKind, Text: s.name, Struct: s.of}, udt: true, key: s.key, nameless: true}, nil
}

// elements returns the slice of a list or set. A set inside another collection is a map without values if Go allows its elements as
// keys, because a slice would require the whole type in the tag.
func (w *writer) elements(t *schema.Type, in *structure, at string) (shape, error) {
	s, err := w.newShape(t.Args[0], in, at)
	switch {
	case err != nil:
		return s, err
	case t.Name == "list" || !s.key:
		return slice(s, t.Name == "set"), nil
	}
	key := s.of
	s.key, s.text = false, "map["+s.text+"]struct{}"
	s.of = &model.GoType{Kind: model.Map, Text: s.text, Key: key, Elem: &model.GoType{Kind: model.EmptyStruct, Text: "struct{}"}}
	return s, nil
}

// slice returns the shape of a slice with elements of a shape.
func slice(s shape, spelled bool) shape {
	s.key, s.spelled, s.text = false, s.spelled || spelled, "[]"+s.text
	s.of = &model.GoType{Kind: model.Slice, Text: s.text, Elem: s.of}
	return s
}

func (w *writer) mapping(t *schema.Type, in *structure, at string) (shape, error) {
	k, err := w.newShape(t.Args[0], in, at+"Key")
	if err != nil {
		return k, err
	}
	s, err := w.newShape(t.Args[1], in, at)
	switch {
	case err != nil:
		return s, err
	case !k.key:
		return k, fmt.Errorf("no Go map can have %s as its key", k.text)
	case k.udt:
		return k, fmt.Errorf("a struct that is the key of a Go map is stored as a tuple, and %s is a user-defined type", t.Args[0])
	}
	value := s.of
	s.key, s.spelled, s.nameless = false, s.spelled || k.spelled || k.leaf != "", s.nameless || k.nameless
	s.text = "map[" + k.text + "]" + s.text
	s.of = &model.GoType{Kind: model.Map, Text: s.text, Key: k.of, Elem: value}
	return s, nil
}

// tuple returns a new struct for a tuple.
func (w *writer) tuple(t *schema.Type, in *structure, at string) (shape, error) {
	s := newStructure(model.Plain, unique(at+"Tuple", w.taken))
	s.about = s.name + " is " + t.String() + "."
	in.needs = append(in.needs, s)
	out := shape{text: s.name, of: &model.GoType{Kind: model.StructKind, Text: s.name, Struct: s.of}, tuple: true, key: true}
	for i, m := range t.Args {
		f, err := w.field(s, fmt.Sprintf("V%d", i+1), "", m)
		if err != nil {
			return out, fmt.Errorf("member %d of %s: %w", i+1, t, err)
		}
		s.fields = append(s.fields, f)
		out.key, out.nameless = out.key && f.shape.key, out.nameless || f.shape.nameless
	}
	return out, nil
}

func vector(t *schema.Type) (shape, error) {
	if t.Args[0].Name != "float" || t.Args[0].UDT {
		return shape{}, fmt.Errorf("a vector of %s needs a Go type with its own codec", t.Args[0])
	}
	text := fmt.Sprintf("[%d]float32", t.Size)
	element := &model.GoType{Kind: model.Float32, Text: "float32"}
	return shape{text: text, key: true, of: &model.GoType{Kind: model.Array, Text: text, Len: t.Size, Elem: element}}, nil
}

// field creates the field of a column, of a field of a type, or of a member of a tuple, which has no CQL name. If the whole field is a
// set, it becomes a slice with the option unique.
func (w *writer) field(in *structure, name, cql string, t *schema.Type) (*field, error) {
	f := &field{name: name, tag: model.Tag{Name: cql}}
	of, set := t, t.Name == "set" && !t.UDT
	if set {
		of = t.Args[0]
	}
	s, err := w.newShape(of, in, in.name+name)
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

// spell returns a type in the form of type=, without frozen: inner types are always frozen.
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
