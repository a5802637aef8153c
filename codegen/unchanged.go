package codegen

import (
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
)

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

// unchanged returns the structs whose fields and tags the generated file compares at compile time. Otherwise a new field would silently
// not be encoded, and an option of a tag would keep its old meaning.
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
		internal = internal || !canImport(i.self, path)
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
	for _, f := range s.Whole {
		view := fieldsView{f.Name, f.Type(qualify), tagLiteral(f.Tag)}
		last := len(v.Fields) - 1
		switch {
		case f.Embedded:
			view.Names = ""
			v.Fields = append(v.Fields, view)
		case last >= 0 && v.Fields[last].Names != "" && v.Fields[last].Type == view.Type && v.Fields[last].Tag == view.Tag:
			v.Fields[last].Names += ", " + f.Name
		default:
			v.Fields = append(v.Fields, view)
		}
	}
	return v
}

// tagLiteral returns a struct tag as Go source; "" for none.
func tagLiteral(tag string) string {
	switch {
	case tag == "":
		return ""
	case strconv.CanBackquote(tag):
		return "`" + tag + "`"
	}
	return strconv.Quote(tag)
}

// basicKinds are the kinds of types whose underlying types are predeclared ones.
var basicKinds = []model.GoKind{model.Bool, model.Int, model.Int8, model.Int16, model.Int32, model.Int64, model.Float32, model.Float64, model.String}

// basics returns the named types of fields whose underlying types are types of Go, with the underlying types. The codecs convert between
// the two, and Go converts numbers of all sizes.
func (c *codecs) basics() (out []variable) {
	seen := map[string]bool{}
	var add func(g *model.GoType)
	add = func(g *model.GoType) {
		if g == nil || g.Struct != nil {
			return
		}
		add(g.Elem)
		add(g.Key)
		n := g.Named
		if !slices.Contains(basicKinds, g.Kind) || n == nil || !c.imports.canName(n) {
			return
		}
		if name := c.imports.goType(g); !seen[name] {
			seen[name], out = true, append(out, variable{name, g.Kind.Native()})
		}
	}
	for _, s := range c.structs {
		for _, f := range s.Fields {
			if strings.TrimSpace(f.Tag.Text) != "-" && f.Name != "_" {
				add(f.Type)
			}
		}
	}
	return out
}

// canName reports whether the generated file can write the name of a type.
func (i *imports) canName(n *model.GoName) bool {
	if n.Path == "" || len(n.Args) > 0 {
		return false
	}
	return n.Path == i.self || token.IsExported(n.Name) && canImport(i.self, n.Path)
}

// constants returns the constants that columns are compared with: the constants in when= and of enums.
func (b *viewer) constants(m *model.Model) (out []variable) {
	seen := map[string]bool{}
	add := func(t *model.Type, in []model.Constant) {
		n := t.Go.Named
		for _, c := range in {
			if n == nil || c.Name == "" || n.Path != b.imports.self && !(b.imports.canName(n) && token.IsExported(c.Name)) {
				continue
			}
			name := c.Name
			if n.Path != b.imports.self {
				name = b.imports.pkg(n.Path, n.Pkg) + "." + name
			}
			if value := c.Value; !seen[name] {
				if t.Go.Kind == model.String {
					value = strconv.Quote(value)
				}
				seen[name], out = true, append(out, variable{name, value})
			}
		}
	}
	enums := func(in []*model.Attribute) {
		for _, a := range in {
			if a.Enum {
				add(a.Type, a.Type.Go.Constants)
			}
		}
	}
	for _, a := range m.Aggregates {
		enums(a.Attributes)
		if r := a.Redundancy; r != nil && r.When != nil {
			add(r.When.ValueType(), r.OneOf)
		}
	}
	for _, o := range m.Objects {
		enums(o.Attributes)
	}
	return out
}
