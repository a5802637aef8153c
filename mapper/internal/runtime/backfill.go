package runtime

import (
	"context"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// Backfill returns a function that fills one redundant table of a root from the rows of the root's table, while other
// programs write. It begins after the checkpoint from, which is empty at first, and calls save with a checkpoint after every
// page; an error of save stops it. It can continue from a checkpoint or repeat another run without changing correct rows. If
// the keyspace lacks a part of the two tables, it returns a *mapper.SchemaError before it reads. It passes over rows whose copies
// cannot be written, and returns a *mapper.RefusedRowsError at the end.
//
// ttl is Config.TTL of the store, if a TTL of the model has a name.
func Backfill(schema *plan.Schema, c *Codec, a *plan.Aggregate, table string, ttl map[string]time.Duration) func(ctx context.Context, session gocqlx.Session, from string, save func(from string) error) error {
	return func(ctx context.Context, session gocqlx.Session, from string, save func(from string) error) error {
		cql := store.CQL{Session: session.Session}
		if err := verifyBackfill(ctx, cql, schema, a, table); err != nil {
			return err
		}
		db, err := OpenStore(cql, mapper.Config{Consistency: gocql.LocalQuorum, TTL: ttl}, schema)
		if err != nil {
			return err
		}
		return NewRoot(NewReader(db, c), a).Fill(ctx, table, FillConfig{}, from, save)
	}
}

// verifyBackfill checks that the root's table and the redundant table in the keyspace match the model.
func verifyBackfill(ctx context.Context, cql store.CQL, schema *plan.Schema, a *plan.Aggregate, table string) error {
	p, err := projectionTo(a, table)
	if err != nil {
		return err
	}
	keyspace, err := cql.Inspect(ctx)
	if err != nil {
		return err
	}
	_, err = keyspace.Verify(&plan.Schema{Types: schema.Types, Tables: []*plan.Table{a.Root, p.Table}})
	return withMigrations(ctx, cql.Session, err)
}

// Fill runs a [Backfill] on the database of the root, so that a backfill can be tested without a server.
func (r Root) Fill(ctx context.Context, table string, c FillConfig, from string, save func(from string) error) error {
	if r.aggregate.Versioning != nil {
		return r.fillTable(ctx, table, c, from, save, Versioned{r}.filling)
	}
	return r.fillTable(ctx, table, c, from, save, func(p *plan.Projection, c FillConfig, over *passing) (runner, *scan) {
		return r.fillPlain(p, c, over)
	})
}

// filling returns the scan that writes the rows of one copy, each at the version of its root. The write times of the root are
// those of conditional statements, and are not used.
func (r Versioned) filling(p *plan.Projection, c FillConfig, over *passing) (runner, *scan) {
	return r.passingScan(c, r.c.Table.Name, over, joinRefused, func(ctx context.Context, key cell.Row) error {
		return r.onRow(ctx, "Backfill", key, func(w *writing) error {
			s, err := w.readSource()
			if err != nil || !s.Exists() {
				return err
			}
			var unowned plan.Claims
			if p.ByUnique > 0 && s.Version > 0 {
				if unowned, err = w.unowned(s); err != nil {
					return err
				}
			}
			mutations, err := w.aggregate.CopyRows(s, p, unowned)
			if err != nil {
				return w.db.constraint(w.c.Table, w.key, nil, err)
			}
			return w.sendAll(mutations, s.Version)
		})
	})
}
