package schema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/cqltype"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/projection"
)

// Schema is the schema of a model in one keyspace.
type Schema struct {
	Types  []*UDT   // each after the types that it uses
	Tables []*Table // in the order of the model, each followed by its derived tables
	Stored []*Table // the same as a store reads and writes them: a table with the rows of a part is two, see [Schema.stored]
	Views  []*View  // in the order of the model
}

// UDT is a user-defined type.
type UDT struct {
	Name   string
	Fields []*Field
	Object *model.Object
}

// Field is a field of a user-defined type.
type Field struct {
	Name      string
	Type      *Type
	Attribute *model.Attribute
}

// Table is a table; its columns are in the order of their declaration.
type Table struct {
	Name          string
	Columns       []*Column
	PartitionKey  []*Column
	ClusteringKey []*Column
	Aggregate     *model.Aggregate // nil for a derived table
	Part          *model.Aggregate // the part whose rows are in this table of a root
	Statics       bool             // in Stored: a root whose columns are the static columns of a table with the rows of a part
	Properties    []Property
	TTL           int        // the TTL of a row, in seconds; 0: none, or only names without a default, see Expires
	Lifetimes     []Lifetime // the TTLs of which the shortest applies; nil if none of them has a name
	Indexes       []*Index
	Computed      []*model.Attribute // methods that projections of a row read; their results are registers after the columns
	Projections   []*Projection      // of a root: the projections that fill its redundant tables
	Versioning    *Versioning        // of a versioned root
	Derived       *model.Aggregate   // the aggregate that needs the derived table; nil for a table of an aggregate
}

// Column is a column of a table.
type Column struct {
	Name      string
	Type      *Type
	Kind      Kind
	Order     model.Order      // of a clustering column
	Attribute *model.Attribute // nil for one of the tool's own columns
	From      *model.Attribute // of a column in the key of a derived table: the attribute that has its values
}

// Kind is the kind of a column in its table.
type Kind = projection.Kind

// The kinds of columns.
const (
	PartitionKey  = projection.PartitionKey
	ClusteringKey = projection.ClusteringKey
	Static        = projection.Static
	Regular       = projection.Regular
)

// InKey reports whether a column is part of the primary key.
func (c *Column) InKey() bool { return c.Kind == PartitionKey || c.Kind == ClusteringKey }

// Property is a property of a table in CQL; the text of with= has no name.
type Property struct{ Name, Value string }

// Key returns the whole primary key.
func (t *Table) Key() []*Column { return slices.Concat(t.PartitionKey, t.ClusteringKey) }

// KeyText returns the primary key as text: (partition | clustering desc).
func (t *Table) KeyText() string {
	text := strings.Join(Names(t.PartitionKey), ", ")
	for i, c := range t.ClusteringKey {
		separator := ", "
		if i == 0 {
			separator = " | "
		}
		if text += separator + model.Quote(c.Name); c.Order == model.Descending {
			text += " desc"
		}
	}
	return "(" + text + ")"
}

// Ordered returns the columns in the order of the runtime: the primary key, then the others as declared.
func (t *Table) Ordered() []*Column {
	out := t.Key()
	for _, c := range t.Columns {
		if c.Kind == Regular || c.Kind == Static {
			out = append(out, c)
		}
	}
	return out
}

// Type is a CQL type.
type Type struct {
	Name   string  // native type, "list", "set", "map", "tuple", "vector" or the name of a UDT
	Args   []*Type // list, set, map, tuple; vector: the element
	Size   int     // vector
	UDT    bool
	Frozen bool
}

// String returns the type in CQL, as Cassandra's own tables show it.
func (t *Type) String() string {
	s := t.Name
	if t.UDT {
		s = model.Quote(s)
	}
	var args []string
	for _, a := range t.Args {
		args = append(args, a.String())
	}
	if t.Size > 0 {
		args = append(args, fmt.Sprint(t.Size))
	}
	if len(args) > 0 {
		s += "<" + strings.Join(args, ", ") + ">"
	}
	if t.Frozen {
		return "frozen<" + s + ">"
	}
	return s
}

// MultiCell reports whether Cassandra stores each element or field of the value as a separate cell.
func (t *Type) MultiCell() bool { return t.Cells() != projection.Single }

// Cells returns the way in which Cassandra stores the value in cells.
func (t *Type) Cells() projection.Cells {
	switch {
	case t.Frozen:
		return projection.Single
	case t.UDT:
		return projection.UDT
	}
	return collections[t.Name]
}

var collections = map[string]projection.Cells{"list": projection.List, "set": projection.Set, "map": projection.Map}

// Counter reports whether the type is CQL's counter, not a user-defined type with that name.
func (t *Type) Counter() bool { return t.Name == "counter" && !t.UDT }

// Of returns the schema of a model, which must not have refusals.
func Of(m *model.Model) *Schema {
	s := &Schema{}
	for _, a := range m.Aggregates {
		if a.InRootTable {
			continue
		}
		s.Tables = append(s.Tables, tableOf(a, m))
		s.Tables = append(s.Tables, derived(a)...)
	}
	s.Stored = s.stored()
	for _, o := range m.Objects {
		if s.uses(m, o) {
			s.Types = append(s.Types, typeOf(o))
		}
	}
	for _, t := range s.redundant() {
		s.TableOf(t.Aggregate.Redundancy.Source).compute(t.Aggregate)
	}
	for _, t := range s.redundant() {
		source := s.TableOf(t.Aggregate.Redundancy.Source)
		source.Projections = append(source.Projections, project(source, t))
	}
	for _, t := range slices.Concat(s.Tables, s.Stored) {
		if t.Aggregate != nil && t.Aggregate.Version != nil && t.Aggregate.Root == nil {
			t.Versioning = s.versioning(t)
		}
	}
	for _, v := range m.Views {
		s.Views = append(s.Views, s.viewOf(v))
	}
	return s
}

func (s *Schema) redundant() []*Table {
	return slices.DeleteFunc(slices.Clone(s.Tables), func(t *Table) bool { return t.Aggregate == nil || t.Aggregate.Redundancy == nil })
}

// TableOf returns the table of an aggregate as a store sees it.
func (s *Schema) TableOf(a *model.Aggregate) *Table {
	return s.Stored[slices.IndexFunc(s.Stored, func(t *Table) bool { return t.Aggregate == a })]
}

// uses reports whether a column of the model's tables contains the type of an object.
func (s *Schema) uses(m *model.Model, o *model.Object) bool {
	var in func(t *Type) bool
	in = func(t *Type) bool {
		if !t.UDT {
			return slices.ContainsFunc(t.Args, in)
		}
		i := slices.IndexFunc(m.Objects, func(x *model.Object) bool { return x.UDT == t.Name })
		return t.Name == o.UDT || slices.ContainsFunc(typeOf(m.Objects[i]).Fields, func(f *Field) bool { return in(f.Type) })
	}
	for _, t := range s.Tables {
		if slices.ContainsFunc(t.Columns, func(c *Column) bool { return in(c.Type) }) {
			return true
		}
	}
	return false
}

// typeOf returns the UDT of an object; Cassandra requires that everything inside it is frozen.
func typeOf(o *model.Object) *UDT {
	u := &UDT{Name: o.UDT, Object: o}
	for _, a := range o.Attributes {
		u.Fields = append(u.Fields, &Field{Name: a.Name, Type: columnType(a.Type, true), Attribute: a})
	}
	return u
}

// tableOf returns the table of an aggregate, with the columns of a part that shares it and those that the mapper needs.
func tableOf(a *model.Aggregate, m *model.Model) *Table {
	t := &Table{Name: a.Table, Aggregate: a}
	t.setTTL(a)
	t.Properties = properties(a.Properties, t.TTL)
	t.add(a.Attributes, a)
	for _, at := range a.Identifier {
		t.PartitionKey = append(t.PartitionKey, t.column(at, PartitionKey, model.Ascending))
	}
	for _, d := range a.Discriminators {
		t.ClusteringKey = append(t.ClusteringKey, t.column(d.Attribute, ClusteringKey, d.Order))
	}
	t.hidden(a, m)
	for _, p := range a.Parts {
		if p.InRootTable {
			t.include(p)
		}
	}
	t.index()
	return t
}

func (t *Table) add(in []*model.Attribute, a *model.Aggregate) {
	for _, at := range in {
		// A list of a redundant table is frozen, because a write of a list that is not frozen is not idempotent.
		frozen := at.Frozen() || !a.IsSource() && isList(at.Type)
		c := &Column{Name: at.Name, Type: columnType(at.Type, frozen), Kind: Regular, Attribute: at}
		if at.Static {
			c.Kind = Static
		}
		t.Columns = append(t.Columns, c)
	}
}

func isList(t *model.Type) bool {
	return t.Kind == model.List || t.Kind == model.Declared && t.Spelled.Name == "list"
}

// column finds the column of an attribute and sets its kind in the key.
func (t *Table) column(a *model.Attribute, k Kind, o model.Order) *Column {
	c := t.Columns[slices.IndexFunc(t.Columns, func(c *Column) bool { return c.Attribute == a })]
	c.Kind, c.Order = k, o
	return c
}

// include adds the columns of a part to the table of its root, whose own columns become static.
func (t *Table) include(p *model.Aggregate) {
	t.Part = p
	for _, c := range t.Columns {
		if c.Kind == Regular {
			c.Kind = Static
		}
	}
	var own []*model.Attribute
	for _, at := range p.Attributes {
		if !slices.Contains(p.Identifier, at) {
			own = append(own, at)
		}
	}
	t.add(own, p)
	for _, d := range p.Discriminators {
		t.ClusteringKey = append(t.ClusteringKey, t.column(d.Attribute, ClusteringKey, d.Order))
	}
}

// columnType returns the CQL type of a value; everything inside a collection is frozen.
func columnType(t *model.Type, frozen bool) *Type {
	switch t.Kind {
	case model.List:
		return &Type{Name: "list", Args: []*Type{columnType(t.Elem, true)}, Frozen: frozen}
	case model.Set:
		return &Type{Name: "set", Args: []*Type{columnType(t.Elem, true)}, Frozen: frozen}
	case model.MapType:
		return &Type{Name: "map", Args: []*Type{columnType(t.Key, true), columnType(t.Elem, true)}, Frozen: frozen}
	case model.Composed:
		return &Type{Name: t.Object.UDT, UDT: true, Frozen: frozen || t.Final}
	case model.Tuple:
		out := &Type{Name: "tuple", Frozen: true}
		for _, m := range t.Members {
			out.Args = append(out.Args, columnType(m, true))
		}
		return out
	case model.Vector:
		return &Type{Name: "vector", Args: []*Type{columnType(t.Elem, true)}, Size: t.Size}
	case model.Declared:
		return spelled(t.Spelled, frozen)
	}
	return &Type{Name: t.CQL}
}

// spelled returns the type of type=.
func spelled(t *cqltype.Type, frozen bool) *Type {
	if t.Name == "frozen" {
		return spelled(t.Args[0], true)
	}
	out := &Type{Name: t.Name, Size: t.Size, Frozen: t.Name == "tuple" || frozen && (t.Name == "list" || t.Name == "set" || t.Name == "map")}
	for _, a := range t.Args {
		out.Args = append(out.Args, spelled(a, true))
	}
	return out
}

// Lifetime is a TTL of the rows of a table.
type Lifetime struct {
	Name    string // the name under which a store is given the TTL at start-up; "" for a constant
	Seconds int    // the TTL, or the default of a name; 0: no default
}

// setTTL sets the TTL of the rows. The copies of a source that expires also expire, so the shorter TTL is used.
func (t *Table) setTTL(a *model.Aggregate) {
	t.addTTL(a.Properties)
	if a.Redundancy != nil {
		source := a.Redundancy.Source
		if source.InRootTable {
			source = source.Root
		}
		t.addTTL(source.Properties)
	}
	if !slices.ContainsFunc(t.Lifetimes, func(l Lifetime) bool { return l.Name != "" }) {
		t.Lifetimes = nil
	}
}

// addTTL adds a TTL of the rows, if there is one.
func (t *Table) addTTL(p model.Properties) {
	l := Lifetime{p.TTLName, p.TTL}
	if !p.Expires() || slices.Contains(t.Lifetimes, l) {
		return
	}
	t.Lifetimes = append(t.Lifetimes, l)
	if l.Seconds > 0 && (t.TTL == 0 || l.Seconds < t.TTL) {
		t.TTL = l.Seconds
	}
}

// Expires reports whether the rows have a TTL.
func (t *Table) Expires() bool { return t.TTL > 0 || t.Lifetimes != nil }

// TTLText returns the TTL of the rows as text: "3600 seconds", or "$retention (172800 seconds by default)".
func (t *Table) TTLText() string {
	text := make([]string, 0, len(t.Lifetimes))
	for _, l := range t.Lifetimes {
		switch {
		case l.Name == "":
			text = append(text, fmt.Sprintf("%d seconds", l.Seconds))
		case l.Seconds == 0:
			text = append(text, "$"+l.Name)
		default:
			text = append(text, fmt.Sprintf("$%s (%d seconds by default)", l.Name, l.Seconds))
		}
	}
	switch len(text) {
	case 0:
		return fmt.Sprintf("%d seconds", t.TTL)
	case 1:
		return text[0]
	}
	return "the shorter of " + strings.Join(text, " and ")
}

// properties returns the properties of a table.
func properties(p model.Properties, ttl int) []Property {
	var out []Property
	if p.Comment != "" {
		out = append(out, Property{"comment", model.QuoteText(p.Comment)})
	}
	if ttl > 0 {
		out = append(out, Property{"default_time_to_live", fmt.Sprint(ttl)})
	}
	if p.GCGrace >= 0 {
		out = append(out, Property{"gc_grace_seconds", fmt.Sprint(p.GCGrace)})
	}
	if p.With != "" {
		out = append(out, Property{Value: p.With})
	}
	return out
}

// View contains the columns that a view reads: the whole key, which finds a row and identifies it in messages, and the columns
// of its fields.
type View struct {
	*Table // with the name and key of the view's table
	Model  *model.View
}

// viewOf returns the columns that a view reads.
func (s *Schema) viewOf(v *model.View) *View {
	of := s.TableOf(v.Of)
	t := &Table{Name: of.Name, Aggregate: v.Of, PartitionKey: of.PartitionKey, ClusteringKey: of.ClusteringKey, Statics: of.Statics}
	for _, c := range of.Columns {
		if slices.Contains(of.Key(), c) || slices.Contains(v.Columns, c.Attribute) && c.Attribute != nil || c.Name == Deleted {
			t.Columns = append(t.Columns, c)
		}
	}
	for _, i := range of.Indexes {
		if slices.Contains(t.Columns, i.Column) {
			t.Indexes = append(t.Indexes, i)
		}
	}
	return &View{Table: t, Model: v}
}

// Attribute returns the attribute of a view for a column. It returns nil for a key column that the view does not have, and for a hidden
// column.
func (v *View) Attribute(c *Column) *model.Attribute {
	if c.Attribute == nil {
		return nil
	}
	if i := slices.Index(v.Model.Columns, c.Attribute); i >= 0 {
		return v.Model.Attributes[i]
	}
	return nil
}
