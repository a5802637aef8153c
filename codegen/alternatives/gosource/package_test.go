package gosource_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen/alternatives/gosource"
)

const source = `// Package shop is a shop.
package shop

import (
	"time"

	"github.com/cassaml/cassaml/aml"
	"github.com/gocql/gocql"
)

// Customer has vehicles.
type Customer struct {
	aml.Aggregate ` + "`aml:\"customers\"`" + `

	ID gocql.UUID ` + "`aml:\"id,identifier\" json:\"id\"`" + ` // the key
	// Vehicles are the vehicles.
	Vehicles []Vehicle ` + "`aml:\"vehicles,composition\"`" + `
}

// Vehicle is a vehicle.
type Vehicle struct {
	Plate string
	Since time.Time // of the registration
}

// Age returns the age.
func (v *Vehicle) Age() time.Duration { return time.Since(v.Since) }
`

// Edits keep comments, other tags and everything else; unused imports are removed.
func TestEdits(t *testing.T) {
	t.Parallel()
	p := gosource.New(map[string]string{"model.go": source})
	p.RemoveField("Customer", "Vehicles")
	p.SetTag("Customer", "ID", "key,identifier")
	p.AddField("Customer", "Name string `aml:\"name\"`")
	p.SetMarker("Customer", "ValueObject", "customer")
	p.Remove("Vehicle")
	p.Add("Customer", "// Pair is a pair.\ntype Pair struct{}\n")
	p.AddKey("Customer", "Region string")
	texts, err := p.Texts()
	require.NoError(t, err)
	require.Equal(t, `// Package shop is a shop.
package shop

import (
	"github.com/cassaml/cassaml/aml"
	"github.com/gocql/gocql"
)

// Customer has vehicles.
type Customer struct {
	aml.ValueObject `+"`aml:\"customer\"`"+`

	Region string

	ID gocql.UUID `+"`aml:\"key,identifier\" json:\"id\"`"+` // the key

	Name string `+"`aml:\"name\"`"+`
}

// Pair is a pair.
type Pair struct{}
`, texts["model.go"])
}

// A field that moves to another file takes its import with it.
func TestImportsFollowFields(t *testing.T) {
	t.Parallel()
	p := gosource.New(map[string]string{
		"a.go": "package shop\n\ntype A struct {\n\tN int\n}\n",
		"b.go": "package shop\n\nimport clock \"time\"\n\ntype B struct {\n\tAt clock.Time\n}",
	})
	p.AddField("A", "At clock.Time")
	p.RemoveField("B", "At")
	texts, err := p.Texts()
	require.NoError(t, err)
	require.Equal(t, "package shop\n\nimport clock \"time\"\n\ntype A struct {\n\tN int\n\n\tAt clock.Time\n}\n", texts["a.go"])
	require.NotContains(t, texts["b.go"], "clock")
}

// A package with another name than the last element of its path is known by the usual forms of such paths, and its import is kept where they do not tell its name.
func TestNamesOfImports(t *testing.T) {
	t.Parallel()
	for path, name := range map[string]string{"gopkg.in/yaml.v3": "yaml", "example.com/go-money": "money", "example.com/money/v2": "money", "example.com/money-go": "money"} {
		head := "package shop\n\nimport \"" + path + "\"\n\ntype A struct {\n"
		p := gosource.New(map[string]string{"a.go": head + "\tN int\n\tIn " + name + ".Type\n}\n"})
		p.RemoveField("A", "N")
		texts, err := p.Texts()
		require.NoError(t, err)
		require.Equal(t, head+"\tIn "+name+".Type\n}\n", texts["a.go"])
		if p.RemoveField("A", "In"); path != "example.com/money-go" {
			texts, err = p.Texts()
			require.NoError(t, err)
			require.Equal(t, "package shop\n\ntype A struct {\n}\n", texts["a.go"])
		}
	}
}

// The first edit that is not possible is the error.
func TestImpossibleEdits(t *testing.T) {
	t.Parallel()
	p := gosource.New(map[string]string{"a.go": "package shop\n\ntype A struct{ N, M int }\n"})
	p.RemoveField("A", "L")
	p.Remove("B")
	_, err := p.Texts()
	require.EqualError(t, err, "gosource: struct A has no field L")
}

// A name that the package or the struct has already is not declared again.
func TestNamesThatExist(t *testing.T) {
	t.Parallel()
	const text = "package shop\n\ntype A struct {\n\tN, M int\n\tB\n}\n\ntype B struct{}\n\nvar V, W int\n\nfunc F() {}\n\nfunc (A) G() {}\n"
	for name, edit := range map[string]func(p *gosource.Package){
		"A has a field M":        func(p *gosource.Package) { p.AddField("A", "M int") },
		"A has a field B":        func(p *gosource.Package) { p.AddKey("A", "B int") },
		"the package declares B": func(p *gosource.Package) { p.Add("A", "// B is new.\ntype B struct{}\n") },
		"the package declares W": func(p *gosource.Package) { p.Add("A", "type X struct{}\n\ntype W struct{}\n") },
		"the package declares F": func(p *gosource.Package) { p.Add("A", "type F struct{}\n") },
		"": func(p *gosource.Package) {
			p.Add("A", "type G struct{}\n")
			p.Remove("B")
			p.Add("A", "type B struct{}\n")
		},
	} {
		p := gosource.New(map[string]string{"a.go": text})
		edit(p)
		if _, err := p.Texts(); name == "" {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, "gosource: "+name+", which the edit adds: rename it")
		}
	}
}

// Of names that are declared together one is edited, and the others keep their tags and comments.
func TestNamesDeclaredTogether(t *testing.T) {
	t.Parallel()
	const fields = "\t// All have a letter.\n\tA, B, C string `json:\"-\"` // of the alphabet\n"
	for name, want := range map[string][2]string{
		"A": {"B, C string `json:\"-\"` // of the alphabet\n", "A string `aml:\"x\" json:\"-\"`\n\tB string `json:\"-\"`\n\tC string `json:\"-\"` // of the alphabet\n"},
		"B": {"A, C string `json:\"-\"` // of the alphabet\n", "A string `json:\"-\"`\n\tB string `aml:\"x\" json:\"-\"`\n\tC string `json:\"-\"` // of the alphabet\n"},
		"C": {"A, B string `json:\"-\"` // of the alphabet\n", "A string `json:\"-\"`\n\tB string `json:\"-\"`\n\tC string `aml:\"x\" json:\"-\"` // of the alphabet\n"},
	} {
		removed, tagged := edited(t, fields, func(p *gosource.Package) { p.RemoveField("A", name) }), edited(t, fields, func(p *gosource.Package) { p.SetTag("A", name, "x") })
		require.Equal(t, "\t// All have a letter.\n\t"+want[0], removed)
		require.Equal(t, "\t// All have a letter.\n\t"+want[1], tagged)
	}
}

// An embedded struct is removed by the name of its type.
func TestEmbeddedStructs(t *testing.T) {
	t.Parallel()
	for name, embedded := range map[string]string{"B": "B", "C": "*C", "Time": "time.Time", "Pair": "Pair[int]", "Entry": "*maps.Entry[int, string]"} {
		require.Equal(t, "\tN int\n", edited(t, "\tN int\n\t"+embedded+" // kept in the row\n", func(p *gosource.Package) { p.RemoveField("A", name) }))
	}
}

// edited returns the fields of a struct after an edit.
func edited(t *testing.T, fields string, edit func(p *gosource.Package)) string {
	t.Helper()
	const head, tail = "package shop\n\ntype A struct {\n", "}\n"
	p := gosource.New(map[string]string{"a.go": head + fields + tail})
	edit(p)
	texts, err := p.Texts()
	require.NoError(t, err)
	return strings.TrimSuffix(strings.TrimPrefix(texts["a.go"], head), tail)
}

// A field without a tag gets one, and the other tags of a field are kept, also those that no raw string can have.
func TestTags(t *testing.T) {
	t.Parallel()
	set := func(p *gosource.Package) { p.SetTag("A", "N", "n") }
	require.Equal(t, "\tN int `aml:\"n\"`\n", edited(t, "\tN int\n", set))
	require.Equal(t, "\tN int \"aml:\\\"n\\\" json:\\\"a`b\\\"\"\n", edited(t, "\tN int \"json:\\\"a`b\\\" aml:\\\"m\\\"\"\n", set))
}

// Only one struct of a group is removed, with its comment. The marker has the name by which the file imports its package, and imports for their effects are kept.
func TestGroupsAndImports(t *testing.T) {
	t.Parallel()
	const head = "package shop\n\nimport (\n\t_ \"embed\"\n\t\"math/rand/v2\"\n\t. \"time\"\n\n\tlanguage \"github.com/cassaml/cassaml/aml\"\n)\n\nvar _ = rand.N(Second)\n\n// Both are values.\ntype (\n"
	const a, b = "\t// A is first.\n\tA struct {\n\t\tlanguage.Entity `aml:\"a\"`\n\n%s\t\tN int\n\t}\n", "\t// B is last.\n\tB struct{}\n"
	p := gosource.New(map[string]string{"a.go": head + fmt.Sprintf(a, "") + b + ")\n"})
	p.Remove("B")
	p.AddKey("A", "Key int")
	texts, err := p.Texts()
	require.NoError(t, err)
	require.Equal(t, head+fmt.Sprintf(a, "\t\tKey int\n\n")+")\n", texts["a.go"])
}
