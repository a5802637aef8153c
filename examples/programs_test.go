package examples

import (
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/internal/pagetest"
)

// Every program uses the model in its own folder.
func TestProgramsUseTheirOwnModel(t *testing.T) {
	out, err := exec.Command("go", "list", "-json=Name,ImportPath,Imports", "./...").Output()
	require.NoError(t, err)
	programs := 0
	for d := json.NewDecoder(strings.NewReader(string(out))); d.More(); {
		var p struct {
			Name, ImportPath string
			Imports          []string
		}
		require.NoError(t, d.Decode(&p))
		if p.Name != "main" {
			continue
		}
		programs++
		own := func(name string) bool { return strings.HasPrefix(name, p.ImportPath+"/") }
		foreign := func(name string) bool {
			return strings.Contains(name, "/examples/") && !strings.Contains(name, "/examples/internal/") && !own(name)
		}
		require.True(t, slices.ContainsFunc(p.Imports, own), "%s imports no package below it: %v", p.ImportPath, p.Imports)
		require.False(t, slices.ContainsFunc(p.Imports, foreign), "%s imports the model of another: %v", p.ImportPath, p.Imports)
	}
	require.Equal(t, 26, programs)
}

// The program in docs/testing.md is the file server_test.go.
func TestPageOfTestsHasThisProgram(t *testing.T) {
	requireOnPage(t, "testing.md", "server_test.go", "package examples\n", "package service\n")
}

// The programs in docs/reading.md are the files scan_test.go and reading_test.go.
func TestPageOfReadsHasThisProgram(t *testing.T) {
	requireOnPage(t, "reading.md", "scan_test.go", "package examples\n", "package main\n", "func Example_scan()", "func main()")
	requireOnPage(t, "reading.md", "reading_test.go", "package examples\n", "package main\n", "func Example_reading()", "func main()")
}

// The programs in docs/observability.md are the files opentelemetry_test.go and prometheus_test.go.
func TestPageOfTelemetryHasThesePrograms(t *testing.T) {
	requireOnPage(t, "observability.md", "opentelemetry_test.go", "package examples\n", "package main\n", "func Example_opentelemetry()", "func main()")
	requireOnPage(t, "observability.md", "prometheus_test.go", "package examples\n", "package main\n", "func Example_prometheus()", "func main()")
}

// The program in docs/queries.md is the file queries_test.go.
func TestPageOfQueriesHasThisProgram(t *testing.T) {
	requireOnPage(t, "queries.md", "queries_test.go", "package examples\n", "package main\n", "func Example_queries()", "func main()")
}

// The model in README.md and docs/start.md is the model of the quickstart.
func TestPagesHaveTheModelOfTheQuickstart(t *testing.T) {
	model, err := os.ReadFile("quickstart/shop/model.go")
	require.NoError(t, err)
	_, commands, found := strings.Cut(string(model), "\n//go:generate ")
	require.True(t, found)
	_, structs, found := strings.Cut(commands, "\n\n")
	require.True(t, found)
	for _, page := range []string{"README.md", "docs/start.md"} {
		text, err := os.ReadFile("../" + page)
		require.NoError(t, err)
		pagetest.Contains(t, page, string(text), "```go\n"+structs+"```\n")
	}
}

// The code at the top of docs/consistency.md is the code of the booking service.
func TestPageHasTheBookingService(t *testing.T) {
	page, err := os.ReadFile("../docs/consistency.md")
	require.NoError(t, err)
	section, _, found := strings.Cut(string(page), "\n## ")
	require.True(t, found)
	var source strings.Builder
	for _, file := range []string{"model.go", "service.go"} {
		text, err := os.ReadFile("booking/hotel/" + file)
		require.NoError(t, err)
		source.Write(text)
	}
	blocks := strings.Split(section, "```go\n")[1:]
	require.Len(t, blocks, 2)
	for _, block := range blocks {
		code, _, _ := strings.Cut(block, "```")
		pagetest.Contains(t, "examples/booking/hotel", source.String(), code)
	}
}

// requireOnPage requires the text of a file on a page of docs, with replacements.
func requireOnPage(t *testing.T, page, file string, replacements ...string) {
	t.Helper()
	source, err := os.ReadFile(file)
	require.NoError(t, err)
	text, err := os.ReadFile("../docs/" + page)
	require.NoError(t, err)
	pagetest.Contains(t, "docs/"+page, string(text), strings.NewReplacer(replacements...).Replace(string(source)))
}
