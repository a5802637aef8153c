package store

import (
	"context"
	"strings"
	"testing"

	"github.com/gocql/gocql"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/models/auction"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
)

// afterQueries calls a function after each answer to a query: each page is a query.
type afterQueries func(statement string)

func (f afterQueries) ObserveQuery(_ context.Context, q gocql.ObservedQuery) { f(q.Statement) }

// A save between two pages of a part deletes the rows of the second page, which then shows no version: the root and its part are
// read again.
func TestGetWithVersionedPartOverPages(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	session := storetest.SharedTables(t, auction.Schema)
	s, err := auction.Open(ctx, session, mapper.Config{})
	require.NoError(t, err)
	require.NoError(t, s.Auctions.InsertWith(ctx, newAuction(1), bid(1, 5, "Ana"), bid(1, 7, "Bia"), bid(1, 9, "Eva")))

	pages := 0
	inPages := cassandra.SessionLike(t, session, func(c *gocql.ClusterConfig) {
		c.PageSize = 2
		c.QueryObserver = afterQueries(func(statement string) {
			if !strings.Contains(statement, "bidder") {
				return
			}
			if pages++; pages > 1 {
				return
			}
			_, err := s.Auctions.Update(ctx, 1, func(a *anAuction, p *itsParts) error {
				a.Count++
				p.Bid.Delete(5, "Ana")
				p.Bid.Delete(7, "Bia")
				return nil
			})
			assert.NoError(t, err)
		})
	})
	reader, err := auction.Open(ctx, inPages, mapper.Config{})
	require.NoError(t, err)
	got, bids, err := reader.Auctions.GetWithBid(ctx, 1)
	require.NoError(t, err)
	require.Equal(t, int32(1), got.Count)
	require.Equal(t, []*auction.Bid{bid(1, 9, "Eva")}, bids)
	require.Greater(t, pages, 2)
}
