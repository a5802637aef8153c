package simulation

import (
	"encoding/binary"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/integration/models/invoice"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
	"github.com/cassaml/cassaml/mapper/memory"
)

// A row of a reverse table that belongs to no reference is deleted although another program has written it again at a later time, as a copy of the table
// does: by Reconcile, by FanOut and by a deletion of its target. A row that is written by a clock that is ahead does not raise the version of a root.
func TestStrayRowsThatAnotherProgramHasWritten(t *testing.T) {
	for name, remove := range map[string]func(t *testing.T, s *invoice.Store){
		"Reconcile": func(t *testing.T, s *invoice.Store) {
			t.Helper()
			report, err := s.Reconcile(t.Context(), mapper.ReconcileConfig{Slices: 1})
			require.NoError(t, err)
			require.Equal(t, int64(1), report.Total())
		},
		"a save of the target": func(t *testing.T, s *invoice.Store) {
			t.Helper()
			_, err := s.Customers.Update(t.Context(), 1, func(c *invoice.Customer) error { c.Name = "b"; return nil })
			require.NoError(t, err)
		},
		"FanOut": func(t *testing.T, s *invoice.Store) {
			t.Helper()
			_, err := s.Customers.Update(t.Context(), 1, func(c *invoice.Customer) error { c.Name = "b"; return nil })
			require.NoError(t, err)
			require.NoError(t, s.FanOut(t.Context(), mapper.FanOutConfig{}))
		},
		"a deletion": func(t *testing.T, s *invoice.Store) {
			t.Helper()
			require.NoError(t, s.Customers.Delete(t.Context(), 1))
		},
	} {
		t.Run(name, func(t *testing.T) {
			config := mapper.Config{Lease: time.Nanosecond, Logger: discardLogger}
			if name == "FanOut" {
				config.FanOutInline = -1
			}
			s, db := strayRow(t, config, time.Now().UnixMicro())
			remove(t, s)
			require.Empty(t, db.holders(t))
		})
	}
	s, db := strayRow(t, mapper.Config{Lease: time.Nanosecond, Logger: discardLogger}, time.Now().Add(time.Hour).UnixMicro())
	_, err := s.Customers.Update(t.Context(), 1, func(c *invoice.Customer) error { c.Name = "b"; return nil })
	require.NoError(t, err)
	require.Len(t, db.holders(t), 1)
	require.NoError(t, s.Invoices.Insert(t.Context(), &invoice.Invoice{ID: 7, Payer: 1}))
}

// reverseTable has the rows of the reverse table of the invoices' payers.
type reverseTable struct {
	store.Store
	table *plan.Table
}

// strayRow returns a store with a customer, and with a row of the reverse table for an invoice that does not exist, written at a time.
func strayRow(t *testing.T, c mapper.Config, at int64) (*invoice.Store, reverseTable) {
	t.Helper()
	backend := memory.New(memory.Config{})
	s, err := invoice.OpenBackend(t.Context(), backend, c)
	require.NoError(t, err)
	require.NoError(t, s.Customers.Insert(t.Context(), &invoice.Customer{ID: 1, Name: "a"}))
	var table *descriptor.Table
	for _, a := range invoice.Roots {
		if a.Root.Name == "invoices" {
			table = a.Versioning.References[0].Table
		}
	}
	opened, err := backend.Open(t.Context(), &descriptor.Schema{Tables: []*descriptor.Table{table}})
	require.NoError(t, err)
	db := reverseTable{opened, (*plan.Table)(table)}
	row := append(idKey(1), plan.BucketCell(0))
	row = append(append(row, idKey(7)...), binary.BigEndian.AppendUint64(nil, uint64(time.Now().Add(-time.Hour).UnixMicro())))
	m := plan.Mutation{Table: db.table, Row: row, Action: plan.Put, Write: db.table.BeyondKey()}
	require.NoError(t, db.Apply(t.Context(), []plan.Mutation{m}, store.Write{Timestamp: at}))
	require.Len(t, db.holders(t), 1)
	return s, db
}

// holders returns the rows.
func (db reverseTable) holders(t *testing.T) (out []cell.Row) {
	t.Helper()
	for row, err := range db.Rows(t.Context(), store.Read{Table: db.table, Key: append(idKey(1), plan.BucketCell(0))}) {
		require.NoError(t, err)
		out = append(out, plan.CloneRow(row))
	}
	return out
}
