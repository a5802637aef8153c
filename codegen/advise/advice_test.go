package advise_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/advise"
	"github.com/cassaml/cassaml/codegen/alternatives"
	"github.com/cassaml/cassaml/internal/pagetest"
)

func report(t *testing.T, dir, text string) *advise.Report {
	t.Helper()
	return reportWith(t, dir, text, advise.DefaultConfig())
}

func reportWith(t *testing.T, dir, text string, c advise.Config) *advise.Report {
	t.Helper()
	files, err := load.Read(t.Context(), dir)
	require.NoError(t, err)
	return advice(t, files, text, c)
}

// advice returns the report for the model and the text of a workload, both without faults.
func advice(t *testing.T, files *load.Files, text string, c advise.Config) *advise.Report {
	t.Helper()
	w, faults := advise.Parse("workload.cql", text)
	require.Empty(t, faults)
	r, faults, err := advise.New(files, w, c)
	require.NoError(t, err)
	require.Empty(t, faults)
	return r
}

func names(in []*advise.Proposal) (out []string) {
	for _, p := range in {
		out = append(out, p.Name)
	}
	return out
}

const (
	reads  = "-- aml:rate 500/s\nSELECT * FROM clientes WHERE id = ?;\n"
	writes = "-- aml:write Cliente.Veiculos add 500/s\n"
)

// Reads of roots with their elements make embedding the cheapest, and additions to a list that is rewritten with its redundant rows make it dearer
// than parts.
func TestOrderFollowsTheWorkload(t *testing.T) {
	t.Parallel()
	const dir = "../../examples/vehicles/approach3/fleet"
	embedded := report(t, dir, reads).Relationships[0].Proposals
	require.True(t, strings.HasPrefix(embedded[0].Name, "embedded"), "%v", names(embedded))
	added := names(report(t, dir, reads+writes).Relationships[0].Proposals)
	require.Less(t, slices.Index(added, "parts"), slices.Index(added, "embedded-list-total"), "%v", added)
	for i := range len(embedded) - 1 {
		require.LessOrEqual(t, embedded[i].Cost, embedded[i+1].Cost)
		require.Equal(t, i+1, embedded[i].Number)
	}
}

// At the number of reads for each write that the report names, two designs cost the same.
func TestBreakEven(t *testing.T) {
	t.Parallel()
	r := report(t, "../../examples/quickstart/shop", "-- aml:rate 30/s\nSELECT * FROM customers WHERE id = ?;\n-- aml:write Customer.Vehicles add 10/s\n").Relationships[0]
	w := advise.DefaultWeights()
	find := func(name string) *advise.Proposal {
		return r.Proposals[slices.Index(names(r.Proposals), name)]
	}
	// reads: 1 read, or 2. additions: a read and a write, or a write.
	embedded, parts := find("embedded-list"), find("parts")
	require.Equal(t, "below 1 reads a write, parts is cheaper", r.BreakEven(w, embedded, parts))
	versioned := find("embedded-list-versioned")
	require.Empty(t, r.BreakEven(w, embedded, versioned), "it is never cheaper")
	for _, p := range r.Proposals[1:] {
		require.Equal(t, r.BreakEven(w, r.Proposals[0], p), p.BreakEven)
	}
	require.InDelta(t, 30*w.Read+10*(w.Read+w.Write), 1e6*embedded.Cost, 1e-3)
	require.InDelta(t, 30*w.Read+10*(w.Read+w.Conditional), 1e6*versioned.Cost, 1e-3)
}

const marketplace = "../../examples/marketplace/"

// marketplaceReport is the report for the queries of the marketplace, each with a rate, and for its model after a change of the text.
func marketplaceReport(t *testing.T, change func(source string) string) *advise.Report {
	t.Helper()
	files, err := load.Read(t.Context(), marketplace+"shop")
	require.NoError(t, err)
	for name, text := range files.Texts {
		files.Texts[name] = []byte(change(string(text)))
	}
	text, err := os.ReadFile(marketplace + "queries.cql")
	require.NoError(t, err)
	return advice(t, files, strings.ReplaceAll(string(text), "\nSELECT", "\n-- aml:rate 100/s\nSELECT"), advise.DefaultConfig())
}

// The tables of the marketplace answer its queries, and no design of its relationships is cheaper than the published one.
func TestMarketplace(t *testing.T) {
	t.Parallel()
	r := marketplaceReport(t, func(source string) string { return source })
	require.Empty(t, r.Unanswered)
	require.Empty(t, r.Unused)
	first := map[string]string{}
	for _, x := range r.Relationships {
		first[x.Name] = x.Proposals[0].Name
		require.True(t, x.Proposals[0].Current, x.Name)
	}
	require.Equal(t, map[string]string{"User.Addresses": "embedded-map", "Order.Items": "embedded-list"}, first)
}

// Without the published table of the orders by their ids, the advice is a table with the same columns and the same key.
func TestMarketplaceWithoutItsTable(t *testing.T) {
	t.Parallel()
	var published *schema.Table
	r := marketplaceReport(t, func(source string) string {
		before, rest, found := strings.Cut(source, "// OrderByID is the redundant aggregate")
		_, after, _ := strings.Cut(rest, "// Review is")
		if !found {
			return source
		}
		return before + "// Review is" + after
	})
	require.Len(t, r.Unanswered, 1)
	offered := r.Unanswered[0].Offer.Table
	files, err := load.Read(t.Context(), marketplace+"shop")
	require.NoError(t, err)
	p, err := files.Package(files.Texts)
	require.NoError(t, err)
	m, _ := model.Build(p)
	for _, x := range schema.New(m).Tables {
		if x.Name == "orders_by_user_and_id" {
			published = x
		}
	}
	require.Equal(t, schema.Names(published.PartitionKey), schema.Names(offered.PartitionKey))
	require.Equal(t, schema.Names(published.Key()), schema.Names(offered.Key()))
	require.Equal(t, schema.Names(published.Columns), schema.Names(offered.Columns))
}

// A SELECT of several elements is no operation of their relationship: the designs do not find them.
func TestSeveralElementsAreNotCompared(t *testing.T) {
	t.Parallel()
	r := report(t, marketplace+"shop", "-- aml:rate 5/s\nSELECT * FROM products WHERE category = ?;\n")
	require.Empty(t, r.Relationships)
	r = report(t, marketplace+"shop", "-- aml:rate 5/s\nSELECT * FROM products WHERE category = ? AND product_id = ?;\n")
	require.Equal(t, map[alternatives.Operation]float64{alternatives.ReadByElement: 5}, r.Relationships[0].Rates)
	r = report(t, quickstart, "-- aml:rate 5/s\nSELECT * FROM vehicles WHERE plate IN ?;\n")
	require.Equal(t, map[alternatives.Operation]float64{alternatives.ReadByElement: 5}, r.Relationships[0].Rates, "several keys are known")
}

// A SELECT of several rows is the operation of the root to whose key the key of its table refers, and none of an element.
func TestReadsOfReferencesAndPairs(t *testing.T) {
	t.Parallel()
	files := inMemory(t, customers+strings.NewReplacer("$value", "$value", "$", "`").Replace(`
type Order struct {
	aml.Aggregate $aml:"orders"$

	Number   int32   $aml:"number,identifier"$
	BuyerID  int32   $aml:"buyer,association=Customer"$
	PayerID  int32   $aml:"payer,association=Customer"$
	Gifts    []int32 $aml:"gifts,unique,association=Gift"$
}

type OrderByBuyer struct {
	aml.Aggregate $aml:"orders_by_buyer,redundant=Order"$

	BuyerID int32 $aml:"buyer,identifier"$
	Number  int32 $aml:"number,discriminator"$
}

type OrderByPayer struct {
	aml.Aggregate $aml:"orders_by_payer,redundant=Order"$

	PayerID int32 $aml:"payer,identifier"$
	BuyerID int32 $aml:"buyer,discriminator"$
	Number  int32 $aml:"number,discriminator"$
}

type OrderByGift struct {
	aml.Aggregate $aml:"orders_by_gift,redundant=Order.Gifts"$

	Gift   int32 $aml:"gift,identifier,from=Order.Gifts.$value"$
	Number int32 $aml:"number,discriminator,from=Order.Number"$
}

type Gift struct {
	aml.Aggregate $aml:"gifts"$

	ID int32 $aml:"id,identifier"$
}

type Wish struct {
	aml.Aggregate $aml:"wishes"$

	CustomerID int32 $aml:"customer,identifier,association=Customer"$
	GiftID     int32 $aml:"gift,discriminator,association=Gift"$
}

type WishByGift struct {
	aml.Aggregate $aml:"wishes_by_gift,redundant=Wish"$

	GiftID     int32 $aml:"gift,identifier"$
	CustomerID int32 $aml:"customer,discriminator"$
}
`))
	for query, want := range map[string]string{
		"orders_by_buyer WHERE buyer = ?": "Order.BuyerID",
		"orders_by_payer WHERE payer = ?": "Order.PayerID",
		"orders_by_gift WHERE gift = ?":   "",
		"wishes WHERE customer = ?":       "Wish.CustomerID",
		"wishes_by_gift WHERE gift = ?":   "Wish.GiftID",
	} {
		got := ""
		for _, r := range advice(t, files, "-- aml:rate 5/s\nSELECT * FROM "+query+";\n", advise.DefaultConfig()).Relationships {
			require.Equal(t, map[alternatives.Operation]float64{alternatives.ReadByRoot: 5}, r.Rates, query)
			got += r.Name
		}
		require.Equal(t, want, got, query)
	}
	one := advice(t, files, "-- aml:rate 5/s\nSELECT * FROM customers WHERE id = ?;\n", advise.DefaultConfig()).Relationships
	require.Len(t, one, 1, "a customer alone is not one with its orders")
	require.Equal(t, map[alternatives.Operation]float64{alternatives.ReadByElement: 5}, one[0].Rates, "it is an element of the gifts")
	r := report(t, "../../examples/vehicles/approach8unique/fleet", "-- aml:rate 5/s\nSELECT * FROM veiculos_clientes WHERE placa = ?;\n")
	require.Equal(t, map[alternatives.Operation]float64{alternatives.ReadByElement: 5}, r.Relationships[0].Rates)
}

// The default weights are the measured ones, and docs/advice.md has them.
func TestDefaultWeightsAreThePublishedOnes(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/performance/weights.json")
	require.NoError(t, err)
	w, err := advise.ReadWeights("weights.json", text)
	require.NoError(t, err)
	require.Equal(t, w, advise.DefaultWeights(), "copy docs/performance/weights.json to codegen/advise/weights.json, and run go test ./codegen/cmd/aml -update")
	page, err := os.ReadFile("../../docs/advice.md")
	require.NoError(t, err)
	pagetest.Contains(t, "docs/advice.md", string(page), fmt.Sprintf(`{"read": %g, "write": %g, "batch": %g, "statement": %g, "conditional": %g}`, w.Read, w.Write, w.Batch, w.Statement, w.Conditional))
}

// A rate is that of the next SELECT alone.
func TestRateOfOneSelect(t *testing.T) {
	t.Parallel()
	r := report(t, "../../examples/quickstart/shop", "-- aml:rate 7/s\nSELECT * FROM customers WHERE id = ?;\nSELECT * FROM vehicles WHERE plate = ?;\n").Relationships[0]
	require.Equal(t, map[alternatives.Operation]float64{alternatives.ReadByRoot: 7}, r.Rates)
}
