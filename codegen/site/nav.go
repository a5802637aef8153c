package site

import (
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/codegen/diagram"
)

// navigation is the list of pages to the left of a page.
type navigation struct {
	Pages    []navLink
	Packages []navPackage
}

// navLink is a link to a page.
type navLink struct {
	Name    string
	Href    string
	Current bool
}

// navPackage is a package with its roots. Its name is shown if there are several.
type navPackage struct {
	Name  string
	Roots []navRoot
}

// navRoot is a root, with the pages that belong to it.
type navRoot struct {
	navLink
	Pages []navTable
}

// navTable is an aggregate or a table.
type navTable struct {
	navLink
	Table bool
}

const shortList = 60 // aggregates: above this number, only the root of the page has a list, so that the pages of large models stay small

// navigation returns the links of a page.
func (s *site) navigation(p *page) navigation {
	var n navigation
	for _, x := range s.main() {
		x.Current = x.Href == p.File
		n.Pages = append(n.Pages, x)
	}
	for _, b := range s.builders {
		list := navPackage{}
		if len(s.builders) > 1 {
			list.Name = b.label
		}
		for _, a := range b.Aggregates {
			if diagram.Root(a) != a {
				continue
			}
			r := navRoot{navLink: b.navLink(a, p)}
			if len(b.Aggregates) <= shortList || p.Root == a {
				r.Pages = b.rootPages(a, p)
			}
			list.Roots = append(list.Roots, r)
		}
		n.Packages = append(n.Packages, list)
	}
	return n
}

// main returns the pages about the whole model.
func (s *site) main() []navLink {
	out := []navLink{{Name: "Overview", Href: "index.html"}}
	for _, n := range notations {
		out = append(out, navLink{Name: "Diagram: " + n.Title, Href: n.File})
	}
	out = append(out, navLink{Name: "Queries", Href: "queries.html"})
	for _, b := range s.builders {
		if b.Migrations != nil {
			out = append(out, navLink{Name: "Migrations", Href: "migrations.html"})
			break
		}
	}
	return append(out, navLink{Name: "Notation", Href: "notation.html"})
}

func (b *builder) navLink(a *model.Aggregate, p *page) navLink {
	r := b.aggregate(a)
	return navLink{r.Name, r.Href, p.Aggregate == a}
}

// rootPages returns the tables and the aggregates that belong to a root: its own table, then each aggregate with its table.
func (b *builder) rootPages(root *model.Aggregate, p *page) (out []navTable) {
	for _, a := range b.Aggregates {
		if diagram.Root(a) != root {
			continue
		}
		if a != root {
			out = append(out, navTable{b.navLink(a, p), false})
		}
		for _, t := range b.Schema.Tables {
			if t.Aggregate == a || t.Derived == a {
				r := b.table(t)
				out = append(out, navTable{navLink{r.Name, r.Href, p.Table == t}, true})
			}
		}
	}
	return out
}
