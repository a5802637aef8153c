package advise_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/codegen/advise"
	"github.com/cassaml/cassaml/internal/models"
)

// declaredReport returns the report for declarations, in which $ stands for the quote of a tag.
func declaredReport(t *testing.T, declarations, workload string) *advise.Report {
	t.Helper()
	imports, err := models.Load(".", "github.com/cassaml/cassaml/aml")
	require.NoError(t, err)
	text := "package shop\n\nimport \"github.com/cassaml/cassaml/aml\"\n" + strings.ReplaceAll(declarations, "$", "`")
	files := &load.Files{Path: "example.com/shop", Texts: map[string][]byte{"model.go": []byte(text)}, Fset: imports.Fset, Imports: imports}
	return advice(t, files, workload, advise.DefaultConfig())
}

// losing returns the design with a name among those that lose a guarantee.
func losing(t *testing.T, r *advise.Relationship, name string) *advise.Proposal {
	t.Helper()
	i := slices.Index(names(r.Losing), name)
	require.GreaterOrEqual(t, i, 0, "%s is not in %v", name, names(r.Losing))
	return r.Losing[i]
}

// Designs without the version of the root are not ranked, and name the faults that overlapping writers can leave.
func TestDesignsThatDropAVersion(t *testing.T) {
	t.Parallel()
	report := declaredReport(t, `
type Customer struct {
	aml.Aggregate $aml:"customers"$

	ID       int32     $aml:"id,identifier"$
	Name     string    $aml:"name"$
	Vehicles []Vehicle $aml:"vehicles,composition,max=20"$
	Version  int64     $aml:"version,version"$
}

type Vehicle struct {
	aml.Entity $aml:"vehicle"$

	Plate string $aml:"plate,identifier"$
	Model string $aml:"model"$
}
`, "-- aml:write Customer.Vehicles add 5/s\n")
	r := report.Relationships[0]
	require.Contains(t, names(r.Proposals), "embedded-list-versioned")
	for _, p := range r.Proposals {
		require.True(t, p.Versioned, p.Name)
		require.False(t, p.ManyToMany, p.Name)
		require.Empty(t, p.Loses, p.Name)
	}
	list := losing(t, r, "embedded-list")
	require.True(t, strings.HasPrefix(list.Loses[0], "it drops the version of Customer: "), list.Loses[0])
	require.Contains(t, list.Loses[0], "Customer.Vehicles: of two overlapping changes of the list, one is lost")
	require.Contains(t, losing(t, r, "pairs-checked").Loses, "an element can have several roots")
	require.Contains(t, losing(t, r, "inverse-versioned").Loses, "no Customer without elements can be stored, and each element has its own values of the fields of its Customer")
	require.Greater(t, list.Number, r.Proposals[len(r.Proposals)-1].Number)
	require.Same(t, list, report.Proposal(list.Number))
	require.Contains(t, report.Text(), "     loses: it drops the version of Customer: ")
	require.NotContains(t, report.Text(), ". embedded-list: ")
}

const checkedBuyer = `
type Customer struct {
	aml.Aggregate $aml:"customers"$

	ID      int32  $aml:"id,identifier"$
	Name    string $aml:"name"$
	Version int64  $aml:"version,version"$
}

type Order struct {
	aml.Aggregate $aml:"orders"$

	ID        int32  $aml:"id,identifier"$
	Status    string $aml:"status"$
	Buyer     int32  $aml:"buyer,association=Customer,checked,rows=1000"$
	BuyerName string $aml:"buyer_name,copy=Customer.Name"$
	Version   int64  $aml:"version,version"$
}
`

// A checked reference to one root is not exchanged for an unchecked one, or for several roots.
func TestDesignsThatChangeACheckedReference(t *testing.T) {
	t.Parallel()
	r := declaredReport(t, checkedBuyer, "-- aml:write Order.Buyer add 5/s\n").Relationships[0]
	require.Contains(t, names(r.Proposals), "reference-from-element-checked")
	require.NotContains(t, names(r.Proposals), "reference-from-element")
	for _, p := range r.Proposals {
		require.False(t, p.ManyToMany, p.Name)
	}
	require.Contains(t, losing(t, r, "references-from-root-checked").Loses, "an element can have several roots")
	require.Contains(t, losing(t, r, "reference-from-element").Loses[0], "it does not check the references: Order.CustomerID")
}

// The elements of a set of references can have several roots, so a design with one root loses that.
func TestDesignsWithOneRootOfAnElement(t *testing.T) {
	t.Parallel()
	r := report(t, "../../examples/vehicles/approach6/fleet", "-- aml:write Cliente.VeiculosIDs add 5/s\n").Relationships[0]
	for _, p := range r.Proposals {
		require.True(t, p.ManyToMany, p.Name)
	}
	require.Contains(t, losing(t, r, "embedded-list").Loses, "an element can have only one root")
}

// A design that drops a version of the model is not the design of the model, although it stores the relationship in the same way.
func TestDesignThatDropsAVersionIsNotTheModel(t *testing.T) {
	t.Parallel()
	declarations := `
type Customer struct {
	aml.Aggregate $aml:"customers"$

	ID      int32  $aml:"id,identifier"$
	Name    string $aml:"name"$
	Version int64  $aml:"version,version"$
}

type Vehicle struct {
	aml.Aggregate $aml:"vehicles"$

	Plate      string $aml:"plate,identifier"$
	CustomerID int32  $aml:"customer_id,association=Customer"$
}
`
	const workload = "-- aml:write Vehicle.CustomerID add 5/s\n"
	r := declaredReport(t, declarations, workload).Relationships[0]
	require.False(t, losing(t, r, "reference-from-element").Current)
	plain := declaredReport(t, strings.Replace(declarations, "	Version int64  $aml:\"version,version\"$\n", "", 1), workload).Relationships[0]
	i := slices.Index(names(plain.Proposals), "reference-from-element")
	require.True(t, plain.Proposals[i].Current)
}
