package diagram

import (
	"fmt"
	"path/filepath"
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

// Options choose what is drawn.
type Options struct {
	Roots []string          // Go names of the roots, which are drawn with their parts and redundant aggregates; nil: all
	Link  func(Node) string // returns the address that a box links to, or "" for none; nil: no box is a link
	File  string            // the name of the file of the first picture; the boxes of an overview link to the files of the others

	queries map[*schema.Schema]queries
}

// Node is what a box represents: an aggregate, or a table with its aggregate, which is nil for reservations and markers.
type Node struct {
	Aggregate *model.Aggregate
	Table     *schema.Table
}

// Drawing is one picture of a model.
type Drawing struct {
	Root string // the root that is drawn; "" for the whole model, or for the overview of a large one
	*Picture
}

// File returns the name of the file of the drawing, such as shop-Customer.svg. first is that of the first drawing, such as shop.svg.
func (d *Drawing) File(first string) string {
	if d.Root == "" {
		return first
	}
	ext := filepath.Ext(first)
	return strings.TrimSuffix(first, ext) + "-" + d.Root + ext
}

// Draw draws models: one picture, or an overview and a picture for each root if one would be too large to be read.
func Draw(n Notation, models []Model, o Options) ([]Drawing, error) {
	chosen, err := Roots(models, o.Roots)
	if err != nil {
		return nil, err
	}
	if n == Chebotko || n == ChebotkoLogical {
		o.queries = map[*schema.Schema]queries{}
		for _, m := range models {
			o.queries[m.Schema] = queriesOf(m)
		}
	}
	switch {
	case n.IsText():
		return nil, fmt.Errorf("notation %s is text, not a picture: write it to a file whose name ends in .md", n)
	case len(chosen) > 1 && boxesOf(n, models, chosen) > mostBoxes:
		return split(n, models, chosen, o), nil
	}
	return []Drawing{{Picture: drawWhole(n, models, chosen, o)}}, nil
}

// drawWhole draws roots in one picture.
func drawWhole(n Notation, models []Model, roots []*model.Aggregate, o Options) *Picture {
	if n == Chebotko || n == ChebotkoLogical {
		return drawChebotko(models, roots, o, n == Chebotko)
	}
	return drawAML(models, roots, o, n == AMLMembers)
}

// Roots returns the roots with the given Go names, or all if names is nil.
func Roots(models []Model, names []string) (roots []*model.Aggregate, err error) {
	var all []string
	for _, m := range models {
		for _, a := range m.Aggregates {
			if RootOf(a) == a {
				all = append(all, a.Struct.Name)
				if names == nil || slices.Contains(names, a.Struct.Name) {
					roots = append(roots, a)
				}
			}
		}
	}
	if names != nil && len(names) == 0 {
		return nil, fmt.Errorf("-roots: no root is named: the roots are %s", strings.Join(all, ", "))
	}
	for _, n := range names {
		if !slices.Contains(all, n) {
			return nil, noRoot(models, n, all)
		}
	}
	return roots, nil
}

// RootOf returns the root with which an aggregate is drawn: itself, the root of a part, or that of the source of a redundant aggregate.
func RootOf(a *model.Aggregate) *model.Aggregate {
	if a.Redundancy != nil {
		a = a.Redundancy.Source
	}
	if a.Root != nil {
		return a.Root
	}
	return a
}

// noRoot returns the error for a name that is not that of a root, with the name that was probably meant.
func noRoot(models []Model, name string, all []string) error {
	for _, m := range models {
		for _, a := range m.Aggregates {
			switch root := RootOf(a).Struct.Name; name {
			case a.Struct.Name:
				return fmt.Errorf("-roots: %s is not a root, and is drawn with its root: use %s", name, root)
			case a.Table:
				return fmt.Errorf("-roots: %s is the name of a table: use %s", name, root)
			}
		}
	}
	return fmt.Errorf("-roots: there is no root %s: the roots are %s%s", PlainText(name), strings.Join(all, ", "), meant(name, all))
}

// NameOf returns the names of the packages.
func NameOf(models []Model) string {
	var names []string
	for _, m := range models {
		names = append(names, m.Package.Name)
	}
	return PlainText(strings.Join(names, ", "))
}

// Counted returns a number and its noun: 1 table, 2 tables.
func Counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// tablesOf returns the tables of a root in the order of its schema: its own, those of its parts, redundant tables and reservations.
func tablesOf(models []Model, root *model.Aggregate) (s *schema.Schema, tables []*schema.Table) {
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
	return a != nil && RootOf(a) == root
}
