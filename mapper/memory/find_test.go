package memory_test

import (
	"iter"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/stock"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

// found returns the places of the rows.
func found(t *testing.T, rows iter.Seq2[*stock.Item, error]) (out []int32) {
	t.Helper()
	for i, err := range rows {
		require.NoError(t, err)
		out = append(out, i.Place)
	}
	return out
}

func openStock(t *testing.T, items ...*stock.Item) *stock.Store {
	t.Helper()
	s, err := stock.OpenBackend(t.Context(), memory.New(memory.Config{}))
	require.NoError(t, err)
	for _, i := range items {
		require.NoError(t, s.Items.Insert(t.Context(), i))
	}
	return s
}

func TestFind(t *testing.T) {
	ctx := t.Context()
	s := openStock(t,
		&stock.Item{Hall: "a", Place: 1, Name: "Ötzi", Colors: []string{"red", "blue"}, Shape: [3]float32{1}, Spot: [2]float32{3, 3}, Value: [2]float32{1, 1}},
		&stock.Item{Hall: "a", Place: 2, Name: "öTZI", Colors: []string{"red"}, Shape: [3]float32{9, 9}, Spot: [2]float32{1, 1}, Value: [2]float32{4, 0}},
		&stock.Item{Hall: "b", Place: 3, Name: "x", Shape: [3]float32{0, 1}, Spot: [2]float32{4, 4}, Value: [2]float32{0, 2}})
	require.Equal(t, []int32{1, 2}, found(t, s.Items.ByName("ÖTZI").All(ctx)))
	require.Equal(t, []int32{1, 2}, found(t, s.Items.ByColors("red").PageSize(1).All(ctx)))
	require.Equal(t, []int32{1}, found(t, s.Items.ByColors("red").Limit(1).All(ctx)))
	require.Empty(t, found(t, s.Items.Of("b", 0).ByColors("red").All(ctx)))
	require.Equal(t, []int32{1, 2, 3}, found(t, s.Items.ByShape([3]float32{1, 0.1}, 5).All(ctx)), "by angle")
	require.Equal(t, []int32{1, 3}, found(t, s.Items.BySpot([2]float32{3.1, 3.1}, 2).All(ctx)), "by distance")
	require.Equal(t, []int32{2, 1}, found(t, s.Items.ByValue([2]float32{1, 0.5}, 2).All(ctx)), "by dot product")
}

// Values that a server refuses are refused, and reads whose result only a server can compute return an error.
func TestFindRefuses(t *testing.T) {
	ctx := t.Context()
	s := openStock(t, &stock.Item{Hall: "a", Place: 1, Note: "é", Shape: [3]float32{1}})
	first := func(rows iter.Seq2[*stock.Item, error]) (err error) {
		for _, err = range rows {
			break
		}
		return err
	}
	var refused *mapper.ConstraintError
	require.ErrorAs(t, s.Items.Insert(ctx, &stock.Item{Hall: "a", Place: 2, Spot: [2]float32{0, 2e17}}), &refused)
	require.Equal(t, []mapper.Violation{
		{Path: "Shape", Problem: "is so close to zero that it has no angle, which COSINE compares"},
		{Path: "Spot", Problem: "has an element that an index of vectors cannot hold: they lie between -1e17 and 1e17"},
	}, refused.Violations)
	long := strings.Repeat("x", 8193)
	require.ErrorAs(t, s.Items.Insert(ctx, &stock.Item{Hall: "a", Place: 2, Shape: [3]float32{1}, Name: long, Colors: []string{"red", long}}), &refused)
	require.Equal(t, []mapper.Violation{
		{Path: "Name", Problem: "is longer than 8192 bytes, which no index finds"},
		{Path: "Colors", Problem: "has an element that is longer than 8192 bytes, which no index finds"},
	}, refused.Violations[:2])
	require.ErrorAs(t, first(s.Items.ByColors(long).All(ctx)), &refused)
	require.ErrorAs(t, first(s.Items.ByShape([3]float32{1e-30}, 1).All(ctx)), &refused)
	require.ErrorAs(t, first(s.Items.BySpot([2]float32{float32(math.NaN())}, 1).All(ctx)), &refused)
	require.ErrorContains(t, first(s.Items.ByNote("e").All(ctx)), "texts beyond ASCII", "in a row")
	require.ErrorContains(t, first(openStock(t).Items.ByNote("é").All(ctx)), "texts beyond ASCII", "in the value to find")
}
