package simulation

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/integration/models/invoice"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
	"github.com/cassaml/cassaml/mapper/memory"
)

// findTable returns the table of a root with a name.
func findTable(of []*descriptor.Aggregate, name string) *descriptor.Table {
	for _, a := range of {
		if a.Root.Name == name {
			return a.Root
		}
	}
	return nil
}

// Reconcile lets copies follow a target whose table was restored from a backup, at a version below the one that they have followed.
func TestReconcileAfterARestoreOfATarget(t *testing.T) {
	ctx, backend := t.Context(), memory.New(memory.Config{})
	s, err := invoice.OpenBackend(ctx, backend, mapper.Config{Lease: time.Millisecond, Logger: discardLogger})
	require.NoError(t, err)
	require.NoError(t, s.Customers.Insert(ctx, &invoice.Customer{ID: 1, Name: "a"}))
	require.NoError(t, s.Invoices.Insert(ctx, &invoice.Invoice{ID: 1, Payer: 1}))
	table := findTable(invoice.Roots, "customers")
	db, err := backend.Open(ctx, &descriptor.Schema{Tables: []*descriptor.Table{table}})
	require.NoError(t, err)
	row, err := db.Row(ctx, &store.Lookup{Read: store.Read{Table: (*plan.Table)(table), Key: idKey(1)}})
	require.NoError(t, err)
	_, err = s.Customers.Update(ctx, 1, func(c *invoice.Customer) error { c.Name = "b"; return nil })
	require.NoError(t, err)
	time.Sleep(5 * time.Millisecond)
	m := plan.Mutation{Table: (*plan.Table)(table), Row: row, Action: plan.Put, Write: (*plan.Table)(table).BeyondKey()}
	require.NoError(t, db.Apply(ctx, []plan.Mutation{m}, store.Write{Timestamp: time.Now().UnixMicro()}))
	time.Sleep(5 * time.Millisecond)

	report, err := s.Reconcile(ctx, mapper.ReconcileConfig{Slices: 1})
	require.NoError(t, err)
	require.Equal(t, int64(1), report.Found["invoices"][mapper.DriftStale])
	v, err := s.Invoices.Get(ctx, 1)
	require.NoError(t, err)
	require.Equal(t, "a", v.PayerName)
	report, err = s.Reconcile(ctx, mapper.ReconcileConfig{Slices: 1})
	require.NoError(t, err)
	require.Zero(t, report.Total())
}
