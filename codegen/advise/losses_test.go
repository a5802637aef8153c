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

// The design of the model is the model itself, with its versions, its unique values and its other tables. A design without them names what it loses.
func TestDesignOfTheModelIsTheModel(t *testing.T) {
	t.Parallel()
	r := declaredReport(t, `
type Member struct {
	aml.Aggregate $aml:"members"$

	ID      int32  $aml:"id,identifier"$
	Loans   []Loan $aml:"loans,composition,max=5"$
	Version int64  $aml:"version,version"$
}

type Loan struct {
	aml.Entity $aml:"loan"$

	Barcode string $aml:"barcode,identifier,required,unique"$
	Title   string $aml:"title"$
}

type LoanByTitle struct {
	aml.Aggregate $aml:"loans_by_title,redundant=Member.Loans,rows=100"$

	Title   string $aml:"title,identifier"$
	Barcode string $aml:"barcode,discriminator"$
}
`, "-- aml:write Member.Loans add 5/s\n-- aml:rate 5/s\nSELECT * FROM members WHERE id = ?;\n-- aml:rate 5/s\nSELECT * FROM loans_by_title WHERE title = ?;\n").Relationships[0]
	require.Equal(t, []string{"embedded-list-versioned"}, names(r.Proposals))
	require.True(t, r.Proposals[0].Current)
	require.Empty(t, r.Proposals[0].Diff)
	require.Equal(t, 2, r.Proposals[0].Costs[alternatives.Add].Conditional, "the save, and the claim of the barcode")
	const table = "it does not have LoanByTitle, which the query at workload.cql:5:1 reads: declare it again for the design"
	for _, p := range r.Losing {
		require.Contains(t, p.Loses, table, p.Name)
	}
	require.Equal(t, []string{"Loan.Barcode is not unique: two Members can have a Loan with the same value", table}, losing(t, r, "parts-in-root-versioned").Loses)
	require.Equal(t, "max=5 is not checked: a Member can have more Loans", losing(t, r, "parts-in-root-versioned").Unlimited)
	require.Empty(t, losing(t, r, "embedded-map-versioned").Unlimited)
}

// The plain design of a model whose roots have versions without need is the model, too.
func TestPlainDesignOfAModelWithVersions(t *testing.T) {
	t.Parallel()
	r := declaredReport(t, `
type Customer struct {
	aml.Aggregate $aml:"customers"$

	ID      int32  $aml:"id,identifier"$
	Name    string $aml:"name"$
	Version int64  $aml:"version,version"$
}

type Vehicle struct {
	aml.Aggregate $aml:"vehicles"$

	Plate string $aml:"plate,identifier"$
	Owner int32  $aml:"owner,association=Customer"$
}
`, "-- aml:write Vehicle.Owner move 5/s\n").Relationships[0]
	p := r.Proposals[slices.Index(names(r.Proposals), "reference-from-element")]
	require.True(t, p.Current)
	require.Equal(t, "Owner", p.Calls[alternatives.Move][0].Field)
}
