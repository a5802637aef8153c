package store

import (
	"context"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen/explain"
	"github.com/cassaml/cassaml/integration/models/stock"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
)

// root has the methods of a generated table that the tests call.
type root[T any] interface {
	Insert(context.Context, *T) error
	Change(ctx context.Context, old, new *T) error
}

func crate() stock.Crate {
	return stock.Crate{Hall: "north", ID: 7, Manager: "Rui", Name: "glass", Weight: 3, Sealed: true, Sender: &stock.Party{Name: "Ana", City: "Recife"},
		Stamp: stock.Party{Name: "customs", City: "Olinda"}, Prices: map[string]int64{"port": 5, "road": 6}, Labels: []string{"frail", "up"},
		Route: []stock.Stop{{Port: "Suape", Day: 1}, {Port: "Lisboa", Day: 9}}, Ship: new("Aurora"), Mail: new("ana@example.org")}
}

// crates has, by field, pairs of crates that differ in the field.
func crates() map[string][][2]stock.Crate {
	pair := func(before, after func(*stock.Crate)) [2]stock.Crate {
		was, is := crate(), crate()
		for c, f := range map[*stock.Crate]func(*stock.Crate){&was: before, &is: after} {
			if f != nil {
				f(c)
			}
		}
		return [2]stock.Crate{was, is}
	}
	set := func(f func(*stock.Crate)) [2]stock.Crate { return pair(nil, f) }
	open := func(c *stock.Crate) { c.Sealed = false }
	byTruck := pair(func(c *stock.Crate) { c.Ship = nil }, func(c *stock.Crate) { c.Ship, c.Truck = nil, new(int32(1)) })
	nowhere := func(c *stock.Crate) { c.Route = nil }
	return map[string][][2]stock.Crate{
		"Manager": {set(func(c *stock.Crate) { c.Manager = "Eva" })},
		"Name":    {set(func(c *stock.Crate) { c.Name = "wood" }), pair(open, func(c *stock.Crate) { open(c); c.Name = "wood" })},
		"Weight":  {set(func(c *stock.Crate) { c.Weight = 4 })},
		"Sealed":  {set(open)},
		"Sender":  {set(func(c *stock.Crate) { c.Sender = nil }), set(func(c *stock.Crate) { c.Sender.Name = "Eva" }), set(func(c *stock.Crate) { c.Sender.City = "Natal" })},
		"Stamp":   {set(func(c *stock.Crate) { c.Stamp.City = "Natal" })},
		"Prices":  {set(func(c *stock.Crate) { delete(c.Prices, "port") }), set(func(c *stock.Crate) { c.Prices["port"]++ })},
		"Labels":  {set(func(c *stock.Crate) { c.Labels = []string{"up", "wet"} })},
		"Route":   {set(nowhere), set(func(c *stock.Crate) { c.Route[0].Port = "Natal" }), pair(nowhere, func(c *stock.Crate) { c.Route = []stock.Stop{} })},
		"Ship":    {set(func(c *stock.Crate) { c.Ship = new("Vitória") }), pair(nowhere, func(c *stock.Crate) { nowhere(c); c.Ship = new("Vitória") }), pair(nowhere, func(c *stock.Crate) { nowhere(c); c.Ship = nil })},
		"Truck": {pair(func(c *stock.Crate) { c.Ship, c.Truck = nil, new(int32(1)) },
			func(c *stock.Crate) { c.Ship, c.Truck = nil, new(int32(2)) }), byTruck},
		"Mail":  {set(func(c *stock.Crate) { c.Mail = new("eva@example.org") })},
		"Phone": {set(func(c *stock.Crate) { c.Phone = new("555") })},
	}
}

// requireFields changes each field of a root and changes it back.
func requireFields[T any](t *testing.T, sent *storetest.Requests, r root[T], x *explain.Table, pairs map[string][][2]T) {
	t.Helper()
	var names []string
	for _, f := range x.Fields {
		names = append(names, f.Attribute.GoName())
	}
	require.ElementsMatch(t, slices.Collect(maps.Keys(pairs)), names)
	for _, f := range x.Fields {
		t.Run(f.Attribute.GoName(), func(t *testing.T) {
			sent.Drain()
			for _, p := range pairs[f.Attribute.GoName()] {
				require.NoError(t, r.Change(t.Context(), &p[0], &p[1]))
				require.NoError(t, r.Change(t.Context(), &p[1], &p[0]))
			}
			requireSent(t, f.Update, sent.Drain()...)
		})
	}
}

// The store sends what aml explain prints for the stock, also for rows that are added, removed or shared, or that expire,
// and for static columns, alternatives, methods and Set.
func TestExplainStock(t *testing.T) {
	t.Parallel()
	session := storetest.StockKeyspace(t)
	sent := &storetest.Requests{}
	store, err := stock.Open(t.Context(), session, mapper.Config{Tracer: sent})
	require.NoError(t, err)
	explainStock(t, sent, store)
}

func explainStock(t *testing.T, sent *storetest.Requests, store *stock.Store) {
	x := explained(t, "../models/stock", "crates")
	first := crate()
	require.NoError(t, store.Crates.Insert(t.Context(), &first))
	requireSent(t, operation(t, x, "Insert").Requests[0], sent.Drain()...)
	requireFields(t, sent, store.Crates, x, crates())
	requireSets(t, sent, store, x)
	require.NoError(t, store.Crates.Insert(t.Context(), &first)) // after any changes above
	sent.Drain()
	require.NoError(t, store.Crates.Delete(t.Context(), "north", 7))
	requireSent(t, operation(t, x, "Delete").Requests[1], sent.Drain()[1])

	requireFields(t, sent, store.Visits, explained(t, "../models/stock", "visits"), map[string][][2]stock.Visit{
		"Gate":  {{{Visitor: "Ana", Gate: "east"}, {Visitor: "Ana", Gate: "west"}}},
		"Badge": {{{Visitor: "Ana", Gate: "east", Badge: "1"}, {Visitor: "Ana", Gate: "east", Badge: "2"}}},
		"Seen":  {{{Visitor: "Ana", Gate: "east"}, {Visitor: "Ana", Gate: "east", Seen: map[string]int32{"hall": 1}}}},
	})
	requireFields(t, sent, store.Guards, explained(t, "../models/stock", "guards"), map[string][][2]stock.Guard{
		"Name": {{{ID: 1, Name: "Ana"}, {ID: 1, Name: "Rui"}}, {{ID: 1, Name: "Ana"}, {ID: 1, Name: "Alda"}}},
		"Rank": {{{ID: 1, Name: "Ana"}, {ID: 1, Name: "Ana", Rank: 2}}},
	})
}

func requireSets(t *testing.T, sent *storetest.Requests, store *stock.Store, x *explain.Table) {
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
		requireSent(t, f.Set.Requests[0], sent.Drain()...)
	}
	require.ElementsMatch(t, slices.Collect(maps.Keys(methods)), names)
}
