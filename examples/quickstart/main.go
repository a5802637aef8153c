// Quickstart starts a Cassandra, creates the tables of package fleet in it and plays the published experiment on one 1:N
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
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/scylladb/gocqlx/v2"

	"github.com/cassaml/cassaml/examples/quickstart/fleet"
	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/migrate"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "quickstart:", err)
		stop()
		os.Exit(1)
	}
}

// run starts a server, plays the story and stops the server again.
func run(ctx context.Context, out, log io.Writer) (err error) {
	server, err := cassandra.Start(ctx, cassandra.Config{Log: log})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	// A keyspace of this run's own: nothing of yours is touched, and a second run starts from nothing.
	keyspace := "quickstart_" + strconv.FormatInt(time.Now().UnixNano(), 36)
	fmt.Fprintf(out, "Cassandra answers at %s; the keyspace is %s\n", strings.Join(server.Hosts(), ", "), keyspace)
	session, err := server.Keyspace(ctx, keyspace)
	if err != nil {
		return err
	}
	defer session.Close()
	defer func() { err = errors.Join(err, drop(session, keyspace)) }()
	return experiment(ctx, session, out)
}

// drop removes the keyspace, also after Ctrl-C.
func drop(session gocqlx.Session, keyspace string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := session.Session.Query("DROP KEYSPACE IF EXISTS " + keyspace).WithContext(ctx).Exec(); err != nil {
		return fmt.Errorf("drop keyspace %s: %w", keyspace, err)
	}
	return nil
}

// experiment is what a service does at its start, and then the steps.
func experiment(ctx context.Context, session gocqlx.Session, out io.Writer) error {
	migrations, err := fs.Sub(fleet.Migrations, "migrations")
	if err != nil {
		return err
	}
	if err := migrate.Up(ctx, session, migrations, migrate.Config{}); err != nil {
		return err
	}
	sent := &recorder{}
	store, err := fleet.Open(ctx, session, mapper.Config{Tracer: sent})
	if err != nil {
		return err
	}
	s := &story{store: store, session: session, sent: sent, out: out}
	for i, step := range steps() {
		if err := s.play(ctx, i+1, step); err != nil {
			return fmt.Errorf("step %d, %s: %w", i+1, step.title, err)
		}
	}
	fmt.Fprintf(out, "\nAfter every one of the %d steps the redundant table equalled what a plain loop over the clients computes.\n", len(steps()))
	return nil
}
