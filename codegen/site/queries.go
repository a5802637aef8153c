package site

import (
	"fmt"

	"github.com/cassaml/cassaml/codegen/diagram"
)

// queriesView is the page of the queries.
type queriesView struct{ Packages []packageQueries }

type packageQueries struct {
	Name     string
	Label    string // "" in a site of one package
	ID       string // identifier of the queries of the application
	Tables   []tableQueries
	Workflow []pictureView // the queries of the application at the tables
}

// tableQueries are the methods that read a table.
type tableQueries struct {
	ID      string
	Table   ref
	Of      []ref
	Key     string
	Queries []queryView
}

// workflow draws the queries of the application at the tables that answer them.
func (b *builder) workflow() (out []pictureView) {
	if b.Queries == nil {
		return nil
	}
	drawings, err := diagram.Draw(diagram.Chebotko, []diagram.Model{b.Model.Model}, diagram.Options{Link: b.site.link, Workflow: b.Queries})
	if err != nil {
		return nil // the pages of the diagrams report it
	}
	for i, d := range drawings {
		out = append(out, newPicture(d, i))
	}
	for i, q := range b.Queries {
		b.find(fmt.Sprintf("Q%d %s", i+1, name(q.Text)), "query of the application", "queries.html#application-"+anchor(b.label), b.shownLabel())
	}
	return out
}

// queries returns the methods that read, by the table that they read.
func (b *builder) queries() packageQueries {
	v := packageQueries{Name: b.label, Label: b.shownLabel(), ID: "application-" + anchor(b.label), Workflow: b.workflow()}
	for _, t := range b.Schema.Tables {
		q := tableQueries{ID: "queries-" + anchor(b.label) + "-" + anchor(t.Name), Table: b.table(t), Of: b.owners(t), Key: text(t.KeyText()), Queries: b.reads[t.Name]}
		if q.Queries == nil {
			continue
		}
		v.Tables = append(v.Tables, q)
		for _, x := range q.Queries {
			b.find(x.Name, "query", "queries.html#"+q.ID, b.titled(q.Table.Name))
		}
	}
	return v
}
