package store

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/models/depot"
	"github.com/cassaml/cassaml/integration/models/stock"
	"github.com/cassaml/cassaml/integration/models/workshop"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
)

// Before Cassandra 5.0, Open and a backfill refuse a plain model whose columns have no write times, before they look at the tables. Open accepts
// a versioned model with such columns, and Reconcile refuses it.
func TestOlderServers(t *testing.T) {
	t.Parallel()
	session := storetest.SharedTables(t, storetest.SchemaFile(t, "../models/depot"))
	saved, err := depot.Open(t.Context(), session, mapper.Config{})
	require.NoError(t, err)
	_, reconciled := saved.Reconcile(t.Context(), mapper.ReconcileConfig{})
	_, row := saved.Crates.Reconcile(t.Context(), 1, mapper.ReconcileConfig{})

	_, plain := workshop.Open(t.Context(), session, mapper.Config{})
	fill := stock.Backfills()["sealed_crates"](t.Context(), gocqldriver.New(session), "", storetest.NoSave)
	if !cassandra.IsBefore(t, "5.0") {
		var missing *mapper.SchemaError
		require.ErrorAs(t, plain, &missing)
		require.ErrorAs(t, fill, &missing)
		require.NoError(t, reconciled)
		require.NoError(t, row)
		return
	}
	var old *mapper.ServerVersionError
	require.ErrorAs(t, plain, &old)
	require.Contains(t, old.Needs, mapper.ServerNeed{Aggregate: "Job", Table: "jobs", Column: "tools", Of: "list<frozen<tool>>", Feature: mapper.NeedsWriteTime})
	require.NotContains(t, plain.Error(), "jobs.place", "it is frozen")
	require.ErrorContains(t, plain, "mapper: open the store: node ")
	require.ErrorContains(t, plain, "make them frozen, or upgrade every node to Cassandra 5.0")
	require.ErrorAs(t, fill, &old)
	require.Equal(t, "backfill sealed_crates", old.Job)
	require.ErrorAs(t, reconciled, &old)
	require.Equal(t, "Reconcile", old.Job)
	require.ErrorAs(t, row, &old)
	require.ErrorContains(t, reconciled, "Crate: crates.items list<frozen<item>>")
}
