// Quickstart starts a Cassandra, creates the tables of package shop in it and follows two customers: they sign up, add, paint and sell
// vehicles, change their names and leave. After each step it prints the call, the requests and the rows of both tables, and
// compares the redundant table with rows that a plain loop over the customers computes.
//
//	go run ./examples/quickstart
//
// CASSANDRA_HOSTS is a running server; without it, Docker or a JDK 17 with Maven runs one.
package main

import (
	"context"
	"fmt"
	"io"
	"io/fs"

	"github.com/scylladb/gocqlx/v2"

	"github.com/cassaml/cassaml/examples/internal/example"
	"github.com/cassaml/cassaml/examples/quickstart/shop"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
	"github.com/cassaml/cassaml/migrate"
)

func main() { example.Run("quickstart", follow) }

// follow runs the startup of a service, and then the steps.
func follow(ctx context.Context, session gocqlx.Session, out io.Writer) error {
	migrations, err := fs.Sub(shop.Migrations, "migrations")
	if err != nil {
		return err
	}
	if err := migrate.Up(ctx, gocqldriver.New(session), migrations, migrate.Config{Backfills: shop.Backfills()}); err != nil {
		return err
	}
	sent := &recorder{}
	store, err := shop.Open(ctx, session, mapper.Config{Tracer: sent})
	if err != nil {
		return err
	}
	s := &tour{store: store, session: session, sent: sent, out: out}
	for i, step := range steps() {
		if err := s.run(ctx, i+1, step); err != nil {
			return fmt.Errorf("step %d, %s: %w", i+1, step.title, err)
		}
	}
	report, err := store.Reconcile(ctx, mapper.ReconcileConfig{DryRun: true})
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "\nA dry run of Reconcile has read %d rows and found %d differences.\n", report.Rows, report.Total())
	fmt.Fprintf(out, "After every one of the %d steps the redundant table equalled what a plain loop over the customers computes.\n", len(steps()))
	return nil
}
