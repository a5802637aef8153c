package store

import (
	"bytes"
	"encoding/base64"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/stock"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

func placesOf(pages [][]*stock.Item) (out []int32) {
	for _, p := range pages {
		for _, i := range p {
			out = append(out, i.Place)
		}
	}
	return out
}

// The pages of any size together have every row once and in order. A limit applies to all pages together.
func TestPages(t *testing.T) {
	t.Parallel()
	for name, key := range map[string][]byte{"bound": nil, "sealed": bytes.Repeat([]byte{7}, 32)} {
		t.Run(name, func(t *testing.T) {
			onBoth(t, mapper.Config{TokenKey: key}, func(t *testing.T, store *stock.Store) {
				ctx := t.Context()
				for i := range int32(7) {
					require.NoError(t, store.Items.Insert(ctx, &stock.Item{Hall: "north", Row: 1, Place: i, Marks: []int32{i % 2}, Keeper: "Rui",
						Shape: [3]float32{1, 1, 1}, Colors: []string{"red"}}))
				}
				require.NoError(t, store.Items.SetKeeper(ctx, "north", 2, "Rui"))
				of := store.Items.Of("north", 1)
				for size := range 8 {
					q := of.PlaceFrom(1).PlaceTo(5).Reverse().PageSize(size + 1)
					got := storetest.Pages(t, func(token string) (mapper.Page[stock.Item], error) { return q.Page(ctx, token) })
					require.Equal(t, []int32{5, 4, 3, 2, 1}, placesOf(got))
					require.LessOrEqual(t, len(got[0]), size+1)
				}
				limited := storetest.Pages(t, func(token string) (mapper.Page[stock.Item], error) {
					return of.Limit(4).PageSize(3).Page(ctx, token)
				})
				require.Equal(t, []int32{0, 1, 2, 3}, placesOf(limited))
				found := storetest.Pages(t, func(token string) (mapper.Page[stock.Item], error) {
					return store.Items.ByMarks(1).PageSize(2).Page(ctx, token)
				})
				require.ElementsMatch(t, []int32{1, 3, 5}, placesOf(found))
				static := storetest.Pages(t, func(token string) (mapper.Page[stock.Item], error) {
					return store.Items.ByKeeper("Rui").PageSize(2).Page(ctx, token)
				})
				require.ElementsMatch(t, []int32{0, 1, 2, 3, 4, 5, 6}, placesOf(static), "not the partition with static values only")
				require.Empty(t, placesOf(storetest.Pages(t, func(token string) (mapper.Page[stock.Item], error) {
					return store.Items.Of("south", 1).Page(ctx, token)
				})))
			})
		})
	}
}

// The server would accept the paging state of another query, and return wrong rows. A token of another query is rejected,
// and so is an invalid token.
func TestPageTokens(t *testing.T) {
	t.Parallel()
	secret := bytes.Repeat([]byte{7}, 32)
	open := func(key []byte) *stock.Store {
		store, err := stock.OpenBackend(t.Context(), memory.New(memory.Config{}), mapper.Config{TokenKey: key})
		require.NoError(t, err)
		fill(t, store)
		return store
	}
	ctx := t.Context()
	for name, key := range map[string][]byte{"bound": nil, "sealed": secret} {
		t.Run(name, func(t *testing.T) {
			store := open(key)
			of := store.Items.Of("north", 1)
			page, err := of.PageSize(1).Page(ctx, "")
			require.NoError(t, err)
			token := page.Next
			second, err := open(key).Items.Of("north", 1).PageSize(5).Page(ctx, token)
			require.NoError(t, err, "in another process with the same key and another page size")
			require.Equal(t, []int32{2}, placesOf([][]*stock.Item{second.Items}))

			read, err := base64.RawURLEncoding.DecodeString(token)
			require.NoError(t, err)
			require.Equal(t, key == nil, bytes.Contains(read, []byte("north")), "a sealed token does not contain the key")
			changed := slices.Clone(read)
			changed[0]++
			refused := func(what string) func(mapper.Page[stock.Item], error) {
				return func(p mapper.Page[stock.Item], err error) {
					t.Helper()
					require.ErrorIs(t, err, mapper.ErrPageToken, what)
					require.Empty(t, p.Items)
				}
			}
			refused("another partition")(store.Items.Of("north", 2).Page(ctx, token))
			refused("another range")(of.PlaceFrom(1).Page(ctx, token))
			refused("another order")(of.Reverse().Page(ctx, token))
			refused("another limit")(of.Limit(2).Page(ctx, token))
			refused("an index")(of.ByName("vase").Page(ctx, token))
			refused("damaged")(of.Page(ctx, base64.RawURLEncoding.EncodeToString(changed)))
			refused("cut")(of.Page(ctx, base64.RawURLEncoding.EncodeToString(read[:16])))
			refused("an invalid token")(of.Page(ctx, "next!"))
			other := map[string][]byte{"bound": secret, "sealed": bytes.Repeat([]byte{8}, 32)}[name]
			refused("a token with another key")(open(other).Items.Of("north", 1).Page(ctx, token))
		})
	}
	_, err := stock.OpenBackend(ctx, memory.New(memory.Config{}), mapper.Config{TokenKey: secret[:16]})
	require.EqualError(t, err, "mapper: Config.TokenKey has 16 bytes, not 32")
}

// A token that is not sealed can be cut after its binding to the query; then the server rejects it.
func TestCutPageToken(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	store, err := stock.Open(ctx, storetest.StockKeyspace(t), mapper.Config{})
	require.NoError(t, err)
	for i := range int32(3) {
		require.NoError(t, store.Items.Insert(ctx, &stock.Item{Hall: "north", Row: 1, Place: i, Shape: [3]float32{1}}))
	}
	of := store.Items.Of("north", 1).PageSize(2)
	first, err := of.Page(ctx, "")
	require.NoError(t, err)
	read, err := base64.RawURLEncoding.DecodeString(first.Next)
	require.NoError(t, err)
	_, err = of.Page(ctx, base64.RawURLEncoding.EncodeToString(read[:len(read)-3]))
	require.ErrorIs(t, err, mapper.ErrPageToken)
}
