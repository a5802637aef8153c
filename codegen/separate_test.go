package codegen_test

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/codegen"
	"github.com/cassaml/cassaml/internal/models"
)

// What a store in a package of its own cannot use is refused, at the line of its declaration, once.
func TestUnreachableNames(t *testing.T) {
	imports, err := models.Load(".", "sync", "github.com/cassaml/cassaml/aml")
	require.NoError(t, err)
	require.NoError(t, imports.Add("example.com/other/internal/money", "money.go", []byte("package money\n\ntype Cents int64\n")))
	require.NoError(t, imports.Add("example.com/shop/internal/near", "near.go", []byte("package near\n\ntype Name string\n")))
	const head = "package shop\n\nimport (\n\t\"sync\"\n\n\t\"example.com/other/internal/money\"\n\t\"example.com/shop/internal/near\"\n\t\"github.com/cassaml/cassaml/aml\"\n)\n\n" +
		"var (\n\t_ sync.Once\n\t_ money.Cents\n\t_ near.Name\n)\n\n"
	const export = " is not exported, and package example.com/shop/store has the store, which needs it; export it, or generate the store in the package of the model"
	const root = "type Note struct {\n\taml.Aggregate `aml:\"notes\"`\n\n\tID int32 `aml:\"id,identifier\"`\n\t" // lines 17 to 21
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"root", "type note struct {\n\taml.Aggregate `aml:\"notes\"`\n\n\tID int32 `aml:\"id,identifier\"`\n}", []string{"model.go:17:6: AML507: type note" + export}},
		{"key", "type Note struct {\n\taml.Aggregate `aml:\"notes\"`\n\n\tID id `aml:\"id,identifier\"`\n}\n\ntype id int32", []string{"model.go:23:6: AML507: type id" + export}},
		{"type of a field", root + "In, Out state\n}\n\ntype state string", []string{"model.go:24:6: AML507: type state" + export}},
		{"pointer", root + "State *state\n}\n\ntype state string", []string{"model.go:24:6: AML507: type state" + export}},
		{"element", root + "All []state `aml:\",max=3\"`\n}\n\ntype state string", []string{"model.go:24:6: AML507: type state" + export}},
		{"key and value of a map", root + "All map[state]kind `aml:\",max=3\"`\n}\n\ntype state string\n\ntype kind string",
			[]string{"model.go:24:6: AML507: type state" + export, "model.go:26:6: AML507: type kind" + export}},
		{"composition", root + "Home home `aml:\",composition\"`\n}\n\ntype home struct{ City string }", []string{"model.go:24:6: AML507: type home" + export}},
		{"in a composition", root + "Home Home `aml:\",composition\"`\n}\n\ntype Home struct{ City city }\n\ntype city string", []string{"model.go:26:6: AML507: type city" + export}},
		{"embedded struct", root + "audit\n}\n\ntype audit struct{ By string }", []string{"model.go:21:2: AML507: embedded struct audit" + export}},
		{"method", root + "Text string\n}\n\nfunc (n *Note) size() int32 { return 0 }\n\ntype Size struct {\n\taml.Aggregate `aml:\"sizes,redundant=Note\"`\n\n\tSize int32 `aml:\"size,identifier,from=Note.size()\"`\n\tID   int32 `aml:\"id,discriminator\"`\n}",
			[]string{"model.go:24:16: AML507: method size of Note" + export}},
		{"internal package", root + "Price money.Cents\n}", []string{"model.go:21:2: AML507: Cents is a type of the internal package example.com/other/internal/money, which package example.com/shop/store cannot import; " +
			"write the store to a folder that can import it, or use a type of another package"}},
		{"internal package of the same folder", root + "Name near.Name\n}", nil},
		{"field that is left out", root + "once sync.Once `aml:\"-\"`\n}", nil},
		{"constant", root + "State State `aml:\",enum\"`\n}\n\ntype State string\n\nconst open State = \"open\"", nil},
		{"type that the store does not name", root + "}\n\ntype state string\n\nfunc (n *Note) state() state { return \"\" }", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := imports.Source(t, "example.com/shop", head+c.text+"\n")
			source, faults := generate(t, p, codegen.Config{Package: &codegen.Package{Path: "example.com/shop/store", Name: "store"}})
			var lines []string
			for _, f := range faults {
				lines = append(lines, f.String())
			}
			require.Equal(t, c.want, lines)
			require.Equal(t, len(c.want) == 0, source != nil)
			_, faults = generate(t, p, codegen.Config{})
			require.Empty(t, faults, "the package of the model can use all names")
		})
	}
}

// The store of each model compiles in a package of its own, or its names are refused.
func TestSeparateStoresCompile(t *testing.T) {
	dirs := goldenDirs()
	more, err := filepath.Glob("../integration/models/*/model.go")
	require.NoError(t, err)
	for _, file := range more {
		if dir := filepath.Dir(file); !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	stores, paths := map[string][]byte{}, []string(nil)
	for i, p := range models.Folders(t, dirs...) {
		config := golden[filepath.Base(dirs[i])]
		config.Package = &codegen.Package{Path: p.Path + "/separate", Name: "separate"}
		source, faults := generate(t, p, config)
		for _, f := range faults {
			require.Equal(t, model.RuleUnreachable.Code, f.Rule.Code, f)
		}
		if source != nil {
			stores[config.Package.Path], paths = source, append(paths, imported(t, source)...)
		}
	}
	require.Greater(t, len(stores), 30)
	imports, err := models.Load(".", paths...)
	require.NoError(t, err)
	for path, source := range stores {
		require.NoError(t, imports.Add(path, "aml_gen.go", source))
	}
}

// imported returns the import paths of a file.
func imported(t *testing.T, source []byte) (out []string) {
	f, err := parser.ParseFile(token.NewFileSet(), "", source, parser.ImportsOnly)
	require.NoError(t, err)
	for _, i := range f.Imports {
		path, err := strconv.Unquote(i.Path.Value)
		require.NoError(t, err)
		out = append(out, path)
	}
	return out
}
