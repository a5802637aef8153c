package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/stretchr/testify/require"
)

// Each step has tests and flags that exist in its package, and every fuzz test of the project has a step.
func TestStepsHaveTestsAndFlags(t *testing.T) {
	fuzzed := 0
	for _, s := range slices.Concat(clusters, other, larger) {
		source := ""
		for _, dir := range strings.Fields(s.dirs) {
			source += testsOf(t, filepath.Join("..", "..", dir))
		}
		pattern, _, _ := strings.Cut(s.tests, "/") // the rest is of subtests
		names := 0
		for _, name := range regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`).FindAllStringSubmatch(source, -1) {
			if regexp.MustCompile(pattern).MatchString(name[1]) {
				names++
			}
		}
		require.Positive(t, names, "%s has no %s", s.dirs, s.tests)
		for _, f := range strings.Fields(s.flags) {
			switch name, _, _ := strings.Cut(strings.TrimPrefix(f, "-"), "="); {
			case isVariable(f):
				require.Contains(t, []string{cassandra.DriverVariable + "=apache", "CASSANDRA_VERSION=4.1.10", "CASSANDRA_HOSTS="}, f)
				require.Contains(t, source, "suite.Main(m)")
			case name == "fuzztime":
				fuzzed++
			case name == "tags":
				require.Contains(t, source, "//go:build "+strings.TrimPrefix(f, "-tags="))
			case strings.HasPrefix(name, "rapid."):
				require.Contains(t, source, "rapid.Check", "%s %s", s.dirs, f)
			default:
				require.Contains(t, source, `"`+name+`"`, "%s has no flag -%s", s.dirs, name)
			}
		}
	}
	all := 0
	require.NoError(t, filepath.WalkDir(filepath.Join("..", ".."), func(path string, _ os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, "_test.go") && !strings.Contains(path, "testdata") {
			text, readErr := os.ReadFile(path)
			require.NoError(t, readErr)
			all += len(regexp.MustCompile(`(?m)^func Fuzz\w+\(f \*testing\.F\)`).FindAll(text, -1))
		}
		return err
	}))
	require.Equal(t, all, fuzzed)
}

func testsOf(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	require.NoError(t, err)
	var all strings.Builder
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		all.Write(text)
	}
	return all.String()
}

func TestOptions(t *testing.T) {
	require.EqualError(t, run(t.Context(), 0, false, nil, &bytes.Buffer{}), "-rounds 0: at least 1")
	require.EqualError(t, run(t.Context(), 1, false, []string{"x"}, &bytes.Buffer{}), `unknown argument "x": -rounds, -other and -version are the only flags`)
}

// The steps of two sequences run at the same time: each waits here for one of the other sequence. A failure does not end a sequence, fuzzing
// begins with the second round, and nothing runs after the context has ended.
func TestSequencesRunBesideEachOther(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	met := make(chan string)
	var seeds []int64
	beside := sequence{steps: clusters[:2], do: func(s step, seed int64) bool { met <- s.tests; return seed == 2 }}
	others := sequence{steps: append(other[:2:2], step{"./aml/model", "^FuzzTag$", ""}), do: func(s step, seed int64) bool {
		if seeds = append(seeds, seed); !s.fuzzes() {
			<-met
		}
		return true
	}}
	runRounds(ctx, 2, &beside, &others)
	require.Equal(t, []int64{1, 1, 2, 2, 2}, seeds)
	require.Equal(t, []int{4, 2, 5, 0}, []int{beside.ran, beside.failed, others.ran, others.failed})
	cancel()
	others.run(ctx, 1)
	require.Equal(t, 5, others.ran)
}
