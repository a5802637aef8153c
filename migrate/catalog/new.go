package catalog

import (
	"fmt"
	"maps"
	"slices"

	"github.com/cassaml/cassaml/migrate/internal/ddl"

	"github.com/cassaml/cassaml/aml/schema"
)

// New returns the schema of a model as the server would show it, with types and properties in their canonical form. Its objects
// refer to their declarations in the model. An invalid property is an error that contains the name of its table.
func New(s *schema.Schema) (*Keyspace, error) {
	k := &Keyspace{}
	for _, u := range s.Types {
		of := &schema.UDT{Name: u.Name, Object: u.Object}
		for _, f := range u.Fields {
			of.Fields = append(of.Fields, &schema.Field{Name: f.Name, Type: canonicalType(f.Type), Attribute: f.Attribute})
		}
		k.Types = append(k.Types, of)
	}
	for _, t := range s.Tables {
		of, err := copyTable(t)
		if err != nil {
			return nil, fmt.Errorf("table %s: %w", t.Name, err)
		}
		k.Tables = append(k.Tables, of)
	}
	return k, nil
}

// copyTable copies a table of a model.
func copyTable(t *schema.Table) (*schema.Table, error) {
	of := &schema.Table{Name: t.Name, Aggregate: t.Aggregate, Part: t.Part, TTL: t.TTL, Lifetimes: t.Lifetimes}
	for _, c := range t.Ordered() {
		own := *c
		own.Type = canonicalType(c.Type)
		of.Columns = append(of.Columns, &own)
	}
	keys(of, len(t.PartitionKey), len(t.ClusteringKey))
	for _, i := range t.Indexes {
		index, err := copyIndex(of, i)
		if err != nil {
			return nil, err
		}
		of.Indexes = append(of.Indexes, index)
	}
	given := map[string]string{}
	for _, p := range t.Properties {
		if err := passThrough(given, p); err != nil {
			return nil, err
		}
	}
	of.Properties = Options(given)
	return of, nil
}

// keys sets the first columns of a table as its primary key.
func keys(t *schema.Table, partition, clustering int) {
	t.PartitionKey = slices.Clone(t.Columns[:partition])
	t.ClusteringKey = slices.Clone(t.Columns[partition : partition+clustering])
}

// canonicalType copies a type in the form that the server shows.
func canonicalType(t *schema.Type) *schema.Type {
	of := copyType(t)
	ddl.Freeze(of)
	return of
}

func copyType(t *schema.Type) *schema.Type {
	of := *t
	of.Args = nil
	for _, a := range t.Args {
		of.Args = append(of.Args, copyType(a))
	}
	return &of
}

// passThrough adds a property of a model, or the properties of with=.
func passThrough(given map[string]string, p schema.Property) error {
	if p.Name != "" {
		v, err := Value(p.Name, p.Value)
		given[p.Name] = v
		return err
	}
	all, err := ddl.ParseProperties(p.Value)
	if err != nil {
		return err
	}
	maps.Copy(given, Given(all))
	return nil
}

// copyIndex copies an index of a model.
func copyIndex(t *schema.Table, i *schema.Index) (*schema.Index, error) {
	s, err := ddl.Parse("CREATE INDEX ON t (" + i.Target + ") USING 'sai'" + i.With())
	create, ok := s.(*ddl.CreateIndex)
	if err != nil || !ok {
		return nil, fmt.Errorf("index %s: %w", i.Name, err)
	}
	return indexOn(t, i.Name, create)
}

// Clone copies a keyspace, so that statements on one copy do not change the other.
func (k *Keyspace) Clone() *Keyspace {
	of := &Keyspace{Manual: maps.Clone(k.Manual), Shared: maps.Clone(k.Shared), Order: k.Order.clone()}
	for _, u := range k.Types {
		own := *u
		own.Fields = nil
		for _, f := range u.Fields {
			field := *f
			own.Fields = append(own.Fields, &field)
		}
		of.Types = append(of.Types, &own)
	}
	for _, t := range k.Tables {
		of.Tables = append(of.Tables, cloneTable(t))
	}
	for table, columns := range k.Dropped {
		for _, c := range columns {
			of.drop(table, c)
		}
	}
	of.views = maps.Clone(k.views)
	return of
}

func cloneTable(t *schema.Table) *schema.Table {
	of := *t
	of.Columns = nil
	for _, c := range t.Ordered() {
		own := *c
		of.Columns = append(of.Columns, &own)
	}
	keys(&of, len(t.PartitionKey), len(t.ClusteringKey))
	of.Properties = slices.Clone(t.Properties)
	of.Indexes = nil
	for _, i := range t.Indexes {
		own := *i
		of.Indexes = append(of.Indexes, &own)
	}
	return &of
}
