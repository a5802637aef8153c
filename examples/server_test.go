package examples

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/examples/quickstart/fleet"
	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/migrate"
)

func TestOwnerIsInTheVehiclesRow(t *testing.T) {
	t.Parallel()
	session := cassandra.Keyspace(t) // of this test alone
	require.NoError(t, migrate.Up(t.Context(), session, os.DirFS("quickstart/fleet/migrations"), migrate.Config{Backfills: fleet.Backfills()}))
	store, err := fleet.Open(t.Context(), session, mapper.Config{})
	require.NoError(t, err)
	ana := &fleet.Cliente{ID: 7, Nome: "Ana", Veiculos: []fleet.Veiculo{{Placa: "ABC1234"}}}
	require.NoError(t, store.Clientes.Insert(t.Context(), ana))
	vehicle, err := store.Veiculos.Get(t.Context(), "ABC1234")
	require.NoError(t, err)
	require.Equal(t, "Ana", vehicle.Cliente.Nome)
}
