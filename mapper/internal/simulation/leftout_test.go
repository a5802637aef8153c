package simulation

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/integration/models/hotel"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// paging is a client that records the greatest number of rows that each of its requests for a page can return.
type paging struct {
	*client
	sizes []int
}

func (p *paging) Open(ctx context.Context, schema *descriptor.Schema) (store.Store, error) {
	_, err := p.client.Open(ctx, schema)
	return p, err
}

func (p *paging) Page(ctx context.Context, r store.Read, state []byte) (store.Page, error) {
	size := r.PageSize
	if r.Together {
		size = r.Limit
	}
	p.sizes = append(p.sizes, size)
	return p.client.Page(ctx, r, state)
}

// A read of a few rows of several partitions that begin with rows of deleted roots sends few requests, and none of them reads a partition at
// once.
func TestRowsThatAreLeftOut(t *testing.T) {
	w := newWorld(t, 1)
	c := &paging{client: w.observer()}
	s, err := hotel.OpenBackend(t.Context(), c, c.config(0))
	require.NoError(t, err)
	const deleted, most = 500, 100
	rooms := []string{"1", "2", "3"}
	for night := range int32(deleted + 10) {
		for _, room := range rooms {
			b := &hotel.Booking{Room: room, Night: -night}
			require.NoError(t, s.Bookings.Insert(t.Context(), b))
			if night < deleted {
				require.NoError(t, s.Bookings.DeleteAt(t.Context(), room, -night, b.Version))
			}
		}
	}
	of := s.Bookings.OfEach(rooms)
	rows := func(q interface {
		Page(ctx context.Context, token string) (mapper.Page[hotel.Booking], error)
	},
	) int {
		page, err := q.Page(t.Context(), "")
		require.NoError(t, err)
		return len(page.Items)
	}
	for name, read := range map[string]struct {
		rows int
		of   func() int
	}{
		"First": {1, func() int {
			b, err := of.First(t.Context())
			require.NoError(t, err)
			require.Equal(t, int32(-deleted), b.Night)
			return 1
		}},
		"Together.First": {1, func() int {
			b, err := of.Together().First(t.Context())
			require.NoError(t, err)
			require.Equal(t, int32(-deleted), b.Night)
			return 1
		}},
		"Limit":             {3, func() int { return rows(of.Limit(3)) }},
		"Limit, larger":     {9, func() int { return rows(of.Limit(9).PageSize(7)) + 2 }},
		"PageSize":          {2, func() int { return rows(of.PageSize(2)) }},
		"Together.Limit":    {3, func() int { return rows(of.Limit(3).Together()) }},
		"Together.PageSize": {2, func() int { return rows(of.PageSize(2).Together()) }},
	} {
		t.Run(name, func(t *testing.T) {
			c.sizes = nil
			require.Equal(t, read.rows, read.of())
			require.Less(t, len(c.sizes), 3*deleted/most+20, "few requests")
			for _, size := range c.sizes {
				require.Positive(t, size, "%v: the request has pages", c.sizes)
				require.LessOrEqual(t, size, most+len(rooms), "%v", c.sizes)
			}
		})
	}
	serial := s.With(mapper.Options{Serial: true}).Bookings.OfEach(rooms).Limit(1).Together()
	_, err = serial.First(t.Context())
	require.ErrorContains(t, err, "mapper.Options.Serial is for a query of one partition")
}
