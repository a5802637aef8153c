package command

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/gotooltest"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/internal/pagetest"
	"github.com/cassaml/cassaml/migrate/folder"
)

var (
	updateScripts = flag.Bool("update", false, "write the output of the scripts instead of comparing it")
	longScripts   = flag.Bool("long", false, "run the scripts of testdata/script/long instead of those of testdata/script")
)

// The scripts run the command as users do, with a real Cassandra: each in a separate module and keyspace.
func TestScripts(t *testing.T) {
	t.Parallel()
	server := cassandra.Test(t)
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	bin := filepath.Dir(program(t, "codegen/cmd/aml"))
	modules, err := exec.Command("go", "env", "GOMODCACHE").Output()
	require.NoError(t, err)
	dir := "testdata/script"
	if *longScripts {
		dir += "/long"
	}
	p := testscript.Params{
		Dir:           dir,
		UpdateScripts: *updateScripts,
		Setup: func(e *testscript.Env) error {
			e.Setenv("GOMODCACHE", strings.TrimSpace(string(modules)))
			if *longScripts { // go mod tidy reads the modules of tests of dependencies
				e.Vars = append(os.Environ(), e.Vars...)
			} else {
				e.Setenv("GOPROXY", "off") // the module cache has all dependencies
			}
			e.Setenv("GOFLAGS", "-mod=mod "+withoutSymbols)
			e.Setenv("GOGC", collectLess)
			e.Setenv("CASSANDRA_HOSTS", strings.Join(server.Hosts(), ","))
			e.Setenv("PATH", bin+string(os.PathListSeparator)+e.Getenv("PATH"))
			t := e.T().(testing.TB) // the test of the script
			switch strings.TrimPrefix(filepath.Base(e.WorkDir), "script-") {
			case "adopt", "import", "live", "verify":
				cassandra.Requires(t, "5.0", "the scripts adopt, import, live and verify have vectors, storage-attached indexes or a set that is not frozen")
			}
			session := cassandra.Keyspace(t)
			e.Values["session"] = session
			e.Setenv("KEYSPACE", session.Session.Query("").Keyspace())
			return ownModule(e.WorkDir, root)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"cql": cql, "replace": replace},
	}
	require.NoError(t, gotooltest.Setup(&p))
	testscript.Run(t, p)
}

// cql is a command of scripts: it executes the statements of a file in the keyspace of the script.
func cql(ts *testscript.TestScript, neg bool, files []string) {
	session := ts.Value("session").(gocqlx.Session)
	for _, f := range files {
		statements, err := folder.Split(ts.ReadFile(f))
		ts.Check(err)
		for _, s := range statements {
			if err := session.ExecStmt(s.Text); (err != nil) != neg {
				ts.Fatalf("%s: %v", s.Text, err)
			}
		}
	}
}

// replace is a command of scripts: it replaces a text in a file, where it occurs once. A text is a Go string without its
// quotes.
func replace(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: replace file text replacement")
	}
	old, err := strconv.Unquote("\"" + args[1] + "\"")
	ts.Check(err)
	text, err := strconv.Unquote("\"" + args[2] + "\"")
	ts.Check(err)
	source := ts.ReadFile(args[0])
	if strings.Count(source, old) != 1 {
		ts.Fatalf("%s does not contain %q once", args[0], old)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Replace(source, old, text, 1)), 0o644))
}

// ownModule makes a folder the module example.com/shop, with this project and its dependencies.
func ownModule(dir, root string) error {
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return err
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return err
	}
	_, requirements, _ := strings.Cut(string(mod), "\n")
	project := strings.TrimSuffix(module, "/")
	text := "module example.com/shop\n" + requirements + "\nrequire " + project + " v0.0.0\n\nreplace " + project + " => " + root + "\n"
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(text), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "go.sum"), sum, 0o644)
}

// The commands of docs/adopting.md that move a service to Apache's driver are those of the script.
func TestPageMovesToApachesDriver(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/script/long/apache.txtar")
	require.NoError(t, err)
	page, err := os.ReadFile("../../docs/adopting.md")
	require.NoError(t, err)
	for _, f := range archive.Files {
		if f.Name == "move.sh" {
			pagetest.Contains(t, "docs/adopting.md", string(page), "```sh\n"+string(f.Data)+"```\n")
			return
		}
	}
	t.Error("the script has no move.sh")
}

// The example of docs/advice.md is that of the script.
func TestPageHasTheDesign(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/script/design.txtar")
	require.NoError(t, err)
	page, err := os.ReadFile("../../docs/advice.md")
	require.NoError(t, err)
	for _, f := range archive.Files {
		_, text, found := strings.Cut(string(f.Data), ")\n\n") // without the imports
		if !found {
			text = string(f.Data)
		}
		if f.Name != "main.go" {
			pagetest.Contains(t, "docs/advice.md", string(page), "\n"+text+"```\n")
		}
	}
}
