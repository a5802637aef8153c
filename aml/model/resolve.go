package model

import (
	"fmt"
	"slices"
	"strings"
)

// resolver finds the structs, fields and methods that tags name.
type resolver struct {
	*reader
	externals map[*Struct]*Aggregate // roots of other packages
}

// referred finds the target that association= names: a root, or a field of its key.
func (r *resolver) referred(name string) (target *Aggregate, field string) {
	if target = r.target(name); target != nil {
		return target, ""
	}
	i := strings.LastIndex(name, ".")
	if i < 0 {
		return nil, ""
	}
	return r.target(name[:i]), name[i+1:]
}

// target finds a root by its Go name in this package, or by pkg.Name in an imported one.
func (r *resolver) target(name string) *Aggregate {
	for _, a := range r.model.Aggregates {
		if a.Struct.Name == name && a.IsSource() && a.Root == nil && !a.Tag.Has("redundant") {
			return a
		}
	}
	for _, s := range r.model.Package.Others {
		if s.Pkg+"."+s.Name == name {
			return r.external(s)
		}
	}
	return nil
}

// external reads a root of another package once. Its faults are reported in that package.
func (r *resolver) external(s *Struct) *Aggregate {
	if a, done := r.externals[s]; done {
		return a
	}
	o := newReader(&Package{Path: s.Path, Name: s.Pkg})
	o.aggregate(s, onAggregate)
	if len(o.model.Aggregates) > 0 && !o.model.Aggregates[0].Tag.Has("redundant") {
		r.externals[s] = o.model.Aggregates[0]
	}
	return r.externals[s]
}

// noAggregate returns a message that the package has no aggregate with a Go name, with a suggestion: by the name of the table,
// by a view of it, or by a similar name.
func (r *resolver) noAggregate(name string) string {
	what := fmt.Sprintf("there is no aggregate %s in this package", name)
	if of, ok := r.viewed(name); ok {
		return fmt.Sprintf("%s is a view; did you mean %s?", name, of)
	}
	if i := slices.IndexFunc(r.model.Aggregates, func(a *Aggregate) bool { return a.Table == name && !a.InRootTable }); i >= 0 {
		return fmt.Sprintf("%s is the name of a table; did you mean its struct %s?", name, r.model.Aggregates[i].Struct.Name)
	}
	var all []*Attribute
	for _, a := range r.model.Aggregates {
		all = append(all, &Attribute{Path: []string{a.Struct.Name}})
	}
	return what + nearestField(name, all)
}

// viewed returns the aggregate that a struct is a view of.
func (r *resolver) viewed(name string) (of string, ok bool) {
	i := slices.IndexFunc(r.model.Views, func(v *View) bool { return v.Struct.Name == name })
	if i < 0 {
		return "", false
	}
	t, _ := ParseTag(r.model.Views[i].Struct.Tag)
	return t.value("of"), true
}

// nearestRoot suggests the root that was probably meant: by the name of its table, by a view of it, or by a similar name.
func (r *resolver) nearestRoot(name string) string {
	if of, ok := r.viewed(name); ok {
		name = of
	}
	var roots []*Attribute
	for _, a := range r.model.Aggregates {
		if a.IsSource() && a.Root == nil && !a.Tag.Has("redundant") {
			roots = append(roots, &Attribute{Path: []string{a.Struct.Name}, Name: a.Table})
		}
	}
	return nearestField(name, roots)
}

// resolve returns the path that is the value of an option, or reports its fault by a rule.
func (r *resolver) resolve(o Option, rule Rule, fix string) *Path {
	p, why := r.path(o.Value)
	if p == nil && why != "" {
		r.add(o.Pos, rule, fix, "%s: %s", o, why)
	}
	return p
}

// path resolves a path as written. If it is invalid, it returns the reason, or "" if that has been reported.
func (r *resolver) path(text string) (*Path, string) {
	names := strings.Split(text, ".")
	i := slices.IndexFunc(r.model.Aggregates, func(a *Aggregate) bool { return a.Struct.Name == names[0] })
	if i < 0 {
		return nil, r.noAggregate(names[0])
	}
	p := &Path{Source: r.model.Aggregates[i], Loop: -1}
	for n, name := range names[1:] {
		var q *Path
		var why string
		if strings.HasSuffix(name, "()") {
			q, why = r.call(p, name, n == 0)
		} else {
			q, why = p.step(name)
		}
		if q == nil {
			return nil, why
		}
		p = q
	}
	return p, ""
}

// call adds a method of the source's struct to the path.
func (r *resolver) call(p *Path, name string, first bool) (*Path, string) {
	if !first {
		return nil, name + " is not a method of the source: a path can only contain methods of " + p.Source.Struct.Name
	}
	a := p.Source
	m := a.Struct.method(strings.TrimSuffix(name, "()"))
	switch {
	case m == nil && a.Struct.field(strings.TrimSuffix(name, "()")) != nil:
		return nil, fmt.Sprintf("%s of %s is a field; did you mean %s.%s?", strings.TrimSuffix(name, "()"), a.Struct.Name, a.Struct.Name, strings.TrimSuffix(name, "()"))
	case m == nil:
		return nil, a.Struct.Name + " has no method " + name + nearestMethod(name, a.Struct)
	case m.Params != 0:
		return nil, name + " has parameters"
	case len(m.Results) != 1:
		return nil, name + " must have one result, which is not an error"
	}
	i := slices.IndexFunc(a.methods, func(x *Attribute) bool { return x.method == m })
	if i < 0 {
		t := r.result(m)
		if t == nil {
			return nil, ""
		}
		a.methods = append(a.methods, &Attribute{Path: []string{name}, Type: t, Pos: m.Pos, method: m, Multiplicity: Multiplicity{-1, -1}})
		i = len(a.methods) - 1
	}
	q := *p
	q.Steps = []*Attribute{a.methods[i]}
	return &q, ""
}

// result returns the type of a method's result. Plain structs are read field by field and are not stored, so they are tuples.
func (r *resolver) result(m *Method) *Type {
	f := &Field{Name: m.Name, Pos: m.Pos, Type: m.Results[0], Exported: true}
	y := &typing{r: r.reader, at: f, result: true}
	g := f.Type
	for g.Kind == Slice || g.Kind == Pointer {
		g = g.Elem
	}
	if y.tuple = g.Kind == StructKind && g.Struct.Marker == Plain; !y.tuple {
		y.tag.Options = []Option{{Key: "composition"}}
	}
	return y.resolve()
}
