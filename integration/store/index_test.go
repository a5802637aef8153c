package store

import (
	"context"
	"iter"
	"math"
	"net"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/stock"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

// onBoth runs a test on a node and on the memory backend.
func onBoth(t *testing.T, config mapper.Config, test func(*testing.T, *stock.Store)) {
	t.Parallel()
	t.Run("memory", func(t *testing.T) {
		store, err := stock.OpenBackend(t.Context(), memory.New(memory.Config{}), config)
		require.NoError(t, err)
		test(t, store)
	})
	t.Run("node", func(t *testing.T) {
		store, err := stock.Open(t.Context(), storetest.StockKeyspace(t), config)
		require.NoError(t, err)
		test(t, store)
	})
}

// stock returns items in three partitions with different places.
func newItems() []*stock.Item {
	return []*stock.Item{
		{Hall: "north", Row: 1, Place: 1, Tier: 1, Keeper: "Rui", Name: "Vase", Note: "old", Code: new(int64(7)), Colors: []string{"blue", "red"}, Marks: []int32{1, 2}, From: net.IPv4(10, 0, 0, 1),
			Shape: [3]float32{1, 0, 0}, Spot: [2]float32{1, 1}, Value: [2]float32{1, 0}, Sender: &stock.Party{Name: "Ana"}},
		{Hall: "north", Row: 1, Place: 2, Tier: 2, Keeper: "Rui", Name: "VASE", Note: "new", Colors: []string{"red"}, Marks: []int32{2, 2},
			Shape: [3]float32{90, 10, 0}, Spot: [2]float32{90, 10}, Value: [2]float32{90, 10}},
		{Hall: "north", Row: 2, Place: 3, Tier: 1, Keeper: "Eva", Name: "clock", Note: "old", Code: new(int64(7)), Colors: []string{"blue"},
			Shape: [3]float32{0, 1, 0}, Spot: [2]float32{2, 1}, Value: [2]float32{0, 2}},
		{Hall: "south", Row: 1, Place: 4, Tier: 3, Keeper: "Rui", Name: "", Note: "", Code: new(int64(0)), Marks: []int32{9},
			Shape: [3]float32{-1, 0, 0}, Spot: [2]float32{-5, -5}, Value: [2]float32{-3, 0}},
	}
}

func fill(t *testing.T, store *stock.Store) {
	t.Helper()
	for _, i := range newItems() {
		require.NoError(t, store.Items.Insert(t.Context(), i))
	}
}

func TestItemsAreFoundByIndex(t *testing.T) {
	onBoth(t, mapper.Config{}, func(t *testing.T, store *stock.Store) {
		fill(t, store)
		ctx, items, north := t.Context(), store.Items, store.Items.Of("north", 1)
		for what, c := range map[string]struct {
			rows iter.Seq2[*stock.Item, error]
			want []int32
		}{
			"a part of the partition key":          {items.ByRow(1).All(ctx), []int32{1, 2, 4}},
			"a clustering column":                  {items.ByTier(1).All(ctx), []int32{1, 3}},
			"a clustering column in one partition": {north.ByTier(2).All(ctx), []int32{2}},
			"a static column":                      {items.ByKeeper("Rui").All(ctx), []int32{1, 2, 4}},
			"a static column in one partition":     {north.ByKeeper("Rui").All(ctx), []int32{1, 2}},
			"text in any case":                     {items.ByName("vASE").All(ctx), []int32{1, 2}},
			"empty text":                           {items.ByName("").All(ctx), []int32{4}},
			"text that is normalized":              {items.ByNote("old").All(ctx), []int32{1, 3}},
			"a number that can be nil":             {items.ByCode(7).All(ctx), []int32{1, 3}},
			"zero is not nil":                      {items.ByCode(0).All(ctx), []int32{4}},
			"nothing":                              {items.ByCode(8).All(ctx), nil},
			"an element of a set":                  {items.ByColors("blue").All(ctx), []int32{1, 3}},
			"an element of a set in one partition": {north.ByColors("blue").All(ctx), []int32{1}},
			"an element of a list, once":           {items.ByMarks(2).All(ctx), []int32{1, 2}},
			"an address, however long":             {items.ByFrom(net.IPv4(10, 0, 0, 1).To4()).All(ctx), []int32{1}},
			"with a limit":                         {items.ByMarks(9).Limit(1).All(ctx), []int32{4}},
			"row by row":                           {items.ByKeeper("Rui").PageSize(1).All(ctx), []int32{1, 2, 4}},
			"in a copy":                            {itemsOf(store.ItemsByColor.ByCode(7).All(ctx)), []int32{1, 1, 3}},
			"in one partition of a copy":           {itemsOf(store.ItemsByColor.Of("red").ByName("Vase").All(ctx)), []int32{1}},
		} {
			got := storetest.Places(t, c.rows)
			slices.Sort(got)
			require.Equal(t, c.want, got, what)
		}
	})
}

// itemsOf returns the items that rows of a copy derive from.
func itemsOf(rows iter.Seq2[*stock.ItemByColor, error]) iter.Seq2[*stock.Item, error] {
	return func(yield func(*stock.Item, error) bool) {
		for r, err := range rows {
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(&stock.Item{Place: r.Place}, nil) {
				return
			}
		}
	}
}

// Written rows are found; changed and deleted rows are no longer found.
func TestIndexFollowsWrites(t *testing.T) {
	onBoth(t, mapper.Config{}, func(t *testing.T, store *stock.Store) {
		fill(t, store)
		ctx := t.Context()
		_, err := store.Items.Update(ctx, "north", 1, 1, 1, func(i *stock.Item) error {
			i.Colors, i.Code, i.Shape = []string{"green", "red"}, nil, [3]float32{0, 0, 1}
			return nil
		})
		require.NoError(t, err)
		require.Equal(t, []int32{1}, storetest.Places(t, store.Items.ByColors("green").All(ctx)))
		require.Equal(t, []int32{3}, storetest.Places(t, store.Items.ByColors("blue").All(ctx)))
		require.Equal(t, []int32{3}, storetest.Places(t, store.Items.ByCode(7).All(ctx)))
		require.Equal(t, []int32{1}, storetest.Places(t, store.Items.ByShape([3]float32{0, 0.1, 1}, 1).All(ctx)))
		require.NoError(t, store.Items.Delete(ctx, "north", 1, 1, 1))
		require.Empty(t, storetest.Places(t, store.Items.ByColors("green").All(ctx)))
		require.NoError(t, store.Items.SetNote(ctx, "north", 2, 3, 1, "lost"))
		require.Equal(t, []int32{3}, storetest.Places(t, store.Items.ByNote("lost").All(ctx)))
	})
}

// The default similarity is the cosine. Each function of the options has a different order for the same vectors.
func TestNearestItems(t *testing.T) {
	onBoth(t, mapper.Config{}, func(t *testing.T, store *stock.Store) {
		fill(t, store)
		ctx, items := t.Context(), store.Items
		require.Equal(t, []int32{2, 1, 3}, storetest.Places(t, items.ByShape([3]float32{2, 0.4, 0}, 3).All(ctx)), "cosine")
		require.Equal(t, []int32{2}, storetest.Places(t, items.ByShape([3]float32{2, 0.4, 0}, 1).All(ctx)), "only the nearest")
		require.Equal(t, []int32{1, 3, 4, 2}, storetest.Places(t, items.BySpot([2]float32{0.9, 0.9}, 9).All(ctx)), "euclidean")
		require.Equal(t, []int32{2, 1, 3, 4}, storetest.Places(t, items.ByValue([2]float32{1, 0}, 9).All(ctx)), "dot product")
		require.Equal(t, []int32{1, 2}, storetest.Places(t, items.Of("north", 1).BySpot([2]float32{0, 0}, 9).All(ctx)), "of a partition")
	})
}

// A search for a value that no index can find is rejected before a request is sent.
func TestIndexErrors(t *testing.T) {
	t.Parallel()
	sent := &storetest.Requests{}
	store, err := stock.OpenBackend(t.Context(), memory.New(memory.Config{}), mapper.Config{Tracer: sent})
	require.NoError(t, err)
	first := func(rows iter.Seq2[*stock.Item, error]) error {
		for i, err := range rows {
			require.Nil(t, i)
			return err
		}
		return nil
	}
	ctx := t.Context()
	require.EqualError(t, first(store.Items.ByShape([3]float32{1, 0, 0}, 0).All(ctx)), "mapper: ByShape Item (items): the limit is 0: it must be at least 1")
	require.EqualError(t, first(store.Items.Of("", 1).ByShape([3]float32{1, 0, 0}, -3).All(ctx)), "mapper: ByShape Item (items hall='', row=1): the limit is -3: it must be at least 1")
	require.EqualError(t, first(store.Items.ByName("\xff").All(ctx)), "mapper: ByName Item (items): Name is not valid UTF-8")
	require.EqualError(t, first(store.Items.ByFrom(nil).All(ctx)), "mapper: ByFrom Item (items): From is null, and no index finds what is null")
	require.EqualError(t, first(store.Items.Of("north", 1).ByFrom(nil).All(ctx)), "mapper: ByFrom Item (items hall='north', row=1): From is null, and no index finds what is null")
	require.Empty(t, sent.Drain())
	err = first(store.With(mapper.Options{Consistency: mapper.One}).Items.ByRow(1).All(ctx))
	require.ErrorContains(t, err, "mapper: ByRow Item (items): consistency ONE")
}

// A search for nearest neighbours is one request at LOCAL_ONE. Other reads by an index use the consistency of the store.
func TestIndexRequests(t *testing.T) {
	t.Parallel()
	sent := &storetest.Requests{}
	session := storetest.StockKeyspace(t)
	store, err := stock.Open(t.Context(), session, mapper.Config{Tracer: sent, Consistency: mapper.Quorum})
	require.NoError(t, err)
	fill(t, store)
	sent.Drain()
	ctx := t.Context()
	storetest.Places(t, store.Items.Of("north", 1).ByShape([3]float32{1, 0, 0}, 2).All(ctx))
	storetest.Places(t, store.Items.ByColors("red").All(ctx))
	columns := "SELECT hall, row, place, tier, keeper, name, note, code, colors, marks, shape, spot, value, \"from\", sender, seen FROM items "
	got := sent.Drain()
	require.Len(t, got, 2)
	require.Equal(t, "ByShape", got[0].Op)
	require.Equal(t, mapper.LocalOne, got[0].Consistency)
	require.Equal(t, columns+"WHERE hall = ? AND row = ? ORDER BY shape ANN OF ? LIMIT ?", got[0].Statements[0].CQL)
	require.Equal(t, "ByColors", got[1].Op)
	require.Equal(t, mapper.Quorum, got[1].Consistency)
	require.Equal(t, columns+"WHERE colors CONTAINS ?", got[1].Statements[0].CQL)
	x := explained(t, "../models/stock", "items")
	requireSent(t, operation(t, x, "Of.ByShape").Requests[0], got[0])
	requireSent(t, operation(t, x, "ByColors").Requests[0], got[1])

	require.NoError(t, session.ExecStmt("DROP INDEX items__colors_index"))
	_, err = stock.Open(context.Background(), session, mapper.Config{})
	var schema *mapper.SchemaError
	require.ErrorAs(t, err, &schema)
	require.Equal(t, []mapper.SchemaFault{{Table: "items", Index: "values(colors)"}}, schema.Faults)
	require.ErrorContains(t, err, "index on items (values(colors)) is missing")
	storetest.Execute(t, session, stock.Schema)
	storetest.AwaitIndexes(t, session) // other tests use the keyspace, and a TRUNCATE would stop the build of the index
}

// Vectors that the server cannot index are rejected before they are sent: the server fails such a write as if a node were
// down, or accepts it and fails every later write of the row. Vectors just inside the limit are written.
func TestVectorsThatAnIndexCannotHold(t *testing.T) {
	t.Parallel()
	store, err := stock.Open(t.Context(), storetest.StockKeyspace(t), mapper.Config{})
	require.NoError(t, err)
	item := func(change func(*stock.Item)) *stock.Item {
		i := &stock.Item{Hall: "a", Place: 1, Shape: [3]float32{1}}
		change(i)
		return i
	}
	for name, bad := range map[string]*stock.Item{
		"zero":      item(func(i *stock.Item) { i.Shape = [3]float32{} }),
		"near zero": item(func(i *stock.Item) { i.Shape = [3]float32{1e-20, -1e-20} }),
		"far":       item(func(i *stock.Item) { i.Spot[1] = -1.01e17 }),
		"NaN":       item(func(i *stock.Item) { i.Value[0] = float32(math.NaN()) }),
		"infinite":  item(func(i *stock.Item) { i.Value[0] = float32(math.Inf(-1)) }),
	} {
		var refused *mapper.ConstraintError
		require.ErrorAs(t, store.Items.Insert(t.Context(), bad), &refused, name)
		require.Len(t, refused.Violations, 1, name)
		require.ErrorAs(t, store.Items.SetSpot(t.Context(), "a", 0, 1, 0, [2]float32{2e17}), &refused)
	}
	for _, good := range []*stock.Item{
		item(func(i *stock.Item) { i.Shape = [3]float32{2e-19} }),
		item(func(i *stock.Item) { i.Spot, i.Value = [2]float32{9.9e16, 0}, [2]float32{-9.9e16, 0} }),
		item(func(i *stock.Item) { i.Spot, i.Value = [2]float32{}, [2]float32{} }),
	} {
		for range 3 {
			require.NoError(t, store.Items.Insert(t.Context(), good))
		}
	}
}
