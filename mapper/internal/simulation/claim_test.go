package simulation

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/reconcile"
	"github.com/cassaml/cassaml/mapper/memory"
)

// An Insert has claimed a value, and its last request is on its way. The row of its identifier was deleted long ago, and Reconcile removes it
// before the request arrives. Then the request finds no row, as it expects. If another root has taken the value over in between, it
// keeps it: the value never has two owners.
func TestClaimOfARowThatReconcileRemoves(t *testing.T) {
	for _, release := range []string{"another Insert takes the value over", "Reconcile releases the value"} {
		t.Run(release, func(t *testing.T) {
			d := newDrifted(t)
			for _, c := range []*customer{{ID: 1, Name: "Ana", City: "Recife", Email: "a"}, {ID: 2, Name: "Bia", City: "Natal", Email: "b"}} {
				require.NoError(t, d.table.Insert(t.Context(), c))
				require.NoError(t, d.table.Delete(t.Context(), customerKey(c.ID)))
			}
			d.now = d.now.Add(10*24*time.Hour + time.Hour) // gc_grace_seconds of the tables, and more than the skew
			reconcile := func() {
				_, err := reconcile.Run(t.Context(), d.db, mapper.ReconcileConfig{Slices: 1}, d.table.Root)
				require.NoError(t, err)
			}
			var other error
			late := false
			d.backend.Intercept(func(r memory.Request) memory.Outcome {
				if late || !r.Conditional || !slices.Contains(r.Tables, customersTable.Name) {
					return memory.Done
				}
				late = true
				if release == "Reconcile releases the value" {
					reconcile()
				}
				other = d.table.Insert(t.Context(), &customer{ID: 3, Name: "Eva", City: "Olinda", Email: "a"})
				reconcile()
				return memory.Done
			})
			err := d.table.Insert(t.Context(), &customer{ID: 1, Name: "Ana", City: "Recife", Email: "a"})
			require.True(t, late)
			require.NoError(t, other)
			var taken *mapper.DuplicateError
			require.ErrorAs(t, err, &taken)
			d.backend.Intercept(nil)
			report, found := d.reconcile(mapper.ReconcileConfig{})
			require.Empty(t, found)
			require.True(t, report.Clean())
		})
	}
}

// A release of a value is delayed, and meanwhile the same root has the value again and releases it, and a failed Insert of the root
// claims it once more, at version 0 as its first Insert did. The delayed release must not lower the floor: the rows of the next owner
// would be hidden by the deletion of the row of this one.
func TestDelayedReleaseKeepsTheFloor(t *testing.T) {
	d := newDrifted(t)
	email := func(e string) func(any) error {
		return func(v any) error { v.(*customer).Email = e; return nil }
	}
	update := func(e string) {
		_, err := d.table.Update(t.Context(), email(e), customerKey(1))
		require.NoError(t, err)
	}
	ana := customer{ID: 1, Name: "Ana", City: "Recife", Email: "a"}
	require.NoError(t, d.table.Insert(t.Context(), &ana))
	delayed := false
	d.backend.Intercept(func(r memory.Request) memory.Outcome {
		if delayed || !r.Conditional || !slices.Contains(r.Tables, emailTable.Name) {
			return memory.Done
		}
		delayed = true
		update("a")
		update("")
		again := ana
		require.ErrorIs(t, d.table.Insert(t.Context(), &again), mapper.ErrExists)
		return memory.Done
	})
	update("")
	require.True(t, delayed)
	d.backend.Intercept(nil)
	require.NoError(t, d.table.Insert(t.Context(), &customer{ID: 2, Name: "Bia", City: "Natal", Email: "a"}))
	_, found := d.reconcile(mapper.ReconcileConfig{DryRun: true})
	require.Empty(t, found)
}
