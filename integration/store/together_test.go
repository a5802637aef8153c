package store

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/sorted"
	"github.com/cassaml/cassaml/integration/models/stock"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

// A server refuses to page a SELECT with IN and ORDER BY. With LIMIT alone it reads all rows of each partition, and with PER PARTITION
// LIMIT only so many.
func TestOrderedReadsOfSeveralPartitions(t *testing.T) {
	t.Parallel()
	session := storetest.SharedTables(t, sorted.Schema).Session
	for i := range 300 {
		require.NoError(t, session.Query("INSERT INTO steps (shelf, at, number) VALUES (?, ?, ?)", []string{"a", "b", "c"}[i%3], int64(i), i).Exec())
	}
	for end, read := range map[string]string{"LIMIT 10": "100", "PER PARTITION LIMIT 10 LIMIT 10": "10"} {
		var id traceID
		query := func() *gocql.Query {
			return session.Query("SELECT number FROM steps WHERE shelf IN ? ORDER BY at DESC, number DESC "+end, []string{"c", "a", "b"})
		}
		var numbers []int
		it := query().PageSize(0).Trace(&id).Iter()
		for number := 0; it.Scan(&number); {
			numbers = append(numbers, number)
		}
		require.NoError(t, it.Close())
		require.Equal(t, []int{299, 298, 297, 296, 295, 294, 293, 292, 291, 290}, numbers)
		require.Equal(t, "Read "+read+" live rows and 0 tombstone cells", tracedRead(t, session, id), end)
		require.ErrorContains(t, query().PageSize(5000).Exec(), "Cannot page queries with both ORDER BY and a IN restriction on the partition key")
	}
}

// Together returns the rows of OfEach, each once. On a node, rows with equal discriminators have any order.
func TestTogether(t *testing.T) {
	t.Parallel()
	check := func(t *testing.T, store *stock.Store, cases int, ordered bool) {
		r := rand.New(rand.NewPCG(5, 0))
		var w *racks
		for i := range cases {
			if i%20 == 0 {
				w = newRacks(t, store, r, fmt.Sprint("hall ", i, " "))
			}
			hall := w.keys()[2*r.IntN(rackHalls)].Hall
			keys := randomKeys(r, slices.DeleteFunc(w.keys(), func(k stock.ItemsPartitionKey) bool { return k.Hall != hall }))
			c := w.draw(r, keys, store.Items.OfEach(keys))
			size := 1 + r.IntN(5)
			c.text = fmt.Sprintf("case %d: %s, together in pages of %d", i, c.text, size)
			q := c.query.PageSize(size).Together()
			all := itemNames(collected(t, q.All(t.Context())))
			var paged []string
			for _, p := range storetest.Pages(t, func(token string) (mapper.Page[stock.Item], error) { return q.Page(t.Context(), token) }) {
				require.LessOrEqual(t, len(p), size)
				paged = append(paged, itemNames(p)...)
			}
			n, err := q.Count(t.Context())
			require.NoError(t, err)
			require.Len(t, c.want, n, c.text)
			for _, got := range [][]string{all, paged} {
				if ordered {
					require.Empty(t, difference(c.want, got), c.text)
					continue
				}
				require.Empty(t, difference(discriminators(c.want), discriminators(got)), c.text)
				require.Len(t, slices.Compact(slices.Sorted(slices.Values(got))), len(got), c.text)
			}
		}
	}
	t.Run("memory", func(t *testing.T) {
		store, err := stock.OpenBackend(t.Context(), memory.New(memory.Config{}), mapper.Config{TokenKey: slices.Repeat([]byte{7}, 32)})
		require.NoError(t, err)
		check(t, store, 400, true)
	})
	t.Run("node", func(t *testing.T) {
		store, err := stock.Open(t.Context(), storetest.StockKeyspace(t), mapper.Config{})
		require.NoError(t, err)
		check(t, store, 20, false)
	})
}

// discriminators returns the discriminators in the names of items.
func discriminators(names []string) (out []string) {
	for _, n := range names {
		words := strings.Fields(n)
		out = append(out, strings.Join(words[len(words)-2:], " "))
	}
	return out
}

// Together sends one request for all partitions, and refuses what it cannot read so.
func TestTogetherRequests(t *testing.T) {
	t.Parallel()
	sent := &storetest.Requests{}
	store, err := sorted.OpenBackend(t.Context(), memory.New(memory.Config{}), mapper.Config{Tracer: sent})
	require.NoError(t, err)
	for i := range 40 {
		require.NoError(t, store.Steps.Insert(t.Context(), &sorted.Step{Shelf: fmt.Sprint(i % 4), At: time.UnixMilli(int64(1 + i/8)), Number: int32(i % 8)}))
	}
	of := store.Steps.OfEach([]string{"3", "0", "1", "2"})
	sent.Drain()
	require.Len(t, collected(t, of.Limit(10).Together().All(t.Context())), 10)
	requests := sent.Drain()
	require.Len(t, requests, 1)
	require.Equal(t, "SELECT shelf, at, number, note FROM steps WHERE shelf IN ? ORDER BY at DESC, number DESC PER PARTITION LIMIT ? LIMIT ?", requests[0].Statements[0].CQL)
	require.Equal(t, requests[0].Statements[0].CQL, operation(t, explained(t, "../models/sorted", "steps"), "OfEach.Together").Requests[0].Writes[0].Statements[0].CQL)
	_, err = of.Together().First(t.Context())
	require.NoError(t, err)
	require.Len(t, sent.Drain(), 1)
	page, err := of.PageSize(10).Together().Page(t.Context(), "")
	require.NoError(t, err)
	sent.Drain()
	_, err = of.PageSize(10).Together().Page(t.Context(), page.Next)
	require.NoError(t, err)
	require.Equal(t, "SELECT shelf, at, number, note FROM steps WHERE shelf IN ? AND (at, number) <= (?, ?) ORDER BY at DESC, number DESC PER PARTITION LIMIT ? LIMIT ?", sent.Drain()[0].Statements[0].CQL)
	_, err = of.PageSize(10).Page(t.Context(), page.Next)
	require.ErrorIs(t, err, mapper.ErrPageToken)
	sent.Drain()

	ties := make([]string, 8)
	for i := range ties {
		ties[i] = fmt.Sprint("tie ", i)
		require.NoError(t, store.Steps.Insert(t.Context(), &sorted.Step{Shelf: ties[i], At: time.UnixMilli(1), Number: 1}))
	}
	for size := range 9 {
		var got []string
		for s := range slices.Values(collected(t, store.Steps.OfEach(ties).PageSize(1+size).Together().All(t.Context()))) {
			got = append(got, s.Shelf)
		}
		require.Equal(t, ties, got, "pages of %d", 1+size)
	}
	sent.Drain()

	require.Empty(t, collected(t, store.Steps.OfEach(nil).Limit(1).Together().All(t.Context())))
	require.EqualError(t, failureOf(of.Together().All(t.Context())), "mapper: All Step (steps): Together needs Limit or PageSize, because each request reads that many rows of each partition")
	require.EqualError(t, failureOf(store.Steps.Of("a").Limit(1).Together().All(t.Context())), "mapper: All Step (steps shelf='a'): Together is for OfEach: Of reads one partition")
	items, err := stock.OpenBackend(t.Context(), memory.New(memory.Config{}), mapper.Config{Tracer: sent})
	require.NoError(t, err)
	keys := []stock.ItemsPartitionKey{{Hall: "a", Row: 1}, {Hall: "b", Row: 1}}
	require.EqualError(t, failureOf(items.Items.OfEach(keys).Limit(1).Together().All(t.Context())),
		"mapper: All Item (items): Together needs keys that differ only in Row, and they differ in Hall: use OfEach without Together")
	require.Empty(t, sent.Drain())
}
