package migrate_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
	"github.com/cassaml/cassaml/migrate"
)

// TestMigrateUpRefusesToWaitForItself calls Up in a function and in a backfill of Up: in the same keyspace, indirectly
// through another keyspace, and only in another keyspace.
func TestMigrateUpRefusesToWaitForItself(t *testing.T) {
	t.Parallel()
	session, other := cassandra.Keyspace(t), cassandra.Keyspace(t)
	fsys := migrations("0001_init.cql", "CREATE TABLE a (id int PRIMARY KEY);\n-- aml:func f\n-- aml:backfill a")
	var f migrate.Func
	config := migrate.Config{
		Funcs: map[string]migrate.Func{"f": func(ctx context.Context, s driver.Session) error { return f(ctx, s) }},
		Backfills: map[string]migrate.Backfill{"a": func(ctx context.Context, s driver.Session, _ string, _ func(string) error) error {
			return f(ctx, s)
		}},
	}
	within := func(ctx context.Context, s driver.Session) error {
		ctx, cancel := context.WithTimeout(ctx, time.Minute)
		defer cancel()
		return migrate.Up(ctx, s, fsys, config)
	}

	f = within
	require.ErrorIs(t, migrate.Up(t.Context(), gocqldriver.New(session), fsys, config), migrate.ErrNested)
	require.ErrorContains(t, migrate.Up(t.Context(), gocqldriver.New(session), fsys, config), "0001_init.cql:2: statement 2 of 2: -- aml:func f: migrate: a function of a run of Up calls Up")

	f = func(ctx context.Context, _ driver.Session) error {
		f = func(ctx context.Context, _ driver.Session) error { return within(ctx, gocqldriver.New(session)) }
		return within(ctx, gocqldriver.New(other))
	}
	require.ErrorIs(t, migrate.Up(t.Context(), gocqldriver.New(session), fsys, config), migrate.ErrNested)

	f = func(ctx context.Context, _ driver.Session) error {
		return migrate.Up(ctx, gocqldriver.New(other), migrations("0001_b.cql", "CREATE TABLE b (id int PRIMARY KEY)"), migrate.Config{})
	}
	require.NoError(t, other.ExecStmt("DROP TABLE aml_migrations"))
	require.NoError(t, migrate.Up(t.Context(), gocqldriver.New(session), fsys, migrate.Config{Funcs: config.Funcs, NoBackfills: true}))

	f = within
	err := migrate.Up(t.Context(), gocqldriver.New(session), fsys, config)
	require.ErrorIs(t, err, migrate.ErrNested)
	require.IsType(t, &migrate.BackfillError{}, err)
}

// TestMigrateUpKeepsLongCheckpoints checks that the longest accepted checkpoint is read back unchanged.
func TestMigrateUpKeepsLongCheckpoints(t *testing.T) {
	t.Parallel()
	session := cassandra.Keyspace(t)
	fsys := migrations("0001_init.cql", "CREATE TABLE a (id int PRIMARY KEY);\n-- aml:backfill a")
	longest := "\t\n'\u2028\U0001f600" + strings.Repeat("x", 65535-10)
	var from []string
	config := migrate.Config{Backfills: map[string]migrate.Backfill{"a": func(_ context.Context, _ driver.Session, checkpoint string, save func(string) error) error {
		from = append(from, checkpoint)
		if checkpoint != "" {
			return nil
		}
		require.NoError(t, save(longest))
		return save(longest + "x")
	}}}
	require.ErrorContains(t, migrate.Up(t.Context(), gocqldriver.New(session), fsys, config), "has 65536 bytes")
	require.NoError(t, migrate.Up(t.Context(), gocqldriver.New(session), fsys, config))
	require.Equal(t, []string{"", longest}, from)
}

// TestMigrateUpRecordsAnyFailure lets a function fail with a long error that is not valid text.
func TestMigrateUpRecordsAnyFailure(t *testing.T) {
	t.Parallel()
	session := cassandra.Keyspace(t)
	fsys := migrations("0001_init.cql", "-- aml:func broken")
	for _, text := range []string{"key \xff\xfe", "a\x00b", strings.Repeat("é", 1<<17)} {
		config := migrate.Config{Funcs: map[string]migrate.Func{"broken": func(context.Context, driver.Session) error { return errors.New(text) }}}
		require.ErrorContains(t, migrate.Up(t.Context(), gocqldriver.New(session), fsys, config), text)
		report, err := migrate.Status(t.Context(), gocqldriver.New(session), fsys, migrate.Config{})
		require.NoError(t, err)
		require.Equal(t, migrate.FileFailed, report.Files[0].State)
		require.Equal(t, text[0], report.Files[0].Reason[0], "it belongs to this failure, not to the previous one")
		require.LessOrEqual(t, len(report.Files[0].Reason), 8<<10)
	}
}
