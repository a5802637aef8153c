package projection_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/projection"
)

// elements are models in which elements have methods: in the root only, in a copy of the whole collection, and with rows of their own.
var elements = map[string]string{
	"whole collections": `type Root struct {
	aml.Aggregate
	ID int32 ` + "`aml:\",identifier\"`" + `
	Tags map[string]struct{}
	Notes map[string]string
	Name string
}
type Copy struct {
	aml.Aggregate ` + "`aml:\",redundant=Root\"`" + `
	ID int32 ` + "`aml:\",identifier\"`" + `
	Tags map[string]struct{}
	Notes map[string]string
}`,
	"rows of elements": `type Root struct {
	aml.Aggregate
	ID int32 ` + "`aml:\",identifier\"`" + `
	Tags map[string]struct{}
	Name string
}
type Copy struct {
	aml.Aggregate ` + "`aml:\",redundant=Root.Tags\"`" + `
	Tag string ` + "`aml:\",identifier,from=Root.Tags.$value\"`" + `
	ID int32 ` + "`aml:\",discriminator,from=Root.ID\"`" + `
}`,
	"rows of entries": `type Place struct { City, Street string }
type Root struct {
	aml.Aggregate
	ID int32 ` + "`aml:\",identifier\"`" + `
	Places map[string]Place ` + "`aml:\",composition\"`" + `
	Name string
}
type Copy struct {
	aml.Aggregate ` + "`aml:\",redundant=Root.Places\"`" + `
	Label string ` + "`aml:\",identifier,from=Root.Places.$key\"`" + `
	ID int32 ` + "`aml:\",discriminator,from=Root.ID\"`" + `
	City string ` + "`aml:\",from=Root.Places.City\"`" + `
	Place Place ` + "`aml:\",composition,from=Root.Places.$value\"`" + `
}`,
	"shared rows": `type Root struct {
	aml.Aggregate
	ID int32 ` + "`aml:\",identifier\"`" + `
	Tags map[string]struct{}
	Name string
}
type Copy struct {
	aml.Aggregate ` + "`aml:\",redundant=Root.Tags,shared\"`" + `
	Tag string ` + "`aml:\",identifier,from=Root.Tags.$value\"`" + `
}`,
}

// A method for one element leaves the same cells and write times in every table as the same change by Update.
func TestElementsAreWrittenAsByUpdate(t *testing.T) {
	known, err := imports()
	require.NoError(t, err)
	for name, model := range elements {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := projection.Compile("package elements\n\nimport \"github.com/cassaml/cassaml/aml\"\n\n"+model+"\n", known)
			require.NoError(t, err)
			tally := newTally()
			r := rand.New(rand.NewPCG(1, 2))
			for range 150 {
				inMemory(t, c, r, tally)
			}
			for _, x := range c.Root.Columns {
				require.True(t, !x.HasElements() || c.Root.Addable(x) == "" && c.Root.Removable(x) == "", x.Name)
			}
			require.Greater(t, tally.n["writes: Element"]+tally.n["writes: Element with a row"], 15)
			require.Equal(t, name == "whole collections", tally.n["writes: Element with a row"] == 0)
		})
	}
}
