package advise_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/load"
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
	require.InDelta(t, 30*65e-6+10*(65+59)*1e-6, embedded.Cost, 1e-9)
	require.InDelta(t, 30*65e-6+10*(65+700)*1e-6, versioned.Cost, 1e-9)
}

// The query for which the marketplace has a published table is answered by that table; without it, it is reported.
func TestMarketplace(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../examples/marketplace/queries.cql")
	require.NoError(t, err)
	r := report(t, "../../examples/marketplace/shop", string(text))
	require.Empty(t, r.Unanswered)
	require.Empty(t, r.Unused)
}

func TestWeights(t *testing.T) {
	t.Parallel()
	w, err := advise.ReadWeights([]byte(`{"read": 1, "write": 2, "batch": 3, "statement": 4, "conditional": 5}`))
	require.NoError(t, err)
	require.Equal(t, advise.Weights{Read: 1, Write: 2, Batch: 3, Statement: 4, Conditional: 5}, w)
	for _, text := range []string{"", `{"reads": 1}`, `{"read": 1}`} {
		_, err := advise.ReadWeights([]byte(text))
		require.Error(t, err)
	}
}

// docs/advice.md has the weights.
func TestPageHasTheWeights(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/advice.md")
	require.NoError(t, err)
	pagetest.Contains(t, "docs/advice.md", string(page), `{"read": 65, "write": 59, "batch": 64, "statement": 16, "conditional": 700}`)
	require.Equal(t, advise.Weights{Read: 65, Write: 59, Batch: 64, Statement: 16, Conditional: 700}, advise.DefaultWeights())
}

// A rate is that of the next SELECT alone.
func TestRateOfOneSelect(t *testing.T) {
	t.Parallel()
	r := report(t, "../../examples/quickstart/shop", "-- aml:rate 7/s\nSELECT * FROM customers WHERE id = ?;\nSELECT * FROM vehicles WHERE plate = ?;\n").Relationships[0]
	require.Equal(t, map[alternatives.Operation]float64{alternatives.ReadByRoot: 7}, r.Rates)
}
