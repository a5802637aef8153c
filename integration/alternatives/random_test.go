package alternatives_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/codegen"
	"github.com/cassaml/cassaml/codegen/alternatives"
	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/corpus"
	"github.com/cassaml/cassaml/internal/models"
)

var (
	modelCount = flag.Int("designs.models", 2, "the number of random models of TestDesignsOfRandomModels")
	onNode     = flag.Int("designs.node", 6, "the number of designs whose tables are created on a node")
	seed       = flag.Uint64("designs.seed", 1, "the seed of the random models; 0 uses the clock")
)

func TestMain(m *testing.M) { cassandra.Main(m) }

// Each design of each relationship of random models compiles with its store, a node accepts its tables, and the written model has the design; or it is refused with a reason.
func TestDesignsOfRandomModels(t *testing.T) {
	t.Parallel()
	from := *seed
	if from == 0 {
		from = uint64(time.Now().UnixNano())
	}
	t.Logf("-designs.seed=%d", from)
	known, err := corpus.Imports()
	require.NoError(t, err)
	generator := corpus.New(from)
	listed, designs, recognised, stores, created, reasons := 0, 0, 0, 0, 0, map[string]int{}
	for listed < *modelCount {
		x := generator.Executable()
		files := &load.Files{Path: corpus.Module + "/" + x.Name, Texts: map[string][]byte{"model.go": x.Source()}, Fset: known.Fset, Imports: known}
		p, err := files.Package(files.Texts)
		if err != nil {
			continue // a fault was planted
		}
		m, faults := model.Build(p)
		if model.Refused(faults) {
			continue
		}
		var found []*alternatives.Listing
		for _, name := range alternatives.Names(m) {
			l, err := alternatives.List(files, name, alternatives.Config{Key: identity(m, name)})
			if err != nil {
				reasons[regexp.MustCompile(`\b[A-Z]\w*\b`).ReplaceAllString(err.Error(), "X")]++
				continue
			}
			found = append(found, l)
		}
		if found == nil {
			continue
		}
		listed++
		for _, l := range found {
			for _, a := range l.Alternatives {
				if a.Refused != "" {
					require.Regexp(t, explained, a.Refused, "%s: %s: %s", x.Name, l.Name, a.Name)
					reasons[refusal(a.Refused)]++
					continue
				}
				designs++
				current := alternatives.Current(a.Model, l.Root.Struct, l.Element.Struct)
				require.Contains(t, []string{"", a.Name}, current, "%s: %s\n%s", x.Name, l.Name, a.Diff) // "": the two sides have several relationships
				if current != "" {
					recognised++
				}
				stores += compiles(t, x.Name, l.Name, a)
			}
		}
		if created < *onNode {
			created += accepts(t, found, *onNode-created)
		}
	}
	t.Logf("%d models: %d designs, %d recognised, %d with a store; refused: %v", listed, designs, recognised, stores, reasons)
	require.Greater(t, recognised, designs/2, "most designs are not recognised")
	require.Greater(t, designs, 5**modelCount, "most designs are refused")
}

// identity returns the first field of one native value of an element without an identity; nil for any other relationship.
func identity(m *model.Model, name string) []string {
	of, field, _ := strings.Cut(name, ".")
	for _, a := range m.Aggregates {
		for _, at := range a.Attributes {
			if a.Struct.Name != of || at.GoName() != field || at.Type.Elem == nil || at.Type.Elem.Kind != model.Composed || len(at.Type.Elem.Object.Identity) > 0 {
				continue
			}
			for _, x := range at.Type.Elem.Object.Attributes {
				if t := x.Type; t.Kind == model.Scalar && !t.Nullable && len(x.Path) == 1 && t.CQL != "counter" && t.CQL != "duration" {
					return []string{x.GoName()}
				}
			}
		}
	}
	return nil
}

// explained matches the reasons of refusals in the words of the language. A text of the compiler is none of them.
var explained = regexp.MustCompile(`^(?:AML\d+: |the package declares \S+, which the edit adds|\S+ has a field \S+, which the edit adds|a collection of keys needs a key of one field|the model needs a version, so it is the same as |.+, the type of \S+, is not comparable in Go, |` +
	`\S+ contains an? \S+, which would contain its |\S+ has elements in the keys of a map, and an? \S+ that contains )`)

// refusal returns the code of a refusal, or its text without names.
func refusal(why string) string {
	if code, _, ok := strings.Cut(why, ":"); ok && strings.HasPrefix(code, "AML") {
		return code
	}
	return regexp.MustCompile(`\b[A-Z]\w*\b`).ReplaceAllString(why, "X")
}

// compiles type-checks a design with its store, and returns 1 if it has one.
func compiles(t *testing.T, name, relationship string, a *alternatives.Alternative) int {
	t.Helper()
	fset := token.NewFileSet()
	var parsed []*ast.File
	store := 0
	require.NoError(t, a.Package(codegen.Config{}, a.Model.Package.Path, func(file string, data []byte) {
		if !strings.HasSuffix(file, ".go") {
			return
		}
		if file == load.Generated {
			store = 1
		}
		f, err := parser.ParseFile(fset, file, data, parser.SkipObjectResolution)
		require.NoError(t, err)
		parsed = append(parsed, f)
	}))
	var faults []error
	config := types.Config{Importer: libraries(t), Error: func(err error) { faults = append(faults, err) }}
	_, _ = config.Check(a.Model.Package.Path, fset, parsed, nil) // every error is in faults
	require.Empty(t, faults, "%s: %s: %s\n%s", name, relationship, a.Name, a.Diff)
	return store
}

var library *models.Imports

// libraries returns the types of the packages that stores and random models import.
func libraries(t *testing.T) types.Importer {
	t.Helper()
	if library == nil {
		known, err := corpus.ImportsWith("context", "errors", "fmt", "iter", "maps", "math/big", "slices", "strings", "time", "github.com/cassaml/cassaml/aml", "github.com/cassaml/cassaml/mapper", "github.com/cassaml/cassaml/mapper/gen",
			"github.com/cassaml/cassaml/mapper/driver/gocqldriver", "github.com/scylladb/gocqlx/v2")
		require.NoError(t, err)
		library = known
	}
	return library
}

var (
	creation = regexp.MustCompile(`^CREATE (TABLE|TYPE) IF NOT EXISTS (\S+)`)
	indexed  = regexp.MustCompile(`^CREATE .*INDEX .* ON (\S+)`)
)

// accepts creates the tables of a number of designs on a node, each design in a keyspace of its own, and returns how many it has created. A table
// that an earlier design has, too, is created once.
func accepts(t *testing.T, all []*alternatives.Listing, most int) (number int) {
	t.Helper()
	server := cassandra.Test(t)
	run := strings.ReplaceAll(uuid.NewString(), "-", "")[:8]
	seen := map[string]bool{}
	for _, l := range all {
		for _, a := range l.Alternatives {
			if a.Refused == "" && number < most {
				number++
				create(t, server, fmt.Sprintf("designs_%s_%d", run, number), l.Name+" "+a.Name, statements(a, seen))
			}
		}
	}
	return number
}

// statements returns the statements of the types of a design, and of its tables that have not been seen yet.
func statements(a *alternatives.Alternative, seen map[string]bool) (out []string) {
	var tables []string
	for _, s := range a.Schema.Statements() {
		if m := creation.FindStringSubmatch(s); m != nil {
			if m[1] == "TABLE" && seen[s] {
				continue
			}
			if seen[s] = true; m[1] == "TABLE" {
				tables = append(tables, m[2])
			}
		} else if m := indexed.FindStringSubmatch(s); m != nil && !slices.Contains(tables, m[1]) {
			continue
		}
		out = append(out, s)
	}
	if tables == nil {
		return nil
	}
	return out
}

func create(t *testing.T, server *cassandra.Server, keyspace, design string, statements []string) {
	t.Helper()
	if statements == nil {
		return
	}
	session, err := server.Keyspace(t.Context(), keyspace)
	require.NoError(t, err)
	defer session.Close()
	for _, s := range append(statements, "DROP KEYSPACE "+keyspace) {
		require.NoError(t, session.Session.Query(s).Consistency(gocql.One).Exec(), "%s: %s", design, s)
	}
}
