package codegen

import (
	"fmt"
	"go/token"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// Package is the package of a store that is not in the package of its model.
type Package struct {
	Path  string               // import path
	Name  string               // package name
	Names map[string]model.Pos // the package-level declarations of its files, except the generated one
}

// storePackage returns the package of the store.
func (c Config) storePackage(m *model.Model) *Package {
	if c.Package != nil {
		return c.Package
	}
	return &Package{Path: m.Package.Path, Name: m.Package.Name, Names: m.Package.Names}
}

// unreachable returns a diagnostic for each name of the model that the store needs and its package cannot use; none if the store is in the
// package of the model.
func unreachable(m *model.Model, s *schema.Schema, p *Package) []model.Diagnostic {
	if p == nil {
		return nil
	}
	r := &reach{model: m, store: p, seen: map[string]bool{}}
	for _, a := range m.Aggregates {
		r.structure(a.Struct, a.Attributes)
	}
	for _, o := range m.Objects {
		r.structure(o.Struct, o.Attributes)
	}
	for _, v := range m.Views {
		r.structure(v.Struct, v.Attributes)
	}
	for _, t := range s.Stored {
		for _, c := range t.Computed {
			if method := c.Method(); !token.IsExported(method.Name) {
				r.hidden("method "+method.Name+" of "+t.Aggregate.Struct.Name, method.Pos)
			}
			r.value(c.Type, c.Pos)
		}
	}
	return model.Sorted(r.faults)
}

// reach finds the names of a model that the package of its store cannot use.
type reach struct {
	model  *model.Model
	store  *Package
	seen   map[string]bool
	faults []model.Diagnostic
}

// structure checks the name of a struct, its fields and their types.
func (r *reach) structure(s *model.Struct, attributes []*model.Attribute) {
	r.name(s.Path, s.Name, s.Pos)
	r.embedded(s)
	for _, a := range attributes {
		if !a.Hidden() {
			r.goType(a.Field.Type, a.Pos)
			r.value(a.Type, a.Pos)
		}
	}
}

// embedded checks the embedded structs whose fields are fields of a struct: the store writes the path to a field in full.
func (r *reach) embedded(s *model.Struct) {
	for _, f := range s.Fields {
		if !f.Embedded || f.Tag.Found || f.Type.Struct == nil {
			continue
		}
		if !f.Exported {
			r.hidden("embedded struct "+f.Name, f.Pos)
		}
		r.embedded(f.Type.Struct)
	}
}

// value checks the types of a value and of its elements, which have functions of their own in the store.
func (r *reach) value(t *model.Type, at model.Pos) {
	if t == nil {
		return
	}
	r.goType(t.Go, at)
	for _, part := range append([]*model.Type{t.Elem, t.Key}, t.Members...) {
		r.value(part, at)
	}
}

// goType checks the named types in the spelling of a type.
func (r *reach) goType(g *model.GoType, at model.Pos) {
	if g == nil {
		return
	}
	if n := g.Named; n != nil {
		r.name(n.Path, n.Name, at)
		for _, arg := range n.Args {
			r.goType(arg, at)
		}
		return // the spelling ends with the name
	}
	r.goType(g.Elem, at)
	r.goType(g.Key, at)
}

// name checks a type by the name that the store writes. A name without a package is one of Go.
func (r *reach) name(path, name string, at model.Pos) {
	plain, _, _ := strings.Cut(name, "[")
	switch {
	case path == "":
	case !canImport(r.store.Path, path):
		r.add(at, "write the store to a folder that can import it, or use a type of another package",
			"%s is a type of the internal package %s, which package %s cannot import", plain, path, r.store.Path)
	case !token.IsExported(plain):
		if declared, ok := r.model.Package.Names[plain]; ok && path == r.model.Package.Path {
			at = declared
		}
		r.hidden("type "+plain, at)
	}
}

func (r *reach) hidden(what string, at model.Pos) {
	r.add(at, "export it, or generate the store in the package of the model", "%s is not exported, and package %s has the store, which needs it", what, r.store.Path)
}

// add adds a diagnostic once for each place.
func (r *reach) add(at model.Pos, fix, what string, args ...any) {
	d := model.Diagnostic{Pos: at, Rule: model.RuleUnreachable, What: fmt.Sprintf(what, args...), Fix: fix}
	if text := d.String(); !r.seen[text] && !r.seen[at.String()] {
		r.seen[text], r.seen[at.String()] = true, true
		r.faults = append(r.faults, d)
	}
}
