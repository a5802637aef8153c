package codegen

import (
	"regexp"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
)

// structView is a struct with all its fields, as they were when the file was generated.
type structView struct {
	Name   string // with its package and type arguments
	Fields []fieldsView
}

// fieldsView are fields of one type. A field without a name is embedded.
type fieldsView struct {
	Names string // A, B
	Type  string
}

// uses records that the codec depends on the fields of a struct and of the structs embedded in it.
func (c *codecs) uses(s *model.Struct) {
	if slices.Contains(c.structs, s) {
		return
	}
	c.structs = append(c.structs, s)
	for _, f := range s.Fields {
		if f.Embedded && !f.Tag.Found && f.Type.Struct != nil {
			c.uses(f.Type.Struct)
		}
	}
}

// unchanged returns the structs whose fields the generated file compares at compile time. Otherwise a new field would silently
// not be encoded.
func (c *codecs) unchanged() (out []structView) {
	for _, s := range c.structs {
		if c.imports.canSpell(s) {
			out = append(out, c.imports.structView(s))
		}
	}
	return out
}

// unspeakable finds the parts of a field's type in another package that this package cannot write: an unexported name, and
// types without a name, which can have unexported members.
var unspeakable = regexp.MustCompile(`\.\P{Lu}|(struct|interface)\{[^}]`)

// canSpell reports whether the generated file can write all fields of a struct. It cannot write a C type, or a type that the
// generated file itself declares, because that file is ignored when a package is read.
func (i *imports) canSpell(s *model.Struct) bool {
	if s.Spelled == nil {
		return false
	}
	internal := false
	qualify := func(path, name string) string {
		if path == i.self {
			return ""
		}
		internal = internal || slices.Contains(strings.Split(path, "/"), "internal")
		return name
	}
	for _, f := range s.Whole {
		internal = false
		text := f.Type(qualify)
		foreign := f.Path != i.self // also for a local type whose underlying struct is in another package
		if strings.Contains(text, "invalid type") || foreign && (internal || !f.Exported || unspeakable.MatchString(text)) {
			return false
		}
	}
	return true
}

func (i *imports) structView(s *model.Struct) structView {
	qualify := func(path, name string) string {
		if path == i.self {
			return ""
		}
		return i.pkg(path, name)
	}
	v := structView{Name: s.Spelled(qualify)}
	last := "" // the type of the previous field, unless that is embedded
	for _, f := range s.Whole {
		text := f.Type(qualify)
		switch {
		case f.Embedded:
			v.Fields, text = append(v.Fields, fieldsView{Type: text}), ""
		case text == last:
			v.Fields[len(v.Fields)-1].Names += ", " + f.Name
		default:
			v.Fields = append(v.Fields, fieldsView{f.Name, text})
		}
		last = text
	}
	return v
}
