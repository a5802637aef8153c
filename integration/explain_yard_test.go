package integration

import (
	"context"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen/explain"
	"github.com/cassaml/cassaml/integration/yard"
	"github.com/cassaml/cassaml/mapper"
)

// root is what the tests call of a generated table.
type root[T any] interface {
	Insert(context.Context, *T) error
	Change(ctx context.Context, old, new *T) error
}

func crate() yard.Crate {
	return yard.Crate{Hall: "north", ID: 7, Manager: "Rui", Name: "glass", Weight: 3, Sealed: true, Sender: &yard.Party{Name: "Ana", City: "Recife"},
		Stamp: yard.Party{Name: "customs", City: "Olinda"}, Prices: map[string]int64{"port": 5, "road": 6}, Labels: []string{"frail", "up"},
		Route: []yard.Stop{{Port: "Suape", Day: 1}, {Port: "Lisboa", Day: 9}}, Ship: new("Aurora"), Mail: new("ana@example.org")}
}

// crates are, by field, pairs of crates that differ in it.
func crates() map[string][][2]yard.Crate {
	pair := func(before, after func(*yard.Crate)) [2]yard.Crate {
		was, is := crate(), crate()
		for c, f := range map[*yard.Crate]func(*yard.Crate){&was: before, &is: after} {
			if f != nil {
				f(c)
			}
		}
		return [2]yard.Crate{was, is}
	}
	set := func(f func(*yard.Crate)) [2]yard.Crate { return pair(nil, f) }
	open := func(c *yard.Crate) { c.Sealed = false }
	byTruck := pair(func(c *yard.Crate) { c.Ship = nil }, func(c *yard.Crate) { c.Ship, c.Truck = nil, new(int32(1)) })
	nowhere := func(c *yard.Crate) { c.Route = nil }
	return map[string][][2]yard.Crate{
		"Manager": {set(func(c *yard.Crate) { c.Manager = "Eva" })},
		"Name":    {set(func(c *yard.Crate) { c.Name = "wood" }), pair(open, func(c *yard.Crate) { open(c); c.Name = "wood" })},
		"Weight":  {set(func(c *yard.Crate) { c.Weight = 4 })},
		"Sealed":  {set(open)},
		"Sender":  {set(func(c *yard.Crate) { c.Sender = nil }), set(func(c *yard.Crate) { c.Sender.Name = "Eva" }), set(func(c *yard.Crate) { c.Sender.City = "Natal" })},
		"Stamp":   {set(func(c *yard.Crate) { c.Stamp.City = "Natal" })},
		"Prices":  {set(func(c *yard.Crate) { delete(c.Prices, "port") }), set(func(c *yard.Crate) { c.Prices["port"]++ })},
		"Labels":  {set(func(c *yard.Crate) { c.Labels = []string{"up", "wet"} })},
		"Route":   {set(nowhere), set(func(c *yard.Crate) { c.Route[0].Port = "Natal" }), pair(nowhere, func(c *yard.Crate) { c.Route = []yard.Stop{} })},
		"Ship":    {set(func(c *yard.Crate) { c.Ship = new("Vitória") }), pair(nowhere, func(c *yard.Crate) { nowhere(c); c.Ship = new("Vitória") }), pair(nowhere, func(c *yard.Crate) { nowhere(c); c.Ship = nil })},
		"Truck": {pair(func(c *yard.Crate) { c.Ship, c.Truck = nil, new(int32(1)) },
			func(c *yard.Crate) { c.Ship, c.Truck = nil, new(int32(2)) }), byTruck},
		"Mail":  {set(func(c *yard.Crate) { c.Mail = new("eva@example.org") })},
		"Phone": {set(func(c *yard.Crate) { c.Phone = new("555") })},
	}
}

// requireFields changes each field of a root there and back.
func requireFields[T any](t *testing.T, sent *requests, r root[T], x *explain.Table, pairs map[string][][2]T) {
	t.Helper()
	var names []string
	for _, f := range x.Fields {
		names = append(names, f.Attribute.GoName())
	}
	require.ElementsMatch(t, slices.Collect(maps.Keys(pairs)), names)
	for _, f := range x.Fields {
		t.Run(f.Attribute.GoName(), func(t *testing.T) {
			sent.take()
			for _, p := range pairs[f.Attribute.GoName()] {
				require.NoError(t, r.Change(t.Context(), &p[0], &p[1]))
				require.NoError(t, r.Change(t.Context(), &p[1], &p[0]))
			}
			requireSent(t, f.Update, sent.take()...)
		})
	}
}

// What aml explain says of the yard is what the store sends, also of rows that come and go, are shared or expire, of static
// columns, of alternatives, of methods and of Set.
func TestExplainYard(t *testing.T) {
	t.Parallel()
	session := yardKeyspace(t)
	sent := &requests{}
	store, err := yard.Open(t.Context(), session, mapper.Config{Tracer: sent})
	require.NoError(t, err)
	explainYard(t, sent, store)
}

func explainYard(t *testing.T, sent *requests, store *yard.Store) {
	x := explained(t, "yard", "crates")
	first := crate()
	require.NoError(t, store.Crates.Insert(t.Context(), &first))
	requireSent(t, operation(t, x, "Insert").Requests[0], sent.take()...)
	requireFields(t, sent, store.Crates, x, crates())
	requireSets(t, sent, store, x)
	require.NoError(t, store.Crates.Insert(t.Context(), &first)) // whatever the changes have left
	sent.take()
	require.NoError(t, store.Crates.Delete(t.Context(), "north", 7))
	requireSent(t, operation(t, x, "Delete").Requests[1], sent.take()[1])

	requireFields(t, sent, store.Visits, explained(t, "yard", "visits"), map[string][][2]yard.Visit{
		"Gate":  {{{Visitor: "Ana", Gate: "east"}, {Visitor: "Ana", Gate: "west"}}},
		"Badge": {{{Visitor: "Ana", Gate: "east", Badge: "1"}, {Visitor: "Ana", Gate: "east", Badge: "2"}}},
		"Seen":  {{{Visitor: "Ana", Gate: "east"}, {Visitor: "Ana", Gate: "east", Seen: map[string]int32{"hall": 1}}}},
	})
	requireFields(t, sent, store.Guards, explained(t, "yard", "guards"), map[string][][2]yard.Guard{
		"Name": {{{ID: 1, Name: "Ana"}, {ID: 1, Name: "Rui"}}, {{ID: 1, Name: "Ana"}, {ID: 1, Name: "Alda"}}},
		"Rank": {{{ID: 1, Name: "Ana"}, {ID: 1, Name: "Ana", Rank: 2}}},
	})
}

func requireSets(t *testing.T, sent *requests, store *yard.Store, x *explain.Table) {
	t.Helper()
	ctx, c := t.Context(), crate()
	methods := map[string]func() error{
		"SetManager": func() error { return store.Crates.SetManager(ctx, c.Hall, "Ivo") },
		"SetWeight":  func() error { return store.Crates.SetWeight(ctx, c.Hall, c.ID, 5) },
		"SetSender":  func() error { return store.Crates.SetSender(ctx, c.Hall, c.ID, c.Sender) },
		"SetStamp":   func() error { return store.Crates.SetStamp(ctx, c.Hall, c.ID, c.Stamp) },
	}
	var names []string
	for _, f := range x.Fields {
		if f.Set == nil {
			require.NotEmpty(t, f.NoSet)
			continue
		}
		names = append(names, f.Set.Name)
		require.Contains(t, methods, f.Set.Name)
		require.NoError(t, methods[f.Set.Name]())
		requireSent(t, f.Set.Requests[0], sent.take()...)
	}
	require.ElementsMatch(t, slices.Collect(maps.Keys(methods)), names)
}
