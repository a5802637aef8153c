package advise_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/codegen/advise"
	"github.com/cassaml/cassaml/codegen/alternatives"
	"github.com/cassaml/cassaml/internal/models"
)

const customers = `package shop

import "github.com/cassaml/cassaml/aml"

type Customer struct {
	aml.Aggregate "aml:\"customers\""

	ID   int32  "aml:\"id,identifier\""
	Name string "aml:\"name\""
}
`

func inMemory(t *testing.T, text string) *load.Files {
	t.Helper()
	imports, err := models.Load(".", "github.com/cassaml/cassaml/aml")
	require.NoError(t, err)
	return &load.Files{Path: "example.com/shop", Texts: map[string][]byte{"model.go": []byte(text)}, Fset: imports.Fset, Imports: imports}
}

// A workload for a relationship that has become a part is accepted, and the report says that parts are not compared.
func TestWriteOfAPart(t *testing.T) {
	t.Parallel()
	files := inMemory(t, customers+`
type Order struct {
	aml.Entity "aml:\"orders,part=Customer\""

	ID     int32 "aml:\"id,identifier\""
	Number int32 "aml:\"number,discriminator\""
}
`)
	r := advice(t, files, "-- aml:write Customer.Orders add 5/s\n-- aml:write Customer.Orders change 5/s\n", advise.DefaultConfig())
	require.Equal(t, []string{"Customer.Orders: Order is a part of Customer, and parts are not compared"}, r.Omitted)
	_, err := alternatives.List(files, "Customer.Orders", alternatives.Config{})
	require.EqualError(t, err, "Customer.Orders: Order is a part of Customer, for which there are no alternatives")
	require.Equal(t, []string{"workload.cql:1:8: the model has no relationship and no root with the method Customer.Bills: its relationships are Customer.Orders"}, faults(t, files, "-- aml:write Customer.Bills add 5/s\n"))
	require.Equal(t, []string{"workload.cql:1:8: the model has no relationship and no root with the method Customer.Orders: its relationships are none"}, faults(t, inMemory(t, customers), "-- aml:write Customer.Orders add 5/s\n"))
}

func faults(t *testing.T, files *load.Files, text string) (out []string) {
	t.Helper()
	w, found := advise.Parse("workload.cql", text)
	require.Empty(t, found)
	_, found, err := advise.New(files, w, advise.DefaultConfig())
	require.NoError(t, err)
	for _, f := range found {
		out = append(out, f.String())
	}
	return out
}

// A workload is used again after a proposal has been applied: its relationship has the name of its two sides. A reference of several fields is one relationship.
func TestWorkloadAfterItsAdvice(t *testing.T) {
	t.Parallel()
	files, err := load.Read(t.Context(), "../../examples/quickstart/shop")
	require.NoError(t, err)
	requireSameWorkload(t, files, "")
	requireSameWorkload(t, inMemory(t, strings.Replace(customers, "	Name string \"aml:\\\"name\\\"\"\n", `	Country string "aml:\"country,identifier\""
	Name string "aml:\"name\""
	Vehicles []Vehicle "aml:\"vehicles,composition\""
`, 1)+`
type Vehicle struct {
	aml.Entity "aml:\"vehicle\""

	Plate string "aml:\"plate,identifier\""
}
`), "Customer.Vehicles: the model has the design %s, and no other design is derived from its reference")
}

// requireSameWorkload compares the designs of the relationship with those after each of them has been applied. The designs with a
// reference of an element are omitted with the reason, if there is one.
func requireSameWorkload(t *testing.T, files *load.Files, reason string) {
	t.Helper()
	const workload = "-- aml:write Customer.Vehicles add 5/s\n"
	before := advice(t, files, workload, advise.DefaultConfig()).Relationships[0]
	for _, p := range slices.Concat(before.Proposals, before.Losing) {
		edited := *files
		edited.Texts = map[string][]byte{}
		for name, text := range p.Files {
			edited.Texts[name] = []byte(text)
		}
		r := advice(t, &edited, workload, advise.DefaultConfig())
		form, _, _ := strings.Cut(p.Name, "-")
		omitted := map[string]string{"parts": "Customer.Vehicles: Vehicle is a part of Customer, and parts are not compared",
			"inverse": "Customer.Vehicles: each Vehicle contains its Customer, and the design %s is not compared", "reference": reason}[form]
		if omitted != "" {
			require.Contains(t, r.Omitted, strings.Replace(omitted, "%s", p.Name, 1))
			continue
		}
		require.Len(t, r.Relationships, 1, p.Name)
		require.Equal(t, map[alternatives.Operation]float64{alternatives.Add: 5}, r.Relationships[0].Rates, p.Name)
		require.Equal(t, p.Name, r.Relationships[0].Current())
	}
}

// A name that several relationships have is refused: the workload does not say which one is written.
func TestSeveralRelationshipsOfTwoSides(t *testing.T) {
	t.Parallel()
	files := inMemory(t, customers+`
type Order struct {
	aml.Aggregate "aml:\"orders\""

	Number  int32 "aml:\"number,identifier\""
	BuyerID int32 "aml:\"buyer,association=Customer\""
	PayerID int32 "aml:\"payer,association=Customer\""
}
`)
	require.Equal(t, []string{"workload.cql:1:8: the model has no relationship and no root with the method Customer.Orders: its relationships are Order.BuyerID, Order.PayerID"}, faults(t, files, "-- aml:write Customer.Orders add 5/s\n"))
}

// A relationship that is named by its two sides is compared once, whatever the number of its writes is.
func TestSeveralWritesOfOneRelationship(t *testing.T) {
	t.Parallel()
	files := inMemory(t, customers+`
type Order struct {
	aml.Aggregate "aml:\"orders\""

	Number   int32   "aml:\"number,identifier\""
	BuyerIDs []int32 "aml:\"buyers,unique,association=Customer\""
}
`)
	r := advice(t, files, "-- aml:write Customer.Orders add 5/s\n-- aml:write Customer.Orders move 5/s\n", advise.DefaultConfig())
	require.Len(t, r.Relationships, 1)
	require.Len(t, r.Omitted, 1, "%v", r.Omitted)
}
