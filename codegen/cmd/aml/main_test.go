package main

import (
	"flag"
	"fmt"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/gotooltest"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/internal/models"
)

var update = flag.Bool("update", false, "update the scripts instead of comparing their output")

// collectLess is a value of GOGC with which a short run of the go command, or of aml, takes a fifth less processor time.
const collectLess = "400"

func TestMain(m *testing.M) {
	os.Setenv("GOGC", collectLess)
	testscript.Main(m, map[string]func(){"aml": func() { os.Exit(Main()) }})
}

// The scripts run the command as users do. Each has its own module with this project's dependencies.
func TestScripts(t *testing.T) {
	modules, err := exec.Command("go", "env", "GOMODCACHE").Output()
	require.NoError(t, err)
	root, err := filepath.Abs(filepath.Join("..", "..", ".."))
	require.NoError(t, err)
	p := testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		UpdateScripts:       *update,
		Setup: func(e *testscript.Env) error {
			e.Setenv("GOMODCACHE", strings.TrimSpace(string(modules)))
			e.Setenv("GOPROXY", "off") // all there is to need is in the module cache
			e.Setenv("GOFLAGS", "-mod=mod")
			e.Setenv("GOGC", collectLess)
			e.Setenv("ROOT", root)
			e.Values["remembered"] = map[string]os.FileInfo{}
			return module(e.WorkDir, root)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"compiles": compiles, "quickstart": quickstartModel, "remember": remember, "untouched": untouched},
	}
	require.NoError(t, gotooltest.Setup(&p))
	testscript.Run(t, p)
}

// module writes the module example.com/shop to the folder of a script.
func module(dir, root string) error {
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return err
	}
	_, requirements, _ := strings.Cut(string(mod), "\n")
	text := "module example.com/shop\n" + requirements + "\nrequire github.com/cassaml/cassaml v0.0.0\n\nreplace github.com/cassaml/cassaml => " + root + "\n"
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(text), 0o644); err != nil {
		return err
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "go.sum"), sum, 0o644)
}

// compiles is a command of scripts: it type-checks the packages in folders. Unlike go vet it needs no facts of their imports.
// With ! it takes one folder, and parts of reports of the type checker, or of the reported lines.
func compiles(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) == 0 || neg && len(args) < 2 {
		ts.Fatalf("usage: compiles folder..., or ! compiles folder text...")
	}
	dirs, want := args, []string(nil)
	if neg {
		dirs, want = args[:1], args[1:]
	}
	var paths []string
	for _, d := range dirs {
		paths = append(paths, ts.MkAbs(d))
	}
	env := os.Environ()
	for _, name := range []string{"GOMODCACHE", "GOPROXY", "GOFLAGS"} {
		env = append(env, name+"="+ts.Getenv(name))
	}
	faults, err := models.Check(env, paths...)
	ts.Check(err)
	text := fmt.Sprint(faults)
	for _, f := range faults {
		if e, ok := f.(types.Error); ok {
			at := e.Fset.Position(e.Pos)
			source, err := os.ReadFile(at.Filename)
			ts.Check(err)
			text += "\n" + strings.Split(string(source), "\n")[at.Line-1]
		}
	}
	if neg != (len(faults) > 0) {
		ts.Fatalf("the type checker reports %s", text)
	}
	for _, w := range want {
		if !strings.Contains(text, w) {
			ts.Fatalf("the type checker does not report %q, but %s", w, text)
		}
	}
}

// quickstartModel is the command quickstart of scripts: it writes the model of the quickstart to a file, with identifiers of type string.
// With gocql.UUID, the go command takes ten times as long to list the imports of the model.
func quickstartModel(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: quickstart file")
	}
	source := ts.ReadFile(filepath.Join(ts.Getenv("ROOT"), "examples/quickstart/shop/model.go"))
	for _, r := range [][2]string{{"\t\"github.com/gocql/gocql\"\n\n", ""}, {"gocql.UUID", "string"}} {
		if !strings.Contains(source, r[0]) {
			ts.Fatalf("the model of the quickstart has no %q", r[0])
		}
		source = strings.ReplaceAll(source, r[0], r[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(source), 0o644))
}

// remember is a command of scripts: it records the files at some paths.
func remember(ts *testscript.TestScript, _ bool, paths []string) {
	for _, p := range paths {
		i, err := os.Stat(ts.MkAbs(p))
		ts.Check(err)
		remembered(ts)[p] = i
	}
}

// untouched fails if a remembered file was replaced or written.
func untouched(ts *testscript.TestScript, neg bool, paths []string) {
	for _, p := range paths {
		now, err := os.Stat(ts.MkAbs(p))
		ts.Check(err)
		before, ok := remembered(ts)[p]
		if !ok {
			ts.Fatalf("%s is not remembered", p)
		}
		if same := os.SameFile(before, now) && before.ModTime().Equal(now.ModTime()); same == neg {
			ts.Fatalf("%s: untouched is %v", p, same)
		}
	}
}

func remembered(ts *testscript.TestScript) map[string]os.FileInfo {
	return ts.Value("remembered").(map[string]os.FileInfo)
}
