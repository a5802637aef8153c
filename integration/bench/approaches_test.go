package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/codegen/advise"
	"github.com/cassaml/cassaml/codegen/alternatives"
	caller "github.com/cassaml/cassaml/integration/alternatives"
)

// Weights from which processor times were computed are found again, and advice with them names the cheapest design.
func TestWeightsAreFitted(t *testing.T) {
	files, err := load.Read(t.Context(), "../../"+approachesFolder)
	require.NoError(t, err)
	l, err := alternatives.List(files, approachesRelationship, alternatives.Config{})
	require.NoError(t, err)
	want := advise.Weights{Read: 80, Write: 90, Batch: 120, Statement: 20, Conditional: 900}
	var results []caller.Measurement
	for _, a := range l.Alternatives {
		for o, c := range a.Costs {
			cpu := want.Cost(c)
			results = append(results, caller.Measurement{Design: a.Name, Operation: string(o), Elements: l.Elements, Calls: 1, CPU: cpu / 4, ServerCPU: cpu * 3 / 4, Rounds: []float64{cpu}})
		}
	}
	require.Equal(t, want, fitWeights(l, results))
	require.InDelta(t, 1, equalRequests(observations(l, results)), 1e-9)
	require.InDelta(t, 3, equalRequests([]observation{{[5]float64{1}, 20}, {[5]float64{1}, 60}, {[5]float64{2}, 5}}), 1e-9)
	table := adviceTable(l, &findings{measured: results}, want)
	require.Equal(t, len(caller.Workloads()), strings.Count(table, "| 1.00 | 1.00 to 1.00 |"), table)
}

// Each published approach but the fifth is a design.
func TestPublishedApproachesAreDesigns(t *testing.T) {
	files, err := load.Read(t.Context(), "../../"+approachesFolder)
	require.NoError(t, err)
	l, err := alternatives.List(files, approachesRelationship, alternatives.Config{})
	require.NoError(t, err)
	known := map[string]bool{}
	for _, a := range l.Alternatives {
		known[a.Name] = a.Refused == "" && a.NoStore == ""
	}
	for name := range published {
		require.True(t, known[name], name)
	}
	for _, j := range judgements {
		for _, r := range j.ratios {
			require.True(t, known[r.design] && known[r.to], r.label)
		}
	}
	for _, name := range quickDesigns {
		require.True(t, known[name], name)
	}
}
