package migrations

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/internal/models"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
	"github.com/cassaml/cassaml/migrate"
	"github.com/cassaml/cassaml/migrate/catalog"
	"github.com/cassaml/cassaml/migrate/diff"
	"github.com/cassaml/cassaml/migrate/folder"
)

// A folder that gets a planned migration for each of many models, as in a service whose model changes often, is applied by
// Up without an error. With -all the test has more models.
func TestServerAcceptsPlannedMigrations(t *testing.T) {
	t.Parallel()
	session := cassandra.Keyspace(t)
	dir := t.TempDir()
	written := 0
	funcs := map[string]migrate.Func{}
	dirs := []string{
		"../../migrate/diff/testdata/first", "../../migrate/diff/testdata/moved", "../../migrate/diff/testdata/final",
		"../../examples/vehicles/approach2/fleet", "../../examples/vehicles/approach3versioned/fleet",
	}
	if *all {
		dirs = append(dirs, "../../examples/vehicles/approach1/fleet", "../../examples/vehicles/approach8/fleet", "../../examples/game/parts/match", "../../examples/library/catalogue")
	}
	for i, p := range models.Folders(t, dirs...) {
		m, faults := model.Build(p)
		require.False(t, model.Refused(faults))
		files, err := folder.Read(os.DirFS(dir))
		require.NoError(t, err)
		from, err := catalog.Replay(files)
		require.NoError(t, err)
		plan, err := diff.Diff(from, schema.New(m))
		if errors.Is(err, diff.ErrRefused) {
			continue
		}
		require.NoError(t, err)
		file, err := folder.FileName(len(files)+1, "next")
		require.NoError(t, err)
		require.NoError(t, folder.Write(dir, file, plan.Text()))
		for _, f := range plan.Funcs {
			funcs[f.Name] = func(context.Context, driver.Session) error { return nil }
		}
		for _, name := range plan.Generated {
			funcs[name] = func(context.Context, driver.Session) error { return nil }
		}
		require.NoError(t, migrate.Up(t.Context(), gocqldriver.New(session), os.DirFS(dir), migrate.Config{Funcs: funcs, NoBackfills: true}), dirs[i])
		written++
	}
	require.GreaterOrEqual(t, written, len(dirs)-1)
	require.NotEmpty(t, funcs)
}
