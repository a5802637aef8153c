package main

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/codegen/alternatives"
	"github.com/cassaml/cassaml/internal/pagetest"

	caller "github.com/cassaml/cassaml/integration/alternatives"
)

// The page has the published figures.
func TestStudyShowsTheFigures(t *testing.T) {
	files, err := load.Read(t.Context(), "../../"+approachesFolder)
	require.NoError(t, err)
	l, err := alternatives.List(files, approachesRelationship, alternatives.Config{})
	require.NoError(t, err)
	figures := filepath.Join("..", "..", "docs", "performance")
	page := string(read(t, filepath.Join("..", "..", "docs"), "study.md"))
	f := findings{
		sizes: decode[size](t, figures, "approachessizes.json"), measured: decode[caller.Measurement](t, figures, "approaches.json"),
		mixed: decode[caller.MixResult](t, figures, "approachesmixes.json"), killed: decode[killed](t, figures, "approacheskills.json"),
	}
	for _, p := range f.parts(l, elementNumbers(f.measured)) {
		pagetest.Contains(t, "docs/study.md", page, p.text)
	}
	cluster := decode[caller.Measurement](t, figures, "approachescluster.json")
	for _, p := range clusterParts(l, cluster, decode[caller.MixResult](t, figures, "approachesclustermixes.json"), decode[caller.Attempts](t, figures, "approachesdown.json"), elementNumbers(cluster)) {
		pagetest.Contains(t, "docs/study.md", page, p.text)
	}
}

// elementNumbers returns the numbers of elements of measurements, ascending.
func elementNumbers(all []caller.Measurement) (out []int) {
	for _, m := range all {
		if !slices.Contains(out, m.Elements) {
			out = append(out, m.Elements)
		}
	}
	slices.Sort(out)
	return out
}
