package diagram

import (
	"strings"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/explain"
)

// queries are the reads of a store, by the names of tables.
type queries struct {
	reads map[string][]string
	views map[string][]string
}

// of returns the queries that a table answers.
func (q queries) of(t *schema.Table) []string {
	return append(q.reads[t.Name][:len(q.reads[t.Name]):len(q.reads[t.Name])], q.views[t.Name]...)
}

// queriesOf returns the methods of a store that read by a key or an index. Of several methods with the same restrictions the first is
// returned; so the methods that every table has in addition, such as GetMany and Scan, are left out.
func queriesOf(m Model) queries {
	q := queries{map[string][]string{}, map[string][]string{}}
	e := explain.Of(m.Model, m.Schema)
	for _, t := range e.Tables {
		seen := map[string]bool{}
		for _, o := range t.Operations {
			if s := answer(t.Table, o); s != "" && !seen[restricted(t.Table, o)] {
				seen[restricted(t.Table, o)] = true
				q.reads[t.Name] = append(q.reads[t.Name], s)
			}
		}
	}
	for _, v := range e.Views {
		q.views[v.Name] = append(q.views[v.Name], "view "+v.Model.Struct.Name)
	}
	return q
}

// answer returns a method with the columns that it restricts; "" for one that writes, or that reads without restrictions.
func answer(t *schema.Table, o *explain.Operation) string {
	columns := restricted(t, o)
	if columns == "" {
		return ""
	}
	s := o.Name + "(" + columns + ")"
	if o.Name == "Of" {
		s += " by " + strings.Join(schema.Names(t.ClusteringKey), ", ")
	}
	return s
}

// restricted returns the columns that a read restricts.
func restricted(t *schema.Table, o *explain.Operation) string {
	var names []string
	for _, r := range o.Requests {
		if !r.Read || o.ByField || len(o.Requests) > 1 || len(r.Writes) == 0 || r.Writes[0].Table.Name != t.Name {
			return ""
		}
		_, where, _ := strings.Cut(r.Writes[0].Statements[0].CQL, " WHERE ")
		for _, c := range strings.Split(where, " AND ") {
			if name, _, ok := strings.Cut(c, " "); ok && !strings.HasPrefix(name, "token") {
				names = append(names, name)
			}
		}
	}
	return strings.Join(names, ", ")
}
