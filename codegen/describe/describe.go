// Package describe builds the descriptors of a store from a schema, as values. Package codegen prints them; a test can use them as they
// are.
package describe

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/cqltype"
	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/form"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// Store has the descriptors of a schema.
type Store struct {
	Schema     *descriptor.Schema
	Tables     map[*schema.Table]*descriptor.Table     // the stored tables, and the tables with the rows of a root and a part
	Views      map[*schema.View]*descriptor.Table      // the views
	Joins      map[*schema.Table]*descriptor.Table     // the columns of versioned roots and their parts, by the tables of the roots
	Aggregates map[*schema.Table]*descriptor.Aggregate // the tables of roots
	Forms      map[*form.Form]*cqltype.Type            // the types of the forms of columns; each type has one form

	schema  *schema.Schema
	self    string
	structs map[string]*model.Struct // the keys are their names in descriptors
	forms   map[string]*form.Form    // the keys are types
}

// New describes the store of a schema. self is the import path of the package with the store.
func New(s *schema.Schema, self string) *Store {
	d := &Store{
		Schema: &descriptor.Schema{Package: self}, Tables: map[*schema.Table]*descriptor.Table{}, Views: map[*schema.View]*descriptor.Table{}, Joins: map[*schema.Table]*descriptor.Table{},
		Aggregates: map[*schema.Table]*descriptor.Aggregate{}, Forms: map[*form.Form]*cqltype.Type{},
		schema: s, self: self, structs: map[string]*model.Struct{}, forms: map[string]*form.Form{},
	}
	for _, u := range s.Types {
		d.Schema.Types = append(d.Schema.Types, d.udt(u))
	}
	for _, t := range s.Stored {
		d.Tables[t] = d.table(t)
	}
	for _, t := range s.Tables {
		if t.Part != nil {
			d.Tables[t] = d.whole(t)
		}
	}
	for _, t := range s.Stored {
		if IsGuarded(t) && len(t.Projections) > 0 {
			d.Aggregates[t] = d.aggregate(t)
		}
	}
	for _, t := range s.Stored {
		if IsRoot(t) {
			d.Aggregates[t] = d.aggregate(t)
		}
	}
	for _, v := range s.Views {
		d.Views[v] = d.view(v)
	}
	d.list()
	return d
}

// list sets the tables, views and aggregates of the schema. A table with the rows of a root and a part is one table, and two views.
func (d *Store) list() {
	shared := func(t *schema.Table) bool {
		return slices.ContainsFunc(d.schema.Tables, func(x *schema.Table) bool { return x.Part != nil && x.Name == t.Name })
	}
	s := d.Schema
	for _, t := range d.schema.Stored {
		if shared(t) {
			s.Views = append(s.Views, d.Tables[t])
		} else {
			s.Tables = append(s.Tables, d.Tables[t])
		}
		if a := d.Aggregates[t]; a != nil && len(a.Copies) > 0 {
			s.Aggregates = append(s.Aggregates, a)
		}
	}
	for _, t := range d.schema.Tables {
		if t.Part != nil {
			s.Tables = append(s.Tables, d.Tables[t])
		}
	}
	for _, v := range d.schema.Views {
		s.Views = append(s.Views, d.Views[v])
	}
	for _, t := range d.schema.Stored {
		if part := d.schema.Part(t); part != nil {
			d.Joins[t] = descriptor.Join(d.Tables[t], d.Tables[part])
			s.Views = append(s.Views, d.Joins[t])
		}
	}
}

// IsRoot reports whether a stored table is written as a root: no redundant or derived table, no counters and no part of a versioned root.
func IsRoot(t *schema.Table) bool {
	return t.Derived == nil && t.Aggregate.IsSource() && !t.Aggregate.Counter && !IsGuarded(t)
}

// IsGuarded reports whether a table has the rows of a part of a versioned root.
func IsGuarded(t *schema.Table) bool {
	return t.Derived == nil && t.Aggregate.Root != nil && t.Aggregate.Versioned()
}

// udt describes a user-defined type.
func (d *Store) udt(u *schema.UDT) *descriptor.Type {
	out := &descriptor.Type{Name: u.Name, Of: d.structName(u.Object.Struct)}
	for _, f := range u.Fields {
		out.Fields = append(out.Fields, descriptor.Field{Name: f.Name, Type: f.Type.String(), Go: f.Attribute.GoName(), Of: d.valueStruct(f.Attribute.Type)})
	}
	for _, a := range u.Object.Identity {
		out.Identity = append(out.Identity, slices.Index(u.Object.Attributes, a))
	}
	return out
}

// valueStruct returns the name of the struct of a value, or of its elements; "" for none. The struct of a tuple is described when it is
// first used, because the schema has no type for it.
func (d *Store) valueStruct(t *model.Type) string {
	switch {
	case t.Kind == model.Tuple && t.Object != nil:
		return d.tuple(t)
	case t.Kind == model.Composed:
		return d.structName(t.Object.Struct)
	case t.Elem != nil:
		return d.valueStruct(t.Elem)
	}
	return ""
}

func (d *Store) tuple(t *model.Type) string {
	name := d.structName(t.Object.Struct)
	if slices.ContainsFunc(d.Schema.Tuples, func(x *descriptor.Type) bool { return x.Of == name }) {
		return name
	}
	out := &descriptor.Type{Of: name}
	d.Schema.Tuples = append(d.Schema.Tuples, out)
	for _, a := range t.Object.Attributes {
		out.Fields = append(out.Fields, descriptor.Field{Go: a.GoName(), Of: d.valueStruct(a.Type)})
	}
	return name
}

// structName returns a unique name of a struct for messages: Point, geo.Point, geo.Point' of another package geo.
func (d *Store) structName(s *model.Struct) string {
	name := d.qualified(s)
	for other := d.structs[name]; other != nil && other != s; other = d.structs[name] {
		name += "'"
	}
	d.structs[name] = s
	return name
}

func (d *Store) qualified(s *model.Struct) string {
	if s.Path != d.self {
		return s.Pkg + "." + s.Name
	}
	return s.Name
}

// newTable describes a table without its statements and columns.
func newTable(t *schema.Table, of string) *descriptor.Table {
	out := &descriptor.Table{Name: t.Name, Aggregate: of, Partition: len(t.PartitionKey), Key: len(t.Key())}
	if t.HasHead() {
		out.Head = out.Partition
	}
	return out
}

// table describes a stored table.
func (d *Store) table(t *schema.Table) *descriptor.Table {
	if t.Derived != nil {
		return d.derived(t)
	}
	a := t.Aggregate
	out := newTable(t, d.qualified(a.Struct))
	out.TTL, out.Lifetimes, out.Statics, out.Large = t.TTL, lifetimes(t), t.Statics, a.Large
	if r := a.Redundancy; r != nil {
		out.Unlogged, out.Cache = r.Unlogged, r.Cache
	}
	selects(out, t)
	switch {
	case a.Counter:
		out.Add, out.Delete = t.Add(), t.DeleteCounters()
	case t.Versioning != nil:
		out.Hidden, out.Deleted = len(t.Columns)-len(t.Visible()), slices.Index(t.Ordered(), t.Versioning.Deleted)
		if t.IsLease() {
			out.Deleted, out.Lives = slices.Index(t.Ordered(), t.Versioning.Live), true
		}
	case IsGuarded(t):
		out.Hidden, out.Deleted = len(t.Columns)-len(t.Written()), len(t.Columns)-1
	default:
		d.statements(out, t)
		out.Within = a.InRootTable
	}
	for _, c := range t.Ordered() {
		out.Columns = append(out.Columns, d.written(t, c))
	}
	if IsRoot(t) || IsGuarded(t) {
		computed(out, t)
	}
	out.Indexes, out.Remaining = indexes(t), remaining(t)
	return out
}

// remaining returns the column whose remaining TTL a field of the root shows; 0: none.
func remaining(t *schema.Table) int {
	if c := t.Remaining; c != nil {
		return slices.Index(t.Ordered(), c)
	}
	return 0
}

// lifetimes returns the TTLs of a table; nil if none has a name.
func lifetimes(t *schema.Table) (out []descriptor.Lifetime) {
	for _, l := range t.Lifetimes {
		out = append(out, descriptor.Lifetime{Name: l.Name, Seconds: l.Seconds})
	}
	return out
}

// selects sets the statements that read.
func selects(out *descriptor.Table, t *schema.Table) {
	out.Select, out.Get, out.Reversed = t.Select(), t.Get(), t.Reversed()
}

// statements sets the statements that write a table at a timestamp. A redundant table has the same: it is written with its source.
func (d *Store) statements(out *descriptor.Table, t *schema.Table) {
	out.Insert, out.InsertStatic, out.Delete = t.Insert(), t.InsertStatic(), t.Delete()
	root, p := IsRoot(t), d.schema.ProjectionTo(t)
	if root || p.Owner() != nil {
		out.Load = t.Load()
	}
	if root || p.Source.Versioning != nil || IsGuarded(p.Source) {
		return
	}
	if n := len(p.Source.Key()); p.StartsWithSourceKey() && n < len(t.Key()) {
		out.Ranges = append(make([]string, n-len(t.PartitionKey)), t.DeleteRange(n))
	}
}

// computed sets the results of methods, and the fields that the methods read.
func computed(out *descriptor.Table, t *schema.Table) {
	for _, m := range t.Computed {
		out.Computed = append(out.Computed, m.Method().Name+"()")
	}
	if reads := t.Reads(); slices.ContainsFunc(reads, func(r schema.Reads) bool { return r.Only }) {
		out.Reads = reads
	}
}

// derived describes a table that only the mapper uses, for done-markers or reservations.
func (d *Store) derived(t *schema.Table) *descriptor.Table {
	out := newTable(t, t.Derived.Struct.Name)
	out.Select, out.Get = t.Select(), t.Get()
	out.Columns = d.columns(t)
	return out
}

// whole describes a table with the rows of a root and of its part: the columns that the server has.
func (d *Store) whole(t *schema.Table) *descriptor.Table {
	out := newTable(t, t.Aggregate.Struct.Name)
	out.TTL, out.Lifetimes, out.Columns, out.Indexes = t.TTL, lifetimes(t), d.columns(t), indexes(t)
	out.Head = 0 // all rows are as the server has them
	return out
}

// view describes some columns of a table. A column is secret if the column or the field of the view is.
func (d *Store) view(v *schema.View) *descriptor.Table {
	out := newTable(v.Table, d.qualified(v.Model.Struct))
	selects(out, v.Table)
	out.Columns, out.Indexes = d.columns(v.Table), indexes(v.Table)
	for i, c := range v.Ordered() {
		if c.Attribute == nil && c.Kind != schema.ClusteringKey {
			out.Hidden, out.Deleted, out.Lives = 1, i, c.Name == schema.Live
		} else if a := v.Attribute(c); a != nil && secret(a) {
			out.Columns[i].Secret = true
		}
	}
	return out
}

func (d *Store) columns(t *schema.Table) (out []descriptor.Column) {
	for _, c := range t.Ordered() {
		out = append(out, d.column(c))
	}
	return out
}

// column describes a column that is read.
func (d *Store) column(c *schema.Column) descriptor.Column {
	out := descriptor.Column{
		Name: c.Name, CQL: model.Quote(c.Name), Kind: c.Kind, Type: c.Type.String(), Cells: c.Type.Cells(),
		Desc: c.Kind == schema.ClusteringKey && c.Order == model.Descending,
	}
	if a := cmp.Or(c.Attribute, c.From); a != nil {
		out.Field, out.Of, out.Secret, out.Fields, out.Form = a.GoName(), d.valueStruct(a.Type), secret(a), c.Fields(), d.columnForm(c, a)
	}
	return out
}

// written describes a column of a table that is written.
func (d *Store) written(t *schema.Table, c *schema.Column) descriptor.Column {
	out := d.column(c)
	if a := c.Attribute; a != nil && (IsRoot(t) || IsGuarded(t)) {
		out.Final, out.Enum = a.Fixed, constants(a)
	}
	if t.Versioning == nil && !IsGuarded(t) {
		if out.Update = t.Update(c, d.schema); out.Update != "" {
			out.Assign = t.Assign(c, d.schema)
		}
	}
	return out
}

// constants returns the constants that a column can have; nil for any value.
func constants(a *model.Attribute) (out []descriptor.Constant) {
	if !a.Enum {
		return nil
	}
	for _, c := range a.Type.Go.Constants {
		out = append(out, descriptor.Constant{Name: c.Name, Value: schema.Constant(a.Type, c)})
	}
	return out
}

// secret reports whether a value, or a value inside it, must never be printed.
func secret(a *model.Attribute) bool {
	var in func(t *model.Type) bool
	in = func(t *model.Type) bool {
		switch {
		case t == nil:
			return false
		case t.Object != nil:
			return slices.ContainsFunc(t.Object.Attributes, secret)
		}
		return in(t.Elem) || in(t.Key)
	}
	return a.Secret || in(a.Type)
}

// indexes describes the indexes of a table.
func indexes(t *schema.Table) (out []descriptor.Index) {
	for _, i := range t.Indexes {
		is := func(option, off string) bool { return !strings.EqualFold(i.Option(option, off), off) }
		x := descriptor.Index{
			Column: slices.Index(t.Ordered(), i.Column), Target: i.Target, Read: i.Read,
			AnyCase: is("case_sensitive", "true"), Normal: is("normalize", "false"), ASCII: is("ascii", "false"),
		}
		if i.Read == schema.Near {
			x.Similarity = strings.ToUpper(i.Option("similarity_function", "COSINE"))
		}
		out = append(out, x)
	}
	return out
}
