package simulation

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/reconcile"
	"github.com/cassaml/cassaml/mapper/memory"
)

// A row with many unique values and rows of copies, which a save can write, is repaired within the time of a call, although Reconcile reads each
// of them several times.
func TestReconcileOfARowWithManyValues(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const values = 300
		ctx, backend := t.Context(), memory.New(memory.Config{})
		table := ticketOrders(t, backend)
		order := &customer{ID: 1, Email: "e", Plates: map[string]struct{}{}}
		for i := range values {
			order.Plates[fmt.Sprint("t", i)] = struct{}{}
		}
		backend.Intercept(func(r memory.Request) memory.Outcome {
			if r.Write && !r.Conditional {
				return memory.Refused // so the copies are not written
			}
			return memory.Done
		})
		require.NoError(t, table.Insert(ctx, order))
		backend.Intercept(func(memory.Request) memory.Outcome {
			time.Sleep(mapper.DefaultTimeout / values / 2)
			return memory.Done
		})
		report, err := reconcile.Row(ctx, table.Root, customerKey(1), mapper.ReconcileConfig{}, nil)
		require.NoError(t, err)
		require.Positive(t, report.Repaired)
		require.True(t, report.Clean())
	})
}
