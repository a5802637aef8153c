package memory_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

func years(rows []cell.Row) (out []int) {
	for _, r := range rows {
		out = append(out, int(int8(r[1][3])))
	}
	return out
}

func TestReads(t *testing.T) {
	d := newDatabase(t)
	for _, y := range []int{3, -1, 5, 1, 4} {
		d.Apply(1, put(y, nil))
	}
	d.Apply(2, remove(4))
	of := cell.Row{text("BR")}
	bound := func(c store.Comparison, y int) store.Bound {
		return store.Bound{Comparison: c, Values: cell.Row{number(y)}}
	}
	for name, c := range map[string]struct {
		read store.Read
		want []int
	}{
		"all, descending": {store.Read{Key: of}, []int{5, 3, 1, -1}},
		"reversed":        {store.Read{Key: of, Reverse: true}, []int{-1, 1, 3, 5}},
		"a limit":         {store.Read{Key: of, Limit: 3}, []int{5, 3, 1}},
		"from and before": {store.Read{Key: of, Low: bound(store.AtLeast, 1), Up: bound(store.LessThan, 5)}, []int{3, 1}},
		"after and to":    {store.Read{Key: of, Low: bound(store.MoreThan, 1), Up: bound(store.AtMost, 5)}, []int{5, 3}},
		"nothing":         {store.Read{Key: cell.Row{text("AR")}}, nil},
		"every partition": {store.Read{}, []int{5, 3, 1, -1}},
	} {
		c.read.Table = (*plan.Table)(films)
		for page := range 4 {
			c.read.PageSize = page
			require.Equal(t, c.want, years(d.read(c.read)), "%s, pages of %d", name, page)
		}
	}
}

// A page shows the rows at the time of its read; a new row after the last one returned is in the next page.
func TestPagesAreReadOneByOne(t *testing.T) {
	d := newDatabase(t)
	d.Apply(1, put(1, nil), put(5, nil))
	var seen []cell.Row
	for row, err := range d.Rows(t.Context(), store.Read{Table: (*plan.Table)(films), Key: cell.Row{text("BR")}, PageSize: 1}) {
		require.NoError(t, err)
		if seen = append(seen, slices.Clone(row)); len(seen) == 1 {
			d.Apply(2, put(3, nil), put(7, nil))
		}
	}
	require.Equal(t, []int{5, 3, 1}, years(seen))
}

func TestReadEndsWithItsContext(t *testing.T) {
	d := newDatabase(t)
	d.Apply(1, put(1, nil))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for row, err := range d.Rows(ctx, store.Read{Table: (*plan.Table)(films)}) {
		require.ErrorIs(t, err, context.Canceled)
		require.Nil(t, row)
	}
}
