package store

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/stock"
	"github.com/cassaml/cassaml/mapper"
)

// A redundant table keeps the static values of a partition without rows while the partition of its root has them: an insert that does not
// set them would otherwise make a row that differs. Values that the root does not have are removed.
func TestReconcileKeepsStaticValuesOfTheRoot(t *testing.T) {
	onBoth(t, mapper.Config{}, func(t *testing.T, store *stock.Store) {
		ctx := t.Context()
		requireClean := func() {
			t.Helper()
			report, found := reconcile(t, store, false)
			require.Empty(t, found)
			require.Zero(t, report.Purged)
			s, err := store.CratesInHall.Statics(ctx, "north")
			require.NoError(t, err)
			require.Equal(t, "Rui", s.Manager)
		}
		at := func(ago time.Duration) *stock.Store {
			return store.With(mapper.Options{Timestamp: time.Now().Add(-ago).UnixMicro()})
		}
		c := crate()
		_, err := at(3*time.Hour).Crates.Import(ctx, &c)
		require.NoError(t, err)
		require.NoError(t, at(2*time.Hour).Crates.Delete(ctx, c.Hall, c.ID))
		requireClean()
		next := crate()
		next.ID, next.Manager = 8, ""
		require.NoError(t, store.Crates.Insert(ctx, &next))
		requireClean()
		row, err := store.CratesInHall.Get(ctx, next.Hall, next.ID)
		require.NoError(t, err)
		require.Equal(t, "Rui", row.Manager)
	})
}
