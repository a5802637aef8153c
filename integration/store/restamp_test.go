package store

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/stock"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/gen"
)

// A restamp on a server writes each value with the TTL that it has left, at a later time.
func TestRestampKeepsTheTTLsOnANode(t *testing.T) {
	t.Parallel()
	session := storetest.SharedTables(t, stock.Schema)
	store, err := stock.Open(t.Context(), session, mapper.Config{})
	require.NoError(t, err)
	ctx := t.Context()
	ttl := func(selected string) (left *int) {
		t.Helper()
		require.NoError(t, session.Session.Query("SELECT "+selected).Scan(&left), selected)
		return left
	}
	requireTTL := func(want int, selected string) {
		t.Helper()
		left := ttl(selected)
		require.NotNil(t, left, selected)
		require.InDelta(t, want-200, *left, 200, selected)
	}

	hoursAgo := store.With(mapper.Options{Timestamp: time.Now().Add(-2000 * time.Second).UnixMicro()})
	visit := stock.Visit{Visitor: "Ana", Gate: "west", Badge: "b", Seen: map[string]int32{"Rui": 1}}
	_, err = hoursAgo.Visits.Import(ctx, &visit)
	require.NoError(t, err)
	_, err = gen.Restamp(ctx, store.Visits, "visitor = 'Ana'", 0, nil)
	require.NoError(t, err)
	requireTTL(1600, "TTL(gate) FROM visits WHERE visitor = 'Ana'")
	got, err := store.Visits.Get(ctx, "Ana")
	require.NoError(t, err)
	require.Equal(t, &visit, got)

	c := crate()
	_, err = store.With(mapper.Options{Timestamp: time.Now().Add(-time.Hour).UnixMicro()}).Crates.Import(ctx, &c)
	require.NoError(t, err)
	plant(t, session,
		"UPDATE crates $T AND TTL 5000 SET weight = 9, prices = prices + {'air': 7}, sender.city = 'Natal' WHERE hall = 'north' AND id = 7",
		"UPDATE crates $T AND TTL 9000 SET manager = 'Eva' WHERE hall = 'north'")
	_, found := reconcile(t, store, false)
	require.NotEmpty(t, found)
	want, err := store.Crates.Get(ctx, "north", 7)
	require.NoError(t, err)
	require.Equal(t, int64(7), want.Prices["air"])
	requireSame := func() {
		t.Helper()
		got, err := store.Crates.Get(ctx, "north", 7)
		require.NoError(t, err)
		require.Equal(t, want, got)
		for _, table := range []string{"crates", "crates_in_hall"} {
			requireTTL(5000, "TTL(weight) FROM "+table+" WHERE hall = 'north' AND id = 7")
			requireTTL(9000, "TTL(manager) FROM "+table+" WHERE hall = 'north' LIMIT 1")
		}
		requireTTL(5000, "TTL(prices['air']) FROM crates")
		requireTTL(5000, "TTL(sender.city) FROM crates")
		requireTTL(5000, "TTL(amount) FROM prices WHERE for = 'air'")
		requireTTL(86400-3600, "TTL(name) FROM recent_crates")
		for _, never := range []string{"TTL(name) FROM crates", "TTL(prices['port']) FROM crates", "TTL(sender.name) FROM crates", "TTL(amount) FROM prices WHERE for = 'port'", "TTL(name) FROM sealed_crates"} {
			require.Nil(t, ttl(never), never)
		}
	}
	requireSame()
	report, err := gen.Restamp(ctx, store.Crates, "hall = 'north' AND id = 7", 0, nil)
	require.NoError(t, err)
	require.Zero(t, report.Total())
	requireSame()
	_, found = reconcile(t, store, true)
	require.Empty(t, found)
}
