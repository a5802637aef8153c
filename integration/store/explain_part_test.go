package store

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/gocql/gocql"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/explain"
	"github.com/cassaml/cassaml/integration/models/part"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
)

// explainedStructs returns the explanation of each table of a model, by the name of its struct.
func explainedStructs(t *testing.T, dir string) (*explain.Explanation, map[string]*explain.Table) {
	t.Helper()
	m := modelOf(t, dir)
	all, out := explain.New(m, schema.New(m)), map[string]*explain.Table{}
	for _, x := range all.Tables {
		out[x.Aggregate.Struct.Name] = x
	}
	return all, out
}

// partRows writes rows of a root and of its parts, one by one.
func partRows(t *testing.T, s *part.Store, id gocql.UUID) {
	t.Helper()
	ctx, name := t.Context(), id.String()
	require.NoError(t, s.Games.Insert(ctx, &part.Game{Region: "north", ID: id, Name: name}))
	require.NoError(t, s.Guests.Insert(ctx, &part.Guest{Region: "north", GameID: id, Seat: 1, Name: name}))
	require.NoError(t, s.Runs.Insert(ctx, &part.Run{ID: id, State: "new", Owner: name}))
	require.NoError(t, s.Segment.Insert(ctx, &part.Segment{RunID: id, Number: 1, Word: name}))
}

// The store sends what aml explain prints for parts: alone, with their roots, and by ranges.
func TestExplainOfParts(t *testing.T) {
	_, x := explainedStructs(t, "../models/part")
	onPartStores(t, func(t *testing.T, s *part.Store, sent *storetest.Requests) {
		ctx, id := t.Context(), gocql.TimeUUID()
		partRows(t, s, id)
		round := &part.Round{Region: "north", GameID: id, Number: 1, Try: 1, Winner: "Ana"}
		for _, c := range []struct {
			of, operation string
			do            func() error
		}{
			{"Round", "Insert", func() error { return s.Rounds.Insert(ctx, round) }},
			{"Round", "Put", func() error { return s.Rounds.Put(ctx, round) }},
			{"Round", "Delete", func() error { return s.Rounds.Delete(ctx, "north", id, 1, 1) }},
			{"Round", "Of(…).Delete", func() error { return s.Rounds.Of("north", id).Delete(ctx) }},
			{"Guest", "Insert", func() error {
				return s.Guests.Insert(ctx, &part.Guest{Region: "north", GameID: id, Seat: 2, Name: id.String()})
			}},
			{"Guest", "Of(…).Delete", func() error { return s.Guests.Of("north", id).Delete(ctx) }},
			{"Segment", "Insert", func() error {
				return s.Segment.Insert(ctx, &part.Segment{RunID: id, Number: 2, Word: id.String()})
			}},
			{"Segment", "Delete", func() error { return s.Segment.Delete(ctx, id, 2) }},
			{"Segment", "Of(…).Delete", func() error { return s.Segment.Of(id).Delete(ctx) }},
			{"Game", "GetWithRounds", func() error { _, _, err := s.Games.GetWithRounds(ctx, "north", id); return err }},
			{"Run", "GetWithSegment", func() error { _, _, err := s.Runs.GetWithSegment(ctx, id); return err }},
		} {
			sent.Drain()
			require.NoError(t, c.do(), c.operation)
			requireInOrder(t, operation(t, x[c.of], c.operation), sent.Drain())
		}
		partRows(t, s, id)
		sent.Drain()
		require.NoError(t, s.Games.Delete(ctx, "north", id))
		requireInOrder(t, operation(t, x["Game"], "Delete"), sent.Drain())
		require.NoError(t, s.Runs.Delete(ctx, id))
		requireInOrder(t, operation(t, x["Run"], "Delete"), sent.Drain())
	})
}

// requireInOrder requires that the requests are those of the operation, each once.
func requireInOrder(t *testing.T, o *explain.Operation, sent []mapper.Request) {
	t.Helper()
	require.Len(t, sent, len(o.Requests), o.Name)
	for i, r := range o.Requests {
		requireSent(t, r, sent[i])
	}
}

// A batch sends the statements of the methods that aml explain lists for it, and these are all methods of a batch.
func TestExplainOfBatches(t *testing.T) {
	all, x := explainedStructs(t, "../models/part")
	requireBatchMethods(t, all.Batch, reflect.TypeFor[part.Batch]())
	require.Len(t, all.Batch.Together, 2)
	onPartStores(t, func(t *testing.T, s *part.Store, sent *storetest.Requests) {
		ctx, id, other := t.Context(), gocql.TimeUUID(), gocql.TimeUUID()
		run := func(writes func(*part.Batch)) mapper.Request {
			t.Helper()
			sent.Drain()
			b := s.Batch()
			writes(b)
			require.NoError(t, b.Run(ctx))
			got := sent.Drain()
			require.Len(t, got, 1)
			return got[0]
		}
		round := func(id gocql.UUID, n int32) *part.Round {
			return &part.Round{Region: "north", GameID: id, Number: n, Winner: "Ana"}
		}
		requireSent(t, all.Batch.Together[0].Insert, run(func(b *part.Batch) {
			b.Games.Insert(&part.Game{Region: "north", ID: id, Name: "final"})
			b.Rounds.Insert(round(id, 1))
			b.Guests.Insert(&part.Guest{Region: "north", GameID: id, Seat: 1, Name: "Bia"})
			b.Results.Insert(&part.Result{Region: "north", GameID: id, Points: 7})
		}))
		requireSent(t, all.Batch.Together[1].Insert, run(func(b *part.Batch) {
			b.Runs.Insert(&part.Run{ID: id, State: "new", Owner: "Eva"})
			b.Segment.Insert(&part.Segment{RunID: id, Number: 1, Word: "to"})
		}))

		want := &explain.Request{Batch: explain.Always}
		for _, o := range []*explain.Operation{operation(t, x["Round"], "Put"), operation(t, x["Round"], "Delete"), fieldOf(t, x["Result"], "Points").Set} {
			want.Writes = append(want.Writes, o.Requests[0].Writes...)
		}
		requireSent(t, want, run(func(b *part.Batch) {
			b.Rounds.Put(round(id, 2))
			b.Rounds.Delete("north", id, 1, 0)
			b.Results.SetPoints("north", id, 8)
		}))
		want.Writes, want.Batchlog = operation(t, x["Round"], "Put").Requests[0].Writes, explain.Always
		requireSent(t, want, run(func(b *part.Batch) { b.Rounds.Put(round(id, 3)); b.Rounds.Put(round(other, 3)) }))
		want.Writes = fieldOf(t, x["Guest"], "Name").Update.Writes
		requireSent(t, want, run(func(b *part.Batch) {
			old := &part.Guest{Region: "north", GameID: id, Seat: 1, Name: "Bia"}
			b.Guests.Change(old, &part.Guest{Region: "north", GameID: id, Seat: 1, Name: fmt.Sprint("Eva ", id)})
		}))
	})
}

// requireBatchMethods requires that the explanation lists the methods of each field of a batch.
func requireBatchMethods(t *testing.T, b *explain.Batch, generated reflect.Type) {
	t.Helper()
	want, got := map[string][]string{}, map[string][]string{}
	for field := range generated.Fields() {
		if !field.IsExported() {
			continue
		}
		for m := range field.Type.Methods() {
			want[field.Name] = append(want[field.Name], m.Name)
		}
	}
	for _, x := range b.Tables {
		name := model.CamelCase(x.Name)
		if x.Aggregate.InRootTable {
			name = x.Aggregate.Struct.Name
		}
		got[name] = slices.Sorted(slices.Values(x.Methods))
	}
	require.Equal(t, want, got)
}
