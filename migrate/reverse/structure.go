package reverse

import (
	"slices"
	"strconv"

	"github.com/cassaml/cassaml/aml/model"
)

// structure is a Go struct of the model.
type structure struct {
	subject
	name    string
	marker  model.Marker // Plain for a tuple
	about   string       // its doc comment
	tag     model.Tag    // the tag of its marker
	fields  []*field
	key     bool // the struct can be the key of a Go map
	imports []string
	needs   []*structure  // sorted as its fields
	of      *model.Struct // the same struct for the language
}

// field is a field of a struct.
type field struct {
	subject
	name  string
	tag   model.Tag
	shape shape
}

func (f *field) option(key, value string) { f.tag.Options = append(f.tag.Options, option(key, value)) }

func newStructure(marker model.Marker, name string) *structure {
	return &structure{name: name, marker: marker, of: &model.Struct{Name: name, Marker: marker}}
}

func option(key, value string) model.Option {
	return model.Option{Key: key, Value: value, Valued: value != ""}
}

// tagText returns a tag as text; "" for an empty tag.
func tagText(t model.Tag) string {
	if t.Name == "-" { // a field with this tag is ignored, unless the name has quotes
		rest := t
		rest.Name = ""
		return "'-'" + rest.String()
	}
	return t.String()
}

// tagLiteral returns a struct tag as Go source; "" for an empty tag.
func tagLiteral(t model.Tag) string {
	text := tagText(t)
	if text == "" {
		return ""
	}
	text = "aml:" + strconv.Quote(text)
	if strconv.CanBackquote(text) {
		return "`" + text + "`"
	}
	return strconv.Quote(text)
}

// reachable returns structs and all structs that they use, each once and before those that it uses.
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

// shape is the Go type of a CQL type, and the options that its tag must declare.
type shape struct {
	text     string        // the Go type in the source
	of       *model.GoType // the same type for the language
	leaf     string        // the native type inside lists, sets and values of maps, if the Go type has another default
	udt      bool          // the innermost type is a user-defined type
	tuple    bool          // the innermost type is a tuple
	key      bool          // the type can be the key of a Go map
	spelled  bool          // the tag must have the whole type
	nameless bool          // the type contains a user-defined type, which type= cannot name
}
