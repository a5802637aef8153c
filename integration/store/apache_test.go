package store

import (
	"strings"
	"testing"
	"testing/fstest"
	"time"

	gocql "github.com/apache/cassandra-gocql-driver/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/testdata/golden/apache"
	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/driver/apachedriver"
	"github.com/cassaml/cassaml/mapper/memory"
	"github.com/cassaml/cassaml/migrate"
)

const apacheModel = "../../codegen/testdata/golden/apache"

// apacheSession returns a session of Apache's driver on a keyspace of the test, with the tables of the model.
func apacheSession(t *testing.T) *gocql.Session {
	t.Helper()
	cassandra.Requires(t, "5.0", "the golden store apache has columns that are not frozen")
	cluster := gocql.NewCluster(cassandra.Test(t).Hosts()...)
	cluster.Keyspace, cluster.Timeout, cluster.WriteCoalesceWaitTime = cassandra.Keyspace(t).Query("", nil).Keyspace(), 30*time.Second, 0
	session, err := cluster.CreateSession()
	require.NoError(t, err)
	t.Cleanup(session.Close)
	statements := schema.New(modelOf(t, apacheModel)).Statements()
	files := fstest.MapFS{"0001_init.cql": {Data: []byte(strings.Join(statements, ";\n"))}}
	for range 2 { // the second run applies nothing
		require.NoError(t, migrate.Up(t.Context(), apachedriver.New(session), files, migrate.Config{Backfills: apache.Backfills()}))
	}
	return session
}

// A store for Apache's driver writes, reads, claims, refuses, repairs and fills as one for gocql does, in memory and on a node.
func TestStoreOverApachesDriver(t *testing.T) {
	t.Parallel()
	t.Run("memory", func(t *testing.T) {
		s, err := apache.OpenBackend(t.Context(), memory.New(memory.Config{}))
		require.NoError(t, err)
		useParcels(t, s)
		require.ErrorIs(t, s.Session().Query("SELECT key FROM system.local").Exec(), gocql.ErrSessionClosed)
	})
	t.Run("node", func(t *testing.T) {
		session := apacheSession(t)
		s, err := apache.Open(t.Context(), session, mapper.Config{})
		require.NoError(t, err)
		require.Same(t, session, s.Session())
		earlier, err := apache.Open(t.Context(), session, mapper.Config{MaxClockSkew: -1, Now: func() time.Time { return time.Now().Add(-time.Hour) }})
		require.NoError(t, err)
		useParcels(t, earlier) // before the grace of Reconcile

		require.NoError(t, session.Query("TRUNCATE parcels_by_city").Exec())
		report, err := s.Reconcile(t.Context(), mapper.ReconcileConfig{Slices: 4})
		require.NoError(t, err)
		require.Equal(t, map[mapper.DriftKind]int64{mapper.DriftMissing: 1}, report.Found["parcels_by_city"])
		requireParcel(t, s)
		require.NoError(t, session.Query("TRUNCATE parcels_by_city").Exec())
		fill := apache.Backfills()["parcels_by_city"]
		require.NoError(t, fill(t.Context(), apachedriver.New(session), "", func(string) error { return nil }))
		requireParcel(t, s)

		err = session.Query("SELECT nothing FROM parcels").Exec()
		require.ErrorAs(t, apachedriver.NewError(err), new(*driver.Error))
		_, err = apache.Open(t.Context(), nil, mapper.Config{})
		require.EqualError(t, err, "mapper: the session is nil: create one with CreateSession of a gocql.ClusterConfig")
	})
}

var parcel = &apache.Parcel{
	ID: gocql.UUID{15: 7}, City: "Olinda", Sent: gocql.UUID{6: 0x10, 8: 0x80}, Insured: &gocql.Duration{Months: 1, Days: 2, Nanoseconds: 3},
	Tags: map[string]gocql.UUID{"a": {15: 9}}, Sizes: apache.Sizes{3, 1, 2}, At: time.UnixMilli(5).UTC(),
}

// useParcels makes calls of each kind. The parcel is in Recife at the end.
func useParcels(t *testing.T, s *apache.Store) {
	t.Helper()
	ctx := t.Context()
	require.NoError(t, s.Parcels.Insert(ctx, parcel))
	got, err := s.Parcels.Get(ctx, parcel.ID)
	require.NoError(t, err)
	require.Equal(t, parcel, got)
	_, err = s.Parcels.Update(ctx, parcel.ID, func(p *apache.Parcel) error { p.City = "Recife"; return nil })
	require.NoError(t, err)
	requireParcel(t, s)
	page, err := s.ParcelsByCity.Of("Recife").PageSize(10).Page(ctx, "")
	require.NoError(t, err)
	require.Len(t, page.Items, 1)
	require.Error(t, s.Parcels.Insert(ctx, &apache.Parcel{ID: gocql.UUID{1}}), "City is required")

	require.NoError(t, s.Couriers.Insert(ctx, &apache.Courier{ID: gocql.UUID{1}, Badge: "b"}))
	require.ErrorAs(t, s.Couriers.Insert(ctx, &apache.Courier{ID: gocql.UUID{2}, Badge: "b"}), new(*mapper.DuplicateError))
	require.ErrorIs(t, s.Couriers.Insert(ctx, &apache.Courier{ID: gocql.UUID{1}, Badge: "c"}), mapper.ErrExists)
	owner, err := s.Couriers.GetByBadge(ctx, "b")
	require.NoError(t, err)
	require.Equal(t, gocql.UUID{1}, owner.ID)
	old := *owner
	owner.Badge = "c"
	require.NoError(t, s.Couriers.Change(ctx, &old, owner))
	require.ErrorIs(t, s.Couriers.Change(ctx, &old, &apache.Courier{ID: gocql.UUID{1}, Badge: "d", Version: old.Version}), mapper.ErrConflict)
}

func requireParcel(t *testing.T, s *apache.Store) {
	t.Helper()
	for row, err := range s.ParcelsByCity.Of("Recife").All(t.Context()) {
		require.NoError(t, err)
		require.Equal(t, &apache.ParcelByCity{City: "Recife", ID: parcel.ID, Sent: parcel.Sent}, row)
		return
	}
	t.Fatal("there is no row")
}
