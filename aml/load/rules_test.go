package load_test

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/cassaml/cassaml/aml/internal/source"
	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen"
	"github.com/cassaml/cassaml/internal/pagetest"
)

// document is the page of the rules.
const document = "../../docs/diagnostics.md"

// Each rule has a model that breaks only this rule, and the document shows the model with its diagnostics.
func TestDocumentOfRules(t *testing.T) {
	a, err := txtar.ParseFile("testdata/rules/rules.txtar")
	require.NoError(t, err)
	models := map[string]string{}
	for _, f := range a.Files {
		models[strings.TrimSuffix(f.Name, ".go")] = string(f.Data)
	}
	require.Len(t, models, len(model.Rules()), "each rule has one model")
	var b strings.Builder
	b.WriteString(preface)
	for _, r := range model.Rules() {
		require.NotEmpty(t, r.About, r.Code)
		require.Contains(t, models, r.Code, "no model breaks the rule")
		faults := broken(t, r, models[r.Code])
		require.NotEmpty(t, faults, r.Code)
		section(&b, r, models[r.Code], faults)
	}
	if source.Updating() {
		require.NoError(t, os.MkdirAll(filepath.Dir(document), 0o755))
		require.NoError(t, os.WriteFile(document, []byte(b.String()), 0o644))
	}
	text, err := os.ReadFile(document)
	require.NoError(t, err)
	pagetest.Equal(t, "docs/diagnostics.md", b.String(), string(text), "go test ./aml/load -update")
}

const preface = `# Diagnostics

The diagnostics of ` + "`aml`" + `, each with a code that never changes its meaning. A refusal stops the generation. A warning does
not; a comment ` + "`//aml:ignore CODE reason`" + ` at the end of its line, or above the field or the struct, silences it.

A test generates this page from the rules and from one invalid model for each of them.
`

// section returns the section of a rule.
func section(b *strings.Builder, r model.Rule, text string, faults []model.Diagnostic) {
	severity := "Refusal"
	if r.Severity == model.Warning {
		severity = "Warning"
	}
	fmt.Fprintf(b, "\n## %s: %s\n\n%s. %s\n", r.Code, r.Title, severity, r.About)
	if r.Source != "" {
		fmt.Fprintf(b, "\nSource: %s\n", r.Source)
	}
	fmt.Fprintf(b, "\n```go\n%s```\n\n```text\n", text[strings.Index(text, "type "):])
	head := strings.Count(text[:strings.Index(text, "type ")], "\n")
	for _, d := range faults {
		d.Pos.Line -= head
		fmt.Fprintln(b, d)
	}
	b.WriteString("```\n")
}

// broken returns the diagnostics of a model, all of one rule. It checks constructs that are not executed yet, and generated names,
// only for their own rules.
func broken(t *testing.T, r model.Rule, text string) []model.Diagnostic {
	imports := source.NewImporter()
	p, err := load.Source(imports.Fset, "example.com/shop", map[string][]byte{"model.go": []byte(text)}, imports)
	require.NoError(t, err, r.Code)
	m, faults := model.Build(p)
	if slices.Contains([]model.Rule{model.RuleNotExecuted, model.RuleGoNameCollides, model.RuleNoGoName, model.RuleUnreachable}, r) && !model.Refused(faults) {
		config := codegen.Config{}
		if r.Code == model.RuleUnreachable.Code {
			config.Package = &codegen.Package{Path: "example.com/shop/store", Name: "store"}
		}
		_, more, err := codegen.Generate(m, schema.New(m), config)
		require.NoError(t, err, r.Code)
		faults = append(faults, more...)
	}
	for _, d := range faults {
		require.Equal(t, r.Code, d.Rule.Code, d.String())
	}
	return faults
}

// The tables of codes in docs/language.md cover each code of a rule once, and no others: a range ends with the last code that exists.
func TestRangesOfCodes(t *testing.T) {
	text, err := os.ReadFile("../../docs/language.md")
	require.NoError(t, err)
	var listed, rules []string
	for _, row := range regexp.MustCompile(`(?m)^\| AML(\d+)(?:–(\d+))? \|`).FindAllStringSubmatch(string(text), -1) {
		first, err := strconv.Atoi(row[1])
		require.NoError(t, err)
		last, err := strconv.Atoi(cmp.Or(row[2], row[1]))
		require.NoError(t, err)
		for code := first; code <= last; code++ {
			listed = append(listed, fmt.Sprintf("AML%d", code))
		}
	}
	for _, r := range model.Rules() {
		rules = append(rules, r.Code)
	}
	require.Equal(t, rules, listed)
}

// The table of rules has every declared rule, in order.
func TestRulesAreComplete(t *testing.T) {
	text, err := os.ReadFile("../model/rules.go")
	require.NoError(t, err)
	declared := regexp.MustCompile(`Code: "(AML[0-9]{3})"`).FindAllStringSubmatch(string(text), -1)
	require.Len(t, model.Rules(), len(declared))
	for i, r := range model.Rules() {
		require.Equal(t, declared[i][1], r.Code)
	}
}
