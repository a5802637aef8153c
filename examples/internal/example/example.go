// Package example starts a Cassandra for an example program, creates a keyspace for it, and removes both at the end:
//
//	package main
//
//	import (
//		"github.com/cassaml/cassaml/examples/internal/example"
//		"github.com/cassaml/cassaml/examples/vehicles/approach1/fleet"
//	)
//
//	func main() { example.Main("approach1", fleet.Schema, fleet.Demo) }
package example

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/scylladb/gocqlx/v2"

	"github.com/cassaml/cassaml/examples/internal/show"
	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/migrate/folder"
)

// Program runs the steps of an example on a stage.
type Program func(context.Context, *show.Stage) error

// Main is the main function of an example: it runs the program in a new keyspace with the schema, CQL statements that end in
// semicolons. Ctrl-C also ends it.
func Main(name, schema string, program Program) {
	Run(name, func(ctx context.Context, session gocqlx.Session, out io.Writer) error {
		if err := Apply(session, schema); err != nil {
			return err
		}
		fmt.Fprintln(out, "A column of a statement that the program did not change is bound as unset: its value stays.")
		return program(ctx, show.NewStage(session, out))
	})
}

// Run is Main for a program that creates its schema itself.
func Run(name string, program func(context.Context, gocqlx.Session, io.Writer) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, name, program)
	if err != nil && ctx.Err() != nil {
		err = fmt.Errorf("ended by a signal: %w", err)
	}
	stop()
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, name string, program func(context.Context, gocqlx.Session, io.Writer) error) (err error) {
	server, err := cassandra.Start(ctx, cassandra.Config{Log: os.Stderr})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	// Processes that the program starts use the same server.
	if err := os.Setenv("CASSANDRA_HOSTS", strings.Join(server.Hosts(), ",")); err != nil {
		return err
	}
	// A new keyspace: no existing data is touched, and each run starts without data.
	keyspace := name + "_" + strconv.FormatInt(time.Now().UnixNano(), 36)
	fmt.Printf("Cassandra answers at %s; the keyspace is %s\n", strings.Join(server.Hosts(), ", "), keyspace)
	session, err := server.Keyspace(context.WithoutCancel(ctx), keyspace) // complete, or Ctrl-C leaves a keyspace that nothing drops
	if err != nil {
		return err
	}
	defer session.Close()
	defer func() { err = errors.Join(err, drop(session, keyspace)) }()
	return program(ctx, session, os.Stdout)
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

// Apply executes the statements of a schema.
func Apply(session gocqlx.Session, schema string) error {
	statements, err := folder.Split(schema)
	if err != nil {
		return err
	}
	for _, s := range statements {
		if err := session.ExecStmt(s.Text); err != nil {
			return fmt.Errorf("%s: %w", s.Text, err)
		}
	}
	return nil
}
