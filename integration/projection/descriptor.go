package projection

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/mapper/gen"
)

// The functions of this file build at run time what the generator prints as Go, by the same rules.

func typeDescriptor(u *schema.UDT) *gen.Type {
	t := &gen.Type{Name: u.Name}
	for _, f := range u.Fields {
		t.Fields = append(t.Fields, gen.Field{Name: f.Name, Type: f.Type.String()})
	}
	return t
}

// tableDescriptor returns the descriptor of a table. p is the projection that computes its rows, nil for the root.
func tableDescriptor(t *schema.Table, p *schema.Projection, s *schema.Schema) *gen.Table {
	of := cmp.Or(t.Aggregate, t.Derived)
	out := &gen.Table{
		Name: t.Name, Aggregate: of.Struct.Name, Partition: len(t.PartitionKey), Key: len(t.Key()), TTL: t.TTL,
		Unlogged: p != nil && t.Aggregate.Redundancy.Unlogged,
		Insert:   t.Insert(), InsertStatic: t.InsertStatic(), Delete: t.Delete(), Select: t.Select(), Get: t.Get(), Reversed: t.Reversed(),
		Statics: t.Statics, Hidden: len(t.Columns) - len(t.Visible()),
	}
	if t.Derived != nil {
		out.Hidden = 0
	}
	out.Deleted = max(0, slices.IndexFunc(t.Ordered(), func(c *schema.Column) bool { return c.Name == schema.Deleted }))
	if p == nil && out.Hidden == 0 && t.Derived == nil || p != nil && p.Owner() != nil {
		out.Load = t.Load()
	}
	if p != nil && p.StartsWithSourceKey() && len(t.Key()) > len(p.Source.Key()) {
		out.Ranges = append(make([]string, len(p.Source.Key())-len(t.PartitionKey)), t.DeleteRange(len(p.Source.Key())))
	}
	for _, c := range t.Ordered() {
		out.Columns = append(out.Columns, columnDescriptor(t, c, s))
	}
	return out
}

func columnDescriptor(t *schema.Table, c *schema.Column, s *schema.Schema) gen.Column {
	out := gen.Column{
		Name: c.Name, CQL: model.Quote(c.Name), Kind: c.Kind, Type: c.Type.String(), Cells: c.Type.Cells(), Fields: c.Fields(),
		Desc: c.Kind == schema.ClusteringKey && c.Order == model.Descending,
	}
	if c.Attribute == nil {
		return out
	}
	out.Field, out.Update = strings.Join(c.Attribute.Path, "."), t.Update(c, s)
	out.Assign = t.Assign(c, s)
	if out.Final = c.Attribute.Fixed; c.Attribute.Enum {
		for _, k := range c.Attribute.Type.Go.Constants {
			out.Enum = append(out.Enum, gen.Constant{Name: k.Name, Value: schema.Constant(c.Attribute.Type, k)})
		}
	}
	return out
}

func projectionDescriptor(p *schema.Projection, t *gen.Table) gen.Projection {
	out := gen.Projection{Table: t, Columns: p.Columns, Ops: p.Ops, Shared: p.Table.Aggregate.Redundancy.Shared,
		Range: p.StartsWithSourceKey(), Distinct: p.Claimed()}
	out.SourceKey = append(out.SourceKey, p.SourceKey()...)
	return out
}
