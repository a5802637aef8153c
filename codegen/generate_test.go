package codegen_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen"
)

var update = flag.Bool("update", false, "write what is instead of comparing it with what was")

// golden are packages of this module whose generated file is stored beside the model.
var golden = map[string]codegen.Config{"library": {}, "fleet": {}, "every": {}, "foreign": {}, "own": {}, "prefix": {Prefix: "Shop"}}

func TestGolden(t *testing.T) {
	for name, config := range golden {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join("testdata", "golden", name)
			got, faults := generate(t, dir, config)
			require.Empty(t, faults)
			want(t, filepath.Join(dir, load.Generated), got)
		})
	}
}

func generate(t *testing.T, dir string, config codegen.Config) ([]byte, []model.Diagnostic) {
	p, err := load.Load(context.Background(), dir)
	require.NoError(t, err)
	m, faults := model.Build(p)
	require.False(t, model.Refused(faults), faults)
	source, faults, err := codegen.Generate(m, schema.Of(m), config)
	require.NoError(t, err)
	return source, faults
}

// want compares with a stored file, or stores it.
func want(t *testing.T, file string, got []byte) {
	if *update {
		require.NoError(t, os.WriteFile(file, got, 0o644))
		return
	}
	stored, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(stored), string(got), "%s; go test -update writes it", file)
}

// The stored files compile beside their models, pass vet, and code values as they should: the packages have tests.
func TestGoldenCompiles(t *testing.T) {
	for _, args := range [][]string{{"vet", "./testdata/golden/..."}, {"test", "./testdata/golden/..."}} {
		out, err := exec.Command("go", args...).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
}

// The same model gives the same bytes, whatever order maps are walked in.
func TestGenerateIsDeterministic(t *testing.T) {
	first, _ := generate(t, "testdata/golden/foreign", codegen.Config{})
	for range 5 {
		again, _ := generate(t, "testdata/golden/foreign", codegen.Config{})
		require.True(t, bytes.Equal(first, again))
	}
}

// Generated code is read in reviews, so it stays short: a table of twelve columns and two clustering columns, everything
// after the store that has it.
func TestGeneratedTableIsShort(t *testing.T) {
	source, _ := generate(t, "testdata/golden/library", codegen.Config{})
	_, table, found := bytes.Cut(source, []byte("\n// ---- artifacts_by_venue "))
	require.True(t, found)
	require.Less(t, bytes.Count(table, []byte("\n")), 200)
}

// Each folder is a package with names that the generated file would declare once more.
func TestCollisions(t *testing.T) {
	dirs, err := filepath.Glob("testdata/collision/*")
	require.NoError(t, err)
	require.NotEmpty(t, dirs)
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			source, faults := generate(t, dir, codegen.Config{})
			require.Nil(t, source)
			var lines []string
			for _, f := range faults {
				lines = append(lines, strings.ReplaceAll(f.String(), dir+string(filepath.Separator), ""))
			}
			want(t, filepath.Join(dir, "want"), []byte(strings.Join(lines, "\n")+"\n"))
		})
	}
}

func TestPrefixIsAName(t *testing.T) {
	p, err := load.Load(context.Background(), "testdata/golden/library")
	require.NoError(t, err)
	m, _ := model.Build(p)
	for _, prefix := range []string{"shop", "Sh op", "9", "_", "S-"} {
		_, _, err := codegen.Generate(m, schema.Of(m), codegen.Config{Prefix: prefix})
		require.EqualError(t, err, `codegen: prefix "`+prefix+`" is not an exported Go name`)
	}
}
