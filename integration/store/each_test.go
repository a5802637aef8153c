package store

import (
	"cmp"
	"encoding/base64"
	"flag"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/stock"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/gen"
	"github.com/cassaml/cassaml/mapper/memory"
)

var (
	eachCases     = flag.Int("each-cases", 800, "random queries of several partitions in memory")
	eachNodeCases = flag.Int("each-node-cases", 20, "random queries of several partitions on a node")
	eachSeed      = flag.Uint64("each-seed", 1, "the first seed of random queries of several partitions")
)

// racks is a world of items in several partitions: many have the same clustering key, and some partitions have only static values,
// or nothing.
type racks struct {
	store *stock.Store
	items []*stock.Item // in the order of the table, without regard to partitions
	name  string        // the halls of each world have their own names
}

const (
	rackHalls = 3
	rackRows  = 2
)

func newRacks(t *testing.T, store *stock.Store, r *rand.Rand, name string) *racks {
	w := &racks{store: store, name: name}
	for _, k := range w.keys() {
		if r.IntN(5) == 0 {
			require.NoError(t, store.Items.SetKeeper(t.Context(), k.Hall, k.Row, "Rui"))
			continue
		}
		for place := range int32(4) {
			for tier := range int16(3) {
				if r.IntN(3) == 0 {
					continue
				}
				item := &stock.Item{Hall: k.Hall, Row: k.Row, Place: place - 2, Tier: tier - 1, Shape: [3]float32{1}}
				require.NoError(t, store.Items.Insert(t.Context(), item))
				w.items = append(w.items, item)
			}
		}
	}
	slices.SortStableFunc(w.items, func(a, b *stock.Item) int {
		return cmp.Or(cmp.Compare(a.Place, b.Place), cmp.Compare(b.Tier, a.Tier))
	})
	return w
}

func (w *racks) keys() (keys []stock.ItemsPartitionKey) {
	for hall := range rackHalls {
		for row := range int32(rackRows) {
			keys = append(keys, stock.ItemsPartitionKey{Hall: fmt.Sprint(w.name, hall), Row: row})
		}
	}
	return keys
}

// eachCase is a random query of several partitions, and the rows that it must have.
type eachCase struct {
	text  string
	query gen.Query[stock.Item]
	want  []string
	limit int
}

// draw returns a random query of the partitions with the given keys.
func (w *racks) draw(r *rand.Rand, keys []stock.ItemsPartitionKey, of stock.ItemsQuery) eachCase {
	c := eachCase{text: fmt.Sprint(keys)}
	keep := c.restrict(r, of)
	reverse := r.IntN(2) == 0
	rows := w.of(keys, reverse, keep)
	if reverse {
		c.query, c.text = c.query.Reverse(), c.text+" reversed"
	}
	if c.limit = r.IntN(12); c.limit > 0 {
		c.query, rows, c.text = c.query.Limit(c.limit), rows[:min(c.limit, len(rows))], fmt.Sprint(c.text, " limit ", c.limit)
	}
	if size := r.IntN(5); size > 0 {
		c.query, c.text = c.query.PageSize(size), fmt.Sprint(c.text, " pages of ", size)
	}
	c.want = rows
	return c
}

// restrict sets a random restriction of the clustering key, and returns it as a function.
func (c *eachCase) restrict(r *rand.Rand, of stock.ItemsQuery) func(*stock.Item) bool {
	low, up, tier := int32(r.IntN(4)-2), int32(r.IntN(4)-2), int16(r.IntN(3)-1)
	n := r.IntN(8)
	c.text = fmt.Sprint(c.text, " restriction ", n, " of ", low, up, tier)
	switch n {
	case 0:
		c.query = of.PlaceFrom(low).Query
		return func(i *stock.Item) bool { return i.Place >= low }
	case 1:
		c.query = of.PlaceAfter(low).PlaceTo(up)
		return func(i *stock.Item) bool { return i.Place > low && i.Place <= up }
	case 2:
		c.query = of.PlaceBefore(up)
		return func(i *stock.Item) bool { return i.Place < up }
	case 3:
		c.query = of.Place(low).Query
		return func(i *stock.Item) bool { return i.Place == low }
	case 4:
		c.query = of.Place(low).TierFrom(tier).Query
		return func(i *stock.Item) bool { return i.Place == low && i.Tier >= tier }
	case 5:
		c.query = of.Place(low).Tier(tier)
		return func(i *stock.Item) bool { return i.Place == low && i.Tier == tier }
	}
	c.query = of.Query
	return func(*stock.Item) bool { return true }
}

// of returns the rows of partitions in the order of a query.
func (w *racks) of(keys []stock.ItemsPartitionKey, reverse bool, keep func(*stock.Item) bool) (rows []string) {
	items := slices.Clone(w.items)
	place := func(i *stock.Item) int {
		return slices.Index(keys, stock.ItemsPartitionKey{Hall: i.Hall, Row: i.Row})
	}
	slices.SortFunc(items, func(a, b *stock.Item) int {
		order := cmp.Or(cmp.Compare(a.Place, b.Place), cmp.Compare(b.Tier, a.Tier))
		if reverse {
			order = -order
		}
		return cmp.Or(order, cmp.Compare(place(a), place(b)))
	})
	for _, i := range items {
		if place(i) >= 0 && keep(i) {
			rows = append(rows, itemName(i))
		}
	}
	return rows
}

func itemName(i *stock.Item) string { return fmt.Sprint(i.Hall, i.Row, " ", i.Place, i.Tier) }

func itemNames(items []*stock.Item) (out []string) {
	for _, i := range items {
		out = append(out, itemName(i))
	}
	return out
}

// check requires that the rows, their number, the first one and those of all pages are those of the model. With pages of one row, a token follows each row.
func (c *eachCase) check(t *testing.T, sizes ...int) {
	t.Helper()
	require.Equal(t, c.want, itemNames(collected(t, c.query.All(t.Context()))), c.text)
	n, err := c.query.Count(t.Context())
	require.NoError(t, err)
	require.Len(t, c.want, n, c.text)
	first, err := c.query.First(t.Context())
	if len(c.want) == 0 {
		require.ErrorIs(t, err, mapper.ErrNotFound, c.text)
	} else {
		require.NoError(t, err)
		require.Equal(t, c.want[0], itemName(first), c.text)
	}
	for _, size := range sizes {
		q := c.query
		if size > 0 {
			q = q.PageSize(size)
		}
		var got []string
		for _, p := range storetest.Pages(t, func(token string) (mapper.Page[stock.Item], error) { return q.Page(t.Context(), token) }) {
			got = append(got, itemNames(p)...)
		}
		require.Equal(t, c.want, got, "%s, in pages of %d", c.text, size)
	}
}

// randomKeys returns random ones of the keys, of which some are equal.
func randomKeys(r *rand.Rand, of []stock.ItemsPartitionKey) (keys []stock.ItemsPartitionKey) {
	for range r.IntN(2 * len(of)) {
		keys = append(keys, of[r.IntN(len(of))])
	}
	return keys
}

// checkEach checks random queries of several partitions, and of one.
func checkEach(t *testing.T, store *stock.Store, seed uint64, cases int, sizes ...int) {
	r := rand.New(rand.NewPCG(seed, 0))
	var w *racks
	for i := range cases {
		if i%20 == 0 {
			w = newRacks(t, store, r, fmt.Sprint("hall ", i, " "))
		}
		keys := randomKeys(r, w.keys())
		q := store.Items.OfEach(keys)
		if len(keys) == 1 {
			q = store.Items.Of(keys[0].Hall, keys[0].Row)
		}
		c := w.draw(r, keys, q)
		c.text = fmt.Sprintf("seed %d, case %d: %s", seed, i, c.text)
		c.check(t, sizes...)
		n, err := store.Items.OfEach(keys).Count(t.Context())
		require.NoError(t, err)
		require.Len(t, collected(t, store.Tag.OfEach(keys).All(t.Context())), n, "a view")
	}
}

// The rows of several partitions, with random restrictions, limits, orders and pages, are those of a model, and so are those of pages
// that end after each row.
func TestEachPartition(t *testing.T) {
	t.Parallel()
	t.Run("memory", func(t *testing.T) {
		store, err := stock.OpenBackend(t.Context(), memory.New(memory.Config{}), mapper.Config{})
		require.NoError(t, err)
		checkEach(t, store, *eachSeed, *eachCases, 0, 1)
	})
	t.Run("node", func(t *testing.T) {
		store, err := stock.Open(t.Context(), storetest.StockKeyspace(t), mapper.Config{})
		require.NoError(t, err)
		checkEach(t, store, *eachSeed, *eachNodeCases, 0, 1)
	})
}

// A query without keys sends nothing and has no rows. Keys that cannot be in a table are refused with their places.
func TestEachPartitionOfUnusualKeys(t *testing.T) {
	t.Parallel()
	sent := &storetest.Requests{}
	store, err := stock.OpenBackend(t.Context(), memory.New(memory.Config{}), mapper.Config{Tracer: sent})
	require.NoError(t, err)
	for _, keys := range [][]stock.ItemsPartitionKey{nil, {}} {
		require.Empty(t, collected(t, store.Items.OfEach(keys).PlaceFrom(1).Reverse().Limit(2).All(t.Context())))
		page, err := store.Items.OfEach(keys).Page(t.Context(), "")
		require.NoError(t, err)
		require.Equal(t, mapper.Page[stock.Item]{Items: []*stock.Item{}}, page)
	}
	err = failureOf(store.Items.OfEach([]stock.ItemsPartitionKey{{Hall: "north"}, {Hall: "\xff"}}).All(t.Context()))
	require.EqualError(t, err, "mapper: All Item (items): keys[1].Hall is not valid UTF-8")
	err = failureOf(store.StopsByPort.OfEach([]string{"a", "", "b", ""}).All(t.Context()))
	require.EqualError(t, err, "mapper: All StopByPort (stops_by_port): keys[1].Port is empty, but is in the key; keys[3].Port is empty, but is in the key")
	err = failureOf(store.Items.OfEach([]stock.ItemsPartitionKey{{Hall: "a"}, {Hall: "b"}}).ByTier(1).All(t.Context()))
	require.EqualError(t, err, "mapper: ByTier Item (items): an index does not find the rows of several partitions: use Of for each of them, or the method of the table")
	err = failureOf(store.Items.OfEach(nil).Limit(-1).All(t.Context()))
	require.EqualError(t, err, "mapper: Item (items): the limit is -1: use 1 to 2147483647, or 0 for all rows")
	require.Empty(t, sent.Drain())
}

// failureOf returns the error of a query, which must have no rows.
func failureOf[T any](rows iter.Seq2[*T, error]) error {
	for v, err := range rows {
		if v != nil {
			return fmt.Errorf("a row: %v", v)
		}
		return err
	}
	return nil
}

// A token of several partitions belongs to its query and its keys, in their order. Whatever is changed in it is noticed.
func TestEachPartitionTokens(t *testing.T) {
	t.Parallel()
	for name, key := range map[string][]byte{"bound": nil, "sealed": slices.Repeat([]byte{7}, 32)} {
		t.Run(name, func(t *testing.T) {
			store, err := stock.OpenBackend(t.Context(), memory.New(memory.Config{}), mapper.Config{TokenKey: key})
			require.NoError(t, err)
			w := newRacks(t, store, rand.New(rand.NewPCG(3, 3)), "hall ")
			keys := w.keys()
			of := store.Items.OfEach(keys).PlaceFrom(-1).Limit(9).PageSize(2)
			first, err := of.Page(t.Context(), "")
			require.NoError(t, err)
			refused := func(what string, q gen.Query[stock.Item], token string) {
				t.Helper()
				page, err := q.Page(t.Context(), token)
				require.ErrorIs(t, err, mapper.ErrPageToken, what)
				require.Empty(t, page.Items)
			}
			again, err := store.Items.OfEach(append(slices.Clone(keys), keys[1])).PlaceFrom(-1).Limit(9).PageSize(4).Page(t.Context(), first.Next)
			require.NoError(t, err, "equal keys are one partition")
			require.Len(t, again.Items, 4)
			refused("other keys", store.Items.OfEach(keys[1:]).PlaceFrom(-1).Limit(9), first.Next)
			refused("no keys", store.Items.OfEach(nil).PlaceFrom(-1).Limit(9), first.Next)
			reversed := slices.Clone(keys)
			slices.Reverse(reversed)
			refused("another order of keys", store.Items.OfEach(reversed).PlaceFrom(-1).Limit(9), first.Next)
			refused("another bound", store.Items.OfEach(keys).PlaceFrom(0).Limit(9), first.Next)
			refused("another limit", store.Items.OfEach(keys).PlaceFrom(-1).Limit(8), first.Next)
			refused("another order", store.Items.OfEach(keys).PlaceFrom(-1).Limit(9).Reverse(), first.Next)
			refused("one partition", store.Items.Of(keys[0].Hall, keys[0].Row).PlaceFrom(-1).Limit(9), first.Next)
			one, err := store.Items.Of(keys[0].Hall, keys[0].Row).PlaceFrom(-1).Limit(9).PageSize(2).Page(t.Context(), "")
			require.NoError(t, err)
			refused("a token of one partition", store.Items.OfEach(keys[:1]).PlaceFrom(-1).Limit(9), one.Next)
			raw, err := base64.RawURLEncoding.DecodeString(first.Next)
			require.NoError(t, err)
			for i := range raw {
				changed := slices.Clone(raw)
				changed[i] ^= 1
				refused("a changed byte", of, base64.RawURLEncoding.EncodeToString(changed))
				if i > 0 {
					refused("a cut token", of, base64.RawURLEncoding.EncodeToString(raw[:i]))
				}
			}
		})
	}
}

// A page of a partition has as many rows as the page size, also above the size without one.
func TestEachPartitionPageSize(t *testing.T) {
	t.Parallel()
	check := func(t *testing.T, open func(mapper.Config) (*stock.Store, error)) {
		sent := &storetest.Requests{}
		store, err := open(mapper.Config{Tracer: sent})
		require.NoError(t, err)
		const rows = 250
		for place := range int32(rows) {
			require.NoError(t, store.Items.Insert(t.Context(), &stock.Item{Hall: "pages", Place: place, Shape: [3]float32{1}}))
		}
		of := store.Items.OfEach([]stock.ItemsPartitionKey{{Hall: "pages"}})
		for size, requests := range map[int]int{0: 3, 50: 6, 200: 2, 300: 1} {
			sent.Drain()
			require.Len(t, collected(t, of.PageSize(size).All(t.Context())), rows)
			require.Len(t, sent.Drain(), requests, "pages of %d", size)
		}
	}
	t.Run("memory", func(t *testing.T) {
		check(t, func(c mapper.Config) (*stock.Store, error) {
			return stock.OpenBackend(t.Context(), memory.New(memory.Config{}), c)
		})
	})
	t.Run("node", func(t *testing.T) {
		session := storetest.StockKeyspace(t)
		check(t, func(c mapper.Config) (*stock.Store, error) { return stock.Open(t.Context(), session, c) })
	})
}
