package site_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/diagram"
	"github.com/cassaml/cassaml/codegen/site"
	"github.com/cassaml/cassaml/internal/models"
)

// BenchmarkBuild builds the site of a model of 300 tables.
func BenchmarkBuild(b *testing.B) {
	imports, err := models.Load(".", "github.com/cassaml/cassaml/aml")
	require.NoError(b, err)
	m, faults := model.Build(imports.Source(b, "example.com/large", large(100)))
	require.False(b, model.Refused(faults), "%v", faults)
	in := site.Input{Models: []site.Model{{Model: diagram.Model{Model: m, Schema: schema.New(m)}}}}
	for b.Loop() {
		_, err := site.Build(in)
		require.NoError(b, err)
	}
}

// large returns the source of a model of some roots, each with two redundant aggregates.
func large(roots int) string {
	var b strings.Builder
	b.WriteString("package large\n\nimport \"github.com/cassaml/cassaml/aml\"\n")
	for i := range roots {
		fmt.Fprintf(&b, `
// Root%[1]d refers to another root.
type Root%[1]d struct {
	aml.Aggregate `+"`aml:\"root%[1]d\"`"+`

	ID   int32  `+"`aml:\"id,identifier\"`"+`
	Name string `+"`aml:\"name,required\"`"+`
	Kind string `+"`aml:\"kind\"`"+`
	Next int32  `+"`aml:\"next,association=Root%[2]d\"`"+`
}

// Root%[1]dByName finds it by its name.
type Root%[1]dByName struct {
	aml.Aggregate `+"`aml:\"root%[1]d_by_name,redundant=Root%[1]d\"`"+`

	Name string `+"`aml:\"name,identifier\"`"+`
	ID   int32  `+"`aml:\"id,discriminator\"`"+`
	Kind string `+"`aml:\"kind\"`"+`
}

// Root%[1]dByKind finds it by its kind.
type Root%[1]dByKind struct {
	aml.Aggregate `+"`aml:\"root%[1]d_by_kind,redundant=Root%[1]d\"`"+`

	Kind string `+"`aml:\"kind,identifier\"`"+`
	ID   int32  `+"`aml:\"id,discriminator\"`"+`
	Name string `+"`aml:\"name\"`"+`
}
`, i, (i+7)%roots)
	}
	return b.String()
}
