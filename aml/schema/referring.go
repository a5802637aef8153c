package schema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
)

// Referring is the reverse direction of a reference: the rows that refer to one root.
type Referring struct {
	Reference *Reference
	From      *Table // it has the rows that refer to the root
	Table     *Table // the table that answers the question: From or a redundant table of it, or nil if no table does
	Index     *Index // the index of Table that answers it; nil: its partition key
	No        string // why there is no method; "" if there is one
}

// Referring returns the references to a root in the rows that programs write, in the order of the tables.
func (s *Schema) Referring(root *Table) (out []*Referring) {
	for _, t := range s.Stored {
		if t.Aggregate == nil || !t.Aggregate.IsSource() || !root.Aggregate.IsSource() {
			continue
		}
		for _, r := range t.References() {
			if r.Target == root.Aggregate && r.No == "" {
				out = append(out, referring(t, r))
			}
		}
	}
	return out
}

// referring finds the table that answers which rows of a table refer to a root.
func referring(t *Table, r *Reference) *Referring {
	out := &Referring{Reference: r, From: t}
	single := ""
	for _, x := range r.tables(t) {
		switch {
		case !r.partitions(t, x):
		case len(x.ClusteringKey) == 0:
			single = x.GoName()
		default:
			out.Table = x
			return out
		}
	}
	if i := slices.IndexFunc(t.Indexes, r.indexed); i >= 0 {
		out.Table, out.Index = t, t.Indexes[i]
		return out
	}
	if out.No = "no table or index answers it; a redundant aggregate would: " + r.offer(t); single != "" {
		out.No = "there is at most one: call Get of " + single
	}
	return out
}

// tables returns the tables that have all rows with a reference: the table of the rows, and redundant tables.
func (r *Reference) tables(t *Table) []*Table {
	out := []*Table{t}
	for _, p := range t.Projections {
		redundancy := p.Table.Aggregate.Redundancy
		if !redundancy.Shared && (redundancy.When == nil || redundancy.OneOf == nil && slices.Equal(redundancy.When.Steps, r.path(0))) {
			out = append(out, p.Table)
		}
	}
	return out
}

// path returns the path from a row to the field with one column of the target's key.
func (r *Reference) path(column int) []*model.Attribute {
	at := r.Fields[0]
	if len(r.Fields) > 1 {
		at = r.Fields[column]
	}
	path := append(slices.Clone(r.Path), at)
	if r.Many && len(r.Target.Key()) > 1 {
		path = append(path, at.Type.Elem.Object.Attributes[column])
	}
	return path
}

// partitions reports whether the partition key of a table, of the rows with the reference or derived from them, is the reference.
func (r *Reference) partitions(t, x *Table) bool {
	if len(x.PartitionKey) != len(r.Target.Key()) {
		return false
	}
	for i, c := range x.PartitionKey {
		if !r.has(t, x, c.Attribute, i) {
			return false
		}
	}
	return true
}

// has reports whether a field of table x has one column of the target's key: of the reference of a row or, in a redundant table, of
// one element.
func (r *Reference) has(t, x *Table, at *model.Attribute, column int) bool {
	if x == t {
		return !r.Several() && len(r.Path) == 0 && r.path(column)[0] == at
	}
	o := at.Origin
	return o.Object == nil && o.Path.Part == model.Element && slices.Equal(o.Path.Steps, r.path(column)) && (o.Path.Loop >= 0) == r.Several()
}

// indexed reports whether an index finds the rows with a value of the reference, and no others.
func (r *Reference) indexed(i *Index) bool {
	return len(r.Target.Key()) == 1 && len(r.Path) == 0 && i.Options == nil && i.Class == "" && i.Column.Attribute == r.Fields[0] &&
		i.Read != Near && (i.Read == Contains) == r.Many
}

// offer describes a redundant aggregate that answers which rows refer to a root.
func (r *Reference) offer(t *Table) string {
	var key, rest []string
	for i := range r.Target.Key() {
		path := r.path(i)
		key = append(key, path[len(path)-1].Name)
	}
	for _, c := range t.Key() {
		if !slices.Contains(key, c.Name) {
			rest = append(rest, c.Name)
		}
	}
	name := t.Aggregate.Struct.Name + "By" + r.Name()
	return fmt.Sprintf("%s, aml.Aggregate `aml:\"%s_by_%s,%s\"`, with the key (%s | %s)", name, t.Name, model.SnakeCase(r.Name()), r.source(t),
		strings.Join(key, ", "), strings.Join(rest, ", "))
}

// source returns the options of a redundant aggregate that has a row for each target.
func (r *Reference) source(t *Table) string {
	path := t.Aggregate.Struct.Name
	collection := path
	for i, at := range append(slices.Clone(r.Path), r.Fields[0]) {
		if path += "." + at.GoName(); i == r.Collection() || r.Many {
			collection = path
		}
	}
	options := "redundant=" + collection
	if !r.Many && slices.ContainsFunc(append(slices.Clone(r.Path), r.Fields...), func(at *model.Attribute) bool { return at.Type.Nullable }) {
		options += ",when=" + path
	}
	if r.Several() && !(r.Many && len(r.Target.Key()) == 1) {
		options += ",distinct"
	}
	return options
}

// Method returns the name of the method, PapersByAuthor: the table of the rows and the reference, if its name does not end with it.
func (r *Referring) Method() string {
	by := "By" + r.Reference.Name()
	return strings.TrimSuffix(r.From.GoName(), by) + by
}

// GoName returns the Go name of a table, which is the name of its field in the store.
func (t *Table) GoName() string {
	if t.Aggregate.InRootTable {
		return t.Aggregate.Struct.Name
	}
	return model.CamelCase(t.Name)
}
