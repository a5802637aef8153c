package diagram_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen/diagram"
	"github.com/cassaml/cassaml/codegen/diagram/geometry"
	"github.com/cassaml/cassaml/internal/models"
)

// A query is at the table that answers it, a step of the workflow is an arrow between the tables, and a query without an answer is red.
func TestWorkflow(t *testing.T) {
	m := newModel(t, models.Folders(t, "../../examples/library/catalogue")[0])
	queries := []diagram.Query{
		{Text: "SELECT first", Table: "artifacts", Then: []int{2, 3}},
		{Text: "SELECT second", Table: "users_by_artifact"},
		{Text: "SELECT third", Table: "artifacts", Then: []int{2, 5}},
		{Text: "SELECT fourth"},
		{Text: "SELECT fifth", Table: "users_by_artifact"},
	}
	drawings, err := diagram.Draw(diagram.Chebotko, []diagram.Model{m}, diagram.Options{Workflow: queries})
	require.NoError(t, err)
	p := drawings[0].Picture
	require.Empty(t, geometry.Faults(p))
	find := func(s string) diagram.Text {
		i := slices.IndexFunc(p.Texts, func(x diagram.Text) bool { return x.S == s })
		require.GreaterOrEqual(t, i, 0, s)
		return p.Texts[i]
	}
	box := func(name string) diagram.Box {
		return p.Boxes[slices.IndexFunc(p.Boxes, func(b diagram.Box) bool { return b.Name == name })]
	}
	require.Equal(t, diagram.Removed, find("SELECT fourth").Color)
	require.Equal(t, diagram.Ink, find("SELECT first").Color)
	artifacts, users := box("artifacts"), box("users_by_artifact")
	for label, b := range map[string]diagram.Box{"Q1, Q3": artifacts, "Q2, Q5": users} {
		require.Less(t, find(label).X, b.X)
		require.InDelta(t, b.Y, find(label).Y, 20)
		require.True(t, slices.ContainsFunc(p.Lines, func(l diagram.Line) bool {
			last := l.Points[len(l.Points)-1]
			return l.End == diagram.Arrow && last.X == b.X && last.Y < b.Y+30 && l.Points[0].X < b.X
		}), "an arrow to the title")
	}
	for label, to := range map[string]diagram.Box{"Q1 → Q2": users, "Q1 → Q3": artifacts, "Q3 → Q2, Q5": users} {
		at := find(label)
		i := slices.IndexFunc(p.Lines, func(l diagram.Line) bool {
			return l.End == diagram.Arrow && l.Points[0].Y == artifacts.Y+artifacts.H && l.Points[0].X < at.X && at.X-l.Points[0].X < 6
		})
		require.GreaterOrEqual(t, i, 0, label)
		last := p.Lines[i].Points[len(p.Lines[i].Points)-1]
		require.True(t, to.X <= last.X && last.X <= to.X+to.W && to.Y <= last.Y && last.Y < to.Y+30, label)
	}
}

// With some of the roots, the queries of the others and the steps to them are not drawn. Those that no table answers are.
func TestWorkflowOfSomeRoots(t *testing.T) {
	m := newModel(t, models.Folders(t, "../../examples/library/catalogue")[0])
	all := texts(t, diagram.Chebotko, diagram.Options{Roots: []string{"Artifact"}, Workflow: []diagram.Query{
		{Text: "SELECT first", Table: "artifacts", Then: []int{2, 4}},
		{Text: "SELECT second", Table: "users_by_artifact"},
		{Text: "SELECT \u202e third " + strings.Repeat("W", 1000)},
		{Text: "SELECT fourth", Table: "artifacts_by_venue"},
	}}, m)
	require.Subset(t, all, []string{"Q1", "SELECT first", "Q3", "Q4", "SELECT fourth", "Q1 → Q4"})
	for _, s := range all {
		require.NotContains(t, []string{"Q2", "Q1 → Q2", "SELECT second"}, s)
		require.NotContains(t, s, "\u202e")
		require.Less(t, len(s), 300, "a long query is cut")
	}
}

func TestWorkflowsAreLegible(t *testing.T) {
	var all []diagram.Model
	for _, p := range models.Folders(t, "../../examples/library/catalogue", "../../examples/marketplace/shop", "../../aml/testdata/reach/killrvideo", "../../examples/queue/jobs") {
		all = append(all, newModel(t, p))
	}
	for seed := range uint64(*graphs) {
		r := rand.New(rand.NewPCG(seed, 1))
		m := all[r.IntN(len(all))]
		queries := make([]diagram.Query, 1+r.IntN(30))
		for i := range queries {
			queries[i] = diagram.Query{Text: fmt.Sprint("SELECT ", i)}
			if r.IntN(8) > 0 {
				queries[i].Table = m.Schema.Tables[r.IntN(len(m.Schema.Tables))].Name
			}
			for range r.IntN(4) {
				queries[i].Then = append(queries[i].Then, 1+r.IntN(len(queries)))
			}
		}
		for _, n := range []diagram.Notation{diagram.Chebotko, diagram.ChebotkoLogical} {
			drawings, err := diagram.Draw(n, []diagram.Model{m}, diagram.Options{Workflow: queries})
			require.NoError(t, err)
			faults := geometry.Faults(drawings[0].Picture)
			require.Empty(t, faults[:min(3, len(faults))], "seed %d, %s, %s", seed, m.Package.Name, n)
		}
	}
}

// A picture of some roots has the user-defined types of their tables only.
func TestTypesOfSomeRoots(t *testing.T) {
	types := func(roots ...string) (out []string) {
		for _, s := range texts(t, diagram.Chebotko, diagram.Options{Roots: roots}, market(t)) {
			if strings.HasPrefix(s, "*") && strings.HasSuffix(s, "*") {
				out = append(out, s)
			}
		}
		return out
	}
	require.Contains(t, types("Customer"), "*address*")
	require.NotEmpty(t, types("Payment"))
	require.NotContains(t, types("Payment"), "*address*")
	require.Empty(t, types("Code"))
}
