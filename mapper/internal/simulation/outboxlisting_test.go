package simulation

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/invoice"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

// A run that has served an outbox repeats the statement that refuses a later save, if its outcome is unknown.
func TestOutboxListedByALaterSave(t *testing.T) {
	ctx, backend := t.Context(), memory.New(memory.Config{})
	s, err := invoice.OpenBackend(ctx, backend, mapper.Config{FanOutInline: -1, Lease: 10 * time.Millisecond, Logger: discardLogger})
	require.NoError(t, err)
	require.NoError(t, s.Customers.Insert(ctx, &invoice.Customer{ID: 1, Name: "a"}))
	require.NoError(t, s.Invoices.Insert(ctx, &invoice.Invoice{ID: 1, Payer: 1}))
	rename := func(name string) error {
		_, err := s.Customers.Update(ctx, 1, func(c *invoice.Customer) error { c.Name = name; return nil })
		return err
	}
	require.NoError(t, rename("b"))
	backend.Intercept(func(r memory.Request) memory.Outcome {
		if r.Conditional {
			return memory.Refused
		}
		return memory.Done
	})
	require.Error(t, rename("c"))
	time.Sleep(20 * time.Millisecond) // longer than Config.Lease
	n := 0
	backend.Intercept(func(r memory.Request) memory.Outcome {
		if r.Conditional && r.Tables[0] == "customers" {
			if n++; n == 2 { // the first has cleared the outbox
				return memory.LostAnswer
			}
		}
		return memory.Done
	})
	require.NoError(t, s.FanOut(ctx, mapper.FanOutConfig{Parallel: 1}))
	require.GreaterOrEqual(t, n, 2)
}
