package store

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/hotel"
	"github.com/cassaml/cassaml/integration/models/stock"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

// Statics reads the static columns of a root, a redundant table and a view, whether the partition has rows or not.
func TestStatics(t *testing.T) {
	sent := &storetest.Requests{}
	items, copies := explained(t, "../models/stock", "items"), explained(t, "../models/stock", "crates_in_hall")
	onBoth(t, mapper.Config{Tracer: sent}, func(t *testing.T, store *stock.Store) {
		fill(t, store)
		ctx := t.Context()
		sent.Drain()
		of := func(hall string, row int32) *stock.ItemsStatics {
			t.Helper()
			s, err := store.Items.Statics(ctx, hall, row)
			require.NoError(t, err)
			requireSent(t, operation(t, items, "Statics").Requests[0], sent.Drain()...)
			return s
		}
		require.Equal(t, &stock.ItemsStatics{Keeper: "Rui"}, of("north", 1))
		_, err := store.Items.Statics(ctx, "south", 9)
		require.ErrorIs(t, err, mapper.ErrNotFound)
		require.EqualError(t, err, "mapper: Statics Item (items hall='south', row=9): not found")

		require.NoError(t, store.Items.SetKeeper(ctx, "south", 9, "Eva"))
		sent.Drain()
		require.Equal(t, &stock.ItemsStatics{Keeper: "Eva"}, of("south", 9), "a partition without rows")
		view, err := store.Tag.Statics(ctx, "south", 9)
		require.NoError(t, err)
		require.Equal(t, &stock.TagStatics{Keeper: "Eva"}, view)
		_, err = store.Items.Of("south", 9).First(ctx)
		require.ErrorIs(t, err, mapper.ErrNotFound)
		n, err := store.Items.Of("south", 9).Count(ctx)
		require.NoError(t, err)
		require.Zero(t, n, "static values are no row")

		sealed := crate()
		require.NoError(t, store.Crates.Insert(ctx, &sealed))
		sent.Drain()
		hall, err := store.CratesInHall.Statics(ctx, sealed.Hall)
		require.NoError(t, err)
		require.Equal(t, &stock.CratesInHallStatics{Manager: "Rui"}, hall)
		requireSent(t, operation(t, copies, "Statics").Requests[0], sent.Drain()...)
		require.NoError(t, store.Crates.SetManager(ctx, sealed.Hall, ""))
		empty, err := store.Crates.Statics(ctx, sealed.Hall)
		require.NoError(t, err)
		require.Equal(t, &stock.CratesStatics{}, empty, "rows without static values")
		require.NoError(t, store.Crates.Delete(ctx, sealed.Hall, sealed.ID))

		_, err = store.With(mapper.Options{Verified: true}).CratesInHall.Statics(ctx, sealed.Hall)
		require.ErrorContains(t, err, "Options.Verified does not apply to static columns")
		_, err = store.Items.Statics(ctx, "\xff", 1)
		require.EqualError(t, err, "mapper: Statics Item (items): Hall is not valid UTF-8")
	})
}

// First and Count of an index leave out partitions that have only static values.
func TestFirstByIndex(t *testing.T) {
	sent := &storetest.Requests{}
	onBoth(t, mapper.Config{Tracer: sent}, func(t *testing.T, store *stock.Store) {
		fill(t, store)
		ctx := t.Context()
		for row := range int32(9) {
			require.NoError(t, store.Items.SetKeeper(ctx, "west", row, "Rui"))
		}
		item, err := store.Items.ByKeeper("Rui").First(ctx)
		require.NoError(t, err)
		require.Equal(t, "Rui", item.Keeper)
		n, err := store.Items.ByKeeper("Rui").Count(ctx)
		require.NoError(t, err)
		require.Equal(t, 3, n)
		n, err = store.Items.ByKeeper("Rui").Limit(2).Count(ctx)
		require.NoError(t, err)
		require.Equal(t, 2, n)
		_, err = store.Items.ByKeeper("Zé").First(ctx)
		require.ErrorIs(t, err, mapper.ErrNotFound)

		sent.Drain()
		tag, err := store.Tag.ByColors("blue").First(ctx)
		require.NoError(t, err)
		require.Contains(t, tag.Colors, "blue")
		require.NotContains(t, sent.Drain()[0].Statements[0].CQL, "shape", "a view reads its columns")
		n, err = store.Tag.Of("north", 1).ByName("vase").Count(ctx)
		require.NoError(t, err)
		require.Equal(t, 2, n)
	})
}

// What a versioned root sends for First and Count is explained: the client leaves out the rows of deleted roots.
func TestExplainReadsOfVersionedRoots(t *testing.T) {
	t.Parallel()
	x, sent := explained(t, "../models/hotel", "bookings"), &storetest.Requests{}
	store, err := hotel.OpenBackend(t.Context(), memory.New(memory.Config{}), mapper.Config{Tracer: sent})
	require.NoError(t, err)
	_, err = store.Bookings.Of("7").First(t.Context())
	require.ErrorIs(t, err, mapper.ErrNotFound)
	requireSent(t, operation(t, x, "Of.First").Requests[0], sent.Drain()...)
	_, err = store.Bookings.Of("7").Count(t.Context())
	require.NoError(t, err)
	requireSent(t, operation(t, x, "Of.Count").Requests[0], sent.Drain()...)
}
