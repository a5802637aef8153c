package site

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/diagram"
)

// names has the file names of pages. They are different on file systems that ignore case, and contain only lower-case letters, digits
// and hyphens. Each begins with the kind of the page, so none is a name that Windows reserves.
type names struct {
	taken      map[string]bool
	aggregates map[*model.Aggregate]string
	tables     map[*schema.Table]string
	objects    map[*model.Object]string // the page and the anchor of each struct that aggregates compose
	prefixed   bool                     // several packages: the names of files contain their labels
}

func newNames(models []Model, labels []string) *names {
	n := &names{taken: map[string]bool{}, aggregates: map[*model.Aggregate]string{}, tables: map[*schema.Table]string{},
		objects: map[*model.Object]string{}, prefixed: len(models) > 1}
	for i, m := range models {
		for _, a := range m.Aggregates {
			n.aggregates[a] = n.file("aggregate", labels[i], a.Struct.Name)
		}
		for _, t := range m.Schema.Tables {
			n.tables[t] = n.file("table", labels[i], t.Name)
		}
	}
	return n
}

// file returns a new name.
func (n *names) file(kind, label, name string) string {
	base := kind + "-" + slug(name)
	if n.prefixed {
		base = kind + "-" + slug(label) + "-" + slug(name)
	}
	file := base + ".html"
	for i := 2; n.taken[file]; i++ {
		file = fmt.Sprintf("%s-%d.html", base, i)
	}
	n.taken[file] = true
	return file
}

const maxSlug = 60 // characters of a name in the name of a file: some file systems allow 255 bytes, and paths of 260

// slug returns a name with lower-case letters, digits and hyphens only.
func slug(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case r == '_' || r == '-' || r == ' ' || r == '.' || r == '/':
			b.WriteByte('-')
		default:
			fmt.Fprintf(&b, "u%x", r)
		}
		if b.Len() >= maxSlug {
			break
		}
	}
	return b.String()
}

// anchor returns a name as a part of an identifier of an element. Different names have different anchors.
func anchor(name string) string {
	var b strings.Builder
	for _, r := range name {
		if r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "-%x-", r)
		}
	}
	return b.String()
}

// columnID returns the anchor of a column on the page of its table.
func columnID(column string) string { return "column-" + anchor(column) }

// memberID returns the anchor of a struct on the pages of the aggregates that compose it.
func memberID(o *model.Object) string {
	if o.UDT == "" {
		return "tuple-" + anchor(o.Struct.Pkg+"."+o.Struct.Name)
	}
	return "member-" + anchor(o.UDT)
}

// composedObjects returns the structs that attributes compose, each once, outer ones first.
func composedObjects(in []*model.Attribute) (out []*model.Object) {
	var walk func([]*model.Attribute)
	walk = func(in []*model.Attribute) {
		for _, at := range in {
			for _, o := range []*model.Object{diagram.ComposedObject(at.Type), keyObject(at.Type)} {
				if o != nil && !slices.Contains(out, o) {
					out = append(out, o)
					walk(o.Attributes)
				}
			}
		}
	}
	walk(in)
	return out
}

// keyObject returns the struct of the keys of a map, or nil.
func keyObject(t *model.Type) *model.Object {
	if t.Kind != model.MapType {
		return nil
	}
	return diagram.ComposedObject(t.Key)
}
