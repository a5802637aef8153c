package site

import (
	"fmt"
	"html/template"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/codegen/diagram"
)

// pictureView is a diagram on a page.
type pictureView struct {
	ID    string
	Title string
	About string
	SVG   template.HTML
}

// notation is a page of diagrams.
type notation struct {
	diagram.Notation
	File  string
	Title string
	About string
}

// notations are the pages of diagrams.
var notations = []notation{
	{diagram.AML, "diagram-aml.html", "Aggregates", "Each aggregate is a package around its entities and value objects. Arrows are references between aggregates."},
	{diagram.AMLMembers, "diagram-members.html", "Members", "The same aggregates without packages: each member has the name of its root before its own."},
	{diagram.Chebotko, "diagram-tables.html", "Tables", "Each table with its columns and the queries that it answers. A dashed border marks a table whose rows are derived from those of another one."},
}

// diagramView is a page of diagrams.
type diagramView struct {
	notation
	Pictures []pictureView
}

// diagramPages draws all models in each notation.
func (s *site) diagramPages() error {
	for _, n := range notations {
		v := &diagramView{notation: n}
		drawings, err := diagram.Draw(n.Notation, s.models(), diagram.Options{Link: s.link})
		if err != nil {
			return fmt.Errorf("site: draw the models: %w", err)
		}
		for i, d := range drawings {
			v.Pictures = append(v.Pictures, newPicture(d, i))
		}
		s.add(&page{File: n.File, Title: n.Title, Template: "diagram", View: v})
	}
	return nil
}

func newPicture(d diagram.Drawing, i int) pictureView {
	return pictureView{ID: fmt.Sprintf("diagram-%d", i+1), Title: name(d.Root), About: text(d.About), SVG: template.HTML(d.Inline())} //nolint:gosec // package diagram escapes all texts
}

// drawPictures draws the aggregate with the members and the tables of its root.
func (b *builder) drawPictures(a *model.Aggregate) (out []pictureView) {
	if diagram.Root(a) != a {
		return nil
	}
	for i, n := range []diagram.Notation{diagram.AML, diagram.Chebotko} {
		drawings, err := diagram.Draw(n, []diagram.Model{b.Model.Model}, diagram.Options{Roots: []string{a.Struct.Name}, Link: b.site.link})
		if err == nil && len(drawings) > 0 {
			out = append(out, newPicture(drawings[0], i))
		}
	}
	return out
}

// link returns the page that a box of a diagram links to.
func (s *site) link(n diagram.Node) string {
	if n.Table != nil {
		return s.names.tables[n.Table]
	}
	return s.names.aggregates[n.Aggregate]
}

// models returns the models as package diagram draws them.
func (s *site) models() (out []diagram.Model) {
	for _, m := range s.input.Models {
		out = append(out, m.Model)
	}
	return out
}
