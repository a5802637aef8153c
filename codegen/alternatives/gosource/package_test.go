package gosource_test

import (
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

// The first edit that is not possible is the error.
func TestImpossibleEdits(t *testing.T) {
	t.Parallel()
	p := gosource.New(map[string]string{"a.go": "package shop\n\ntype A struct{ N, M int }\n"})
	p.RemoveField("A", "N")
	p.Remove("B")
	_, err := p.Texts()
	require.EqualError(t, err, "gosource: struct A has no declaration of the field N alone")
}
