package conformance

import (
	"iter"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/stock"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

// After random writes, queries by index and reads of views return the same rows from the memory backend as from a node: each
// read is sent to both and compared.
func TestMemoryFindsTheRowsThatANodeFinds(t *testing.T) {
	t.Parallel()
	session := storetest.StockKeyspace(t)
	pair := NewPair(session.Session, memory.Config{})
	store, err := stock.OpenBackend(t.Context(), pair)
	require.NoError(t, err)
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	nearItems(t, store, r)
	const rounds = 40
	for range rounds {
		writeItem(t, store, r)
		findItems(t, store, r)
	}
	report, err := pair.Compare(t.Context())
	require.NoError(t, err)
	require.Empty(t, report.Differences, "seed %d", seed)
	require.Positive(t, report.Rows)
}

var (
	someTexts = []string{"", "a", "A", "b", "Ab", "aB"}
	someInts  = []int32{-1, 0, 1, 2}
)

func one[T any](r *rand.Rand, of []T) T { return of[r.IntN(len(of))] }

func someHall(r *rand.Rand) string { return one(r, []string{"north", "south"}) }

// writeItem puts or deletes one of a few items.
func writeItem(t *testing.T, store *stock.Store, r *rand.Rand) {
	t.Helper()
	i := &stock.Item{Hall: someHall(r), Row: int32(r.IntN(2)), Place: int32(r.IntN(2)), Tier: 1, Keeper: one(r, someTexts), Name: one(r, someTexts), Note: one(r, someTexts),
		Shape: someShape(r), Spot: someSpot(r), Value: someSpot(r)}
	if r.IntN(4) == 0 {
		require.NoError(t, store.Items.Delete(t.Context(), i.Hall, i.Row, i.Place, i.Tier))
		return
	}
	for _, c := range []string{"red", "blue"} {
		if r.IntN(2) == 0 {
			i.Colors = append(i.Colors, c)
		}
	}
	for range r.IntN(3) {
		i.Marks = append(i.Marks, one(r, someInts))
	}
	if r.IntN(2) == 0 {
		i.Code = new(int64(one(r, someInts)))
	}
	require.NoError(t, store.Items.Put(t.Context(), i))
}

// nearItems reads the neighbours of random vectors among a few items that were never overwritten: with many items, or with
// replaced or removed vectors, the search of the server is not exact.
func nearItems(t *testing.T, store *stock.Store, r *rand.Rand) {
	t.Helper()
	for place := range int32(8) {
		i := &stock.Item{Hall: "west", Row: place % 2, Place: place, Shape: someShape(r), Spot: someSpot(r), Value: someSpot(r)}
		require.NoError(t, store.Items.Insert(t.Context(), i))
	}
	for range 20 {
		items, of := store.Items, store.Items.Of("west", int32(r.IntN(2)))
		for _, rows := range []iter.Seq2[*stock.Item, error]{
			items.ByShape(someShape(r), 1+r.IntN(9)).All(t.Context()), items.BySpot(someSpot(r), 1+r.IntN(9)).All(t.Context()),
			items.ByValue(someSpot(r), 1+r.IntN(9)).All(t.Context()), of.ByShape(someShape(r), 3).All(t.Context()), of.BySpot(someSpot(r), 3).All(t.Context()),
		} {
			storetest.Places(t, rows)
		}
	}
}

func someShape(r *rand.Rand) [3]float32 {
	return [3]float32{r.Float32() + 0.1, r.Float32(), r.Float32()}
}

func someSpot(r *rand.Rand) [2]float32 { return [2]float32{r.Float32(), r.Float32()} }

// findItems reads by every index except vector indexes, in all partitions and in one.
func findItems(t *testing.T, store *stock.Store, r *rand.Rand) {
	t.Helper()
	ctx, items := t.Context(), store.Items
	of := items.Of(someHall(r), int32(r.IntN(2)))
	text, number := one(r, someTexts), one(r, someInts)
	for _, rows := range []iter.Seq2[*stock.Item, error]{
		items.ByRow(number).All(ctx), items.ByTier(1).All(ctx), items.ByKeeper(text).All(ctx), items.ByName(text).All(ctx), items.ByNote(text).All(ctx),
		items.ByCode(int64(number)).All(ctx), items.ByColors("red").All(ctx), items.ByMarks(number).All(ctx),
		of.ByTier(1).All(ctx), of.ByKeeper(text).All(ctx), of.ByName(text).PageSize(1).All(ctx), of.ByColors("red").Limit(1).All(ctx), of.ByMarks(number).All(ctx),
	} {
		storetest.Places(t, rows)
	}
	for _, err := range store.Tag.Of(someHall(r), int32(r.IntN(2))).All(ctx) {
		require.NoError(t, err)
	}
	for _, err := range store.ColorName.Of("red").PageSize(1).All(ctx) {
		require.NoError(t, err)
	}
	storetest.Pages(t, func(token string) (mapper.Page[stock.Item], error) {
		return of.ByTier(1).PageSize(1).Page(ctx, token)
	})
}
