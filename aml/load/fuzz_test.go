package load_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/cassaml/cassaml/aml/internal/source"
	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// FuzzSource applies the whole language to any Go source: nothing panics, every diagnostic has a position in the source, and an
// accepted model has each option at most once and results in a schema.
func FuzzSource(f *testing.F) {
	for _, pattern := range []string{"testdata/*/*.txtar", "../schema/testdata/*.txtar"} {
		files, err := filepath.Glob(pattern)
		require.NoError(f, err)
		require.NotEmpty(f, files)
		for _, name := range files {
			a, err := txtar.ParseFile(name)
			require.NoError(f, err)
			for _, x := range a.Files {
				if filepath.Ext(x.Name) == ".go" {
					f.Add(x.Data)
				}
			}
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		imports := source.NewImporter()
		p, err := load.Source(imports.Fset, "example.com/shop", map[string][]byte{"model.go": text}, imports)
		if err != nil {
			return
		}
		m, faults := model.Build(p)
		for _, d := range faults {
			require.Positive(t, d.Pos.Line, d)
			require.NotEmpty(t, d.What)
			require.NotEmpty(t, d.Fix)
		}
		for _, a := range m.Aggregates {
			requireOnce(t, a.Tag)
			requireTags(t, a.Attributes)
		}
		for _, o := range m.Objects {
			requireTags(t, o.Attributes)
		}
		if !model.Refused(faults) {
			model.NotExecuted(m)
			require.NotContains(t, schema.New(m).CQL(), "<nil>")
		}
	})
}

func requireTags(t *testing.T, in []*model.Attribute) {
	for _, a := range in {
		requireOnce(t, a.Tag)
	}
}

// requireOnce requires that a tag has every option at most once, and can be written and read again.
func requireOnce(t *testing.T, tag model.Tag) {
	again, err := model.ParseTag(model.Literal{Text: tag.String()})
	require.NoError(t, err, tag.String())
	require.Equal(t, tag.Name, again.Name)
	require.Len(t, again.Options, len(tag.Options))
	seen := map[string]bool{}
	for i, o := range tag.Options {
		require.False(t, seen[o.Key], "%s is accepted twice in %s", o.Key, tag)
		seen[o.Key] = true
		again.Options[i].Pos = o.Pos
		require.Equal(t, o, again.Options[i])
	}
}
