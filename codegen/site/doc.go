// Package site builds a static site that describes models: their diagrams, a page for each aggregate and table, the queries that
// they answer, and their migrations. The site needs no server and loads nothing from other sites. Package site returns its files and
// does not write them; the same input produces the same bytes.
//
//	files, err := site.Build(site.Input{Models: []site.Model{{Model: diagram.Model{Model: m, Schema: schema.New(m)}}}})
package site
