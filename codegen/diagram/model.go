package diagram

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/explain"
)

// Model is the model of one package.
type Model struct {
	*model.Model
	Schema    *schema.Schema
	Explained *explain.Explanation // has the queries of the tables; nil: it is made where it is needed
}

// Node is the object of a box: an aggregate, or a table with its aggregate, which is nil for reservations and markers.
type Node struct {
	Aggregate *model.Aggregate
	Table     *schema.Table
}

// Roots returns the roots with the given Go names, or all if names is nil.
func Roots(models []Model, names []string) ([]*model.Aggregate, error) {
	return chosenRoots(models, "-roots", names)
}

// chosenRoots returns the roots that an option names, or all if names is nil.
func chosenRoots(models []Model, option string, names []string) (roots []*model.Aggregate, err error) {
	var all []string
	for _, m := range models {
		for _, a := range m.Aggregates {
			if Root(a) == a {
				all = append(all, a.Struct.Name)
				if names == nil || slices.Contains(names, a.Struct.Name) {
					roots = append(roots, a)
				}
			}
		}
	}
	if names != nil && len(names) == 0 {
		return nil, fmt.Errorf("%s: no root is named: the roots are %s", option, strings.Join(all, ", "))
	}
	for _, n := range names {
		if !slices.Contains(all, n) {
			return nil, noRoot(models, option, n, all)
		}
	}
	return roots, nil
}

// Root returns the root with which an aggregate is drawn: itself, the root of a part, or the root of the source of a redundant aggregate.
func Root(a *model.Aggregate) *model.Aggregate {
	if a.Redundancy != nil {
		a = a.Redundancy.Source
	}
	if a.Root != nil {
		return a.Root
	}
	return a
}

// noRoot returns the error for a name that is not the name of a root, with the name that was probably meant.
func noRoot(models []Model, option, name string, all []string) error {
	for _, m := range models {
		for _, a := range m.Aggregates {
			switch root := Root(a).Struct.Name; name {
			case a.Struct.Name:
				return fmt.Errorf("%s: %s is not a root, and belongs to one: use %s", option, name, root)
			case a.Table:
				return fmt.Errorf("%s: %s is the name of a table: use %s", option, name, root)
			}
		}
	}
	return fmt.Errorf("%s: there is no root %s: the roots are %s%s", option, PlainText(name), strings.Join(all, ", "), meant(name, all))
}

// fewPackages is the number of packages up to which a title has their names.
const fewPackages = 3

// PackageNames returns the labels of a few packages, or the number of many.
func PackageNames(models []Model) string {
	if len(models) > fewPackages {
		return Counted(len(models), "package")
	}
	return PlainText(strings.Join(PackageLabels(models), ", "))
}

// Counted returns a number and its noun: 1 table, 2 tables.
func Counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// rootTables returns the tables of a root in the order of its schema: its own, the tables of its parts, redundant tables and reservations.
func rootTables(models []Model, root *model.Aggregate) (s *schema.Schema, tables []*schema.Table) {
	for _, m := range models {
		if !slices.Contains(m.Aggregates, root) {
			continue
		}
		for _, t := range m.Schema.Tables {
			if belongs(t, root) {
				tables = append(tables, t)
			}
		}
		return m.Schema, tables
	}
	return nil, nil
}

// belongs reports whether a table has rows of a root, or rows that are derived from them.
func belongs(t *schema.Table, root *model.Aggregate) bool {
	a := t.Aggregate
	if a == nil {
		a = t.Derived
	}
	return a != nil && Root(a) == root
}
