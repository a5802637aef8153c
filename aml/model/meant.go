package model

import (
	"fmt"
	"slices"
	"strings"
)

// nearestField names the attribute that was probably meant: by the name of its column, or by a Go name like its own.
func nearestField(name string, in []*Attribute) string {
	best, distance := "", near(name)
	for _, a := range in {
		if a.Name == name && name != "" { // the name of the column, not of the field
			return ", did you mean " + a.GoName() + "?"
		}
		if d := editDistance(strings.ToLower(name), strings.ToLower(a.GoName())); d < distance {
			best, distance = a.GoName(), d
		}
	}
	if best == "" {
		return ""
	}
	return ", did you mean " + best + "?"
}

// nearestMethod names the method that was probably meant.
func nearestMethod(name string, of *Struct) string {
	var methods []*Attribute
	for _, m := range of.Methods {
		methods = append(methods, &Attribute{Path: []string{m.Name + "()"}})
	}
	return nearestField(name, methods)
}

// noAggregate says that no aggregate of the package has a Go name, and which one was probably meant: by the name of its
// table, by a view of it, or by a name like its own.
func (b *builder) noAggregate(name string) string {
	what := fmt.Sprintf("there is no aggregate %s in this package", name)
	if of, ok := b.viewed(name); ok {
		return fmt.Sprintf("%s is a view, did you mean %s?", name, of)
	}
	if i := slices.IndexFunc(b.model.Aggregates, func(a *Aggregate) bool { return a.Table == name && !a.InRootTable }); i >= 0 {
		return fmt.Sprintf("%s is the name of a table, did you mean its struct %s?", name, b.model.Aggregates[i].Struct.Name)
	}
	var all []*Attribute
	for _, a := range b.model.Aggregates {
		all = append(all, &Attribute{Path: []string{a.Struct.Name}})
	}
	return what + nearestField(name, all)
}

// viewed gives what a struct is a view of.
func (b *builder) viewed(name string) (of string, ok bool) {
	i := slices.IndexFunc(b.model.Views, func(v *View) bool { return v.Struct.Name == name })
	if i < 0 {
		return "", false
	}
	t, _ := ParseTag(b.model.Views[i].Struct.Tag)
	return t.value("of"), true
}

// nearestRoot names the root that was probably meant: by the name of its table, by a view of it, or by a name like its own.
func (b *builder) nearestRoot(name string) string {
	if of, ok := b.viewed(name); ok {
		name = of
	}
	var roots []*Attribute
	for _, a := range b.model.Aggregates {
		if a.Truth() && a.Root == nil && !a.Tag.Has("redundant") {
			roots = append(roots, &Attribute{Path: []string{a.Struct.Name}, Name: a.Table})
		}
	}
	return nearestField(name, roots)
}
