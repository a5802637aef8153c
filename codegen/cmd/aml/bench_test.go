package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkGenerate generates the store of one package of many aggregates after a change of its source, beside `go vet`
// of the same package after such a change. Its goals: at most 1.5 times go vet at 100 aggregates, and linear from there.
//
//	go test ./codegen/cmd/aml -run '^$' -bench Generate -benchtime 10x
func BenchmarkGenerate(b *testing.B) {
	root, err := filepath.Abs("../../..")
	require.NoError(b, err)
	for _, n := range []int{100, 1000} {
		dir := manyAggregates(b, root, n)
		b.Chdir(dir)
		generated := func() { require.Zero(b, run(b.Context(), []string{"generate"}, io.Discard, io.Discard)) }
		vetted := func() { require.NoError(b, exec.Command("go", "vet", ".").Run()) }
		generated()
		tidy(b)
		vetted()
		b.Run(fmt.Sprintf("aggregates=%d/generate", n), func(b *testing.B) { afterChanges(b, generated) })
		b.Run(fmt.Sprintf("aggregates=%d/vet", n), func(b *testing.B) { afterChanges(b, vetted) })
	}
}

// afterChanges does something again and again, each time after a change of the source, which is not timed.
func afterChanges(b *testing.B, do func()) {
	source, err := os.ReadFile("model.go")
	require.NoError(b, err)
	for i := range b.N {
		b.StopTimer()
		require.NoError(b, os.WriteFile("model.go", fmt.Appendf(source[:len(source):len(source)], "// %d\n", i), 0o644))
		b.StartTimer()
		do()
	}
}

func tidy(b *testing.B) {
	out, err := exec.Command("go", "mod", "tidy").CombinedOutput()
	require.NoError(b, err, "%s", out)
}

// manyAggregates writes a module with one package of n aggregates: roots, and a redundant table for each.
func manyAggregates(b *testing.B, root string, n int) string {
	b.Helper()
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	require.NoError(b, err)
	var source strings.Builder
	source.WriteString("package many\n\nimport (\n\t\"time\"\n\n\t\"github.com/cassaml/cassaml/aml\"\n)\n")
	for i := range n / 2 {
		fmt.Fprintf(&source, aggregatePair, i)
	}
	dir := b.TempDir()
	for name, text := range map[string]string{
		"go.mod":   fmt.Sprintf("module example.com/many\n\ngo 1.26.0\n\nreplace github.com/cassaml/cassaml => %s\n\nrequire github.com/cassaml/cassaml v0.0.0\n", root),
		"go.sum":   string(sums),
		"model.go": source.String(),
	} {
		require.NoError(b, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	return dir
}

const aggregatePair = `
// Root%[1]d is a root.
type Root%[1]d struct {
	aml.Aggregate

	Venue    string              ` + "`aml:\",identifier\"`" + `
	Year     int32               ` + "`aml:\",discriminator,desc\"`" + `
	ID       int64               ` + "`aml:\",discriminator\"`" + `
	Title    string              ` + "`aml:\",required\"`" + `
	Authors  []string            ` + "`aml:\",max=10\"`" + `
	Keywords map[string]struct{} ` + "`aml:\",max=10\"`" + `
	Pages    int32
	Score    float64
	Open     bool
	Added    time.Time
	Parts    map[string]Part%[1]d ` + "`aml:\",composition,max=10\"`" + `
}

// Part%[1]d is composed.
type Part%[1]d struct {
	Name string
	Size int64
}

// Copy%[1]d has the same rows under another key.
type Copy%[1]d struct {
	aml.Aggregate ` + "`aml:\",redundant=Root%[1]d\"`" + `

	Title   string ` + "`aml:\",identifier\"`" + `
	Venue   string ` + "`aml:\",discriminator\"`" + `
	Year    int32  ` + "`aml:\",discriminator\"`" + `
	ID      int64  ` + "`aml:\",discriminator\"`" + `
	Score   float64
	Authors []string
}
`
