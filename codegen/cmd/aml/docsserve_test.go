//go:build unix

package main

import (
	"bufio"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// aml docs -serve follows the files of the model and of the migrations, prints and shows diagnostics, writes nothing, and ends with exit
// code 0.
func TestDocsServe(t *testing.T) {
	dir := signalModule(t)
	names := func() []string { return slices.Sorted(maps.Keys(tree(t, dir))) }
	before := names()
	c := interruptible(t, dir, "docs", "-serve", "./...")
	c.Stdout = nil
	out, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	t.Cleanup(func() { _ = c.Process.Kill() })
	url, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	url = strings.TrimSpace(url)
	get := func(path string) string {
		a, err := http.Get(url + path)
		require.NoError(t, err)
		defer a.Body.Close()
		body, err := io.ReadAll(a.Body)
		require.NoError(t, err)
		return string(body)
	}
	events, err := http.Get(url + ".aml/events")
	require.NoError(t, err)
	defer events.Body.Close()
	lines := bufio.NewScanner(events.Body)
	next := func() {
		for lines.Scan() {
			if strings.HasPrefix(lines.Text(), "data: ") {
				return
			}
		}
		require.FailNow(t, "the events ended", "%v", lines.Err())
	}
	next()
	require.Contains(t, get("aggregate-customer.html"), "<h1><code>Customer</code></h1>")

	model := filepath.Join(dir, "model.go")
	good, err := os.ReadFile(model)
	require.NoError(t, err)
	write := func(path, text string) {
		t.Helper()
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path+"~", []byte(text), 0o644))
		require.NoError(t, os.Rename(path+"~", path)) // as editors do
		next()
	}
	name := "\tName string `aml:\"name\"`\n"
	write(model, strings.Replace(string(good), name, name+"\tCity string `aml:\"city\"`\n", 1))
	require.Contains(t, get("aggregate-customer.html"), "City")
	write(model, strings.Replace(string(good), `aml:"name"`, `aml:"name,nothing"`, 1))
	require.Contains(t, get(""), "<li>model.go:9:2")
	write(model, string(good))
	require.NotContains(t, get("aggregate-customer.html"), "City")
	migration := filepath.Join(dir, "migrations", "0001_init.cql")
	first, err := os.ReadFile(migration)
	require.NoError(t, err)
	write(migration, "-- a comment\n"+string(first))
	require.Contains(t, get("migrations.html"), "0001_init.cql")
	write(migration, string(first))
	more := filepath.Join(dir, "orders", "model.go") // a package that did not exist
	write(more, "package orders\n\nimport \"github.com/cassaml/cassaml/aml\"\n\ntype Order struct {\n\taml.Aggregate `aml:\"orders\"`\n\n\tID int32 `aml:\"id,identifier\"`\n}\n")
	require.Contains(t, get(""), "Package <code>orders</code>")
	require.NoError(t, os.RemoveAll(filepath.Dir(more)))
	next()
	require.NotContains(t, get(""), "Package <code>orders</code>")

	require.NoError(t, c.Process.Signal(syscall.SIGINT))
	require.NoError(t, c.Wait())
	require.Equal(t, before, names())
	require.Contains(t, c.output.String(), "model.go:9:2")
	require.Contains(t, c.output.String(), "nothing")
}

func TestDocsServeRefusesOptions(t *testing.T) {
	for args, want := range map[string]string{
		"docs -addr 127.0.0.1:0":         "-addr requires -serve",
		"docs -serve -o site":            "-serve and -output exclude each other: a site that is served is not written",
		"docs -serve -force":             "-serve and -force exclude each other: a site that is served is not written",
		"docs -serve -addr 0.0.0.0:8080": `address "0.0.0.0:8080" is not a loopback address`,
		"docs -serve nowhere":            "stat nowhere: no such file or directory",
	} {
		c := interruptible(t, t.TempDir(), strings.Fields(args)...)
		require.Error(t, c.Run(), args)
		require.Contains(t, c.output.String(), want, args)
	}
}
