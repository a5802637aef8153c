// Quickstart starts a Cassandra, creates the tables of package fleet in it and runs the published experiment on one 1:N
// relationship: clients with their vehicles, and a redundant table of vehicles with their owner embedded. After every
// step it prints what was asked, what was sent and what both tables hold, and holds the redundant table against rows
// computed by a plain loop over the clients.
//
//	go run ./examples/quickstart
//
// CASSANDRA_HOSTS names a server that is there already; without it Docker runs one, or a JDK 17 with Maven.
package main

import (
	"context"
	"fmt"
	"io"
	"io/fs"

	"github.com/scylladb/gocqlx/v2"

	"github.com/cassaml/cassaml/examples/internal/example"
	"github.com/cassaml/cassaml/examples/quickstart/fleet"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/migrate"
)

func main() { example.Run("quickstart", experiment) }

// experiment is what a service does at its start, and then the steps.
func experiment(ctx context.Context, session gocqlx.Session, out io.Writer) error {
	migrations, err := fs.Sub(fleet.Migrations, "migrations")
	if err != nil {
		return err
	}
	if err := migrate.Up(ctx, session, migrations, migrate.Config{Backfills: fleet.Backfills()}); err != nil {
		return err
	}
	sent := &recorder{}
	store, err := fleet.Open(ctx, session, mapper.Config{Tracer: sent})
	if err != nil {
		return err
	}
	s := &story{store: store, session: session, sent: sent, out: out}
	for i, step := range steps() {
		if err := s.run(ctx, i+1, step); err != nil {
			return fmt.Errorf("step %d, %s: %w", i+1, step.title, err)
		}
	}
	fmt.Fprintf(out, "\nAfter every one of the %d steps the redundant table equalled what a plain loop over the clients computes.\n", len(steps()))
	return nil
}
