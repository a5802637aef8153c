package store

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen/explain"
	"github.com/cassaml/cassaml/integration/models/shelf"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
)

// onShelves runs a test on a store in memory and on one on a node, each with the tags a and b, and two branches.
func onShelves(t *testing.T, test func(t *testing.T, s *shelf.Store)) {
	t.Parallel()
	onStores(t, generated[*shelf.Store]{shelf.Schema, shelf.Open, shelf.OpenBackend}, func(t *testing.T, s *shelf.Store, _ *storetest.Requests) {
		for _, name := range []string{"a", "b"} {
			require.NoError(t, s.Tags.Insert(t.Context(), &shelf.Tag{Name: name}))
		}
		for number := range int32(2) {
			require.NoError(t, s.Branches.Insert(t.Context(), &shelf.Branch{Country: "BR", Number: number}))
		}
		test(t, s)
	})
}

// A deletion of a target clears the references to it in fields, lists, sets, maps and compositions, and leaves everything else.
func TestReferencesOfEveryFormAreCleared(t *testing.T) {
	onShelves(t, func(t *testing.T, s *shelf.Store) {
		ctx := t.Context()
		a, b, br := new("a"), new("b"), new("BR")
		full := &shelf.Shelf{ID: 1, Tag: a, Country: br, Number: new(int32(1)), List: []string{"a", "b", "a"}, Set: []string{"a", "b"},
			Keys: map[string]struct{}{"a": {}, "b": {}}, Near: []shelf.BranchKey{{Country: "BR"}, {Country: "BR", Number: 1}},
			Label: shelf.Label{Text: "l", Tag: a}, Maybe: &shelf.Label{Text: "m", Tag: a}, Labels: []shelf.Label{{Text: "1", Tag: a}, {Text: "2", Tag: b}},
			Unique: []shelf.Label{{Text: "1", Tag: a}, {Text: "1", Tag: b}}, ByName: map[string]shelf.Label{"a": {Text: "n", Tag: a}, "b": {Tag: b}},
			Box: shelf.Box{Label: shelf.Label{Text: "x", Tag: a}, Tags: []string{"a", "b"}, Country: br, Number: new(int32(1))}}
		require.NoError(t, s.Shelves.Insert(ctx, full))
		other := &shelf.Shelf{ID: 2, Tag: b, List: []string{"b"}, Labels: []shelf.Label{}, Box: shelf.Box{Tags: []string{"b"}}}
		require.NoError(t, s.Shelves.Insert(ctx, other))
		cleared := &shelf.Shelf{ID: 3, Set: []string{"a"}, Keys: map[string]struct{}{"a": {}}, Maybe: &shelf.Label{Tag: a}, Box: shelf.Box{Tags: []string{"a"}}}
		require.NoError(t, s.Shelves.Insert(ctx, cleared))

		require.NoError(t, s.Tags.Delete(ctx, "a"))
		want := &shelf.Shelf{ID: 1, Country: br, Number: new(int32(1)), List: []string{"b"}, Set: []string{"b"}, Keys: map[string]struct{}{"b": {}},
			Near:  []shelf.BranchKey{{Country: "BR"}, {Country: "BR", Number: 1}},
			Label: shelf.Label{Text: "l"}, Maybe: &shelf.Label{Text: "m"}, Labels: []shelf.Label{{Text: "1"}, {Text: "2", Tag: b}},
			Unique: []shelf.Label{{Text: "1"}, {Text: "1", Tag: b}}, ByName: map[string]shelf.Label{"a": {Text: "n"}, "b": {Tag: b}},
			Box: shelf.Box{Label: shelf.Label{Text: "x"}, Tags: []string{"b"}, Country: br, Number: new(int32(1))}}
		equal := func(want *shelf.Shelf) {
			t.Helper()
			got, err := s.Shelves.Get(ctx, want.ID)
			require.NoError(t, err)
			want.Version = got.Version
			require.Equal(t, want, got)
		}
		equal(want)
		version := other.Version
		got, err := s.Shelves.Get(ctx, 2)
		require.NoError(t, err)
		require.Equal(t, version, got.Version, "it does not refer to the tag")
		got, err = s.Shelves.Get(ctx, 3)
		require.NoError(t, err)
		require.Empty(t, got.Set)
		require.Empty(t, got.Keys)
		require.Empty(t, got.Box.Tags)

		require.NoError(t, s.Branches.Delete(ctx, "BR", 1))
		want.Country, want.Number, want.Box.Country, want.Box.Number, want.Near = nil, nil, nil, nil, want.Near[:1]
		equal(want)
		report, err := s.Reconcile(ctx, mapper.ReconcileConfig{Slices: 4, Found: func(d mapper.Drift) { t.Errorf("%+v", d) }})
		require.NoError(t, err)
		require.True(t, report.Clean())
	})
}

// Two elements of a set that differ only in their references become one when both are cleared.
func TestElementsThatBecomeEqual(t *testing.T) {
	onShelves(t, func(t *testing.T, s *shelf.Store) {
		ctx := t.Context()
		require.NoError(t, s.Shelves.Insert(ctx, &shelf.Shelf{ID: 1, Unique: []shelf.Label{{Text: "1"}, {Text: "1", Tag: new("a")}, {Text: "1", Tag: new("b")}}}))
		for i, name := range []string{"a", "b"} {
			require.NoError(t, s.Tags.Delete(ctx, name))
			got, err := s.Shelves.Get(ctx, 1)
			require.NoError(t, err)
			require.Len(t, got.Unique, 2-i)
		}
	})
}

// A key that no row can have is that of a target that does not exist.
func TestReferencesWithImpossibleKeys(t *testing.T) {
	onShelves(t, func(t *testing.T, s *shelf.Store) {
		ctx := t.Context()
		var missing *mapper.ConstraintError
		require.ErrorAs(t, s.Shelves.Insert(ctx, &shelf.Shelf{ID: 1, Tag: new(""), Set: []string{""}, Label: shelf.Label{Tag: new("")}}), &missing)
		require.Len(t, missing.Violations, 3)
		require.Contains(t, missing.Violations, mapper.Violation{Path: "Label.Tag", Problem: "is a reference, and there is no Tag (tags name='')"})
		long := string(make([]byte, 66_000))
		require.ErrorAs(t, s.Shelves.Insert(ctx, &shelf.Shelf{ID: 1, Tag: &long}), &missing)
		require.Equal(t, "Tag", missing.Violations[0].Path)
		require.Contains(t, missing.Violations[0].Problem, "is a reference and makes the partition key of shelves__tag_refs 66")
		_, err := s.Shelves.Get(ctx, 1)
		require.ErrorIs(t, err, mapper.ErrNotFound)
	})
}

// A checked reference of which a field is a copy, in a root with parts: the target is checked and copied, and its deletion clears both, or deletes the root
// with its parts.
func TestCheckedReferenceWithACopy(t *testing.T) {
	onShelves(t, func(t *testing.T, s *shelf.Store) {
		ctx := t.Context()
		slots := []*shelf.Slot{{StandID: 1, Number: 1, Text: "x"}, {StandID: 1, Number: 2, Text: "x"}}
		texts := func(n int) {
			t.Helper()
			require.Len(t, collected(t, s.SlotsByText.Of("x").All(ctx)), n)
			require.Len(t, collected(t, s.Slot.Of(1).All(ctx)), n)
		}
		v := &shelf.Stand{ID: 1, Owner: new(int32(1)), City: new("wrong"), Tag: new("a")}
		require.ErrorContains(t, s.Stands.InsertWith(ctx, v, slots...), "there is no Owner (owners id=1)")
		texts(0)
		for id, city := range []string{"Recife", "Olinda", "Natal"} {
			require.NoError(t, s.Owners.Insert(ctx, &shelf.Owner{ID: int32(id), City: city}))
		}
		require.NoError(t, s.Stands.InsertWith(ctx, v, slots...))
		require.Equal(t, "Olinda", *v.City)
		texts(2)
		_, err := s.Stands.Update(ctx, 1, func(v *shelf.Stand, p *shelf.StandParts) error {
			v.Owner = new(int32(9))
			p.Slot.Delete(1)
			return nil
		})
		require.ErrorContains(t, err, "there is no Owner (owners id=9)")
		texts(2)
		v, err = s.Stands.Update(ctx, 1, func(v *shelf.Stand, _ *shelf.StandParts) error { v.Owner = new(int32(2)); return nil })
		require.NoError(t, err)
		require.Equal(t, "Natal", *v.City)
		require.NoError(t, s.Owners.Delete(ctx, 1), "nothing refers to it any more")

		require.NoError(t, s.Owners.Delete(ctx, 2))
		v, err = s.Stands.Get(ctx, 1)
		require.NoError(t, err)
		require.Nil(t, v.Owner)
		require.Nil(t, v.City)
		texts(2)
		changed := *v
		changed.Owner = new(int32(0))
		require.NoError(t, s.Stands.Change(ctx, v, &changed))
		require.Equal(t, "Recife", *changed.City)

		require.NoError(t, s.Tags.Delete(ctx, "a"))
		_, err = s.Stands.Get(ctx, 1)
		require.ErrorIs(t, err, mapper.ErrNotFound)
		texts(0)
		require.NoError(t, s.Owners.Delete(ctx, 0))
		report, err := s.Reconcile(ctx, mapper.ReconcileConfig{Slices: 4, Found: func(d mapper.Drift) { t.Errorf("%+v", d) }})
		require.NoError(t, err)
		require.True(t, report.Clean())
	})
}

// Deletions of a root with references and with a part that has copies, and saves that add references, send the requests that aml explain prints.
func TestExplainOfStands(t *testing.T) {
	t.Parallel()
	_, x := explainedStructs(t, "../models/shelf")
	onStores(t, generated[*shelf.Store]{shelf.Schema, shelf.Open, shelf.OpenBackend}, func(t *testing.T, s *shelf.Store, sent *storetest.Requests) {
		ctx := t.Context()
		for _, name := range []string{"a", "b"} {
			require.NoError(t, s.Tags.Insert(ctx, &shelf.Tag{Name: name}))
		}
		require.NoError(t, s.Owners.Insert(ctx, &shelf.Owner{ID: 1, City: "Rio"}))
		sent.Drain()
		stands := []*shelf.Stand{{ID: 1, Owner: new(int32(1)), Tag: new("a")}, {ID: 2, Owner: new(int32(1))}, {ID: 3}}
		var inserted, deleted [][]mapper.Request
		for _, v := range stands {
			var slots []*shelf.Slot
			for n := range 3 - v.ID {
				slots = append(slots, &shelf.Slot{StandID: v.ID, Number: n, Text: string('x' + n)})
			}
			require.NoError(t, s.Stands.InsertWith(ctx, v, slots...))
			sent.Drain()
			require.NoError(t, s.Stands.Delete(ctx, v.ID))
			deleted = append(deleted, sent.Drain())
		}
		requireRequests(t, operation(t, x["Stand"], "Delete"), deleted)
		for _, tags := range [][]string{{"a"}, {"a", "b"}} {
			require.NoError(t, s.Shelves.Insert(ctx, &shelf.Shelf{ID: int32(len(tags)), Set: tags}))
			inserted = append(inserted, sent.Drain()[:1])
		}
		adds := *operation(t, x["Shelf"], "Insert").Requests[0]
		require.Equal(t, explain.AddsReferences, adds.Cause)
		require.Equal(t, []explain.Certainty{explain.Sometimes, explain.Sometimes}, []explain.Certainty{adds.Batch, adds.Batchlog})
		require.Equal(t, []bool{false, true}, []bool{inserted[0][0].Batchlog, inserted[1][0].Batchlog})
	})
}

// requireRequests compares the requests of an operation with those of several calls, of which each can omit some.
func requireRequests(t *testing.T, o *explain.Operation, calls [][]mapper.Request) {
	t.Helper()
	sent := make([][]mapper.Request, len(o.Requests))
	for _, call := range calls {
		i := 0
		for _, q := range call {
			for i < len(o.Requests) && !is(q, o.Requests[i]) {
				i++
			}
			require.Less(t, i, len(o.Requests), q)
			sent[i] = append(sent[i], q)
			i++
		}
	}
	for i, r := range o.Requests {
		if !r.Conditional {
			requireSent(t, r, sent[i]...)
			continue
		}
		require.NotEmpty(t, sent[i])
		for _, q := range sent[i] {
			require.Len(t, q.Statements, len(texts(r)))
		}
	}
}
