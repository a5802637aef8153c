package store

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/offer"
	"github.com/cassaml/cassaml/integration/storetest"
)

// The aggregates that aml check -queries offers answer the queries that they were offered for, after inserts, updates and deletes.
func TestOffersAnswerTheirQueries(t *testing.T) {
	t.Parallel()
	of := generated[*offer.Store]{offer.Schema, offer.Open, offer.OpenBackend}
	onStores(t, of, func(t *testing.T, s *offer.Store, _ *storetest.Requests) {
		ctx, day := t.Context(), time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
		id := func(n int) gocql.UUID { return gocql.UUID{1, 15: byte(n)} }
		coupon := "spring"
		var all []*offer.Order
		for n := range 6 {
			o := &offer.Order{UserID: id(n % 2), OrderDate: day.AddDate(0, 0, n), OrderID: id(n), Status: "open", Labels: []string{"gift", fmt.Sprint(n)}}
			if n != 3 {
				o.Coupon = &coupon
			}
			all = append(all, o)
			require.NoError(t, s.OrdersByUser.Insert(ctx, o))
		}
		changed, err := s.OrdersByUser.Update(ctx, all[4].UserID, all[4].OrderDate, all[4].OrderID, func(o *offer.Order) error {
			o.Status, o.Labels = "sent", []string{"4"}
			return nil
		})
		require.NoError(t, err)
		require.NoError(t, s.OrdersByUser.Delete(ctx, all[0].UserID, all[0].OrderDate, all[0].OrderID))
		all = slices.Concat(all[1:4], []*offer.Order{changed}, all[5:])

		for _, user := range []gocql.UUID{id(0), id(1)} {
			for n := range 6 {
				requireOrder(t, s, all, user, id(n))
			}
		}
		for label, want := range map[string][]gocql.UUID{"gift": {id(2), id(5), id(3), id(1)}, "4": {id(4)}, "0": nil} {
			var got []gocql.UUID
			for o, err := range s.OrdersByLabel.Of(label).All(ctx) {
				require.NoError(t, err)
				got = append(got, o.OrderID)
			}
			require.Equal(t, want, got, "orders with the label %s", label)
		}
		var since []gocql.UUID
		for o, err := range s.OrdersByCouponAndOrderDate.Of(coupon).OrderDateFrom(day.AddDate(0, 0, 2)).All(ctx) {
			require.NoError(t, err)
			since = append(since, o.OrderID)
		}
		require.Equal(t, []gocql.UUID{id(5), id(4), id(2)}, since, "orders with the coupon, the newest first")
	})
}

// requireOrder requires that the query of an order by its user and id finds it, if it is one of all.
func requireOrder(t *testing.T, s *offer.Store, all []*offer.Order, user, id gocql.UUID) {
	t.Helper()
	var want, got []string
	for _, o := range all {
		if o.UserID == user && o.OrderID == id {
			want = append(want, o.Status+o.OrderDate.String())
		}
	}
	for o, err := range s.OrdersByUserIDAndOrderID.Of(user).OrderID(id).All(t.Context()) {
		require.NoError(t, err)
		got = append(got, o.Status+o.OrderDate.String())
	}
	require.Equal(t, want, got, "the order %s of user %s", id, user)
}
