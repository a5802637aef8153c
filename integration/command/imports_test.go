package command

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/cassaml/cassaml/"

// allowed has the packages of this project that each package may import. Imports run downward, from the command to the
// markers. A name with a final slash means all packages below it. A package without a rule fails the test.
var allowed = map[string][]string{
	"aml":                              {},
	"aml/form":                         {"aml/cqltype"},
	"aml/internal/source":              {"aml/model", "internal/models"},
	"aml/model":                        {"aml/cqltype", "aml/model/property", "internal/lex"},
	"aml/model/property":               {"internal/lex"},
	"aml/load":                         {"aml/cqltype", "aml/model"},
	"aml/schema":                       {"aml/cqltype", "aml/descriptor", "aml/model", "aml/projection", "aml/statement"},
	"aml/statement":                    {},
	"aml/descriptor":                   {"aml/form", "aml/projection"},
	"aml/cqltype":                      {},
	"aml/projection":                   {},
	"codegen":                          {"aml/cqltype", "aml/descriptor", "aml/form", "aml/model", "aml/projection", "aml/schema", "codegen/describe", "codegen/internal/literal"},
	"codegen/describe":                 {"aml/cqltype", "aml/descriptor", "aml/form", "aml/model", "aml/schema"},
	"codegen/internal/literal":         {},
	"codegen/internal/article":         {},
	"codegen/explain":                  {"aml/model", "aml/schema", "aml/statement"},
	"codegen/conceptual":               {"aml/model", "codegen/advise", "codegen/internal/article", "codegen/query/syntax"},
	"codegen/advise":                   {"aml/load", "aml/model", "aml/schema", "codegen/alternatives", "codegen/query", "codegen/query/syntax"},
	"codegen/alternatives":             {"aml/load", "aml/model", "aml/schema", "codegen", "codegen/alternatives/gosource", "codegen/explain", "codegen/internal/article"},
	"codegen/alternatives/gosource":    {},
	"codegen/diagram":                  {"aml/model", "aml/schema", "codegen/diagram/graphviz", "codegen/explain"},
	"codegen/diagram/graphviz":         {},
	"codegen/explain/outline":          {"aml/model", "aml/schema", "codegen/explain"},
	"codegen/diagram/change":           {"codegen/diagram"},
	"codegen/diagram/geometry":         {"codegen/diagram"},
	"codegen/diagram/mermaid":          {"aml/model", "aml/schema", "codegen/diagram"},
	"codegen/site":                     {"aml/model", "aml/schema", "codegen/diagram", "codegen/diagram/change", "codegen/diagram/mermaid", "codegen/explain", "codegen/explain/outline", "internal/lex"},
	"codegen/query":                    {"aml/cqltype", "aml/model", "aml/schema", "codegen/query/syntax"},
	"codegen/site/serve":               {},
	"codegen/vet":                      {"aml/load", "aml/model", "aml/schema", "codegen", "codegen/query", "codegen/query/syntax"},
	"codegen/query/syntax":             {"aml/model", "aml/model/property", "internal/lex"},
	"codegen/cmd/aml/internal/program": {"mapper", "mapper/gen"},
	"codegen/cmd/aml":                  {"aml/load", "aml/model", "aml/schema", "codegen", "codegen/cmd/aml/internal/", "codegen/conceptual", "codegen/vet", "integration/cassandra", "migrate/catalog", "migrate/reverse"},
	"mapper":                           {"mapper/driver", "mapper/internal/rowname"},
	"mapper/driver":                    {"mapper/driver/internal/seal"},
	"mapper/driver/gocqldriver":        {"internal/substitute", "mapper/driver", "mapper/driver/internal/seal", "mapper/driver/internal/shared", "mapper/internal/cell"},
	"mapper/driver/internal/seal":      {},
	"mapper/driver/apachedriver":       {"mapper/driver", "mapper/driver/internal/seal", "mapper/driver/internal/shared", "mapper/internal/cell"},
	"mapper/driver/internal/shared":    {},
	"mapper/internal/cell":             {"aml/cqltype", "aml/form"},
	"mapper/internal/plan":             {"aml/cqltype", "aml/descriptor", "aml/projection", "aml/statement", "mapper/internal/cell"},
	"mapper/internal/skew":             {},
	"mapper/internal/store":            {"aml/descriptor", "aml/projection", "aml/statement", "internal/servererror", "internal/systemschema", "mapper", "mapper/driver", "mapper/internal/cell", "mapper/internal/plan", "mapper/internal/skew"},
	"mapper/internal/conformance":      {},
	"mapper/internal/rowname":          {},
	"mapper/internal/call":             {"aml/descriptor", "aml/projection", "aml/statement", "internal/migrating", "internal/wait", "mapper", "mapper/driver", "mapper/internal/cell", "mapper/internal/plan", "mapper/internal/rowname", "mapper/internal/skew", "mapper/internal/store"},
	"mapper/internal/scan":             {"aml/projection", "internal/checkpointtext", "internal/servererror", "internal/wait", "mapper", "mapper/driver", "mapper/internal/call", "mapper/internal/cell", "mapper/internal/plan", "mapper/internal/rowname", "mapper/internal/store", "mapper/internal/work"},
	"mapper/internal/save":             {"aml/descriptor", "aml/projection", "internal/wait", "mapper", "mapper/driver", "mapper/internal/call", "mapper/internal/cell", "mapper/internal/plan", "mapper/internal/rowname", "mapper/internal/scan", "mapper/internal/skew", "mapper/internal/store", "mapper/internal/work"},
	"mapper/internal/reconcile":        {"aml/descriptor", "aml/projection", "mapper", "mapper/internal/call", "mapper/internal/cell", "mapper/internal/plan", "mapper/internal/save", "mapper/internal/scan", "mapper/internal/skew", "mapper/internal/store", "mapper/internal/work"},
	"mapper/internal/simulation":       {},
	"mapper/gen":                       {"aml/descriptor", "aml/form", "aml/projection", "mapper", "mapper/driver", "mapper/internal/call", "mapper/internal/cell", "mapper/internal/plan", "mapper/internal/reconcile", "mapper/internal/save", "mapper/internal/scan", "mapper/internal/store"},
	"mapper/internal/work":             {"internal/schemachange", "internal/wait", "mapper/driver"},
	"mapper/otel":                      {"mapper", "mapper/driver"},
	"mapper/memory":                    {"aml/cqltype", "aml/descriptor", "aml/form", "aml/projection", "mapper", "mapper/driver", "mapper/internal/cell", "mapper/internal/plan", "mapper/internal/skew", "mapper/internal/store"},
	"migrate":                          {"aml/descriptor", "aml/form", "internal/checkpointtext", "internal/lex", "internal/migrating", "internal/schemachange", "internal/servererror", "internal/systemschema", "internal/wait", "mapper/driver", "migrate/folder", "migrate/internal/ddl", "migrate/internal/effect"},
	"migrate/folder":                   {"aml/descriptor", "internal/lex"},
	"migrate/internal/ddl":             {"aml/cqltype", "aml/model", "aml/model/property", "aml/schema", "internal/lex", "migrate/internal/indexname"},
	"migrate/internal/effect":          {"aml/cqltype", "aml/model/property", "aml/schema", "internal/lex", "migrate/internal/ddl", "migrate/internal/indexname"},
	"migrate/internal/indexname":       {},
	"migrate/reverse":                  {"aml/cqltype", "aml/model", "aml/schema", "migrate/catalog"},
	"migrate/catalog":                  {"aml/descriptor", "aml/model", "aml/model/property", "aml/projection", "aml/schema", "internal/lex", "internal/systemschema", "mapper/driver", "migrate/folder", "migrate/internal/ddl", "migrate/internal/indexname"},
	"migrate/diff":                     {"aml/cqltype", "aml/descriptor", "aml/model", "aml/schema", "migrate/catalog", "migrate/copydata", "migrate/internal/ddl"},
	"migrate/lint":                     {"aml/descriptor", "aml/schema", "internal/lex", "migrate/catalog", "migrate/folder", "migrate/internal/ddl"},
	"migrate/copydata":                 {"aml/form", "aml/model", "aml/schema", "internal/migrating", "internal/systemschema", "mapper/driver", "migrate/catalog"},
	"internal/checkpointtext":          {},
	"internal/indexbuild":              {"internal/systemschema", "internal/wait", "mapper/driver"},
	"internal/lex":                     {},
	"internal/migrating":               {"mapper/driver"},
	"internal/pagetest":                {},
	"internal/schemachange":            {"internal/wait", "mapper/driver"},
	"internal/servererror":             {"mapper/driver"},
	"internal/substitute":              {"mapper/driver"},
	"internal/systemschema":            {"mapper/driver"},
	"internal/wait":                    {},
	"internal/models":                  {"aml/load", "aml/model"},
	"integration/alternatives":         {"codegen", "codegen/alternatives", "mapper"},
	"integration/bench":                {"aml/load", "codegen/advise", "codegen/alternatives", "integration/alternatives", "integration/bench/", "integration/cassandra"},
	"integration/bench/":               {"aml", "integration/bench/", "mapper", "mapper/driver", "mapper/driver/apachedriver", "mapper/driver/gocqldriver", "mapper/gen", "migrate/folder"},
	"integration/cassandra":            {},
	"integration/corpus":               {"aml/cqltype", "internal/models"},
	"integration/market/":              {"aml", "integration/market/", "mapper", "mapper/driver/gocqldriver", "mapper/gen"},
	"integration/command":              {},
	"integration/long":                 {"integration/cassandra"},
	"integration/migrations":           {},
	"integration/models/workshop":      {"aml", "mapper", "mapper/driver/gocqldriver", "mapper/gen"},
	"integration/models/clinic":        {"aml"},
	"integration/models/clinic/store":  {"aml", "aml/descriptor", "integration/models/clinic", "mapper", "mapper/driver/gocqldriver", "mapper/gen"},
	"integration/models/lease":         {"aml", "mapper", "mapper/driver/gocqldriver", "mapper/gen"},
	"integration/models/invoice":       {"aml", "aml/descriptor", "mapper", "mapper/driver/gocqldriver", "mapper/gen"},
	"integration/models/contract":      {"aml", "aml/descriptor", "mapper", "mapper/driver/gocqldriver", "mapper/gen"},
	"integration/models/loan":          {"aml", "aml/descriptor", "mapper", "mapper/driver/gocqldriver", "mapper/gen"},
	"integration/models/library":       {"aml", "aml/descriptor", "mapper", "mapper/driver/gocqldriver", "mapper/gen"},
	"integration/models/shelf":         {"aml", "aml/descriptor", "mapper", "mapper/driver/gocqldriver", "mapper/gen"},
	"integration/models/member":        {"aml", "mapper", "mapper/driver/gocqldriver", "mapper/gen"},
	"integration/models/depot":         {"aml", "mapper", "mapper/driver/gocqldriver", "mapper/gen"},
	"integration/models/garage":        {"aml", "mapper", "mapper/driver/gocqldriver", "mapper/gen"},
	"integration/models/release/":      {"aml", "mapper", "mapper/driver/gocqldriver", "mapper/gen"},
	"integration/models/auction":       {"aml", "mapper", "mapper/driver/gocqldriver", "mapper/gen"},
	"integration/models/sale":          {"aml", "mapper", "mapper/driver/gocqldriver", "mapper/gen"},
	"integration/models/sale/first":    {"aml", "mapper", "mapper/driver/gocqldriver", "mapper/gen"},
	"integration/models/head":          {"aml", "mapper", "mapper/driver/gocqldriver", "mapper/gen"},
	"integration/models/part":          {"aml", "mapper", "mapper/driver/gocqldriver", "mapper/gen"},
	"integration/models/offer":         {"aml", "mapper", "mapper/driver/gocqldriver", "mapper/gen"},
	"integration/models/directory":     {"aml", "mapper", "mapper/driver/gocqldriver", "mapper/gen"},
	"integration/models/hotel":         {"aml", "mapper", "mapper/driver/gocqldriver", "mapper/gen"},
	"integration/models/strict":        {"aml", "mapper", "mapper/driver/gocqldriver", "mapper/gen"},
	"integration/models/shipment":      {"aml", "mapper", "mapper/driver/gocqldriver", "mapper/gen"},
	"integration/models/sorted":        {"aml", "mapper", "mapper/driver/gocqldriver", "mapper/gen"},
	"integration/models/stock":         {"aml", "mapper", "mapper/driver/gocqldriver", "mapper/gen"},
	"integration/models/step":          {"aml", "mapper", "mapper/driver/gocqldriver", "mapper/gen"},
	"integration/models/staff":         {"aml", "aml/descriptor", "mapper", "mapper/driver/gocqldriver", "mapper/gen"},
	"integration/models/ticket":        {"aml", "mapper", "mapper/driver/gocqldriver", "mapper/gen"},
	"integration/models/trace":         {"aml", "mapper", "mapper/driver/gocqldriver", "mapper/gen"},
	"integration/models/repair":        {"aml", "mapper", "mapper/driver/gocqldriver", "mapper/gen"},
	"integration/models/paper":         {"aml", "mapper", "mapper/driver/gocqldriver", "mapper/gen"},
	"examples":                         {},
	"examples/cookbook/recipes":        {"aml", "mapper", "mapper/driver/gocqldriver", "mapper/gen", "mapper/memory"},
	"examples/":                        {"aml", "examples/", "integration/cassandra", "mapper", "mapper/driver/gocqldriver", "mapper/gen", "migrate", "migrate/folder"},
	"integration/projection":           {"aml/load", "aml/model", "aml/schema", "codegen/describe", "mapper", "mapper/gen"},
	"integration/faults":               {},
	"integration/gallery":              {},
	"integration/exercise":             {"mapper"},
	"integration/language":             {},
	"integration/migrate":              {},
	"integration/network":              {"integration/cassandra"},
	"integration/store":                {},
	"integration/site":                 {},
	"integration/site/browser":         {},
	"integration/suite":                {"integration/cassandra", "internal/substitute", "mapper/driver/apachedriver"},
	"integration/storetest":            {"integration/cassandra", "integration/models/workshop", "integration/network", "integration/models/stock", "mapper", "migrate/folder"},
	"integration/values":               {},
	"integration/projection/computed":  {"aml", "mapper", "mapper/driver/gocqldriver", "mapper/gen"},

	"codegen/cmd/aml/internal/commandline":     {},
	"codegen/cmd/aml/internal/jsonline":        {"aml/model"},
	"codegen/cmd/aml/internal/ownfile":         {"codegen", "codegen/cmd/aml/internal/commandline", "codegen/diagram", "codegen/site"},
	"codegen/cmd/aml/internal/modelfolder":     {"aml/load", "aml/model", "aml/schema", "codegen", "codegen/cmd/aml/internal/commandline", "codegen/cmd/aml/internal/ownfile", "codegen/diagram", "codegen/query"},
	"codegen/cmd/aml/internal/migrationfolder": {"aml/load", "aml/model", "aml/schema", "codegen/cmd/aml/internal/commandline", "migrate/catalog", "migrate/folder"},
	"codegen/cmd/aml/internal/server":          {"codegen/cmd/aml/internal/program", "integration/cassandra", "internal/systemschema", "mapper/driver", "mapper/driver/gocqldriver", "migrate", "migrate/catalog"},
	"codegen/cmd/aml/internal/drift":           {"aml/schema", "codegen/cmd/aml/internal/migrationfolder", "migrate/catalog", "migrate/diff"},
	"codegen/cmd/aml/internal/advisecmd":       {"aml/load", "codegen/advise", "codegen/alternatives", "codegen/cmd/aml/internal/commandline", "codegen/cmd/aml/internal/jsonline", "codegen/cmd/aml/internal/modelfolder"},
	"codegen/cmd/aml/internal/alternativescmd": {"aml/load", "codegen", "codegen/alternatives", "codegen/cmd/aml/internal/commandline", "codegen/cmd/aml/internal/jsonline", "codegen/cmd/aml/internal/modelfolder", "codegen/cmd/aml/internal/ownfile"},
	"codegen/cmd/aml/internal/checkcmd":        {"aml/load", "aml/model", "codegen", "codegen/cmd/aml/internal/jsonline", "codegen/cmd/aml/internal/modelfolder", "codegen/explain", "codegen/explain/outline", "codegen/query"},
	"codegen/cmd/aml/internal/explaincmd":      {"aml/model", "aml/schema", "codegen/cmd/aml/internal/jsonline", "codegen/cmd/aml/internal/modelfolder", "codegen/diagram", "codegen/explain", "codegen/explain/outline"},
	"codegen/cmd/aml/internal/diagramcmd":      {"codegen", "codegen/cmd/aml/internal/commandline", "codegen/cmd/aml/internal/modelfolder", "codegen/cmd/aml/internal/ownfile", "codegen/diagram", "codegen/diagram/mermaid"},
	"codegen/cmd/aml/internal/docscmd":         {"aml/load", "aml/model", "codegen/cmd/aml/internal/commandline", "codegen/cmd/aml/internal/migrationfolder", "codegen/cmd/aml/internal/modelfolder", "codegen/cmd/aml/internal/ownfile", "codegen/diagram", "codegen/site", "codegen/site/serve", "migrate/folder", "migrate/lint"},
	"codegen/cmd/aml/internal/diffcmd":         {"aml/model", "aml/schema", "codegen", "codegen/cmd/aml/internal/commandline", "codegen/cmd/aml/internal/drift", "codegen/cmd/aml/internal/migrationfolder", "codegen/cmd/aml/internal/modelfolder", "codegen/cmd/aml/internal/ownfile", "codegen/cmd/aml/internal/server", "codegen/diagram", "codegen/diagram/change", "migrate/catalog", "migrate/diff", "migrate/folder", "migrate/lint"},
	"codegen/cmd/aml/internal/migratecmd":      {"aml/model", "aml/schema", "codegen/cmd/aml/internal/commandline", "codegen/cmd/aml/internal/drift", "codegen/cmd/aml/internal/jsonline", "codegen/cmd/aml/internal/migrationfolder", "codegen/cmd/aml/internal/modelfolder", "codegen/cmd/aml/internal/server", "integration/cassandra", "mapper/driver", "mapper/driver/gocqldriver", "migrate", "migrate/catalog", "migrate/folder", "migrate/lint"},
	"codegen/cmd/aml/internal/reconcilecmd":    {"aml/cqltype", "aml/load", "aml/model", "aml/schema", "codegen", "codegen/cmd/aml/internal/commandline", "codegen/cmd/aml/internal/jsonline", "codegen/cmd/aml/internal/modelfolder", "codegen/cmd/aml/internal/ownfile", "codegen/cmd/aml/internal/program", "codegen/cmd/aml/internal/server", "integration/cassandra", "internal/indexbuild", "mapper", "mapper/driver/gocqldriver"},
}

// ruleOf returns the packages that a package may import.
func ruleOf(name string) ([]string, bool) {
	if may, ok := allowed[name]; ok {
		return may, true
	}
	for dir, may := range allowed {
		if strings.HasSuffix(dir, "/") && strings.HasPrefix(name, dir) {
			return may, true
		}
	}
	return nil, false
}

// permits reports whether a rule allows an import.
func permits(may []string, name string) bool {
	return slices.ContainsFunc(may, func(m string) bool { return m == name || strings.HasSuffix(m, "/") && strings.HasPrefix(name, m) })
}

// tableFile has the table.
const tableFile = "integration/command/imports_test.go"

type goPackage struct {
	ImportPath string
	Imports    []string
	Dir        string
	GoFiles    []string
}

func TestImportsRunDownward(t *testing.T) {
	t.Parallel()
	for _, p := range list(t, "./...") {
		name := strings.TrimPrefix(p.ImportPath, module)
		may, known := ruleOf(name)
		if !known {
			t.Errorf("package %s has no rule: add the packages that it may import to the table of %s", name, tableFile)
			continue
		}
		for _, i := range p.Imports {
			if own, ok := strings.CutPrefix(i, module); ok && !permits(may, own) {
				t.Errorf("%s must not import %s: use a package of its row in %s, or correct the row if the import runs downward", name, own, tableFile)
			}
		}
	}
}

// testPackages are for tests only, and are in a folder of code that ships.
var testPackages = []string{"aml/internal/source"}

// Code that ships does not import the package testing.
func TestOnlyTestsImportTesting(t *testing.T) {
	t.Parallel()
	for _, p := range list(t, "./aml/...", "./codegen/...", "./mapper/...", "./migrate/...") {
		name := strings.TrimPrefix(p.ImportPath, module)
		if slices.Contains(p.Imports, "testing") && !slices.Contains(testPackages, name) {
			t.Errorf("%s imports testing outside its tests: move the code to a file that ends in _test.go, or, if the whole package is for tests, "+
				"below integration or internal", name)
		}
	}
}

// driverUsers are the packages that may import a driver of Cassandra: those below mapper/driver, the command, and the programs that it
// writes. Generated stores name the driver of their sessions. Everything else sends its requests through mapper/driver.
var driverUsers = []string{"mapper/driver/gocqldriver", "mapper/driver/apachedriver", "codegen/cmd/aml"}

func TestOneSeamToTheDriver(t *testing.T) {
	t.Parallel()
	drivers := []string{"github.com/gocql/gocql", "github.com/scylladb/gocqlx/v2", "github.com/apache/cassandra-gocql-driver/v2"}
	for _, p := range list(t, "./aml/...", "./codegen/...", "./internal/...", "./mapper/...", "./migrate/...") {
		name := strings.TrimPrefix(p.ImportPath, module)
		if slices.ContainsFunc(driverUsers, func(user string) bool { return name == user || strings.HasPrefix(name, user+"/") }) {
			continue
		}
		for _, i := range p.Imports {
			if slices.ContainsFunc(drivers, func(d string) bool { return i == d || strings.HasPrefix(i, d+"/") }) {
				t.Errorf("%s imports %s: use mapper/driver", name, i)
			}
		}
	}
}

// A service links the driver of its store, and no other.
func TestStoresLinkOneDriver(t *testing.T) {
	t.Parallel()
	drivers := map[string]string{"gocql": "github.com/gocql/gocql", "apache": "github.com/apache/cassandra-gocql-driver/v2"}
	for folder, own := range map[string]string{"hotel": "gocql", "apache": "apache"} {
		all := list(t, "-deps", "./codegen/testdata/golden/"+folder)
		for name, path := range drivers {
			linked := slices.ContainsFunc(all, func(p goPackage) bool { return p.ImportPath == path })
			require.Equal(t, name == own, linked, "%s: %s", folder, path)
		}
	}
}

// A service that imports its store does not compile the tools that generated it, nor OpenTelemetry.
func TestStoreNeedsNoTools(t *testing.T) {
	t.Parallel()
	leaves := []string{module + "aml/cqltype", module + "aml/descriptor", module + "aml/form", module + "aml/projection", module + "aml/statement"} // shared by the generator and the runtime
	tools := []string{"github.com/spf13/cobra", "golang.org/x/tools", "github.com/schollz", "golang.org/x/term", "github.com/tetratelabs/wazero", "github.com/testcontainers", "github.com/stretchr", "go.opentelemetry.io", "github.com/prometheus",
		module + "aml/", module + "codegen", module + "mapper/otel"}
	for _, p := range list(t, "-deps", "./examples/quickstart/shop", "./mapper/memory") {
		for _, tool := range tools {
			if strings.HasPrefix(p.ImportPath, tool) && !slices.Contains(leaves, p.ImportPath) {
				t.Errorf("a generated store imports %s", p.ImportPath)
			}
		}
	}
}

// The tracer of OpenTelemetry uses its interfaces only: the service chooses the providers and exporters.
func TestTelemetryNeedsNoSDK(t *testing.T) {
	t.Parallel()
	for _, p := range list(t, "-deps", "./mapper/otel") {
		for _, part := range []string{"go.opentelemetry.io/otel/sdk", "go.opentelemetry.io/otel/exporters", "google.golang.org", "github.com/prometheus"} {
			if strings.HasPrefix(p.ImportPath, part) {
				t.Errorf("mapper/otel depends on %s", p.ImportPath)
			}
		}
	}
}

// A service does not contain the packages that read Go source.
func TestRuntimeReadsNoGo(t *testing.T) {
	t.Parallel()
	for _, p := range list(t, "-deps", "./mapper", "./mapper/gen", "./mapper/memory", "./migrate") {
		if strings.HasPrefix(p.ImportPath, "go/") {
			t.Errorf("a package that a service imports depends on %s", p.ImportPath)
		}
	}
}

func list(t *testing.T, args ...string) []goPackage {
	t.Helper()
	c := exec.Command("go", append([]string{"list", "-json=ImportPath,Imports,Dir,GoFiles"}, args...)...)
	c.Dir = "../.."
	out, err := c.Output()
	require.NoError(t, err)
	var all []goPackage
	for d := json.NewDecoder(strings.NewReader(string(out))); d.More(); {
		var p goPackage
		require.NoError(t, d.Decode(&p))
		all = append(all, p)
	}
	require.NotEmpty(t, all)
	return all
}
