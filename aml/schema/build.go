package schema

import (
	"fmt"
	"slices"

	"github.com/cassaml/cassaml/aml/model"
)

// New returns the schema of a model, which must not have refusals.
func New(m *model.Model) *Schema {
	s := &Schema{}
	for _, a := range m.Aggregates {
		if a.InRootTable {
			continue
		}
		s.Tables = append(s.Tables, newTable(a, m))
		s.Tables = append(s.Tables, derived(a)...)
	}
	s.Tables = append(s.Tables, outboxes(m)...)
	s.Stored = s.stored()
	for _, o := range m.Objects {
		if s.uses(m, o) {
			s.Types = append(s.Types, newUDT(o))
		}
	}
	for _, t := range s.redundant() {
		s.Table(t.Aggregate.Redundancy.Source).compute(t.Aggregate)
	}
	for _, t := range s.redundant() {
		source := s.Table(t.Aggregate.Redundancy.Source)
		source.Projections = append(source.Projections, project(source, t))
	}
	for _, t := range slices.Concat(s.Tables, s.Stored) {
		if t.Aggregate != nil && t.Aggregate.Version != nil && t.Aggregate.Root == nil {
			t.Versioning = s.versioning(t)
		}
		t.Remaining = t.remaining()
	}
	for _, v := range m.Views {
		s.Views = append(s.Views, s.newView(v))
	}
	return s
}

func (s *Schema) redundant() []*Table {
	return slices.DeleteFunc(slices.Clone(s.Tables), func(t *Table) bool { return t.Aggregate == nil || t.Aggregate.Redundancy == nil })
}

// uses reports whether a column of the model's tables contains the type of an object.
func (s *Schema) uses(m *model.Model, o *model.Object) bool {
	var in func(t *Type) bool
	in = func(t *Type) bool {
		if !t.UDT {
			return slices.ContainsFunc(t.Args, in)
		}
		i := slices.IndexFunc(m.Objects, func(x *model.Object) bool { return x.UDT == t.Name })
		return t.Name == o.UDT || slices.ContainsFunc(newUDT(m.Objects[i]).Fields, func(f *Field) bool { return in(f.Type) })
	}
	for _, t := range s.Tables {
		if slices.ContainsFunc(t.Columns, func(c *Column) bool { return in(c.Type) }) {
			return true
		}
	}
	return false
}

// newUDT returns the UDT of an object; Cassandra requires that everything inside it is frozen.
func newUDT(o *model.Object) *UDT {
	u := &UDT{Name: o.UDT, Object: o}
	for _, a := range o.Attributes {
		u.Fields = append(u.Fields, &Field{Name: a.Name, Type: columnType(a.Type, true), Attribute: a})
	}
	return u
}

// newTable returns the table of an aggregate, with the columns of a part that shares it and those that the mapper needs.
func newTable(a *model.Aggregate, m *model.Model) *Table {
	t := &Table{Name: a.Table, Aggregate: a}
	t.setTTL(a)
	t.Properties = properties(a.Properties, t.defaultTTL(a))
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
	if t.Aggregate.HeadRow {
		head := &Column{Name: Head, Type: &Type{Name: "boolean"}, Kind: ClusteringKey}
		t.Columns, t.ClusteringKey = append(t.Columns, head), append(t.ClusteringKey, head)
	}
	for _, d := range p.Discriminators {
		t.ClusteringKey = append(t.ClusteringKey, t.column(d.Attribute, ClusteringKey, d.Order))
	}
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

// defaultTTL returns the TTL of rows that other programs write; 0: none. The statements of a versioned root have two TTLs.
func (t *Table) defaultTTL(a *model.Aggregate) int {
	if a.Version != nil && a.IsSource() {
		return 0
	}
	return t.TTL
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

// newView returns the columns that a view reads.
func (s *Schema) newView(v *model.View) *View {
	of := s.Table(v.Of)
	t := &Table{Name: of.Name, Aggregate: v.Of, PartitionKey: of.PartitionKey, ClusteringKey: of.ClusteringKey, Statics: of.Statics}
	for _, c := range of.Columns {
		if slices.Contains(of.Key(), c) || slices.Contains(v.Columns, c.Attribute) && c.Attribute != nil || c.Name == of.deletion() {
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
