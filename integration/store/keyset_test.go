package store

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"github.com/stretchr/testify/require"
	"gopkg.in/inf.v0"

	"github.com/cassaml/cassaml/integration/models/sorted"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/gen"
	"github.com/cassaml/cassaml/mapper/memory"
)

// places are the positions of the values of a clustering key among the values of their types, from the smallest. So keys are compared as
// CQL compares them, without the code of the mapper that compares them.
type places [22]int

// up returns the row of a key. Each list has the values of a type in the order of CQL.
func (p places) up(shelf string) *sorted.Up {
	id := func(text string) gocql.UUID {
		u, err := gocql.ParseUUID(text)
		if err != nil {
			panic(err)
		}
		return u
	}
	v := &sorted.Up{
		Shelf: shelf, Note: fmt.Sprint(p),
		Flag:    []bool{false, true, true}[p[0]],
		Word:    []string{"", "A", "Ä"}[p[1]],
		Tiny:    []int8{-128, -1, 1}[p[2]],
		Small:   []int16{-300, 2, 300}[p[3]],
		Number:  []int32{-70000, 0, 70000}[p[4]],
		Large:   []int64{-1 << 40, 5, 1 << 40}[p[5]],
		Single:  []float32{-1.5, 0, 2.5}[p[6]],
		Double:  []float64{-1e99, 1e-9, 1e99}[p[7]],
		Bytes:   [][]byte{{}, {1}, {0x80}}[p[8]],
		At:      []time.Time{time.UnixMilli(-5), time.UnixMilli(7), time.UnixMilli(1 << 40)}[p[9]],
		Day:     []time.Time{time.Date(1950, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(1970, 1, 2, 0, 0, 0, 0, time.UTC), time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}[p[10]],
		Clock:   []time.Duration{0, time.Second, 23 * time.Hour}[p[11]],
		ID:      []gocql.UUID{id("ffffffff-ffff-1000-8000-000000000000"), id("00000000-0000-4000-8000-000000000000"), id("f0000000-0000-4000-8000-000000000000")}[p[12]],
		Made:    []gocql.UUID{id("ffffffff-0000-1000-8000-000000000000"), id("00000000-0001-1000-8000-000000000000"), id("00000000-0000-1001-8000-000000000000")}[p[13]],
		Whole:   []*big.Int{big.NewInt(-1 << 40), big.NewInt(0), new(big.Int).Lsh(big.NewInt(1), 90)}[p[14]],
		Part:    []*inf.Dec{inf.NewDec(-1, -9), inf.NewDec(101, 2), inf.NewDec(11, 1)}[p[15]],
		Address: []netip.Addr{netip.MustParseAddr("1.2.3.4"), netip.MustParseAddr("200.2.3.4"), netip.MustParseAddr("201.0.0.0")}[p[16]],
		List:    [][]int32{{-1}, {1}, {1, 2}}[p[17]],
		Set:     []map[string]struct{}{{"a": {}}, {"b": {}}, {"b": {}, "c": {}}}[p[18]],
		Map:     []map[int32]string{{1: "a"}, {1: "b"}, {2: "a"}}[p[19]],
		Spot:    []sorted.Place{{X: -1, Y: 9}, {X: 1, Y: 1}, {X: 1, Y: 2}}[p[20]],
		Rank:    []sorted.Rank{sorted.Alpha, sorted.Beta, sorted.Gamma}[p[21]],
	}
	return v
}

// randomPlaces returns places that often begin as others do: a key is decided by a late column as often as by an early one.
func randomPlaces(r *rand.Rand) (p places) {
	for i, first := 0, r.IntN(len(p)); i < len(p); i++ {
		if p[i] = 1; i >= first {
			p[i] = r.IntN(3)
		}
	}
	p[0] = min(p[0], 1)
	return p
}

func (p places) compare(o places) int { return slices.Compare(p[:], o[:]) }

// bounds are a random restriction of all columns.
type bounds struct {
	low, up  string // the methods; "" for none
	from, to places
}

// drawBounds returns a random restriction. Some of its values are those of rows.
func drawBounds(r *rand.Rand, rows []places) bounds {
	b := bounds{[]string{"", "From", "After"}[r.IntN(3)], []string{"", "To", "Before"}[r.IntN(3)], randomPlaces(r), randomPlaces(r)}
	if r.IntN(3) == 0 {
		b.from = rows[r.IntN(len(rows))]
	}
	if r.IntN(3) == 0 {
		b.to = rows[r.IntN(len(rows))]
	}
	return b
}

// has reports whether a key satisfies the restriction.
func (b bounds) has(p places) bool {
	l, u := p.compare(b.from), p.compare(b.to)
	return (b.low == "" || l > 0 || b.low == "From" && l == 0) && (b.up == "" || u < 0 || b.up == "To" && u == 0)
}

//nolint:dupl // the types of the two tables differ
func (b bounds) ups(q sorted.UpsQuery) gen.Rows[sorted.Up] {
	k := q.UpsFlagRange.UpsKeyset
	f := b.from.up("")
	switch b.low {
	case "From":
		k = q.From(f.Flag, f.Word, f.Tiny, f.Small, f.Number, f.Large, f.Single, f.Double, f.Bytes, f.At, f.Day, f.Clock, f.ID, f.Made, f.Whole, f.Part, f.Address, f.List, f.Set, f.Map, f.Spot, f.Rank)
	case "After":
		k = q.After(f.Flag, f.Word, f.Tiny, f.Small, f.Number, f.Large, f.Single, f.Double, f.Bytes, f.At, f.Day, f.Clock, f.ID, f.Made, f.Whole, f.Part, f.Address, f.List, f.Set, f.Map, f.Spot, f.Rank)
	}
	f = b.to.up("")
	switch b.up {
	case "To":
		return k.To(f.Flag, f.Word, f.Tiny, f.Small, f.Number, f.Large, f.Single, f.Double, f.Bytes, f.At, f.Day, f.Clock, f.ID, f.Made, f.Whole, f.Part, f.Address, f.List, f.Set, f.Map, f.Spot, f.Rank)
	case "Before":
		return k.Before(f.Flag, f.Word, f.Tiny, f.Small, f.Number, f.Large, f.Single, f.Double, f.Bytes, f.At, f.Day, f.Clock, f.ID, f.Made, f.Whole, f.Part, f.Address, f.List, f.Set, f.Map, f.Spot, f.Rank)
	}
	return k.Rows
}

//nolint:dupl // as ups
func (b bounds) downs(q sorted.DownsQuery) gen.Query[sorted.Down] {
	k := q.DownsFlagRange.DownsKeyset
	f := b.from.up("")
	switch b.low {
	case "From":
		k = q.From(f.Flag, f.Word, f.Tiny, f.Small, f.Number, f.Large, f.Single, f.Double, f.Bytes, f.At, f.Day, f.Clock, f.ID, f.Made, f.Whole, f.Part, f.Address, f.List, f.Set, f.Map, f.Spot, f.Rank)
	case "After":
		k = q.After(f.Flag, f.Word, f.Tiny, f.Small, f.Number, f.Large, f.Single, f.Double, f.Bytes, f.At, f.Day, f.Clock, f.ID, f.Made, f.Whole, f.Part, f.Address, f.List, f.Set, f.Map, f.Spot, f.Rank)
	}
	f = b.to.up("")
	switch b.up {
	case "To":
		return k.To(f.Flag, f.Word, f.Tiny, f.Small, f.Number, f.Large, f.Single, f.Double, f.Bytes, f.At, f.Day, f.Clock, f.ID, f.Made, f.Whole, f.Part, f.Address, f.List, f.Set, f.Map, f.Spot, f.Rank)
	case "Before":
		return k.Before(f.Flag, f.Word, f.Tiny, f.Small, f.Number, f.Large, f.Single, f.Double, f.Bytes, f.At, f.Day, f.Clock, f.ID, f.Made, f.Whole, f.Part, f.Address, f.List, f.Set, f.Map, f.Spot, f.Rank)
	}
	return k.Query
}

// checkKeyset requires that a query, in a random order, with a random limit and random pages, has the rows with the given notes.
func checkKeyset[T any](t *testing.T, r *rand.Rand, text string, q gen.Query[T], want []string, note func(*T) string) {
	t.Helper()
	want = slices.Clone(want)
	if r.IntN(2) == 0 {
		slices.Reverse(want)
		q, text = q.Reverse(), text+" reversed"
	}
	if limit := r.IntN(len(want) + 3); limit > 0 && r.IntN(2) == 0 {
		q, want, text = q.Limit(limit), want[:min(limit, len(want))], fmt.Sprint(text, " limit ", limit)
	}
	size := 1 + r.IntN(4)
	q = q.PageSize(size)
	notes := func(rows []*T) (out []string) {
		for _, v := range rows {
			out = append(out, note(v))
		}
		return out
	}
	text = fmt.Sprint(text, " pages of ", size)
	require.Empty(t, difference(want, notes(collected(t, q.All(t.Context())))), text)
	n, err := q.Count(t.Context())
	require.NoError(t, err)
	require.Len(t, want, n, text)
	var paged []string
	for _, p := range storetest.Pages(t, func(token string) (mapper.Page[T], error) { return q.Page(t.Context(), token) }) {
		paged = append(paged, notes(p)...)
	}
	require.Empty(t, difference(want, paged), text)
}

// difference describes how two lists differ; "" if they are equal.
func difference(want, got []string) string {
	if slices.Equal(want, got) {
		return ""
	}
	return "want " + strings.Join(want, "\n     ") + "\ngot  " + strings.Join(got, "\n     ")
}

// The methods that compare all discriminators have the rows of a model, in tables of both orders and of several partitions.
func TestKeyset(t *testing.T) {
	t.Parallel()
	check := func(t *testing.T, store *sorted.Store, cases int) {
		r := rand.New(rand.NewPCG(11, 0))
		var of []places
		for range 24 {
			p := randomPlaces(r)
			if !slices.Contains(of, p) {
				of = append(of, p)
			}
			require.NoError(t, store.Ups.Insert(t.Context(), p.up([]string{"a", "b"}[len(of)%2])))
		}
		shelf := func(p places) string { return []string{"a", "b"}[(slices.Index(of, p)+1)%2] }
		ascending := slices.SortedFunc(slices.Values(of), places.compare)
		for range cases {
			b := drawBounds(r, of)
			text := fmt.Sprintf("%+v", b)
			for _, shelves := range [][]string{{"a"}, {"a", "b"}} {
				var want []string
				for _, p := range ascending {
					if b.has(p) && slices.Contains(shelves, shelf(p)) {
						want = append(want, fmt.Sprint(p))
					}
				}
				u, d := store.Ups.OfEach(shelves), store.Downs.OfEach(shelves)
				if len(shelves) == 1 {
					u, d = store.Ups.Of("a"), store.Downs.Of("a")
				}
				checkKeyset(t, r, text, b.ups(u).Query, want, func(v *sorted.Up) string { return v.Note })
				slices.Reverse(want)
				checkKeyset(t, r, text, b.downs(d), want, func(v *sorted.Down) string { return v.Note })
			}
		}
	}
	t.Run("memory", func(t *testing.T) {
		store, err := sorted.OpenBackend(t.Context(), memory.New(memory.Config{}), mapper.Config{})
		require.NoError(t, err)
		check(t, store, 200)
	})
	t.Run("node", func(t *testing.T) {
		store, err := sorted.Open(t.Context(), storetest.SharedTables(t, sorted.Schema), mapper.Config{})
		require.NoError(t, err)
		check(t, store, 12)
	})
}

// A time that is more precise than its column is greater than the value that it is rounded to, whatever the values after it are.
func TestKeysetOfPreciseTimes(t *testing.T) {
	t.Parallel()
	store, err := sorted.OpenBackend(t.Context(), memory.New(memory.Config{}), mapper.Config{})
	require.NoError(t, err)
	var want []int32
	for number := range int32(3) {
		for ms := range int64(3) {
			require.NoError(t, store.Steps.Insert(t.Context(), &sorted.Step{Shelf: "a", At: time.UnixMilli(ms), Number: number + int32(10*ms)}))
		}
		want = append(want, 20+number)
	}
	slices.Reverse(want)
	between := time.UnixMilli(1).Add(time.Microsecond)
	of := store.Steps.Of("a")
	numbers := func(q gen.Rows[sorted.Step]) (out []int32) {
		for _, s := range collected(t, q.All(t.Context())) {
			out = append(out, s.Number)
		}
		return out
	}
	for _, number := range []int32{0, 11, 99} {
		require.Equal(t, want, numbers(of.After(between, number).Rows))
		require.Equal(t, want, numbers(of.From(between, number).Rows))
		require.Equal(t, []int32{12, 11, 10, 2, 1, 0}, numbers(of.To(between, number)))
		require.Equal(t, []int32{12, 11, 10, 2, 1, 0}, numbers(of.Before(between, number)))
	}
	require.EqualError(t, failureOf(of.After(between, 1).Before(time.Time{}, 1).All(t.Context())), "mapper: All Step (steps shelf='a'): At is null, but is in the key")
	far := time.Date(300000000, 1, 1, 0, 0, 0, 0, time.UTC)
	require.EqualError(t, failureOf(of.After(far, 1).All(t.Context())), "mapper: All Step (steps shelf='a'): At is outside the range of a timestamp")
	require.EqualError(t, failureOf(store.Ups.Of("a").Flag(true).Word("a").After(1, 1, 1, 1, 1, 1, nil, far, far, 1, gocql.UUID{}, gocql.UUID{}, nil, nil, netip.Addr{}, nil, nil, nil, sorted.Place{}, 0).All(t.Context())),
		"mapper: All Up (ups shelf='a', flag=true, word='a'): At is outside the range of a timestamp; Day is outside the range of a date")
}

// Delete with the methods that compare all discriminators deletes the rows that they read, and no other one: with one statement, and
// page by page where the rows have copies.
func TestKeysetDeletes(t *testing.T) {
	t.Parallel()
	check := func(t *testing.T, store *sorted.Store, cases int) {
		r := rand.New(rand.NewPCG(12, 0))
		for i := range cases {
			shelf := fmt.Sprint("shelf ", i)
			var of []places
			for range 8 {
				p := randomPlaces(r)
				if !slices.Contains(of, p) {
					of = append(of, p)
				}
				require.NoError(t, store.Ups.Insert(t.Context(), p.up(shelf)))
			}
			b := drawBounds(r, of)
			require.NoError(t, b.ups(store.Ups.Of(shelf)).Delete(t.Context()))
			var want []string
			for _, p := range slices.SortedFunc(slices.Values(of), places.compare) {
				if !b.has(p) {
					want = append(want, fmt.Sprint(p))
				}
			}
			checkKeyset(t, r, fmt.Sprintf("%+v", b), store.Ups.Of(shelf).Query, want, func(v *sorted.Up) string { return v.Note })
			slices.Reverse(want)
			checkKeyset(t, r, fmt.Sprintf("%+v", b), store.Downs.Of(shelf).Query, want, func(v *sorted.Down) string { return v.Note })
			deleteSteps(t, store, r, shelf)
		}
	}
	t.Run("memory", func(t *testing.T) {
		store, err := sorted.OpenBackend(t.Context(), memory.New(memory.Config{}), mapper.Config{})
		require.NoError(t, err)
		check(t, store, 60)
	})
	t.Run("node", func(t *testing.T) {
		store, err := sorted.Open(t.Context(), storetest.SharedTables(t, sorted.Schema), mapper.Config{})
		require.NoError(t, err)
		check(t, store, 6)
	})
}

// deleteSteps deletes a range of rows without copies, in descending order.
func deleteSteps(t *testing.T, store *sorted.Store, r *rand.Rand, shelf string) {
	var want []string
	low, up := [2]int{r.IntN(3), r.IntN(3)}, [2]int{r.IntN(3), r.IntN(3)}
	for at := range 3 {
		for number := range 3 {
			key := [2]int{at, number}
			require.NoError(t, store.Steps.Insert(t.Context(), &sorted.Step{Shelf: shelf, At: time.UnixMilli(int64(at)), Number: int32(number), Note: fmt.Sprint(key)}))
			if slices.Compare(key[:], low[:]) <= 0 || slices.Compare(key[:], up[:]) > 0 {
				want = append(want, fmt.Sprint(key))
			}
		}
	}
	slices.Reverse(want)
	q := store.Steps.Of(shelf).After(time.UnixMilli(int64(low[0])), int32(low[1])).To(time.UnixMilli(int64(up[0])), int32(up[1]))
	require.NoError(t, q.Delete(t.Context()))
	checkKeyset(t, r, fmt.Sprint("after ", low, " to ", up), store.Steps.Of(shelf).Query, want, func(v *sorted.Step) string { return v.Note })
}
