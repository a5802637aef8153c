package projection_test

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
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
	"fields of a UDT, and lists": `type Place struct {
	City string
	Street *string
	Zip int32
}
type Root struct {
	aml.Aggregate
	ID int32 ` + "`aml:\",identifier\"`" + `
	Home Place ` + "`aml:\",composition\"`" + `
	Work *Place ` + "`aml:\",composition\"`" + `
	Notes []string
	Few []string ` + "`aml:\",max=3\"`" + `
	Tags []string ` + "`aml:\",unique\"`" + `
}
type Copy struct {
	aml.Aggregate ` + "`aml:\",redundant=Root\"`" + `
	ID int32 ` + "`aml:\",identifier\"`" + `
	City string ` + "`aml:\",from=Root.Home.City\"`" + `
	Home Place ` + "`aml:\",composition,from=Root.Home\"`" + `
	Work *Place ` + "`aml:\",composition,from=Root.Work\"`" + `
}`,
	"static columns": `type Place struct { City, Street string }
type Root struct {
	aml.Aggregate
	ID int32 ` + "`aml:\",identifier\"`" + `
	Part int32 ` + "`aml:\",discriminator\"`" + `
	Tags map[string]struct{} ` + "`aml:\",static\"`" + `
	Notes []string ` + "`aml:\",static\"`" + `
	Home Place ` + "`aml:\",composition,static\"`" + `
	Name string
}
type Copy struct {
	aml.Aggregate ` + "`aml:\",redundant=Root\"`" + `
	Name string ` + "`aml:\",identifier,from=Root.Name\"`" + `
	ID int32 ` + "`aml:\",discriminator,from=Root.ID\"`" + `
	Part int32 ` + "`aml:\",discriminator,from=Root.Part\"`" + `
}`,
	"after a read": `type Place struct { City, Street string }
type Root struct {
	aml.Aggregate
	ID int32 ` + "`aml:\",identifier\"`" + `
	Name string
	Shown bool
	Rows map[string]struct{}
	Places map[string]Place ` + "`aml:\",composition\"`" + `
	Whole []string ` + "`aml:\",unique\"`" + `
	Cond map[string]struct{}
}
type ByPlace struct {
	aml.Aggregate ` + "`aml:\",redundant=Root.Places\"`" + `
	City string ` + "`aml:\",identifier,from=Root.Places.City\"`" + `
	ID int32 ` + "`aml:\",discriminator,from=Root.ID\"`" + `
	Label string ` + "`aml:\",discriminator,from=Root.Places.$key\"`" + `
}
type Named struct {
	aml.Aggregate ` + "`aml:\",redundant=Root.Rows\"`" + `
	Row string ` + "`aml:\",identifier,from=Root.Rows.$value\"`" + `
	ID int32 ` + "`aml:\",discriminator,from=Root.ID\"`" + `
	Name string ` + "`aml:\",from=Root.Name\"`" + `
}
type Conditional struct {
	aml.Aggregate ` + "`aml:\",redundant=Root.Cond,when=Root.Shown\"`" + `
	Row string ` + "`aml:\",identifier,from=Root.Cond.$value\"`" + `
	ID int32 ` + "`aml:\",discriminator,from=Root.ID\"`" + `
}
type ByName struct {
	aml.Aggregate ` + "`aml:\",redundant=Root\"`" + `
	Name string ` + "`aml:\",identifier,from=Root.Name\"`" + `
	ID int32 ` + "`aml:\",discriminator,from=Root.ID\"`" + `
	Whole []string ` + "`aml:\",unique,from=Root.Whole\"`" + `
}`,
	"rows that expire": `type Root struct {
	aml.Aggregate ` + "`aml:\",ttl=100\"`" + `
	ID int32 ` + "`aml:\",identifier\"`" + `
	Tags map[string]struct{}
	Name string
}
type Copy struct {
	aml.Aggregate ` + "`aml:\",redundant=Root.Tags\"`" + `
	Tag string ` + "`aml:\",identifier,from=Root.Tags.$value\"`" + `
	ID int32 ` + "`aml:\",discriminator,from=Root.ID\"`" + `
}`,
}

// operations are the kinds of changes that each of the models must have.
var operations = map[string][]string{
	"whole collections":          {"Element"},
	"rows of elements":           {"Element with a row"},
	"rows of entries":            {"Element with a row"},
	"shared rows":                {"Element with a row"},
	"fields of a UDT, and lists": {"Element", "Element of a list", "Set of a field"},
	"static columns":             {"Element", "Element of a list", "Set of a field"},
	"after a read":               {"Element after a read"},
	"rows that expire":           {"Element after a read"},
}

var (
	elementCases     = flag.Int("element-cases", 5000, "the number of random sequences of changes of elements in memory")
	elementNodeCases = flag.Int("element-node-cases", 32, "the number of random sequences of changes of elements on a node")
)

// elementModel compiles a model. The names of its types begin with a prefix.
func elementModel(t *testing.T, model, prefix string) *projection.Compiled {
	t.Helper()
	known, err := imports()
	require.NoError(t, err)
	var names []string
	for _, name := range []string{"ByPlace", "ByName", "Place", "Root", "Copy", "Named", "Conditional"} {
		names = append(names, name, prefix+name)
	}
	model = strings.NewReplacer(names...).Replace(model)
	c, err := projection.Compile("package elements\n\nimport \"github.com/cassaml/cassaml/aml\"\n\n"+model+"\n", known)
	require.NoError(t, err)
	c.Elements = true
	return c
}

// The same on a real server.
func TestElementsOnANodeAreWrittenAsByUpdate(t *testing.T) {
	cassandra.Requires(t, "5.0", "write times of columns that are not frozen")
	session, tally := cassandra.Keyspace(t), newTally()
	r := rand.New(rand.NewPCG(firstSeed(t), 3))
	for i, name := range slices.Sorted(maps.Keys(elements)) {
		c := elementModel(t, elements[name], fmt.Sprintf("E%d", i))
		t.Run(name, func(t *testing.T) { onNode(t, session, c, r, *elementNodeCases/len(elements), tally) })
	}
	for _, op := range []string{"Element", "Element with a row", "Element after a read", "Element of a list", "Set of a field"} {
		require.Positive(t, tally.n["writes: "+op], op)
	}
}

// A method for one element or one field leaves the same cells and write times in every table as the same change by Update.
func TestElementsAreWrittenAsByUpdate(t *testing.T) {
	for name, model := range elements {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := elementModel(t, model, "")
			tally := newTally()
			r := rand.New(rand.NewPCG(firstSeed(t), 2))
			for range *elementCases / len(elements) {
				inMemory(t, c, r, tally)
			}
			for _, op := range operations[name] {
				require.Greater(t, tally.n["writes: "+op], *elementCases/len(elements)/4, op)
			}
		})
	}
}
