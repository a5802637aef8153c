package explain_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/explain"
	"github.com/cassaml/cassaml/codegen/explain/outline"
	"github.com/cassaml/cassaml/internal/models"
	"github.com/cassaml/cassaml/internal/pagetest"
)

var update = flag.Bool("update", false, "write the golden files instead of comparing with them")

const examples = "../../examples"

// exampleFolders returns the folders of the models of the examples.
func exampleFolders(t *testing.T) (dirs []string) {
	t.Helper()
	for _, pattern := range []string{"*", "*/*", "*/*/*"} {
		files, err := filepath.Glob(filepath.Join(examples, pattern, "model.go"))
		require.NoError(t, err)
		for _, f := range files {
			dirs = append(dirs, filepath.Dir(f))
		}
	}
	require.NotEmpty(t, dirs)
	return dirs
}

// golden returns the golden file of the model in a folder of the examples.
func golden(t *testing.T, dir string) string {
	t.Helper()
	name, err := filepath.Rel(examples, dir)
	require.NoError(t, err)
	return filepath.Join("testdata", strings.ReplaceAll(filepath.ToSlash(name), "/", "-")+".txt")
}

// Each example has a golden file with the output of aml explain, and its model has no faults and no warnings.
func TestExplanationsOfTheExamples(t *testing.T) {
	dirs := exampleFolders(t)
	var want []string
	for i, p := range models.Folders(t, dirs...) {
		m, faults := model.Build(p)
		require.Empty(t, faults, "an example has no warnings: users copy it")
		folder, err := filepath.Abs(dirs[i])
		require.NoError(t, err)
		got := strings.ReplaceAll(outline.Store(explain.New(m, schema.New(m))).String(), folder+string(filepath.Separator), "") // positions are absolute
		file := golden(t, dirs[i])
		want = append(want, file)
		if *update {
			require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
			continue
		}
		text, err := os.ReadFile(file)
		require.NoError(t, err, "go test ./codegen/explain -update writes it")
		pagetest.Equal(t, file, got, string(text), "go test ./codegen/explain -update")
	}
	have, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	require.ElementsMatch(t, want, have, "a golden file without its example")
}
