package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/internal/systemschema"
	"github.com/cassaml/cassaml/mapper/driver"
)

// Inspect reads the schema of the session's keyspace. It returns an error if a store cannot use the session or its servers.
func (s CQL) Inspect(ctx context.Context) (*Keyspace, error) {
	oldest, err := s.verifyServers(ctx)
	if err != nil {
		return nil, err
	}
	k := NewKeyspace(s.keyspace())
	k.Oldest = oldest
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

// schema returns a reader of system_schema, which repeats failed reads.
func (s CQL) schema(keyspace string) systemschema.Reader {
	return systemschema.Reader{Session: s.Session, Keyspace: keyspace, Attempts: driver.Reread}
}

func (s CQL) inspectOptions(ctx context.Context, k *Keyspace) error {
	var table, comment string
	var o Options
	return s.schema(k.Name).Rows(ctx, "SELECT table_name, id, default_time_to_live, gc_grace_seconds, comment FROM system_schema.tables", nil,
		func() {
			o.Buckets, o.Unfilled = descriptor.BucketsOf(comment), descriptor.IsUnfilled(comment)
			k.Options[table] = o
		}, &table, &o.ID, &o.TTL, &o.GCGrace, &comment)
}

// Unfilled returns the names of the reverse tables of the session's keyspace that do not have the rows of all references yet.
func (s CQL) Unfilled(ctx context.Context) (map[string]bool, error) {
	k := NewKeyspace(s.keyspace())
	if err := s.inspectOptions(ctx, k); err != nil {
		return nil, fmt.Errorf("mapper: read the options of the tables of keyspace %s: %w", k.Name, err)
	}
	return k.Unfilled(), nil
}

// GCGrace returns gc_grace_seconds of each table of the session's keyspace. It returns the error of [Keyspace.VerifyWriteTimes] for the
// tables whose write times a job reads.
func (s CQL) GCGrace(ctx context.Context, job string, timed ...*descriptor.Table) (map[string]int, error) {
	k, err := s.Inspect(ctx)
	if err == nil {
		err = k.VerifyWriteTimes(job, timed...)
	}
	if err != nil {
		return nil, err
	}
	return k.GCGrace(), nil
}

func (s CQL) inspectIndexes(ctx context.Context, k *Keyspace) error {
	all, err := s.schema(k.Name).Indexes(ctx, "")
	for _, i := range all {
		k.Indexes[i.Table] = append(k.Indexes[i.Table], i.Options["target"])
	}
	return err
}

func (s CQL) inspectColumns(ctx context.Context, k *Keyspace) error {
	all, err := s.schema(k.Name).Columns(ctx, "")
	for _, c := range all {
		if k.Tables[c.Table] == nil {
			k.Tables[c.Table] = map[string]Column{}
		}
		k.Tables[c.Table][c.Name] = Column{Kind: c.Kind, Position: c.Position, Type: c.Type, Order: c.Order}
	}
	return err
}

func (s CQL) inspectTypes(ctx context.Context, k *Keyspace) error {
	all, err := s.schema(k.Name).Types(ctx, "")
	for _, t := range all {
		fields := make([]descriptor.Field, min(len(t.Fields), len(t.Types)))
		for i := range fields {
			fields[i] = descriptor.Field{Name: t.Fields[i], Type: t.Types[i]}
		}
		k.Types[t.Name] = fields
	}
	return err
}
