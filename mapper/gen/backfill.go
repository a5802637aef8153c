package gen

import (
	"context"
	"fmt"
	"slices"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// Backfill returns a function that fills one redundant table of a root from what is in the root's table, beside live
// writers. It begins after the mark from, which is empty at first, and calls save with a mark after every page; an error of save
// ends it. A run that goes on from a mark, or does what another has done, changes nothing that is right. Before anything is
// read it ends in a *mapper.SchemaError when the keyspace lacks what it needs of the two tables.
func Backfill[T any](schema *Schema, c *Codec[T], a *Aggregate, table string) func(ctx context.Context, session gocqlx.Session, from string, save func(from string) error) error {
	return backfill(schema, root{reader{c: c.untyped()}, a}, table)
}

func backfill(schema *Schema, r root, table string) func(ctx context.Context, session gocqlx.Session, from string, save func(from string) error) error {
	return func(ctx context.Context, session gocqlx.Session, from string, save func(from string) error) error {
		cql := store.CQL{Session: session.Session}
		if err := verifyBackfill(ctx, cql, schema, r.aggregate, table); err != nil {
			return err
		}
		db, err := openStore(cql, mapper.Config{Consistency: gocql.LocalQuorum}, schema)
		if err != nil {
			return err
		}
		return root{reader{db, r.c}, r.aggregate}.fill(ctx, table, FillConfig{}, from, save)
	}
}

// verifyBackfill looks whether the keyspace has the root's table and the redundant one as the model has them.
func verifyBackfill(ctx context.Context, cql store.CQL, schema *Schema, a *Aggregate, table string) error {
	p, err := projectionTo(a, table)
	if err != nil {
		return err
	}
	keyspace, err := cql.Inspect(ctx)
	if err != nil {
		return err
	}
	_, err = keyspace.Verify(&Schema{Types: schema.Types, Tables: []*Table{a.Root, p.Table}})
	return err
}

// projectionTo returns the projection that fills a table.
func projectionTo(a *Aggregate, table string) (*Projection, error) {
	i := slices.IndexFunc(a.Copies, func(p Projection) bool { return p.Table.Name == table })
	if i < 0 {
		return nil, fmt.Errorf("mapper: %s (%s) has no redundant table %s", a.Root.Aggregate, a.Root.Name, table)
	}
	return &a.Copies[i], nil
}
