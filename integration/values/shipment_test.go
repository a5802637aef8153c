package values

import (
	"errors"
	"net/netip"
	"testing"

	"github.com/gocql/gocql"
	"github.com/google/uuid"
	shopspring "github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/models/shipment"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

// shipment returns a shipment with a value in every field.
func newShipment() *shipment.Shipment {
	id := uuid.MustParse("0f3c5d1e-5a7b-4c7d-9e0f-0000000000ff")
	other := uuid.MustParse("00000000-0000-4000-8000-000000000001")
	price := shopspring.RequireFromString("12.5")
	port := netip.MustParseAddrPort("[2001:db8::1]:443")
	return &shipment.Shipment{
		ID: shipment.ShipmentID(id), Leg: other, Carrier: shipment.Carrier(id), Digest: shipment.Digest(other), Raw: id, Maybe: &other,
		At: uuid.UUID(gocql.TimeUUID()), AsText: id, Null: uuid.NullUUID{UUID: id, Valid: true},
		Stops: []shipment.ShipmentID{shipment.ShipmentID(other)}, Watchers: map[uuid.UUID]struct{}{id: {}, other: {}},
		Names: map[shipment.Carrier]string{shipment.Carrier(other): "o"}, Gateway: port, Route: netip.MustParsePrefix("10.0.0.0/8"),
		Peers: map[string]netip.AddrPort{"a": netip.MustParseAddrPort("127.0.0.1:80")}, Price: price, Discount: &price,
		Fees: []shopspring.Decimal{shopspring.RequireFromString("-0.001")}, Customs: &shipment.Customs{Officer: other, Duty: price, Office: port},
	}
}

// shipmentLiterals are the same values as the server formats them.
var shipmentLiterals = map[string]string{
	"id": `"0f3c5d1e-5a7b-4c7d-9e0f-0000000000ff"`, "leg": `"00000000-0000-4000-8000-000000000001"`, "carrier": `"0f3c5d1e-5a7b-4c7d-9e0f-0000000000ff"`,
	"digest": `"00000000-0000-4000-8000-000000000001"`, "raw": `"0f3c5d1e-5a7b-4c7d-9e0f-0000000000ff"`, "maybe": `"00000000-0000-4000-8000-000000000001"`,
	"as_text": `"0f3c5d1e-5a7b-4c7d-9e0f-0000000000ff"`, "null": `"0f3c5d1e-5a7b-4c7d-9e0f-0000000000ff"`, "stops": `["00000000-0000-4000-8000-000000000001"]`,
	"names": `{"00000000-0000-4000-8000-000000000001": "o"}`, "gateway": `"[2001:db8::1]:443"`, "route": `"10.0.0.0/8"`, "peers": `{"a": "127.0.0.1:80"}`,
	"price": "12.5", "discount": "12.5", "fees": "[-0.001]",
	"customs": `{"officer": "00000000-0000-4000-8000-000000000001", "duty": 12.5, "office": "[2001:db8::1]:443"}`,
}

// The types of other packages that are stored without type= are written to the node as the CQL types that the documentation lists, in
// every position, and are read back unchanged.
func TestTypesOfOtherPackages(t *testing.T) {
	t.Parallel()
	cassandra.Requires(t, "5.0", "the model shipment has columns that are not frozen")
	session, _ := modelKeyspace(t, "../models/shipment")
	store, err := shipment.Open(t.Context(), session, mapper.Config{})
	require.NoError(t, err)
	requireShipments(t, store)
	want := newShipment()
	for column, literal := range shipmentLiterals {
		var text string
		require.NoError(t, session.Session.Query(`SELECT JSON "`+column+`" AS v FROM shipments WHERE id = ? AND leg = ?`, gocql.UUID(want.ID), gocql.UUID(want.Leg)).Scan(&text))
		require.Equal(t, `{"v": `+literal+`}`, text, column)
	}
}

// The backend in memory stores them, too.
func TestTypesOfOtherPackagesInMemory(t *testing.T) {
	t.Parallel()
	store, err := shipment.OpenBackend(t.Context(), memory.New(memory.Config{}))
	require.NoError(t, err)
	requireShipments(t, store)
}

// requireShipments writes shipments, changes one, and reads them by their keys and in the copy.
func requireShipments(t *testing.T, store *shipment.Store) {
	t.Helper()
	ctx, want := t.Context(), newShipment()
	require.NoError(t, store.Shipments.Insert(ctx, want))
	got, err := store.Shipments.Get(ctx, want.ID, want.Leg)
	require.NoError(t, err)
	require.Equal(t, want, got)

	bare := &shipment.Shipment{ID: want.ID, Leg: uuid.UUID{1}, Carrier: want.Carrier}
	require.NoError(t, store.Shipments.Insert(ctx, bare))
	got, err = store.Shipments.Get(ctx, bare.ID, bare.Leg)
	require.NoError(t, err)
	require.True(t, got.Price.IsZero())
	require.Equal(t, netip.AddrPort{}, got.Gateway)
	require.Nil(t, got.Maybe)

	changed, err := store.Shipments.Update(ctx, want.ID, want.Leg, func(s *shipment.Shipment) error {
		s.Carrier, s.Price, s.Maybe = shipment.Carrier{9}, shopspring.RequireFromString("1E+3"), nil
		return nil
	})
	require.NoError(t, err)
	row, err := store.ShipmentsByCarrier.Get(ctx, changed.Carrier, want.ID, want.Leg)
	require.NoError(t, err)
	require.True(t, changed.Price.Equal(row.Price), row.Price)
	require.NoError(t, store.Shipments.Put(ctx, want))

	var fault *mapper.ConstraintError
	missing := *want
	missing.Carrier = shipment.Carrier{}
	require.True(t, errors.As(store.Shipments.Put(ctx, &missing), &fault))
	require.Equal(t, []mapper.Violation{{Path: "Carrier", Problem: "is required"}}, fault.Violations)
}
