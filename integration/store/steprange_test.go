package store

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/step"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
)

// insertSteps inserts the steps of two plans: three phases of three steps each.
func insertSteps(t *testing.T, s *step.Store) {
	t.Helper()
	for _, plan := range []string{"a", "b"} {
		for n := range int32(9) {
			v := &step.Step{Plan: plan, Phase: n / 3, Number: n % 3, Tool: fmt.Sprint("tool", n%2), Tags: []string{"x", fmt.Sprint(n)}, Done: n == 4}
			require.NoError(t, s.Steps.Put(t.Context(), v))
		}
	}
}

// stepsLeft returns the steps of plan a, as phases with their numbers.
func stepsLeft(t *testing.T, s *step.Store) string {
	t.Helper()
	var out []string
	for _, v := range collected(t, s.Steps.Of("a").All(t.Context())) {
		out = append(out, fmt.Sprint(v.Phase, v.Number))
	}
	return strings.Join(out, ", ")
}

// A query deletes its rows and their copies with one write, which reads nothing, if the rows are a range of each copy, too. Otherwise it
// reads the rows. The copies then follow from the other rows, and the rows of other partitions stay.
func TestDeletesOfRangesOfCopies(t *testing.T) {
	_, x := explainedStructs(t, "../models/step")
	onStores(t, generated[*step.Store]{step.Schema, step.Open, step.OpenBackend}, func(t *testing.T, s *step.Store, sent *storetest.Requests) {
		ctx := t.Context()
		for _, c := range []struct {
			operation string
			remove    func() error
			left      string
		}{
			{"Of(…).Phase(…).Delete", func() error { return s.Steps.Of("a").Phase(1).Delete(ctx) }, "0 0, 0 1, 0 2, 2 0, 2 1, 2 2"},
			{"Of(…).Delete of other rows", func() error { return s.Steps.Of("a").PhaseTo(0).Delete(ctx) }, "1 0, 1 1, 1 2, 2 0, 2 1, 2 2"},
			{"Of(…).Phase(…).NumberTo(…).Delete", func() error { return s.Steps.Of("a").Phase(1).NumberTo(1).Delete(ctx) }, "0 0, 0 1, 0 2, 1 2, 2 0, 2 1, 2 2"},
			{"", func() error { return s.Steps.Of("a").Phase(1).NumberAfter(0).NumberBefore(2).Delete(ctx) }, "0 0, 0 1, 0 2, 1 0, 1 2, 2 0, 2 1, 2 2"},
			{"Of(…).Delete of other rows", func() error { return s.Steps.Of("a").After(1, 1).Delete(ctx) }, "0 0, 0 1, 0 2, 1 0, 1 1"},
			{"Of(…).Phase(…).Number(…).Delete", func() error { return s.Steps.Of("a").Phase(2).Number(0).Delete(ctx) }, "0 0, 0 1, 0 2, 1 0, 1 1, 1 2, 2 1, 2 2"},
			{"Of(…).Delete of other rows", func() error { return s.Steps.Of("a").Delete(ctx) }, ""},
		} {
			insertSteps(t, s)
			sent.Drain()
			require.NoError(t, c.remove())
			requests := sent.Drain()
			switch {
			case c.operation == "":
				require.Len(t, requests, 1)
				require.Len(t, requests[0].Statements, 3)
			case operation(t, x["Step"], c.operation).Paged:
				require.Contains(t, requests[0].Statements[0].CQL, "SELECT", c.operation)
			default:
				requireInOrder(t, operation(t, x["Step"], c.operation), requests)
			}
			require.Equal(t, c.left, stepsLeft(t, s), c.operation)
			require.Len(t, collected(t, s.Steps.Of("b").All(ctx)), 9)
			report, err := s.Reconcile(ctx, mapper.ReconcileConfig{Slices: 4})
			require.NoError(t, err)
			require.True(t, report.Clean(), "%s: %v", c.operation, report)
		}
	})
}

// The deletion of all rows of a part in the table of its root leaves the root, whose values are in the same partition.
func TestDeletesOfPartsInTheTableOfTheRoot(t *testing.T) {
	_, x := explainedStructs(t, "../models/step")
	onStores(t, generated[*step.Store]{step.Schema, step.Open, step.OpenBackend}, func(t *testing.T, s *step.Store, sent *storetest.Requests) {
		ctx := t.Context()
		require.NoError(t, s.Boards.Insert(ctx, &step.Board{ID: 1, Name: "plans"}))
		for n := range int32(150) {
			require.NoError(t, s.Card.Insert(ctx, &step.Card{BoardID: 1, Number: n, Text: "x"}))
		}
		sent.Drain()
		require.NoError(t, s.Card.Of(1).NumberTo(19).Delete(ctx))
		requireInOrder(t, operation(t, x["Card"], "Of(…).NumberTo(…).Delete"), sent.Drain())
		require.Len(t, collected(t, s.Card.Of(1).All(ctx)), 130)
		sent.Drain()
		require.NoError(t, s.Card.Of(1).Delete(ctx))
		require.True(t, operation(t, x["Card"], "Of(…).Delete of other rows").Paged)
		require.Contains(t, sent.Drain()[0].Statements[0].CQL, "SELECT")
		require.Empty(t, collected(t, s.Card.Of(1).All(ctx)))
		board, err := s.Boards.Get(ctx, 1)
		require.NoError(t, err)
		require.Equal(t, "plans", board.Name)
	})
}
