package language

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen"
	"github.com/cassaml/cassaml/integration/exercise"
	"github.com/cassaml/cassaml/internal/models"
)

const document = "../../docs/language.md"

// programFolder is the folder in which the go command sees the stores of the examples and the program that calls them. Nothing is written
// there: the files come from an overlay. So the packages have the same folder each time, without -trimpath, with which the go command
// would compile the standard library and all dependencies again.
const programFolder = "testdata/examples"

// The stores of the examples in the documentation of the language, with -all of each and otherwise of every fourth, execute every method
// of their roots with random values, and with the zero value, which can be refused; afterwards Reconcile finds nothing.
func TestStoresOfLanguageExamplesRun(t *testing.T) {
	t.Parallel()
	known, err := models.Load(".", slices.Collect(maps.Values(models.ExampleImports))...)
	require.NoError(t, err)
	files := map[string][]byte{}
	var imports, calls bytes.Buffer
	for i, e := range models.Examples(t, document) {
		if e.Kind != "sql" || strings.HasPrefix(e.Result, models.SchemaOnly) || !*all && i%4 > 0 { // a new machine compiles each
			continue
		}
		name := fmt.Sprint("line", e.Line)
		text := models.File(name, e.Model)
		path := "github.com/cassaml/cassaml/integration/language/" + programFolder + "/" + name
		m, faults := model.Build(known.Source(t, path, text))
		require.False(t, model.Refused(faults), "%v", faults)
		store, faults, err := codegen.Generate(m, schema.New(m), codegen.Config{})
		require.NoError(t, err)
		require.Empty(t, faults)
		files[name+"/model.go"], files[name+"/"+load.Generated] = []byte(text), store
		fmt.Fprintf(&imports, "\t%q\n", path)
		fmt.Fprintf(&calls, "\trun(%q, func(b *memory.Backend) (any, error) { return %s.OpenBackend(context.Background(), b, %s) }, %s)\n", name, name, config(e.Model), described(m))
	}
	files["main.go"] = []byte(fmt.Sprintf(program, imports.String(), calls.String()))
	out, err := exec.CommandContext(t.Context(), "go", "run", "-overlay="+overlay(t, files), "./"+programFolder).CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// overlay writes files, and the file that shows them to the go command in programFolder. It returns its path.
func overlay(t *testing.T, files map[string][]byte) string {
	t.Helper()
	at, err := filepath.Abs(programFolder)
	require.NoError(t, err)
	dir, replace := t.TempDir(), map[string]string{}
	for name, text := range files {
		file := filepath.Join(dir, strings.ReplaceAll(name, "/", "_"))
		require.NoError(t, os.WriteFile(file, text, 0o644))
		replace[filepath.Join(at, filepath.FromSlash(name))] = file
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	require.NoError(t, err)
	file := filepath.Join(dir, "overlay.json")
	require.NoError(t, os.WriteFile(file, text, 0o644))
	return file
}

// named finds a TTL that is set at start-up and has no default.
var named = regexp.MustCompile(`ttl=\$(\w+)[,"]`)

// config returns the configuration of the store of a model, as a Go expression.
func config(model string) string {
	var ttls []string
	for _, name := range named.FindAllStringSubmatch(model, -1) {
		ttls = append(ttls, strconv.Quote(name[1])+": 1000000 * time.Second")
	}
	return "mapper.Config{TTL: map[string]time.Duration{" + strings.Join(ttls, ", ") + "}}"
}

// described returns what the program must know about a model, as a Go expression.
func described(m *model.Model) string {
	d := exercise.Model{Constants: map[string][]any{}}
	for _, t := range schema.New(m).Stored {
		a := t.Aggregate
		if t.Derived != nil || !a.IsSource() || a.Counter || a.InRootTable && a.Root != nil && a.Root.Version != nil {
			continue
		}
		x := exercise.Table{Name: storeField(t)}
		for _, k := range a.Key() {
			x.Key = append(x.Key, k.GoName())
		}
		if a.Version != nil {
			x.Version = a.Version.GoName()
		}
		if a.Root != nil {
			x.Root = model.CamelCase(a.Root.Table)
		}
		d.Tables = append(d.Tables, x)
		for _, at := range a.Attributes {
			constants(d.Constants, at.Type)
		}
	}
	return fmt.Sprintf("%#v", d)
}

// storeField returns the name of the field of a store.
func storeField(t *schema.Table) string {
	if t.Aggregate.InRootTable {
		return t.Aggregate.Struct.Name
	}
	return model.CamelCase(t.Name)
}

// constants adds the declared constants of a type and of the types in it.
func constants(to map[string][]any, t *model.Type) {
	if t == nil || t.Go == nil {
		return
	}
	if n := t.Go.Named; n != nil && to[n.Name] == nil {
		for _, c := range t.Go.Constants {
			to[n.Name] = append(to[n.Name], constant(t.Go.Kind, c.Value))
		}
	}
	constants(to, t.Elem)
	constants(to, t.Key)
	if t.Object != nil {
		for _, at := range t.Object.Attributes {
			constants(to, at.Type)
		}
	}
}

func constant(kind model.GoKind, value string) any {
	switch kind {
	case model.String:
		return value
	case model.Bool:
		return value == "true"
	}
	n, _ := strconv.ParseInt(value, 10, 64)
	return n
}

const program = `package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/cassaml/cassaml/integration/exercise"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
%s)

var failed bool

func run(name string, open func(*memory.Backend) (any, error), m exercise.Model) {
	clock := exercise.NewClock()
	store, err := open(memory.New(memory.Config{Now: clock.Now}))
	if err == nil {
		err = exercise.Store(context.Background(), store, m, clock)
	}
	if err != nil {
		fmt.Printf("%%s: %%v\n", name, err)
		failed = true
	}
}

func main() {
%s	if failed {
		os.Exit(1)
	}
}
`
