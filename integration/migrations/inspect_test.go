package migrations

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/corpus"
	"github.com/cassaml/cassaml/integration/suite"
	"github.com/cassaml/cassaml/internal/models"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
	"github.com/cassaml/cassaml/migrate/catalog"
	"github.com/cassaml/cassaml/migrate/folder"
	"github.com/cassaml/cassaml/migrate/reverse"
)

var all = flag.Bool("all", false, "inspect every model of the repository")

// A node executes the schema.cql of models of the repository, with -all of every one: of the examples, of published services
// and of the tests. The inspected keyspace equals the schema of the model, and the replay of the statements. The model that
// is derived from it has the same schema.
func TestInspectAndAdoptExamples(t *testing.T) {
	t.Parallel()
	cassandra.Requires(t, "5.0", "the models stock and hotel have vectors and storage-attached indexes")
	known := imports(t)
	folders := modelFolders(t)
	require.Greater(t, len(folders), 25)
	if !*all {
		folders = []string{"../../examples/vehicles/approach8/fleet", "../../aml/testdata/reach/killrvideo", "../../integration/models/stock"}
	}
	for i, p := range models.Folders(t, folders...) {
		dir := folders[i]
		t.Run(strings.TrimPrefix(dir, "../../"), func(t *testing.T) {
			t.Parallel()
			want := catalogOf(t, p)
			text, err := os.ReadFile(filepath.Join(dir, "schema.cql"))
			require.NoError(t, err)
			session := cassandra.Keyspace(t)
			execute(t, session, string(text))
			there := inspected(t, session)
			require.Empty(t, catalog.Compare(there, want))
			require.Empty(t, there.Notes)
			require.Empty(t, catalog.Compare(there, replayOf(t, &want.Schema)))

			adopted, err := reverse.Adopt(there, reverse.Config{})
			require.NoError(t, err)
			requireAdopted(t, known, there, adopted)
		})
	}
}

// imports returns the types of a package that models of the corpus import.
func imports(t *testing.T) *models.Imports {
	t.Helper()
	known, err := corpus.Imports()
	require.NoError(t, err)
	return known
}

// modelFolders returns the folders of the repository that contain a generated schema.
func modelFolders(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, pattern := range []string{"../../examples/*", "../../examples/*/*", "../../examples/*/*/*", "../../aml/testdata/reach/*", "../../integration/*", "../../integration/*/*"} {
		found, err := filepath.Glob(filepath.Join(pattern, "schema.cql"))
		require.NoError(t, err)
		for _, f := range found {
			out = append(out, filepath.Dir(f))
		}
	}
	return out
}

// catalogOf returns the schema of a package's model.
func catalogOf(t *testing.T, p *model.Package) *catalog.Keyspace {
	t.Helper()
	m, faults := model.Build(p)
	require.False(t, model.Refused(faults), "%v", faults)
	k, err := catalog.New(schema.New(m))
	require.NoError(t, err)
	return k
}

// replayOf returns the replay of a folder whose only migration has the statements of a schema.
func replayOf(t *testing.T, s *schema.Schema) *catalog.Keyspace {
	t.Helper()
	files, err := folder.Read(fstest.MapFS{"0001_init.cql": {Data: []byte(s.CQL())}})
	require.NoError(t, err)
	k, err := catalog.Replay(files)
	require.NoError(t, err)
	return k
}

// execute executes the statements of a file.
func execute(t *testing.T, session gocqlx.Session, text string) {
	t.Helper()
	statements, err := folder.Split(text)
	require.NoError(t, err)
	require.NotEmpty(t, statements)
	for _, s := range statements {
		require.NoError(t, session.ExecStmt(s.Text), s.Text)
	}
}

// created executes the statements of a schema and reads the result.
func created(t *testing.T, session gocqlx.Session, s *schema.Schema) *catalog.Keyspace {
	t.Helper()
	for _, text := range s.Statements() {
		require.NoError(t, session.ExecStmt(text), text)
	}
	return inspected(t, session)
}

func inspected(t *testing.T, session gocqlx.Session) *catalog.Keyspace {
	t.Helper()
	k, err := catalog.Inspect(t.Context(), gocqldriver.New(session), session.Query("", nil).Keyspace())
	require.NoError(t, err)
	return k
}

// requireAdopted loads the source of a model and compares its schema with the keyspace: each difference is one of its gaps,
// and the source lists each gap. It returns the differences.
func requireAdopted(t *testing.T, known *models.Imports, there *catalog.Keyspace, m *reverse.Model) []catalog.Difference {
	t.Helper()
	p := known.Source(t, "example.com/adopted", string(m.Source))
	differences := catalog.Compare(catalogOf(t, p), there)
	for _, d := range differences {
		require.True(t, listed(m.Gaps, d.Subject()), "%s is not listed:\n%s\n%s", d, strings.Join(m.Gaps, "\n"), m.Source)
	}
	for _, g := range m.Gaps {
		require.Contains(t, string(m.Source), "//   - "+strings.Join(strings.Fields(g), " "))
	}
	return differences
}

func listed(gaps []string, subject string) bool {
	return slices.ContainsFunc(gaps, func(g string) bool { return strings.HasPrefix(g, subject+": ") })
}

func TestMain(m *testing.M) { suite.Main(m) }
