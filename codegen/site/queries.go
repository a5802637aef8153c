package site

// queriesView is the page of the queries.
type queriesView struct{ Packages []packageQueries }

type packageQueries struct {
	Name   string
	Tables []tableQueries
}

// tableQueries are the methods that read a table.
type tableQueries struct {
	ID      string
	Table   ref
	Of      []ref
	Key     string
	Queries []queryView
}

// queries returns the methods that read, by the table that they read.
func (b *builder) queries() packageQueries {
	v := packageQueries{Name: name(b.Package.Name)}
	for _, t := range b.Schema.Tables {
		q := tableQueries{ID: "queries-" + b.label() + "-" + anchor(t.Name), Table: b.table(t), Of: b.owners(t), Key: text(t.KeyText()), Queries: b.reads[t.Name]}
		if q.Queries == nil {
			continue
		}
		v.Tables = append(v.Tables, q)
		for _, x := range q.Queries {
			b.find(x.Name, "query", "queries.html#"+q.ID, q.Table.Name)
		}
	}
	return v
}
