package save

import (
	"context"
	"time"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/scan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// Backfill returns a function that fills one redundant table of a root from the rows of the root's table, while other
// programs write. It begins after the checkpoint from, which is empty at first, and calls save with a checkpoint after every
// page; an error of save stops it. It can continue from a checkpoint or repeat another run without changing correct rows. If
// the keyspace lacks a part of the two tables, it returns a *mapper.SchemaError before it reads. It skips rows whose copies
// cannot be written, and returns a *mapper.RefusedRowsError at the end.
//
// ttl is Config.TTL of the store, if a TTL of the model has a name.
func Backfill(schema *descriptor.Schema, c *call.Codec, a *plan.Aggregate, table string, ttl map[string]time.Duration) func(ctx context.Context, session driver.Session, from string, save func(from string) error) error {
	return func(ctx context.Context, session driver.Session, from string, save func(from string) error) error {
		cql := store.CQL{Session: session}
		if err := verifyBackfill(ctx, cql, schema, a, table); err != nil {
			return err
		}
		db, err := call.OpenStore(cql, call.Migrated(ctx, mapper.Config{TTL: ttl}), schema)
		if err != nil {
			return err
		}
		return Fill(ctx, call.NewRoot(call.NewReader(db, c), a), table, scan.FillConfig{}, from, save)
	}
}

// verifyBackfill checks that the root's table and the redundant table in the keyspace match the model.
func verifyBackfill(ctx context.Context, cql store.CQL, schema *descriptor.Schema, a *plan.Aggregate, table string) error {
	p, err := scan.FindProjection(a, table)
	if err != nil {
		return err
	}
	keyspace, err := cql.Inspect(ctx)
	if err != nil {
		return err
	}
	if a.Versioning == nil {
		if err := keyspace.VerifyWriteTimes("backfill "+table, a.Aggregate.Root); err != nil {
			return err
		}
	}
	_, err = keyspace.Verify(&descriptor.Schema{Types: schema.Types, Tables: []*descriptor.Table{a.Aggregate.Root, p.Projection.Table}})
	return call.AddMigrations(ctx, cql.Session, err)
}

// Fill runs a [Backfill] on the database of the root, so that a backfill can be tested without a server.
func Fill(ctx context.Context, r call.Root, table string, c scan.FillConfig, from string, save func(from string) error) error {
	if r.Aggregate.Versioning != nil {
		return scan.FillTable(ctx, r, table, c, from, save, Versioned{r}.filling)
	}
	if r.Codec.Table.OfVersionedRoot() {
		return scan.FillTable(ctx, r, table, c, from, save, partFilling{r}.filling)
	}
	return scan.FillTable(ctx, r, table, c, from, save, func(p *plan.Projection, c scan.FillConfig, over *scan.Skipping) (scan.Runner, *scan.PageScan) {
		return scan.FillPlain(r, p, c, over)
	})
}

// filling returns the scan that writes the rows of one copy, each at the version of its root. The write times of the root
// come from conditional statements, and are not used.
func (r Versioned) filling(p *plan.Projection, c scan.FillConfig, over *scan.Skipping) (scan.Runner, *scan.PageScan) {
	fill, pages := scan.NewSkippingScan(r.Root, c, r.Codec.Table.Name, over, scan.JoinErrors, func(ctx context.Context, key cell.Row) error {
		return r.ForRow(ctx, "Backfill", key, func(w *Call) error {
			s, err := w.ReadSource()
			if err != nil || !s.Exists() {
				return err
			}
			var unowned plan.Claims
			if p.ByUnique > 0 && s.Version > 0 {
				if unowned, err = w.Reservations().unowned(s); err != nil {
					return err
				}
			}
			mutations, err := w.Aggregate.CopyRows(s, p, unowned)
			if err != nil {
				return w.DB.ConstraintError(w.Codec.Table, w.Key, nil, err)
			}
			return w.Copies().SendCopies(mutations, s)
		})
	})
	pages.Read.Stamped, pages.Read.Positioned = false, true
	return fill, pages
}

// partFilling fills a copy of a part of a versioned root.
type partFilling struct{ call.Root }

// filling returns the scan that writes the rows of one copy, each at the version of the root, which the row of the part shows.
func (r partFilling) filling(p *plan.Projection, c scan.FillConfig, over *scan.Skipping) (scan.Runner, *scan.PageScan) {
	fill, pages := scan.NewSkippingScan(r.Root, c, r.Codec.Table.Name, over, scan.JoinErrors, func(ctx context.Context, key cell.Row) error {
		return r.fill(ctx, p, key)
	})
	pages.Read.Stamped, pages.Read.Positioned = false, true
	return fill, pages
}

// fill writes the rows of a copy that follow from the row of the part with a key.
func (r partFilling) fill(ctx context.Context, p *plan.Projection, key cell.Row) error {
	t := r.Codec.Table
	if key[t.Key-1] == nil || t.IsHead(key) { // the partition has only static values
		return nil
	}
	ctx, end, err := r.Begin(ctx)
	if err != nil {
		return err
	}
	defer end()
	row, err := r.ReadComputed(ctx, "Backfill", key, r.DB.Config.SerialConsistency)
	if row == nil || err != nil || t.IsDeleted(row) {
		return err
	}
	at, err := t.RootVersion(row[:len(t.Columns)])
	if err != nil {
		return err
	}
	all, err := plan.PlanPart(r.Aggregate, row, at)
	if err != nil {
		return r.DB.ConstraintError(t, row, nil, err)
	}
	var mutations []plan.Mutation
	for _, m := range all {
		if m.Table == p.Table {
			mutations = append(mutations, m)
		}
	}
	if len(mutations) == 0 {
		return nil
	}
	return r.SendBatch(ctx, "Backfill", key, mutations, mutations[0].At, mutations[0].At)
}
