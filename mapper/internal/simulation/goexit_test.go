package simulation

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/invoice"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/memory"
)

// exiting is a tracer that ends a goroutine at the first request to a table.
type exiting struct {
	table string
	once  sync.Once
}

func (e *exiting) Start(ctx context.Context, r mapper.Request) context.Context {
	if r.Statements[0].Table == e.table {
		e.once.Do(runtime.Goexit)
	}
	return ctx
}

func (*exiting) End(context.Context, mapper.RequestResult) {}

// A holder at which the tracer has ended its goroutine has not followed, whether few or many roots refer to the target.
func TestFanOutWhoseTracerExits(t *testing.T) {
	for inline, invoices := range map[int]int32{-1: 1, 1: 8} {
		t.Run(fmt.Sprint(invoices), func(t *testing.T) {
			ctx, backend := t.Context(), memory.New(memory.Config{})
			open := func(tracer mapper.Tracer) *invoice.Store {
				s, err := invoice.OpenBackend(ctx, backend, mapper.Config{FanOutInline: inline, Lease: 10 * time.Millisecond, Logger: discardLogger, Tracer: tracer})
				require.NoError(t, err)
				return s
			}
			s := open(nil)
			require.NoError(t, s.Customers.Insert(ctx, &invoice.Customer{ID: 1, Name: "a"}))
			for id := range invoices {
				require.NoError(t, s.Invoices.Insert(ctx, &invoice.Invoice{ID: id, Payer: 1}))
			}
			_, err := s.Customers.Update(ctx, 1, func(c *invoice.Customer) error { c.Name = "b"; return nil })
			require.NoError(t, err)
			time.Sleep(20 * time.Millisecond) // longer than Config.Lease
			require.ErrorIs(t, open(&exiting{table: "invoices"}).FanOut(ctx, mapper.FanOutConfig{}), call.ErrExited)
			require.NoError(t, s.FanOut(ctx, mapper.FanOutConfig{}))
			for id := range invoices {
				v, err := s.Invoices.Get(ctx, id)
				require.NoError(t, err)
				require.Equal(t, "b", v.PayerName)
			}
		})
	}
}
