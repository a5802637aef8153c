package mermaid_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/diagram"
	"github.com/cassaml/cassaml/codegen/diagram/mermaid"
	"github.com/cassaml/cassaml/internal/models"
)

var update = flag.Bool("update", false, "update the golden files")

// load loads the models in folders.
func load(t *testing.T, dirs ...string) (out []diagram.Model) {
	t.Helper()
	for _, p := range models.Folders(t, dirs...) {
		out = append(out, build(t, p))
	}
	return out
}

func build(t *testing.T, p *model.Package) diagram.Model {
	t.Helper()
	m, faults := model.Build(p)
	require.False(t, model.Refused(faults), "%s: %v", p.Path, faults)
	return diagram.Model{Model: m, Schema: schema.New(m)}
}

func draw(t *testing.T, n diagram.Notation, m ...diagram.Model) []mermaid.Section {
	t.Helper()
	s, err := mermaid.Draw(n, m, diagram.Options{})
	require.NoError(t, err)
	return s
}

const (
	quickstart = "../../../examples/quickstart/shop"
	catalogue  = "../../../examples/library/catalogue"
)

// Each diagram is the golden one, has only lines that Mermaid reads as intended, and is the same each time.
func TestDiagrams(t *testing.T) {
	dirs := []string{quickstart, catalogue, "../../../examples/game/embedded", "../../../integration/models/auction", "testdata/hostile"}
	for i, m := range load(t, dirs...) {
		name := filepath.Base(dirs[i])
		sections := draw(t, diagram.Mermaid, m)
		require.Len(t, sections, 2)
		for _, s := range sections {
			check(t, s.Text)
		}
		got := mermaid.Page(sections)
		require.Equal(t, got, mermaid.Page(draw(t, diagram.Mermaid, m)), name)
		golden := filepath.Join("testdata", "golden", name+".md")
		if *update {
			require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
		}
		want, err := os.ReadFile(golden)
		require.NoError(t, err)
		require.Equal(t, string(want), got, "%s: go test ./codegen/diagram/mermaid -update", name)
	}
}

// label is a text without syntax of a grammar: letters, digits, a few characters without a meaning, and entity codes.
const label = `(?:[\p{L}\p{N} .,+\[\]/«»→…-]|#\d+;)*`

// lines are the lines of diagrams, a subset of the grammar of Mermaid.
var lines = regexp.MustCompile(`^(?:` + strings.Join([]string{
	`classDiagram`, `erDiagram`,
	`    acc(?:Title|Descr): ` + label,
	`    (?:class )?[A-Za-z]\w*(?:\["` + label + `"\])? \{`,
	`        <<(?:(?:root|part)` + label + `|redundant|(?:final )?(?:entity|value)|tuple)>>`,
	`        [#~/+-]` + label + `: ` + label + `(?: \[(?:\d+\.\.)?[\d*]+\])?` + label + `\$?`,
	`        [A-Za-z]\w* [A-Za-z]\w*(?: (?:PK|FK|UK)(?:, (?:PK|FK|UK))*)?(?: "` + label + `")?`,
	`    \}`,
	`    [A-Za-z]\w* (?:\*--|-->|\.\.>)(?: "(?:\d+\.\.)?[\d*]+")? [A-Za-z]\w* : ` + label,
	`    [A-Za-z]\w* (?:\|\||\}o)(?:--|\.\.)(?:o\{|o\||\|\|) [A-Za-z]\w* : "` + label + `"`,
}, "|") + `)$`)

// check fails if a line is not in the subset, or has words that Mermaid reads anywhere in a line.
func check(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		require.Regexp(t, lines, line)
		require.NotRegexp(t, `(?i)direction\s+(TB|TD|BT|RL|LR)`, line)
		require.NotRegexp(t, `(?i)^    (class )?(end|note|style|direction|link|click|default|o|u|x)[ \[]`, line)
	}
}

// Names that are equal in two packages have different identifiers and the same labels.
func TestPackagesWithEqualNames(t *testing.T) {
	s := draw(t, diagram.Mermaid, load(t, "../../../examples/vehicles/approach2/fleet", "../../../examples/vehicles/approach3/fleet", "../../../examples/vehicles/approach6/fleet")...)
	require.Len(t, s, 2)
	check(t, s[0].Text+s[1].Text)
	require.Contains(t, s[0].Text, `    class Cliente["approach2/fleet.Cliente"] {`)
	require.Contains(t, s[0].Text, `    class Cliente_2["approach3/fleet.Cliente"] {`)
	require.Contains(t, s[0].Text, `    class Cliente_3["approach6/fleet.Cliente"] {`)
	require.Contains(t, s[0].Text, "    class Proprietario {\n", "only one package has it")
	require.Contains(t, s[0].Text, " ..> Cliente_2 : from Cliente.Veiculos")
	require.Contains(t, s[1].Text, `    clientes_2["approach3/fleet.clientes"] {`)
}

// Only the chosen roots are drawn. A reference to another root is a line of its class.
func TestRoots(t *testing.T) {
	m := load(t, catalogue)
	s, err := mermaid.Draw(diagram.Mermaid, m, diagram.Options{Roots: []string{"Like"}})
	require.NoError(t, err)
	require.NotContains(t, s[0].Text, "class Artifact {")
	require.Contains(t, s[0].Text, "#ArtifactID: uuid → Artifact$")
	require.Contains(t, s[0].Text, "ArtifactByUser ..> Like")
	require.NotContains(t, s[1].Text, "    artifacts {")
	s, err = mermaid.Draw(diagram.MermaidClass, m, diagram.Options{Focus: &diagram.Focus{Root: "Like", Depth: 1}})
	require.NoError(t, err)
	require.Contains(t, s[0].Text, "class Artifact {")
	require.NotContains(t, s[0].Text, "class Review {")
	_, err = mermaid.Draw(diagram.Mermaid, m, diagram.Options{Roots: []string{"Lik"}})
	require.ErrorContains(t, err, "did you mean Like?")
}

// On request, types have the names of AML, also in the key of a map.
func TestLogicalTypes(t *testing.T) {
	s, err := mermaid.Draw(diagram.MermaidClass, load(t, "../../../examples/marketplace/shop"), diagram.Options{Types: diagram.Logical})
	require.NoError(t, err)
	require.Contains(t, s[0].Text, ": str")
	require.Contains(t, s[0].Text, "Addresses by str")
	require.NotContains(t, s[0].Text, "text")
}

// A reference by several fields is one line, and so are several references by one field. The fields that have no line are members.
func TestReferences(t *testing.T) {
	known, err := models.Load(".", "github.com/cassaml/cassaml/aml")
	require.NoError(t, err)
	m := build(t, known.Source(t, "example.com/books", `package books

import "github.com/cassaml/cassaml/aml"

type Book struct {
	aml.Aggregate `+"`aml:\"books\"`"+`

	Shelf string `+"`aml:\"shelf,identifier\"`"+`
	Slot  int32  `+"`aml:\"slot,discriminator\"`"+`
}

type Loan struct {
	aml.Aggregate `+"`aml:\"loans\"`"+`

	ID    int32  `+"`aml:\"id,identifier\"`"+`
	Slot  int32  `+"`aml:\"slot,association=Book.Slot\"`"+`
	Shelf string `+"`aml:\"shelf,association=Book.Shelf\"`"+`

	Before []int32 `+"`aml:\"before,association=Loan,max=3\"`"+`
}
`))
	classes, tables := draw(t, diagram.MermaidClass, m)[0].Text, draw(t, diagram.MermaidER, m)[0].Text
	check(t, classes+tables)
	require.Contains(t, classes, "        +Slot: int\n")
	require.Equal(t, 1, strings.Count(classes, " Book : "))
	require.Contains(t, classes, ` Book : +Shelf`)
	require.Contains(t, classes, `    Loan --> "0..3" Loan : +Before`)
	require.Equal(t, 1, strings.Count(tables, " books : "))
	require.Contains(t, tables, `    loans }o--o{ loans : "Before"`)
}

// Only a column whose value no two rows share is a unique key: a set is not, and one of several columns that are unique together is not.
func TestUniqueKeys(t *testing.T) {
	text := draw(t, diagram.MermaidER, load(t, "../../../integration/models/hotel")...)[0].Text
	for _, want := range []string{
		"        text email UK\n", "        set tags \"set#60;text#62;\"\n",
		"        text country \"unique together as passport\"\n", "        text passport \"unique together as passport\"\n",
	} {
		require.Contains(t, text, want)
	}
	check(t, text)
}

// A root has at most one row of a part whose key is that of the root.
func TestPartWithoutKeyOfItsOwn(t *testing.T) {
	m := load(t, "../../../integration/models/part")
	classes, tables := draw(t, diagram.MermaidClass, m...)[0].Text, draw(t, diagram.MermaidER, m...)[0].Text
	for _, want := range []string{`Game *-- "0..*" Round : part`, `Game *-- "0..1" Result : part`} {
		require.Contains(t, classes, want)
	}
	for _, want := range []string{`games ||--o{ rounds : "part"`, `games ||--o| results : "part"`} {
		require.Contains(t, tables, want)
	}
	check(t, classes)
	check(t, tables)
}

// Identifiers are not longer than labels. Names that begin alike have different ones.
func TestLongNames(t *testing.T) {
	known, err := models.Load(".", "github.com/cassaml/cassaml/aml")
	require.NoError(t, err)
	long := strings.Repeat("L", 10_000)
	root := func(name, table string) string {
		return fmt.Sprintf("type %s struct {\n\taml.Aggregate `aml:\"%s\"`\n\n\tID int32 `aml:\",identifier\"`\n}\n", name, table)
	}
	m := build(t, known.Source(t, "example.com/long", "package long\n\nimport \"github.com/cassaml/cassaml/aml\"\n\n"+root(long+"A", "a")+root(long+"B", "b")))
	text := draw(t, diagram.MermaidClass, m)[0].Text
	check(t, text)
	cut := long[:60]
	require.Contains(t, text, "    class "+cut+`["`+cut[:59]+`…"] {`)
	require.Contains(t, text, "    class "+cut+`_2["`+cut[:59]+`…"] {`)
	require.NotContains(t, text, long[:61])
}
