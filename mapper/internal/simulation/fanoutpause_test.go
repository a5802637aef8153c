package simulation

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/invoice"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

// A root that cannot be served is not tried again at once because others are served.
func TestPausesOfAFanOutThatFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		backend := memory.New(memory.Config{})
		s, err := invoice.OpenBackend(ctx, backend, mapper.Config{FanOutInline: -1, Lease: time.Millisecond, Logger: discardLogger})
		require.NoError(t, err)
		require.NoError(t, s.Customers.Insert(ctx, &invoice.Customer{ID: 1, Name: "a"}))
		require.NoError(t, s.Sellers.Insert(ctx, &invoice.Seller{ID: 1, City: new("a")}))
		require.NoError(t, s.Invoices.Insert(ctx, &invoice.Invoice{ID: 1, Payer: 1, Seller: new(int32(1))}))
		_, err = s.Customers.Update(ctx, 1, func(c *invoice.Customer) error { c.Name = "b"; return nil })
		require.NoError(t, err)
		move := func() {
			_, err := s.Sellers.Update(ctx, 1, func(v *invoice.Seller) error { v.City = new(*v.City + "+"); return nil })
			if ctx.Err() == nil {
				require.NoError(t, err)
			}
		}
		move()
		var failed atomic.Int64
		backend.Intercept(func(r memory.Request) memory.Outcome {
			if !r.Write && slices.Contains(r.Tables, "invoices__payer_holders") {
				failed.Add(1)
				return memory.Refused
			}
			return memory.Done
		})
		served := int64(0)
		require.ErrorIs(t, s.FanOut(ctx, mapper.FanOutConfig{Follow: true, Progress: func(p mapper.FanOutProgress) {
			if p.Served > served {
				served = p.Served
				move()
			}
		}}), context.DeadlineExceeded)
		require.Greater(t, served, int64(10))
		require.Less(t, failed.Load(), int64(60))
	})
}
