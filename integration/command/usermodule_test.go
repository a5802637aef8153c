package command

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
)

// In a user's own repository, the command of docs/start.md adds the tool of a clone, the store is generated, and the program is built and run
// with a Cassandra.
func TestUserModule(t *testing.T) {
	t.Parallel()
	cassandra.Requires(t, "5.0", "a model with columns that are not frozen")
	server := cassandra.Test(t)
	keyspace := cassandra.Keyspace(t).Session.Query("").Keyspace()
	m := newUserModule(t, "testdata/garage")

	m.run("sh", "-c", cloneLine(t))
	m.run("go", "generate", "./...")
	m.run("go", "tool", "aml", "diff", "init")
	m.run("go", "mod", "tidy")
	m.run("go", "build", "-o", "garage", "./cmd/garage")

	m.env = append(m.env, "CASSANDRA_HOSTS="+strings.Join(server.Hosts(), ","), "KEYSPACE="+keyspace)
	require.Equal(t, strings.TrimSpace(m.read("want.txt")), strings.TrimSpace(m.run("./garage")))
}

// The service of docs/start.md is written and run by its five steps, in a separate keyspace. In place of go tool aml it runs the
// command that is built for all tests.
func TestStartService(t *testing.T) {
	t.Parallel()
	cassandra.Requires(t, "5.0", "a model with columns that are not frozen")
	server := cassandra.Test(t)
	keyspace := cassandra.Keyspace(t).Session.Query("").Keyspace()
	m := newUserModule(t, t.TempDir())
	page, err := os.ReadFile("../../docs/start.md")
	require.NoError(t, err)
	_, main, ok := bytes.Cut(page, []byte("   package main\n"))
	require.True(t, ok)
	_, model, ok := bytes.Cut(page, []byte("## The model\n\n```go\n"))
	require.True(t, ok)
	model, _, _ = bytes.Cut(model, []byte("```"))
	main, _, _ = bytes.Cut(main, []byte("   ```"))
	command := program(t, "codegen/cmd/aml")
	m.write("shop/model.go", "package shop\n\n//go:generate "+command+" generate\n\nimport (\n\t\"github.com/gocql/gocql\"\n\n\t\""+module+"aml\"\n)\n\n"+string(model))
	m.write("main.go", "package main\n"+strings.Replace(string(main), `cluster.Keyspace = "shop"`, "cluster.Keyspace = "+strconv.Quote(keyspace), 1))
	m.run("go", "mod", "edit", "-module", "example.com/service")
	m.requireClone()
	m.run("go", "generate", "./...")
	m.run("sh", "-c", "cd shop && "+command+" diff init")
	m.run("go", "build", "-o", "service", ".")
	m.env = append(m.env, "CASSANDRA_HOSTS=")
	require.Contains(t, m.fail("./service"), "CASSANDRA_HOSTS is not set")
	m.env = append(m.env, "CASSANDRA_HOSTS="+strings.Join(server.Hosts(), ","))
	require.Contains(t, m.fail("sh", "-c", "cd shop && ../service"), filepath.Join("shop", "shop", "migrations"), "the folder depends on the working directory")
	require.Contains(t, string(main), "Backfills: shop.Backfills()", "otherwise a redundant table of a later release is never filled")
	require.Equal(t, "ABC1234 belongs to Ana\n", m.run("./service"))
}

// With the tool in a separate module file, go.mod of the service has only the imports of the service, as docs/start.md
// describes. The test is not parallel: the go command links the tool once and has it in the cache for TestUserModule.
func TestToolApart(t *testing.T) {
	m := newUserModule(t, "testdata/garage")
	require.NoError(t, os.Mkdir(filepath.Join(m.dir, "tools"), 0o755))
	sums, err := os.ReadFile(filepath.Join(root(t), "go.sum"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(m.dir, "tools", "go.sum"), sums, 0o644))
	m.run("sh", "-c", "cd tools && go mod init example.com/garage/tools && "+cloneLine(t))
	m.requireClone()
	m.run("sed", "-i.bak", "s|go tool aml|go tool -modfile=tools/go.mod aml|", "model.go")
	m.run("go", "mod", "tidy")
	m.run("go", "generate", "./...")
	m.run("go", "tool", "-modfile=tools/go.mod", "aml", "diff", "init")
	m.run("go", "mod", "tidy")
	m.run("go", "list", "-mod=readonly", "-deps", "./...") // the module file has all imports of the service
	for _, of := range []string{"spf13/cobra", "testcontainers", "golang.org/x/tools "} {
		require.Contains(t, m.read("tools/go.mod"), of)
		require.NotContains(t, m.read("go.mod"), of)
	}
	t.Logf("go.mod has %d indirect modules, tools/go.mod %d", strings.Count(m.read("go.mod"), "// indirect"), strings.Count(m.read("tools/go.mod"), "// indirect"))
}

// userModule is a new module outside this one, which it depends on.
type userModule struct {
	t   *testing.T
	dir string
	env []string
}

func newUserModule(t *testing.T, from string) *userModule {
	t.Helper()
	m := &userModule{t: t, dir: t.TempDir(), env: append(os.Environ(), "GOFLAGS=-mod=mod "+withoutSymbols, "GOPROXY="+proxy(t), "GOWORK=off")}
	require.NoError(t, os.CopyFS(m.dir, os.DirFS(from)))
	sums, err := os.ReadFile(filepath.Join(root(t), "go.sum"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(m.dir, "go.sum"), sums, 0o644))
	m.run("go", "mod", "init", "example.com/garage")
	return m
}

// root returns the folder of this module.
func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../..")
	require.NoError(t, err)
	return dir
}

// cloneLine returns the command of docs/start.md that adds the tool of a clone, with the folder of this module as the clone.
func cloneLine(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/start.md")
	require.NoError(t, err)
	line := regexp.MustCompile(`(?s)go mod edit -replace .*?go mod tidy`).FindString(string(page))
	require.Contains(t, line, "=../cassaml ")
	return strings.Replace(line, "=../cassaml ", "="+root(t)+" ", 1)
}

func (m *userModule) run(name string, args ...string) string {
	m.t.Helper()
	c := exec.CommandContext(m.t.Context(), name, args...)
	c.Dir, c.Env = m.dir, m.env
	var errs strings.Builder
	c.Stderr = &errs
	out, err := c.Output()
	require.NoError(m.t, err, "%s\n%s%s", c, out, errs.String())
	return string(out)
}

// requireClone requires this module, without its tool.
func (m *userModule) requireClone() {
	m.t.Helper()
	m.run("go", "mod", "edit", "-replace", strings.TrimSuffix(module, "/")+"="+root(m.t), "-require", strings.TrimSuffix(module, "/")+"@v0.0.0")
}

// fail runs a program that must fail, and returns its output.
func (m *userModule) fail(name string, args ...string) string {
	m.t.Helper()
	c := exec.CommandContext(m.t.Context(), name, args...)
	c.Dir, c.Env = m.dir, m.env
	out, err := c.CombinedOutput()
	require.Error(m.t, err, "%s", out)
	return string(out)
}

func (m *userModule) write(name, text string) {
	m.t.Helper()
	file := filepath.Join(m.dir, name)
	require.NoError(m.t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(m.t, os.WriteFile(file, []byte(text), 0o644))
}

func (m *userModule) read(name string) string {
	m.t.Helper()
	b, err := os.ReadFile(filepath.Join(m.dir, name))
	require.NoError(m.t, err)
	return string(b)
}

// proxy forwards to the configured module proxy, and refuses this module, as a proxy does that has only published modules. The go
// command then reports an error, and does not ask another source.
func proxy(t *testing.T) string {
	t.Helper()
	out, err := exec.CommandContext(context.Background(), "go", "env", "GOPROXY").Output()
	require.NoError(t, err)
	upstream, _, _ := strings.Cut(strings.TrimSpace(string(out)), ",")
	if !strings.HasPrefix(upstream, "http") {
		return strings.TrimSpace(string(out))
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/"+module) || r.URL.Path+"/" == "/"+module {
			http.Error(w, "the module is not published", http.StatusForbidden)
			return
		}
		http.Redirect(w, r, fmt.Sprintf("%s%s", strings.TrimSuffix(upstream, "/"), r.URL.EscapedPath()), http.StatusFound)
	}))
	t.Cleanup(s.Close)
	return s.URL
}
