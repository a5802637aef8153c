package store

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/stock"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
)

// A view reads only its fields, by the key of its table. The key need not be among the fields.
func TestViews(t *testing.T) {
	sent := &storetest.Requests{}
	onBoth(t, mapper.Config{Tracer: sent}, func(t *testing.T, store *stock.Store) {
		fill(t, store)
		ctx := t.Context()
		require.NoError(t, store.Guards.Insert(ctx, &stock.Guard{ID: 4, Name: "Zé", Rank: 2}))
		sent.Drain()

		tag, err := store.Tag.Get(ctx, "north", 1, 1, 1)
		require.NoError(t, err)
		require.Equal(t, &stock.Tag{Tier: 1, Name: "Vase", Keeper: "Rui", Colors: map[string]struct{}{"blue": {}, "red": {}}, Sender: &stock.Party{Name: "Ana"}}, tag)
		require.Equal(t, "SELECT hall, row, place, tier, keeper, name, colors, sender FROM items WHERE hall = ? AND row = ? AND place = ? AND tier = ?", sent.Drain()[0].Statements[0].CQL)

		_, err = store.Tag.Get(ctx, "north", 1, 1, 2)
		require.ErrorIs(t, err, mapper.ErrNotFound)
		require.EqualError(t, err, "mapper: Get Tag (items hall='north', row=1, place=1, tier=2): not found")

		var names []string
		for tag, err := range store.Tag.Of("north", 1).PlaceFrom(1).Reverse().All(ctx) {
			require.NoError(t, err)
			names = append(names, tag.Name)
		}
		require.Equal(t, []string{"VASE", "Vase"}, names)
		require.Empty(t, names[2:])
		page, err := store.Tag.Of("north", 1).PageSize(1).Page(ctx, "")
		require.NoError(t, err)
		require.Equal(t, "Vase", page.Items[0].Name)
		items, err := store.Items.Of("north", 1).PageSize(1).Page(ctx, page.Next)
		require.NoError(t, err, "a token is bound to the rows, not to the columns")
		require.Equal(t, "VASE", items.Items[0].Name)
		page, err = store.Tag.Of("north", 1).PageSize(1).Page(ctx, page.Next)
		require.NoError(t, err)
		require.Equal(t, "VASE", page.Items[0].Name)

		color, err := store.ColorName.Get(ctx, "red", "north", 1, 2, 2)
		require.NoError(t, err)
		require.Equal(t, &stock.ColorName{Name: "VASE"}, color, "of a redundant aggregate")
		guardian, err := store.Guardian.Get(ctx, 4)
		require.NoError(t, err)
		require.Equal(t, &stock.Guardian{Rank: 2}, guardian)

		require.NoError(t, store.Items.SetKeeper(ctx, "south", 7, "Rui"))
		for tag, err := range store.Tag.Of("south", 7).All(ctx) {
			require.Fail(t, "a partition with static values only has no row", "%v %v", tag, err)
		}
		require.NoError(t, store.Items.Delete(ctx, "north", 1, 2, 2))
		_, err = store.ColorName.Get(ctx, "red", "north", 1, 2, 2)
		require.ErrorIs(t, err, mapper.ErrNotFound, "a partition without static values")

		_, err = store.With(mapper.Options{Consistency: mapper.One}).Tag.Get(ctx, "north", 1, 1, 1)
		require.ErrorContains(t, err, "mapper: Get Tag (items hall='north', row=1, place=1, tier=1): consistency ONE")
	})
}
