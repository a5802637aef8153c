package migratecmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"

	"github.com/gocql/gocql"
	"github.com/google/uuid"
	"github.com/scylladb/gocqlx/v2"
	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/server"
	"github.com/cassaml/cassaml/migrate"
	"github.com/cassaml/cassaml/migrate/catalog"
	"github.com/cassaml/cassaml/migrate/folder"
)

// dropTimeout is the time limit for dropping a temporary keyspace, also after Ctrl-C.
const dropTimeout = time.Minute

// replay applies a folder in a temporary keyspace, in which it first creates the types of other folders, and returns the
// resulting schema. It always drops the keyspace. A keyspace that exists before is an error.
func replay(c *cobra.Command, n *server.Connection, dir string, files []folder.File, shared []*schema.UDT) (live *catalog.Keyspace, err error) {
	admin, err := n.Open(c.Context(), "")
	if err != nil {
		return nil, err
	}
	defer admin.Close()
	if err := checkAbsent(c.Context(), admin, n.Keyspace); err != nil {
		return nil, err
	}
	create := "CREATE KEYSPACE " + model.Quote(n.Keyspace) + " WITH replication = {'class': 'NetworkTopologyStrategy', 'replication_factor': 1}"
	err = admin.Session.Query(create).WithContext(c.Context()).Exec()
	if _, others := errors.AsType[*gocql.RequestErrAlreadyExists](err); !others { // the keyspace can exist despite any other error
		defer func() { err = errors.Join(err, drop(c.Context(), admin, n.Keyspace)) }()
	}
	if err != nil {
		return nil, fmt.Errorf("create a temporary keyspace: %w", err)
	}
	session, err := n.Open(c.Context(), n.Keyspace)
	if err != nil {
		return nil, err
	}
	defer session.Close()
	for _, u := range shared { // which the folders of other packages create
		if err := session.Session.Query(u.CQL()).WithContext(c.Context()).Exec(); err != nil {
			return nil, fmt.Errorf("create the shared type %s: %w", u.Name, err)
		}
	}
	steps := newSteps(c, c.ErrOrStderr())
	defer steps.bar.Clear()
	config := migrate.Config{Funcs: noFunctions(files), Backfills: noBackfills(files), Progress: func(e migrate.Event) {
		if e.Number > 0 { // 0 is a backfill
			steps.print(e)
		}
	}}
	if err := migrate.Up(c.Context(), gocqldriver.New(session), os.DirFS(dir), config); err != nil {
		return nil, scratchError(err)
	}
	return catalog.Inspect(c.Context(), gocqldriver.New(session), n.Keyspace)
}

// scratchError is the error of a migration in a temporary keyspace, which is dropped.
func scratchError(err error) error {
	e, ok := errors.AsType[*migrate.StatementError](err)
	if !ok {
		return err
	}
	return fmt.Errorf("%s:%d: statement %d of %d: %s: %w; fix the file and run verify again, which starts with an empty keyspace",
		e.File, e.Line, e.Number, e.Total, headline(e.Statement), e.Err)
}

// scratchName returns a unique name.
func scratchName() string { return "aml_verify_" + strings.ReplaceAll(uuid.NewString(), "-", "")[:12] }

// checkAbsent rejects an existing keyspace, because it would be dropped.
func checkAbsent(ctx context.Context, session gocqlx.Session, keyspace string) error {
	_, err := catalog.Inspect(ctx, gocqldriver.New(session), keyspace)
	switch {
	case errors.Is(err, catalog.ErrNoKeyspace):
		return nil
	case err != nil:
		return err
	}
	return fmt.Errorf("keyspace %s already exists, and a scratch keyspace is dropped at the end: use another name", keyspace)
}

func drop(ctx context.Context, session gocqlx.Session, keyspace string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), dropTimeout)
	defer cancel()
	if err := session.Session.Query("DROP KEYSPACE IF EXISTS " + model.Quote(keyspace)).WithContext(ctx).Exec(); err != nil {
		return fmt.Errorf("keyspace %s was not dropped: drop it: %w", keyspace, err)
	}
	return nil
}

// noBackfills returns functions that do nothing for all backfills of the files: the keyspace has no data.
func noBackfills(files []folder.File) map[string]migrate.Backfill {
	out := map[string]migrate.Backfill{}
	for _, f := range files {
		for _, d := range f.Directives {
			if d.Verb == "backfill" {
				out[d.Argument] = func(context.Context, driver.Session, string, func(string) error) error { return nil }
			}
		}
	}
	return out
}

// noFunctions returns functions that do nothing for all functions that the files call: there is no data to change.
func noFunctions(files []folder.File) map[string]migrate.Func {
	out := map[string]migrate.Func{}
	for _, f := range files {
		for _, s := range f.Statements {
			if s.Func != "" {
				out[s.Func] = func(context.Context, driver.Session) error { return nil }
			}
		}
	}
	return out
}
