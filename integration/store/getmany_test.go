package store

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/stockmodel"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
)

// GetMany returns the rows of a root, a copy, a part and a view in the order of the keys, nil where there is no row, and reads equal
// keys once.
func TestGetMany(t *testing.T) {
	sent := &storetest.Requests{}
	onBoth(t, mapper.Config{Tracer: sent}, func(t *testing.T, store *stockmodel.Store) {
		fill(t, store)
		ctx := t.Context()
		first, second, none := stockmodel.ItemsKey{Hall: "north", Row: 1, Place: 1, Tier: 1}, stockmodel.ItemsKey{Hall: "north", Row: 1, Place: 2, Tier: 2}, stockmodel.ItemsKey{Hall: "north"}
		keys := []stockmodel.ItemsKey{second, none, first, second, none}
		sent.Take()
		items, err := store.Items.GetMany(ctx, keys)
		require.NoError(t, err)
		require.Len(t, items, len(keys))
		require.Equal(t, []string{"VASE", "Vase", "VASE"}, []string{items[0].Name, items[2].Name, items[3].Name})
		require.Nil(t, items[1])
		require.Nil(t, items[4])
		requests := sent.Take()
		require.Len(t, requests, 3, "one for each different key")
		for _, r := range requests {
			require.Equal(t, "GetMany", r.Op)
			require.NotContains(t, r.Statements[0].CQL, " IN ")
		}

		tags, err := store.Tag.GetMany(ctx, keys)
		require.NoError(t, err)
		require.Equal(t, []*stockmodel.Tag{{Tier: 2, Name: "VASE", Keeper: "Rui", Colors: map[string]struct{}{"red": {}}}, nil}, tags[:2])
		require.Equal(t, "SELECT hall, row, place, tier, keeper, name, colors, sender FROM items WHERE hall = ? AND row = ? AND place = ? AND tier = ?", sent.Take()[0].Statements[0].CQL)

		labels, err := store.ItemsByColor.GetMany(ctx, []stockmodel.ItemsByColorKey{{Color: "red", Hall: "north", Row: 1, Place: 2, Tier: 2}})
		require.NoError(t, err)
		require.Equal(t, "VASE", labels[0].Name)

		require.NoError(t, store.Guards.Insert(ctx, &stockmodel.Guard{ID: 4, Name: "Zé"}))
		sent.Take()
		guards, err := store.Guards.GetMany(ctx, nil)
		require.NoError(t, err)
		require.Equal(t, []*stockmodel.Guard{}, guards)
		require.Empty(t, sent.Take(), "no keys, no request")
		guards, err = store.Guards.GetMany(ctx, []int32{5, 4})
		require.NoError(t, err)
		require.Nil(t, guards[0])
		require.Equal(t, "Zé", guards[1].Name)
	})
}

// A key that no row can have is reported with its place, and nothing is sent.
func TestKeysThatNoRowCanHave(t *testing.T) {
	sent := &storetest.Requests{}
	onBoth(t, mapper.Config{Tracer: sent}, func(t *testing.T, store *stockmodel.Store) {
		sent.Take()
		_, err := store.Visits.GetMany(t.Context(), []string{"Ana", "", "\xff"})
		var constraint *mapper.ConstraintError
		require.ErrorAs(t, err, &constraint)
		require.Equal(t, []mapper.Fault{{Path: "keys[1].Visitor", Problem: "is empty, but is in the key"}, {Path: "keys[2].Visitor", Problem: "is not valid UTF-8"}}, constraint.Faults)
		require.Empty(t, sent.Take())
	})
}
