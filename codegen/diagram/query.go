package diagram

import (
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/explain"
)

// queries are the reads of a store, by the names of tables.
type queries struct {
	reads map[string][]string
	views map[string][]string
}

// answeredBy returns the queries that a table answers.
func (q queries) answeredBy(t *schema.Table) []string {
	return slices.Concat(q.reads[t.Name], q.views[t.Name])
}

// byUnique returns the queries that the reservation tables of a root answer.
func (q queries) byUnique(t *schema.Table) (out []string) {
	if t.Versioning == nil {
		return nil
	}
	for _, u := range t.Versioning.Uniques {
		out = append(out, q.reads[u.Table.Name]...)
	}
	return out
}

// newQueries returns the methods of a store that read by a key or an index. Of several methods that read the same rows by the same columns,
// only the first is returned. This leaves out methods that every table has in addition, such as GetMany and Scan, and those that follow
// references.
func newQueries(m Model) queries {
	q := queries{map[string][]string{}, map[string][]string{}}
	e := m.Explained
	if e == nil {
		e = explain.New(m.Model, m.Schema)
	}
	for _, t := range e.Tables {
		seen := map[string]bool{}
		for _, o := range t.Operations {
			if of := findReservation(t.Table, o); of != nil {
				q.reads[of.Name] = append(q.reads[of.Name], o.Name+"("+restrictedBy(o.Requests[0])+")")
				continue
			}
			columns, others := restricted(t.Table, o), readsOthers(o)
			if o.Restricted || columns == "" || seen[columns] && !others {
				continue
			}
			seen[columns] = seen[columns] || !others
			q.reads[t.Name] = append(q.reads[t.Name], answer(t.Table, o, columns))
		}
	}
	for _, v := range e.Views {
		q.views[v.Name] = append(q.views[v.Name], "view "+v.Model.Struct.Name)
	}
	return q
}

// answer returns a method with the columns that it restricts. If the table has the rows of a part, too, it begins with the struct.
func answer(t *schema.Table, o *explain.Operation, columns string) string {
	s := o.Name + "(" + columns + ")"
	if t.Statics || t.Aggregate.InRootTable {
		s = t.Aggregate.Struct.Name + "." + s
	}
	if o.Name == "Of" {
		s += " by " + strings.Join(schema.Names(t.Discriminators()), ", ")
	}
	return s
}

// readsOthers reports whether a method reads other rows or columns than the other methods with the same restrictions: only the static
// columns of a partition, or a root with a part.
func readsOthers(o *explain.Operation) bool {
	return o.Name == "Statics" || strings.HasPrefix(o.Name, "GetWith") || strings.HasPrefix(o.Name, "OfWith")
}

// restricted returns the columns that a read restricts; "" for an operation that writes, or that reads without restrictions.
func restricted(t *schema.Table, o *explain.Operation) string {
	if len(o.Requests) != 1 && !readsOthers(o) || !o.Requests[0].Read || o.ByField || len(o.After) > 0 || o.Requests[0].Writes[0].Table.Name != t.Name {
		return ""
	}
	return restrictedBy(o.Requests[0])
}

// findReservation returns the reservation table in which an operation finds the key of a root; nil if it reads no such table.
func findReservation(t *schema.Table, o *explain.Operation) *schema.Table {
	if len(o.Requests) == 0 || !o.Requests[0].Read || o.Requests[0].Writes[0].Table.Derived != t.Aggregate {
		return nil
	}
	return o.Requests[0].Writes[0].Table
}

// restrictedBy returns the columns that the statement of a read restricts.
func restrictedBy(r *explain.Request) string {
	cql := r.Writes[0].Statements[0].CQL
	var names []string
	if _, where, ok := strings.Cut(cql, " WHERE "); ok {
		for _, c := range strings.Split(where, " AND ") {
			if name, _, ok := strings.Cut(c, " "); ok && !strings.HasPrefix(name, "TOKEN(") {
				names = append(names, name)
			}
		}
	}
	if _, order, ok := strings.Cut(cql, " ORDER BY "); ok {
		if name, _, near := strings.Cut(order, " ANN OF "); near {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}
