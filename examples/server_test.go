package examples

import (
	"os"
	"testing"

	"github.com/gocql/gocql"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/examples/quickstart/shop"
	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
	"github.com/cassaml/cassaml/migrate"
)

func TestOwnerIsInTheVehiclesRow(t *testing.T) {
	t.Parallel()
	cassandra.Requires(t, "5.0", "write times of columns that are not frozen")
	session := cassandra.Keyspace(t) // of this test alone
	require.NoError(t, migrate.Up(t.Context(), gocqldriver.New(session), os.DirFS("quickstart/shop/migrations"), migrate.Config{Backfills: shop.Backfills()}))
	store, err := shop.Open(t.Context(), session, mapper.Config{})
	require.NoError(t, err)
	ana := &shop.Customer{ID: gocql.TimeUUID(), Name: "Ana", Vehicles: []shop.Vehicle{{Plate: "ABC1234"}}}
	require.NoError(t, store.Customers.Insert(t.Context(), ana))
	vehicle, err := store.Vehicles.Get(t.Context(), "ABC1234")
	require.NoError(t, err)
	require.Equal(t, "Ana", vehicle.Owner.Name)
}
