package load_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/internal/source"
	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/aml/model"
)

// Errors of the compiler are reported with their texts and positions, except those that the generated file will fix. Each case has
// the refusals, or the structs that were read.
func TestSource(t *testing.T) {
	for _, c := range source.Cases(t, "testdata/source/*.txtar") {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			p, err := load.Load(context.Background(), c.Dir)
			if err != nil {
				require.ErrorAs(t, err, new(*load.SourceError))
				c.Want(t, "want", c.Local(err.Error()))
				return
			}
			c.Want(t, "want", "package "+p.Name+": "+structs(p))
		})
	}
}

func structs(p *model.Package) string {
	var out []string
	for _, s := range p.Structs {
		var fields []string
		for _, f := range s.Fields {
			fields = append(fields, f.Name)
		}
		out = append(out, s.Name+"("+strings.Join(fields, " ")+")")
	}
	return strings.Join(out, ", ")
}

func TestFolderWithoutPackage(t *testing.T) {
	module := source.Module(t)
	empty := filepath.Join(module, "empty")
	require.NoError(t, os.Mkdir(empty, 0o755))
	for dir, want := range map[string]string{
		empty:                            empty + ": no Go files; run it in the folder of the model",
		filepath.Join(module, "nowhere"): "load: " + module + "/nowhere is not a folder",
		filepath.Join(module, "go.mod"):  "load: " + module + "/go.mod is not a folder",
	} {
		_, err := load.Load(context.Background(), dir)
		require.EqualError(t, err, want)
	}
}

func TestLoadEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := load.Load(ctx, ".")
	require.ErrorIs(t, err, context.Canceled)
}

// Positions are relative to the working directory, so that an editor finds them.
func TestPlacesAreRelative(t *testing.T) {
	dir := filepath.Join(source.Module(t), "shop")
	require.NoError(t, os.Mkdir(dir, 0o755))
	text := "package shop\n\nimport \"github.com/cassaml/cassaml/aml\"\n\ntype A struct{ aml.Aggregate }\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "model.go"), []byte(text), 0o644))
	t.Chdir(filepath.Dir(dir))
	p, err := load.Load(context.Background(), "./shop")
	require.NoError(t, err)
	require.Equal(t, "shop/model.go:5:6", p.Structs[0].Pos.String())
	require.Equal(t, "example.com/shop/shop", p.Path)
}

// A package and its imports have the same file set.
func TestSourceKnowsThePlacesOfImports(t *testing.T) {
	imports := source.NewImporter()
	imports.Texts["example.com/geo"] = "package geo\n\ntype Point struct {\n\tX chan int\n}\n"
	text := "package shop\n\nimport (\n\t\"example.com/geo\"\n\t\"github.com/cassaml/cassaml/aml\"\n)\n\n" +
		"type A struct {\n\taml.Aggregate\n\n\tID    int32     `aml:\",identifier\"`\n\tPoint geo.Point `aml:\",composition\"`\n}\n"
	p, err := load.Source(imports.Fset, "example.com/shop", map[string][]byte{"model.go": []byte(text)}, imports)
	require.NoError(t, err)
	point := p.Structs[0].Fields[1].Type.Struct
	require.Equal(t, "example.com/geo:3:6", point.Pos.String())
	require.Equal(t, "example.com/geo:4:2", point.Fields[0].Pos.String())
	require.Equal(t, "model.go:8:6", p.Structs[0].Pos.String())
}

// A missing module is reported, without the compiler errors in the packages that import it.
func TestMissingModuleIsSaidOnce(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":       "module example.com/shop\n\ngo 1.26\n\nrequire example.com/away v1.0.0\n",
		"near/near.go": "package near\n\nimport \"example.com/away\"\n\nvar X = away.X\n\nvar Y = away.Y\n",
		"model.go":     "package shop\n\nimport (\n\t\"example.com/away\"\n\t\"example.com/shop/near\"\n)\n\nvar X, Y = away.X, near.X\n",
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	_, err := load.Load(t.Context(), dir)
	require.ErrorContains(t, err, "model.go:4:2: import example.com/away: missing go.sum entry for module providing package example.com/away")
	require.NotContains(t, err.Error(), "undefined")
	require.NotContains(t, err.Error(), "could not import")
}
