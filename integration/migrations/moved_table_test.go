package migrations

import (
	"os"
	"testing"

	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/internal/models"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
	"github.com/cassaml/cassaml/migrate"
	"github.com/cassaml/cassaml/migrate/copydata"
	"github.com/cassaml/cassaml/migrate/diff"
	"github.com/cassaml/cassaml/migrate/folder"
)

// releases are successive models of a keyspace, with planned migrations and with functions that copy as the plans require.
type releases struct {
	t       *testing.T
	session gocqlx.Session
	dir     string
	funcs   map[string]migrate.Func
	known   *models.Imports
}

func newReleases(t *testing.T) *releases {
	return &releases{t, cassandra.Keyspace(t), t.TempDir(), map[string]migrate.Func{}, imports(t)}
}

// planned returns the plan for the structs of a model, which are the text after the package clause.
func (r *releases) planned(structs string) *diff.Plan {
	r.t.Helper()
	source := "package shop\n\nimport \"github.com/cassaml/cassaml/aml\"\n" + structs
	m, faults := model.Build(r.known.Source(r.t, "example.com/shop", source))
	require.False(r.t, model.Refused(faults), "%v", faults)
	plan, err := diff.Diff(folderState(r.t, r.dir), schema.New(m))
	require.NoError(r.t, err)
	return plan
}

// deploy migrates the keyspace to a model.
func (r *releases) deploy(structs string) {
	r.t.Helper()
	plan := r.planned(structs)
	require.NotEmpty(r.t, plan.Steps)
	files, err := folder.Read(os.DirFS(r.dir))
	require.NoError(r.t, err)
	name, err := folder.FileName(len(files)+1, "release")
	require.NoError(r.t, err)
	require.NoError(r.t, folder.Write(r.dir, name, plan.Text()))
	for _, f := range plan.Funcs {
		require.True(r.t, f.Complete(), "%s: %s", f.Name, f.Why)
		require.NotContains(r.t, r.funcs, f.Name)
		r.funcs[f.Name] = newRows(f.Move).Run
	}
	require.NoError(r.t, migrate.Up(r.t.Context(), gocqldriver.New(r.session), os.DirFS(r.dir), migrate.Config{Funcs: r.funcs}))
	require.Empty(r.t, r.planned(structs).Steps)
}

// newRows returns the copy of a generated function.
func newRows(m *diff.Move) copydata.Rows {
	rows := copydata.Rows{From: m.From, To: m.To, Serial: m.Serial}
	for _, c := range m.Columns {
		column := copydata.Column{From: c.From, To: c.To}
		if c.Value != "" {
			column.Value = c.Value == "true"
		}
		rows.Columns = append(rows.Columns, column)
	}
	return rows
}

// If a table is moved while a column still has was=, the values of the new column are copied.
func TestATableMovesWithAColumnThatWasCopied(t *testing.T) {
	t.Parallel()
	r := newReleases(t)
	model := func(table, column string) string {
		return "type Customer struct { aml.Aggregate `aml:\"" + table + "\"`\nID int32 `aml:\"id,identifier\"`\nName string `aml:\"" + column + "\"` }\n"
	}
	r.deploy(model("customers", "name"))
	execute(t, r.session, "INSERT INTO customers (id, name) VALUES (1, 'Ana'); INSERT INTO customers (id, name) VALUES (2, 'Bia')")
	r.deploy(model("customers", "full_name,was=name"))
	execute(t, r.session, "INSERT INTO customers (id, full_name) VALUES (1, 'Ana Luz'); INSERT INTO customers (id, full_name) VALUES (3, 'Caio')")
	r.deploy(model("clients,was=customers", "full_name,was=name"))
	require.ElementsMatch(t, []string{`1 "Ana Luz"`, `2 "Bia"`, `3 "Caio"`}, selectAll(t, r.session, "SELECT id, full_name FROM clients"))
}
