package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// Inspect reads the schema of the session's keyspace. It returns an error if a store cannot use the session or its servers.
func (s CQL) Inspect(ctx context.Context) (*Keyspace, error) {
	if err := s.verifyServers(ctx); err != nil {
		return nil, err
	}
	k := NewKeyspace(s.keyspace())
	if k.Name == "" {
		return nil, errors.New("mapper: the session has no keyspace: set Keyspace of the gocql.ClusterConfig")
	}
	if err := s.inspectColumns(ctx, k); err != nil {
		return nil, fmt.Errorf("mapper: read the columns of keyspace %s: %w", k.Name, err)
	}
	if err := s.inspectTypes(ctx, k); err != nil {
		return nil, fmt.Errorf("mapper: read the types of keyspace %s: %w", k.Name, err)
	}
	if err := s.inspectIndexes(ctx, k); err != nil {
		return nil, fmt.Errorf("mapper: read the indexes of keyspace %s: %w", k.Name, err)
	}
	if err := s.inspectOptions(ctx, k); err != nil {
		return nil, fmt.Errorf("mapper: read the options of the tables of keyspace %s: %w", k.Name, err)
	}
	return k, nil
}

func (s CQL) inspectOptions(ctx context.Context, k *Keyspace) error {
	it := s.read(ctx, `SELECT table_name, id, default_time_to_live, gc_grace_seconds
		FROM system_schema.tables WHERE keyspace_name = ?`, gocql.One, k.Name).Iter()
	var table string
	var o Options
	for it.Scan(&table, &o.ID, &o.TTL, &o.GCGrace) {
		k.Options[table] = o
	}
	return it.Close()
}

// GCGrace returns gc_grace_seconds of each table of the session's keyspace.
func (s CQL) GCGrace(ctx context.Context) (map[string]int, error) {
	k, err := s.Inspect(ctx)
	if err != nil {
		return nil, err
	}
	out := map[string]int{}
	for name, o := range k.Options {
		out[name] = o.GCGrace
	}
	return out, nil
}

func (s CQL) inspectIndexes(ctx context.Context, k *Keyspace) error {
	it := s.read(ctx, `SELECT table_name, options FROM system_schema.indexes WHERE keyspace_name = ?`, gocql.One, k.Name).Iter()
	var table string
	var options map[string]string
	for it.Scan(&table, &options) {
		k.Indexes[table] = append(k.Indexes[table], options["target"])
	}
	return it.Close()
}

func (s CQL) inspectColumns(ctx context.Context, k *Keyspace) error {
	it := s.read(ctx, `SELECT table_name, column_name, kind, position, type, clustering_order
		FROM system_schema.columns WHERE keyspace_name = ?`, gocql.One, k.Name).Iter()
	var table, name string
	var c Column
	for it.Scan(&table, &name, &c.Kind, &c.Position, &c.Type, &c.Order) {
		if k.Tables[table] == nil {
			k.Tables[table] = map[string]Column{}
		}
		k.Tables[table][name] = c
	}
	return it.Close()
}

func (s CQL) inspectTypes(ctx context.Context, k *Keyspace) error {
	it := s.read(ctx, `SELECT type_name, field_names, field_types
		FROM system_schema.types WHERE keyspace_name = ?`, gocql.One, k.Name).Iter()
	var name string
	var names, types []string
	for it.Scan(&name, &names, &types) {
		fields := make([]plan.Field, min(len(names), len(types)))
		for i := range fields {
			fields[i] = plan.Field{Name: names[i], Type: types[i]}
		}
		k.Types[name] = fields
	}
	return it.Close()
}
