package diff_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/internal/models"
	"github.com/cassaml/cassaml/migrate/catalog"
	"github.com/cassaml/cassaml/migrate/diff"
	"github.com/cassaml/cassaml/migrate/folder"
)

// modelsIn returns the schemas of the models in folders.
func modelsIn(t *testing.T, dirs ...string) []*schema.Schema {
	t.Helper()
	var out []*schema.Schema
	for i, p := range models.Folders(t, dirs...) {
		m, faults := model.Build(p)
		require.False(t, model.Refused(faults), "%s: %v", dirs[i], faults)
		out = append(out, schema.New(m))
	}
	return out
}

// after returns the keyspace of a folder with one migration for each list of steps.
func after(t *testing.T, migrations ...[]string) *catalog.Keyspace {
	t.Helper()
	fsys := fstest.MapFS{}
	for i, steps := range migrations {
		if len(steps) == 0 {
			continue
		}
		name, err := folder.FileName(i+1, "step")
		require.NoError(t, err)
		fsys[name] = &fstest.MapFile{Data: []byte(text(steps))}
	}
	files, err := folder.Read(fsys)
	require.NoError(t, err)
	k, err := catalog.Replay(files)
	require.NoError(t, err)
	return k
}

// text returns the file of some steps; a directive ends with its line.
func text(steps []string) string {
	var out strings.Builder
	for _, s := range steps {
		if last := s[strings.LastIndexByte(s, '\n')+1:]; !strings.HasPrefix(last, "-- aml:") {
			s += ";"
		}
		out.WriteString(s + "\n")
	}
	return out.String()
}

// For any two models there is a plan, or there are refusals with positions; and the plan, written to a file, results in the model.
func TestPlansOfAllPairs(t *testing.T) {
	var names []string
	for _, pattern := range []string{"testdata/*/model.go", "../../examples/*/model.go", "../../examples/*/*/model.go", "../../examples/*/*/*/model.go", "../../integration/*/model.go"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, f := range files {
			if dir := filepath.Dir(f); !strings.Contains(dir, "corpus") {
				names = append(names, dir)
			}
		}
	}
	all := modelsIn(t, names...)
	require.Greater(t, len(all), 20)
	refused, reached := 0, 0
	for i, from := range all {
		start := after(t, from.Statements())
		for j, to := range all {
			plan, err := diff.Diff(start, to)
			if errors.Is(err, diff.ErrRefused) {
				require.NotEqual(t, i, j)
				for line := range strings.Lines(err.Error()) {
					require.Regexp(t, `\w+\.go:\d+:\d+: MIG0\d\d: .+; .+`, line)
				}
				refused++
				continue
			}
			require.NoError(t, err, "%s to %s", names[i], names[j])
			if i == j {
				require.Empty(t, plan.Steps, names[i])
				continue
			}
			reached++
			again, err := diff.Diff(after(t, from.Statements(), plan.Text()), to)
			require.NoError(t, err, "%s to %s", names[i], names[j])
			require.Empty(t, again.String(), "%s to %s", names[i], names[j])
		}
	}
	require.Greater(t, refused, 10)
	require.Greater(t, reached, 100)
}

func TestDiffDoesNotModifyItsInput(t *testing.T) {
	both := modelsIn(t, "../../examples/vehicles/approach3/fleet", "../../examples/vehicles/approach8/fleet")
	start := after(t, both[0].Statements())
	before := start.Clone()
	_, err := diff.Diff(start, both[1])
	if err != nil {
		require.ErrorIs(t, err, diff.ErrRefused)
	}
	require.Equal(t, before, start)
}
