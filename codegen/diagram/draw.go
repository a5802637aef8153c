package diagram

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// Model is a package of a drawing.
type Model struct {
	*model.Model
	Schema *schema.Schema
}

// Notation is a way to draw a model.
type Notation string

// The notations.
const (
	AML        Notation = "aml"         // aggregates as packages around their members
	AMLMembers Notation = "aml-members" // members with names such as Customer::Vehicle
	Chebotko   Notation = "chebotko"    // tables with the queries that they answer
	Mermaid    Notation = "mermaid"     // text, which GitHub draws
)

// Notations are all notations.
var Notations = []Notation{AML, AMLMembers, Chebotko, Mermaid}

// Options choose what is drawn.
type Options struct {
	Roots []string          // Go names of the roots, which are drawn with their parts and redundant aggregates; nil: all
	Link  func(Node) string // returns the address that a box leads to, or ""; nil: no box leads anywhere
}

// Node is what a box stands for: an aggregate, or a table with its aggregate, which is nil for reservations and markers.
type Node struct {
	Aggregate *model.Aggregate
	Table     *schema.Table
}

// Drawing is one picture of a model.
type Drawing struct {
	Root string // the Go name of the root that is drawn; "" for the whole model, or for the overview of a large one
	*Picture
}

// Draw draws models: one picture, or an overview and a picture for each root if one would be too large to be read.
func Draw(n Notation, models []Model, o Options) ([]Drawing, error) {
	chosen, err := choose(models, o.Roots)
	if err != nil {
		return nil, err
	}
	switch n {
	case AML, AMLMembers:
		return []Drawing{{Picture: drawAML(models, chosen, n == AMLMembers)}}, nil
	case Chebotko:
		return []Drawing{{Picture: drawChebotko(models, chosen)}}, nil
	}
	return nil, fmt.Errorf("notation %q is not drawn as a picture: use aml, aml-members or chebotko", n)
}

// choose returns the roots to draw: those with the given Go names, or all.
func choose(models []Model, names []string) (roots []*model.Aggregate, err error) {
	var all []string
	found := map[string]bool{}
	for _, m := range models {
		for _, a := range m.Aggregates {
			if !a.IsSource() || a.Root != nil {
				continue
			}
			all = append(all, a.Struct.Name)
			if names == nil || slices.Contains(names, a.Struct.Name) {
				roots = append(roots, a)
				found[a.Struct.Name] = true
			}
		}
	}
	for _, n := range names {
		if !found[n] {
			return nil, fmt.Errorf("there is no root %s: the roots are %s", plain(n), strings.Join(all, ", "))
		}
	}
	return roots, nil
}

// nameOf returns the names of the packages.
func nameOf(models []Model) string {
	var names []string
	for _, m := range models {
		names = append(names, m.Package.Name)
	}
	return strings.Join(names, ", ")
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

// belongs reports whether a table has rows of an aggregate, or rows that follow from them.
func belongs(t *schema.Table, root *model.Aggregate) bool {
	a := t.Aggregate
	if a == nil {
		a = t.Derived
	}
	if a != nil && a.Redundancy != nil {
		a = a.Redundancy.Source
	}
	return a != nil && (a == root || a.Root == root)
}
