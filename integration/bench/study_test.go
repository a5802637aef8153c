package main

import (
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen/alternatives"

	caller "github.com/cassaml/cassaml/integration/alternatives"
)

var quickStudy = flag.Bool("study", false, "measure a few designs against a server")

// A short run measures all steps, and writes all files and parts of the page. Processes that were killed leave no row that Reconcile does not repair.
func TestQuickStudy(t *testing.T) {
	if !*quickStudy {
		t.Skip("-study measures a few designs")
	}
	t.Chdir("../..")
	dir := t.TempDir()
	o, err := parse([]string{"-approaches", "-quick", "-roots", "1,10", "-out", filepath.Join(dir, "figures"), "-page", filepath.Join(dir, "page.md"), "-resume", filepath.Join(dir, "steps")}, t.Output())
	require.NoError(t, err)
	page, err := os.ReadFile("docs/study.md")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(o.page, page, 0o600))
	var out strings.Builder
	require.NoError(t, measureApproaches(t.Context(), o, &out, t.Output()))
	t.Log(out.String())
	for _, name := range []string{"approaches.json", "weights.json", "approachesmixes.json", "approachessizes.json", "approacheskills.json", "approaches.svg", "approaches-dark.svg"} {
		require.NotEmpty(t, read(t, o.out, name), name)
	}
	killedDesigns := decode[killed](t, o.out, "approacheskills.json")
	require.Len(t, killedDesigns, len(quickDesigns))
	for _, k := range killedDesigns {
		require.Positive(t, k.Operations, k.Design)
		require.Zero(t, k.Overlaps.After, k.Design)
		require.Zero(t, k.Rows.After, k.Design)
	}
	// A second run takes all results from the files of the first.
	again := strings.Builder{}
	require.NoError(t, measureApproaches(t.Context(), o, &again, io.Discard))
	require.Equal(t, out.String(), again.String())
}

// The lines of a process that was killed show which operations were interrupted, and which of these after a call.
func TestSteps(t *testing.T) {
	steps := caller.Step{Design: "pairs", Operation: "move"}.String() + // the first process: interrupted in the second call
		caller.Step{Design: "pairs", Operation: "move", Calls: 1}.String() +
		caller.Step{Design: "parts", Operation: "add"}.String() +
		caller.Step{Design: "parts", Operation: "add", Calls: 1, Done: true}.String() +
		"parts\tadd\t" + killedLine + // a line that was not written whole
		caller.Step{Design: "pairs", Operation: "move"}.String() + killedLine // the second process: in the first call
	file := filepath.Join(t.TempDir(), "steps")
	require.NoError(t, os.WriteFile(file, []byte(steps), 0o600))
	all := map[string]*killed{"pairs": {}, "parts": {}}
	require.NoError(t, countSteps(file, 2, all))
	require.Equal(t, killed{Interrupted: 2, Halves: 1}, *all["pairs"])
	require.Equal(t, killed{Operations: 1}, *all["parts"])
	require.Error(t, countSteps(file, 3, all))
}

// A step that an earlier run has completed is not repeated.
func TestCompletedStepsAreNotRepeated(t *testing.T) {
	s := &study{options: options{resume: filepath.Join(t.TempDir(), "steps")}, stderr: io.Discard}
	_, err := step(s, "sizes", func() ([]size, error) { return nil, io.ErrUnexpectedEOF })
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	want := []size{{Design: "pairs", Bytes: 5}}
	for _, results := range [][]size{want, nil} {
		got, err := step(s, "sizes", func() ([]size, error) { return results, nil })
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}

// A ratio has the least and the greatest ratio of a round.
func TestJudgementsHaveTheSpreadOfTheRounds(t *testing.T) {
	results := []caller.Measurement{
		{Design: "embedded-list", Operation: "change", Elements: 10, Calls: 2, CPU: 100, ServerCPU: 200, P50: 30, Rounds: []float64{200, 300, 400}},
		{Design: "pairs", Operation: "change", Elements: 10, Calls: 2, CPU: 50, ServerCPU: 50, P50: 60, Rounds: []float64{100, 100, 100}},
	}
	r := ratio{design: "embedded-list", to: "pairs", operation: alternatives.Change}
	require.Equal(t, "3.00 | 2.00 to 4.00 | 0.50 | no", r.row(results, 10))
	require.Empty(t, r.row(results, 100))
	for i := range results {
		results[i].Elements = 100 // few calls: the median times decide
	}
	require.Equal(t, "3.00 | 2.00 to 4.00 | 0.50 | yes", r.row(results, 100))
	for _, x := range []struct {
		expectation
		least, greatest float64
		want            string
	}{{cheaper, 0.5, 0.9, "yes"}, {cheaper, 0.5, 1.1, "no difference"}, {dearer, 0.5, 0.9, "no"}, {dearer, 1.1, 2, "yes"}, {equal, 0.7, 1.1, "yes"}, {equal, 2, 3, "no"}} {
		require.Equal(t, x.want, x.verdict((x.least+x.greatest)/2, x.least, x.greatest), "%+v", x)
	}
	require.InDelta(t, 0.5, spread(results[0].Rounds), 1e-9)
}
