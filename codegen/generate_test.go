package codegen_test

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen"
	"github.com/cassaml/cassaml/internal/models"
)

var update = flag.Bool("update", false, "write what is instead of comparing it with what was")

// golden are packages of this module whose generated file is stored in the folder of the model.
var golden = map[string]codegen.Config{"library": {}, "hotel": {}, "fleet": {}, "every": {}, "foreign": {}, "own": {}, "names": {}, "counters": {}, "prefix": {Prefix: "Shop"}, "apache": {Driver: codegen.Apache}}

func TestGolden(t *testing.T) {
	dirs := goldenDirs()
	for i, p := range models.Folders(t, dirs...) {
		t.Run(filepath.Base(dirs[i]), func(t *testing.T) {
			got, faults := generate(t, p, golden[filepath.Base(dirs[i])])
			require.Empty(t, faults)
			want(t, filepath.Join(dirs[i], load.Generated), got)
		})
	}
}

func goldenDirs() (dirs []string) {
	for name := range golden {
		dirs = append(dirs, filepath.Join("testdata", "golden", name))
	}
	return append(dirs, "../aml/testdata/reach/jaeger", "../aml/testdata/reach/zipkin", "../integration/models/strict") // whose stores are tested
}

func generate(t *testing.T, p *model.Package, config codegen.Config) ([]byte, []model.Diagnostic) {
	m, faults := model.Build(p)
	require.False(t, model.Refused(faults), faults)
	source, faults, err := codegen.Generate(m, schema.New(m), config)
	require.NoError(t, err)
	return source, faults
}

// want compares data with a stored file, or updates the file.
func want(t *testing.T, file string, got []byte) {
	if *update {
		require.NoError(t, os.WriteFile(file, got, 0o644))
		return
	}
	stored, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(stored), string(got), "%s; go test -update writes it", file)
}

// The stored files compile with their models. The continuous integration also runs go vet on them.
func TestGoldenCompiles(t *testing.T) {
	faults, err := models.Check(nil, goldenDirs()...)
	require.NoError(t, err)
	require.Empty(t, faults)
}

// Every exported function or method has a comment that begins with its name, as go doc shows it.
func TestCommentsBeginWithNames(t *testing.T) {
	for _, dir := range goldenDirs() {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, load.Generated), nil, parser.ParseComments|parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, d := range f.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Name.IsExported() {
				require.True(t, strings.HasPrefix(f.Doc.Text(), f.Name.Name+" "), "%s: %s: %q", dir, f.Name, f.Doc.Text())
			}
		}
	}
}

// The same model produces the same bytes, in any order of map iteration.
func TestGenerateIsDeterministic(t *testing.T) {
	p := models.Folders(t, "testdata/golden/foreign")[0]
	first, _ := generate(t, p, codegen.Config{})
	for range 5 {
		again, _ := generate(t, p, codegen.Config{})
		require.True(t, bytes.Equal(first, again))
	}
}

// Generated code is read in reviews, so it is short: a table of twelve columns and two clustering columns, everything after the
// store, with a comment on each method. GetMany has 13 of the lines: the struct of a key of several
// columns, and the method. OfEach has 12.
func TestGeneratedTableIsShort(t *testing.T) {
	source, _ := generate(t, models.Folders(t, "testdata/golden/library")[0], codegen.Config{})
	_, table, found := bytes.Cut(source, []byte("\n// ---- artifacts_by_venue "))
	require.True(t, found)
	require.LessOrEqual(t, bytes.Count(table, []byte("\n")), 290+19, "19 of them are the comments and bodies of All, AllPage and Scan")
}

// Each folder is a package that declares names of the generated file.
func TestCollisions(t *testing.T) {
	dirs, err := filepath.Glob("testdata/collision/*")
	require.NoError(t, err)
	require.NotEmpty(t, dirs)
	for i, p := range models.Folders(t, dirs...) {
		dir := dirs[i]
		t.Run(filepath.Base(dir), func(t *testing.T) {
			source, faults := generate(t, p, codegen.Config{})
			require.Nil(t, source)
			var lines []string
			for _, f := range faults {
				lines = append(lines, strings.ReplaceAll(f.String(), dir+string(filepath.Separator), ""))
			}
			want(t, filepath.Join(dir, "want"), []byte(strings.Join(lines, "\n")+"\n"))
		})
	}
}

// A store without cache= has no method Forget, so a table can have its name. With cache= it is refused (testdata/collision/forget).
func TestTableWithTheNameOfAMissingMethod(t *testing.T) {
	imports, err := models.Load(".", "github.com/cassaml/cassaml/aml")
	require.NoError(t, err)
	source, faults := generate(t, imports.Source(t, "example.com/shop", "package shop\n\nimport \"github.com/cassaml/cassaml/aml\"\n\n"+
		"type A struct {\n\taml.Aggregate `aml:\"forget\"`\n\n\tID int32 `aml:\",identifier\"`\n}\n"), codegen.Config{})
	require.Empty(t, faults)
	require.Contains(t, string(source), "Forget ForgetTable")
	require.NotContains(t, string(source), ") Forget()")
}

// A store links one driver: a model that names a type of the other one, in whatever way, is refused at its line.
func TestTypesOfTheOtherDriver(t *testing.T) {
	paths := map[string]string{codegen.Gocql: "github.com/gocql/gocql", codegen.Apache: "github.com/apache/cassandra-gocql-driver/v2"}
	imports, err := models.Load(".", paths[codegen.Gocql], paths[codegen.Apache], "github.com/cassaml/cassaml/aml")
	require.NoError(t, err)
	const head = "package shop\n\nimport (\n\tgocql %q\n\n\t\"github.com/cassaml/cassaml/aml\"\n)\n\n" +
		"var _ gocql.UUID\n\ntype Parcel struct {\n\taml.Aggregate\n\tID string `aml:\",identifier\"`\n\t%s\n}\n\n%s\n"
	const text = "type Text string\n\nfunc (t Text) MarshalCQL(%s) ([]byte, error) { return []byte(t), nil }\n\n" +
		"func (t *Text) UnmarshalCQL(_ %s, b []byte) error { *t = Text(b); return nil }\n"
	for _, c := range []struct{ field, types, what string }{
		{"At gocql.UUID", "", "gocql.UUID is a type"},
		{"For *gocql.Duration", "", "gocql.Duration is a type"},
		{"All []gocql.UUID", "", "gocql.UUID is a type"},
		{"In Label `aml:\",composition\"`", "type Label struct {\n\tID Pair `aml:\",type=tuple\"`\n}\n\ntype Pair struct {\n\tTo int32\n\tAt gocql.UUID\n}", "gocql.UUID is a type"},
		{"All map[gocql.UUID]string", "", "gocql.UUID is a type"},
		{"All map[string]gocql.UUID", "", "gocql.UUID is a type"},
		{"At ID", "type ID gocql.UUID", "ID is defined over a type"},
		{"At *ID", "type ID gocql.UUID", "ID is defined over a type"},
		{"At ID", "type Base gocql.UUID\n\ntype ID Base", "ID is defined over a type"},
		{"At ID", "type ID = gocql.UUID", "gocql.UUID is a type"},
		{"All IDs", "type IDs []gocql.UUID", "gocql.UUID is a type"},
		{"In Box[gocql.UUID] `aml:\",composition\"`", "type Box[T any] struct{ V T }", "Box[gocql.UUID] has a type argument"},
		{"In Label `aml:\",composition\"`", "type Label struct {\n\tID gocql.UUID\n}", "gocql.UUID is a type"},
		{"In Code[gocql.UUID]", "type Code[T any] string", "Code[gocql.UUID] has a type argument"},
		{"At Text `aml:\",type=text\"`", fmt.Sprintf(text, "gocql.TypeInfo", "gocql.TypeInfo"), "MarshalCQL of Text takes a type"},
		{"All []Text `aml:\",type=list<text>\"`", fmt.Sprintf(text, "gocql.TypeInfo", "gocql.TypeInfo"), "MarshalCQL of Text takes a type"},
		{"At Text `aml:\",type=text\"`", fmt.Sprintf(text, "any", "gocql.TypeInfo"), "UnmarshalCQL of Text takes a type"},
		{"At Text `aml:\",type=text\"`", fmt.Sprintf(text, "gocql.TypeInfo", "any"), "MarshalCQL of Text takes a type"},
	} {
		for other, path := range paths {
			m, faults := model.Build(imports.Source(t, "example.com/shop", fmt.Sprintf(head, path, c.field, c.types)))
			require.False(t, model.Refused(faults), "%v", faults)
			for driver := range paths {
				found, err := codegen.OtherDriver(m, codegen.Config{Driver: driver})
				require.NoError(t, err)
				if driver == other {
					require.Empty(t, found, c.field)
					continue
				}
				require.NotEmpty(t, found, c.field)
				line := 14
				if strings.Contains(c.types, "\tID") {
					line = 18
				}
				require.Contains(t, found[0].String(), fmt.Sprintf("model.go:%d:2: ", line))
				require.Contains(t, found[0].String(), c.what+" of "+path)
				require.Contains(t, found[0].String(), fmt.Sprintf("import gocql %q, or generate with the other -driver", paths[driver]))
			}
		}
	}
}

// A driver that does not exist is refused.
func TestDriverOfAStore(t *testing.T) {
	m, _ := model.Build(models.Folders(t, "testdata/golden/library")[0])
	_, _, err := codegen.Generate(m, schema.New(m), codegen.Config{Driver: "datastax"})
	require.EqualError(t, err, `codegen: there is no driver "datastax": use gocql or apache`)
}

func TestPrefixIsAName(t *testing.T) {
	m, _ := model.Build(models.Folders(t, "testdata/golden/library")[0])
	for _, prefix := range []string{"shop", "Sh op", "9", "_", "S-"} {
		_, _, err := codegen.Generate(m, schema.New(m), codegen.Config{Prefix: prefix})
		require.EqualError(t, err, `codegen: prefix "`+prefix+`" is not an exported Go name`)
	}
}
