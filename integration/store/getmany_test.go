package store

import (
	"sync/atomic"
	"testing"

	"github.com/gocql/gocql"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/hotel"
	"github.com/cassaml/cassaml/integration/models/stock"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

// GetMany returns the rows of a root, a copy, a part and a view in the order of the keys, nil where there is no row, and reads equal
// keys once.
func TestGetMany(t *testing.T) {
	sent := &storetest.Requests{}
	onBoth(t, mapper.Config{Tracer: sent}, func(t *testing.T, store *stock.Store) {
		fill(t, store)
		ctx := t.Context()
		first, second, none := stock.ItemsKey{Hall: "north", Row: 1, Place: 1, Tier: 1}, stock.ItemsKey{Hall: "north", Row: 1, Place: 2, Tier: 2}, stock.ItemsKey{Hall: "north"}
		keys := []stock.ItemsKey{second, none, first, second, none}
		sent.Drain()
		items, err := store.Items.GetMany(ctx, keys)
		require.NoError(t, err)
		require.Len(t, items, len(keys))
		require.Equal(t, []string{"VASE", "Vase", "VASE"}, []string{items[0].Name, items[2].Name, items[3].Name})
		require.Nil(t, items[1])
		require.Nil(t, items[4])
		requests := sent.Drain()
		require.Len(t, requests, 3, "one for each different key")
		for _, r := range requests {
			require.Equal(t, "GetMany", r.Op)
			require.NotContains(t, r.Statements[0].CQL, " IN ")
		}

		tags, err := store.Tag.GetMany(ctx, keys)
		require.NoError(t, err)
		require.Equal(t, []*stock.Tag{{Tier: 2, Name: "VASE", Keeper: "Rui", Colors: map[string]struct{}{"red": {}}}, nil}, tags[:2])
		require.Equal(t, "SELECT hall, row, place, tier, keeper, name, colors, sender FROM items WHERE hall = ? AND row = ? AND place = ? AND tier = ?", sent.Drain()[0].Statements[0].CQL)

		labels, err := store.ItemsByColor.GetMany(ctx, []stock.ItemsByColorKey{{Color: "red", Hall: "north", Row: 1, Place: 2, Tier: 2}})
		require.NoError(t, err)
		require.Equal(t, "VASE", labels[0].Name)

		require.NoError(t, store.Guards.Insert(ctx, &stock.Guard{ID: 4, Name: "Zé"}))
		sent.Drain()
		guards, err := store.Guards.GetMany(ctx, nil)
		require.NoError(t, err)
		require.Equal(t, []*stock.Guard{}, guards)
		require.Empty(t, sent.Drain(), "no keys, no request")
		guards, err = store.Guards.GetMany(ctx, []int32{5, 4})
		require.NoError(t, err)
		require.Nil(t, guards[0])
		require.Equal(t, "Zé", guards[1].Name)
	})
}

// A key that no row can have is reported with its place, and nothing is sent.
func TestKeysThatNoRowCanHave(t *testing.T) {
	sent := &storetest.Requests{}
	onBoth(t, mapper.Config{Tracer: sent}, func(t *testing.T, store *stock.Store) {
		sent.Drain()
		_, err := store.Visits.GetMany(t.Context(), []string{"Ana", "", "\xff"})
		var constraint *mapper.ConstraintError
		require.ErrorAs(t, err, &constraint)
		require.Equal(t, []mapper.Violation{{Path: "keys[1].Visitor", Problem: "is empty, but is in the key"}, {Path: "keys[2].Visitor", Problem: "is not valid UTF-8"}}, constraint.Violations)
		require.Empty(t, sent.Drain())
	})
}

// GetMany of a versioned root leaves out deleted rows, also with a serial read.
func TestGetManyOfVersionedRoots(t *testing.T) {
	inHotel(t, func(t *testing.T, s *hotel.Store) {
		nights := bookExcept(t, s, "many", 0b0101)
		keys := []hotel.BookingsKey{{Room: "many", Night: 0}, {Room: "many", Night: 1}, {Room: "many", Night: 2}, {Room: "many", Night: 3}}
		for _, o := range []mapper.Options{{}, {Serial: true, SpeculativeDelay: 1}} {
			got, err := s.With(o).Bookings.GetMany(t.Context(), keys)
			require.NoError(t, err)
			require.Equal(t, []bool{true, false, true, false}, []bool{got[0] == nil, got[1] == nil, got[2] == nil, got[3] == nil})
			require.Equal(t, []int32{got[3].Night, got[1].Night}, nights)
		}
		_, err := s.With(mapper.Options{Serial: true}).GuestsByEmail.GetMany(t.Context(), []string{"ana"})
		require.ErrorContains(t, err, "mapper: GetMany GuestByEmail (guests_by_email): mapper.Options.Serial is for the tables of versioned roots")
	})
}

// With a second request, whose node the driver chooses, the rows are the same.
func TestSpeculativeReads(t *testing.T) {
	onBoth(t, mapper.Config{}, func(t *testing.T, store *stock.Store) {
		fill(t, store)
		ctx, now := t.Context(), store.With(mapper.Options{SpeculativeDelay: 1, ReadConsistency: mapper.LocalOne})
		for range 20 {
			items, err := now.Items.GetMany(ctx, []stock.ItemsKey{{Hall: "north", Row: 1, Place: 2, Tier: 2}, {Hall: "north", Row: 1, Place: 3}})
			require.NoError(t, err)
			require.Equal(t, "VASE", items[0].Name)
			require.Nil(t, items[1])
			first, err := now.Items.Of("north", 1).PlaceFrom(2).First(ctx)
			require.NoError(t, err)
			require.Equal(t, "VASE", first.Name)
		}
	})
}

// The first error ends the call: no further row is read.
func TestGetManyEndsAtTheFirstError(t *testing.T) {
	t.Parallel()
	backend := memory.New(memory.Config{})
	store, err := stock.OpenBackend(t.Context(), backend)
	require.NoError(t, err)
	var reads atomic.Int32
	backend.Intercept(func(memory.Request) memory.Outcome { reads.Add(1); return memory.Refused })
	keys := make([]int32, 1000)
	for i := range keys {
		keys[i] = int32(i)
	}
	_, err = store.Guards.GetMany(t.Context(), keys)
	require.ErrorContains(t, err, "mapper: GetMany Guard (guards id=")
	require.ErrorContains(t, err, "too few replicas are available")
	require.LessOrEqual(t, reads.Load(), int32(32), "those that were in flight, and one more of each")
}

// A store that was opened on a backend has no session. A use of it is an error.
func TestStoreWithoutASession(t *testing.T) {
	t.Parallel()
	store, err := stock.OpenBackend(t.Context(), memory.New(memory.Config{}))
	require.NoError(t, err)
	session := store.Session()
	require.ErrorIs(t, session.Query("SELECT key FROM system.local", nil).Exec(), gocql.ErrSessionClosed)
	var key string
	require.ErrorIs(t, session.Query(stock.ItemsMetadata.Name, nil).Get(&key), gocql.ErrSessionClosed)
	require.ErrorIs(t, session.ExecuteBatch(session.NewBatch(gocql.LoggedBatch)), gocql.ErrSessionClosed)
	require.True(t, session.Closed())
	session.Close()
}
