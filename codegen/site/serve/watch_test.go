package serve_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen/site/serve"
)

// The watcher reports each way in which programs change files. Each step waits for its own report.
func TestWatch(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "shop")
	migrations := filepath.Join(dir, "db", "migrations") // created later
	file := filepath.Join(dir, "model.go")
	write := func(path, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	write(file, "package shop")
	ends := func(suffix string) func(string) bool {
		return func(name string) bool { return strings.HasSuffix(name, suffix) }
	}
	w, err := serve.Watch(t.Context())
	require.NoError(t, err)
	set := func() {
		require.NoError(t, w.Set([]serve.Input{{Dir: dir, Has: ends(".go")}, {Dir: migrations, Has: ends(".cql")}}))
	}
	set()
	for _, change := range []struct {
		name string
		make func()
	}{
		{"written", func() { write(file, "package shop // changed") }},
		{"replaced, as editors do", func() {
			write(file+"~", "package shop // replaced")
			require.NoError(t, os.Rename(file+"~", file))
		}},
		{"written after it was replaced", func() { write(file, "package shop // again") }},
		{"another file", func() { write(filepath.Join(dir, "order.go"), "package shop") }},
		{"removed", func() { require.NoError(t, os.Remove(filepath.Join(dir, "order.go"))) }},
		{"a folder that did not exist", func() { write(filepath.Join(migrations, "0001.cql"), "") }},
		{"a file of that folder", func() { write(filepath.Join(migrations, "0002.cql"), "") }},
		{"the folder renamed", func() { require.NoError(t, os.Rename(dir, dir+"2")) }},
		{"the folder back", func() { require.NoError(t, os.Rename(dir+"2", dir)) }},
		{"a file after that", func() { write(file, "package shop // once more") }},
	} {
		t.Log(change.name)
		change.make()
		<-w.C
		set() // as each build does
	}
}
