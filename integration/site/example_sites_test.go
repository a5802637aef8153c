package site_test

import (
	"flag"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/diagram"
	docs "github.com/cassaml/cassaml/codegen/site"
	"github.com/cassaml/cassaml/integration/site"
	"github.com/cassaml/cassaml/internal/models"
)

var allModels = flag.Bool("all", false, "also check the sites of the models of other tests")

// The links, anchors and markup of the sites of all examples are right.
func TestSitesOfExamples(t *testing.T) {
	var dirs []string
	patterns := []string{"../../examples/*/*", "../../examples/*/*/*"}
	if *allModels {
		patterns = append(patterns, "../*model")
	}
	for _, pattern := range patterns {
		found, err := filepath.Glob(filepath.Join(pattern, "model.go"))
		require.NoError(t, err)
		for _, f := range found {
			dirs = append(dirs, filepath.Dir(f))
		}
	}
	require.Greater(t, len(dirs), 10)
	var all []docs.Model
	names := map[string]int{} // of packages: two of each name are enough
	for _, p := range models.Folders(t, dirs...) {
		if names[p.Name]++; names[p.Name] > 2 {
			continue
		}
		m := modelOf(t, p)
		all = append(all, m)
		if strings.HasSuffix(p.Path, "/quickstart/shop") {
			checked(t, p.Path, docs.Input{Models: []docs.Model{m}})
		}
	}
	checked(t, "all models in one site", docs.Input{Models: all})
}

// modelOf builds a model without refusals, with a migration that has everything that the page of migrations shows.
func modelOf(t *testing.T, p *model.Package) docs.Model {
	t.Helper()
	m, faults := model.Build(p)
	require.False(t, model.Refused(faults), "%v", faults)
	return docs.Model{Model: diagram.Model{Model: m, Schema: schema.New(m)}, Warnings: faults, Queries: applicationQueries(m), Migrations: []docs.Migration{{
		Name: "0001_init.cql",
		Steps: []docs.Step{
			{Line: 1, Directive: "-- aml:phase deploy"},
			{Line: 2, CQL: "CREATE TABLE <b>\"customers\"</b> (id int PRIMARY KEY) WITH comment = '</code><script>alert(1)</script>';", Findings: []docs.Finding{{Line: 2, Code: "AML102<b>", Message: "<i>loses & data</i>", Fix: "add \"a\" column"}}},
			{Line: 3, Func: "shop.Fill"},
		},
		Findings: []docs.Finding{{Line: 1, Code: "AML101", Message: "is about the file", Fix: "fix it"}},
	}}}
}

// checked builds a site and checks its files.
func checked(t *testing.T, name string, in docs.Input) {
	t.Helper()
	files, err := docs.Build(in)
	require.NoError(t, err, name)
	if found := site.Check(files); len(found) > 0 {
		slices.Sort(found)
		t.Errorf("%s: %d faults\n%s", name, len(found), strings.Join(found[:min(len(found), 30)], "\n"))
	}
}

// applicationQueries returns a query that the first table answers, and one that no table does.
func applicationQueries(m *model.Model) []diagram.Query {
	return []diagram.Query{{Text: "SELECT * FROM <b>", Table: m.Aggregates[0].Table, Then: []int{1, 2}}, {Text: "SELECT nothing"}}
}
