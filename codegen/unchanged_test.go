package codegen_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/codegen"
	"github.com/cassaml/cassaml/internal/models"
)

// checkedModel has an option of each kind.
const checkedModel = `package shop

import "github.com/cassaml/cassaml/aml"

type Customer struct {
	aml.Aggregate ` + "`aml:\"customers,comment='who buys'\"`" + `

	ID      int32     ` + "`aml:\"id,identifier\" json:\"id\"`" + `
	Name    string    ` + "`aml:\"name,required\"`" + `
	Email   string
	Level   Level     ` + "`aml:\"level,enum\"`" + `
	Points  Points
	Badge   Badge
	Status  Status    ` + "`aml:\"status\"`" + `
	Phones  []string  ` + "`aml:\"phones,min=1,max=3\"`" + `
	Scores  map[Game]int64 ` + "`aml:\"scores,max=9\"`" + `
	Home    Address   ` + "`aml:\"home,composition\"`" + `
	Parcels []Parcel  ` + "`aml:\"parcels,composition,max=5\"`" + `
	Places  []Pair    ` + "`aml:\"places,type=tuple,max=2\"`" + `
	Note    string    ` + "`aml:\"note,secret\"`" + `
	shared
}

type shared struct {
	Ref string ` + "`aml:\"ref,type=ascii\"`" + `
}

type Pair struct {
	X, Y int32
	Text string ` + "`aml:\"text,type=ascii\"`" + `
}

type Address struct {
	aml.ValueObject ` + "`aml:\"address\"`" + `

	Street, City string
	ZIP string ` + "`aml:\"zip\"`" + `
}

type Parcel struct {
	aml.Entity ` + "`aml:\"parcel\"`" + `

	ID     int32 ` + "`aml:\"id,identifier\"`" + `
	Weight int64
}

type GoldCustomer struct {
	aml.Aggregate ` + "`aml:\"gold_customers,redundant=Customer,when='Customer.Status = Gold'\"`" + `

	ID   int32  ` + "`aml:\"id,identifier\"`" + `
	Name string ` + "`aml:\"name\"`" + `
}

type CustomerName struct {
	aml.Aggregate ` + "`aml:\",of=Customer\"`" + `

	Name string
	Note string ` + "`aml:\",secret\"`" + `
}

type Level int32

const (
	Low  Level = 1
	High Level = 2
)

type (
	Points int64
	Badge  string
	Game   string
)

type Status string

const (
	Gold   Status = "gold"
	Silver Status = "silver"
)
`

// After each change of an option, a name, a constant or a type, the stale generated file does not compile. It can be generated again.
func TestChangesDoNotCompile(t *testing.T) {
	known, err := models.Load(".", "context", "fmt", "iter", "github.com/cassaml/cassaml/aml", "github.com/cassaml/cassaml/mapper", "github.com/cassaml/cassaml/mapper/driver/gocqldriver", "github.com/cassaml/cassaml/mapper/gen",
		"github.com/gocql/gocql", "github.com/scylladb/gocqlx/v2")
	require.NoError(t, err)
	const path = "example.com/shop"
	store := func(t *testing.T, model string) string {
		t.Helper()
		source, faults := generate(t, known.Source(t, path, model), codegen.Config{})
		require.Empty(t, faults)
		return string(source)
	}
	compile := func(model, generated string) []types.Error { return typeErrors(t, known, path, model, generated) }
	stored := store(t, checkedModel)
	require.Empty(t, compile(checkedModel, stored))
	for _, change := range [][2]string{
		{`aml:"customers,comment`, `aml:"clients,comment`},
		{`comment='who buys'`, `comment='buyers'`},
		{`"customers,comment='who buys'"`, `"customers,gc_grace=3600"`},
		{`aml:"id,identifier" json`, `aml:"key,identifier" json`},
		{`aml:"name,required"`, `aml:"name"`},
		{`aml:"name,required"`, `aml:"full_name,required"`},
		{"Email   string", "Email   string `aml:\"mail\"`"},
		{"Email   string", "Email   string `aml:\"email,required\"`"},
		{`aml:"level,enum"`, `aml:"level"`},
		{`min=1,max=3`, `min=2,max=3`},
		{`min=1,max=3`, `min=1,max=4`},
		{`aml:"phones,min=1,max=3"`, `aml:"phones,min=1,max=3,unique"`},
		{`"scores,max=9"`, `"scores,max=9,final"`},
		{`"parcels,composition,max=5"`, `"parcels,composition,max=6"`},
		{`"home,composition"`, `"home,composition,final"`},
		{`"home,composition"`, `"house,composition"`},
		{`aml:"note,secret"`, `aml:"note"`},
		{`aml:"ref,type=ascii"`, `aml:"ref"`},
		{`aml:"text,type=ascii"`, `aml:"text"`},
		{`aml:"address"`, `aml:"postal_address"`},
		{`aml:"zip"`, `aml:"postcode"`},
		{`aml:"parcel"`, `aml:"packet"`},
		{`aml:"id,identifier"` + "`\n\tWeight", `aml:"nr,identifier"` + "`\n\tWeight"},
		{`aml:"gold_customers,`, `aml:"gold,`},
		{`Customer.Status = Gold`, `Customer.Status = Silver`},
		{`aml:"name"` + "`\n}", `aml:"called"` + "`\n}"},
		{`aml:",secret"`, `aml:""`},
		{`High Level = 2`, `High Level = 3`},
		{`High Level = 2`, `Highest Level = 2`},
		{`Gold   Status = "gold"`, `Gold   Status = "GOLD"`},
		{`type Level int32`, `type Level int64`},
		{`Points int64`, `Points int32`},
		{`Badge  string`, `Badge  int32`},
		{`Game   string`, `Game   int64`},
		{"X, Y int32", "X, Y int64"},
	} {
		t.Run(change[0]+" "+change[1], func(t *testing.T) {
			require.Equal(t, 1, strings.Count(checkedModel, change[0]))
			changed := strings.Replace(checkedModel, change[0], change[1], 1)
			faults := compile(changed, stored)
			require.NotEmpty(t, faults)
			for _, f := range faults {
				at := f.Fset.Position(f.Pos)
				require.Equal(t, load.Generated, at.Filename, f.Msg)
			}
			now := store(t, changed)
			require.NotEqual(t, stored, now)
			require.Empty(t, compile(changed, now))
		})
	}
}

// typeErrors returns the errors of the type checker for a package of a model and its generated file.
func typeErrors(t *testing.T, known *models.Imports, path, model, generated string) (out []types.Error) {
	t.Helper()
	fset := token.NewFileSet()
	var files []*ast.File
	for _, f := range [][2]string{{"model.go", model}, {load.Generated, generated}} {
		file, err := parser.ParseFile(fset, f[0], f[1], parser.SkipObjectResolution)
		require.NoError(t, err)
		files = append(files, file)
	}
	config := types.Config{Importer: known, Error: func(err error) { out = append(out, err.(types.Error)) }}
	_, _ = config.Check(path, fset, files, nil) // every error is in out
	return out
}

// In the stored models, the generated file compares all tags of each struct whose fields it compares: a change of any tag is reported.
func TestEveryTagIsCompared(t *testing.T) {
	for name := range golden {
		dir := filepath.Join("testdata", "golden", name)
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, filepath.Join(dir, load.Generated), nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		var compared []string
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
				v := g.Specs[0].(*ast.ValueSpec)
				if s, ok := v.Type.(*ast.StructType); ok && v.Names[0].Name == "_" {
					compared = append(compared, tags(s)...)
				}
			}
		}
		m, err := parser.ParseFile(fset, filepath.Join(dir, "model.go"), nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, d := range m.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE {
				for _, s := range g.Specs {
					if s, ok := s.(*ast.TypeSpec).Type.(*ast.StructType); ok && len(tags(s)) > 0 {
						require.Subset(t, compared, tags(s), name)
					}
				}
			}
		}
		require.NotEmpty(t, compared, name)
	}
}

// tags returns the tags of a struct.
func tags(s *ast.StructType) (out []string) {
	for _, f := range s.Fields.List {
		if f.Tag != nil {
			out = append(out, f.Tag.Value)
		}
	}
	return out
}
