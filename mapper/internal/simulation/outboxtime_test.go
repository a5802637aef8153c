package simulation

import (
	"context"
	"errors"
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

// openUnserved opens a store in which invoice 1 has not followed the change of the name of customer 1 to "b".
func openUnserved(t *testing.T, backend *memory.Backend, config mapper.Config) *invoice.Store {
	t.Helper()
	ctx := t.Context()
	config.FanOutInline, config.Logger = -1, discardLogger
	s, err := invoice.OpenBackend(ctx, backend, config)
	require.NoError(t, err)
	require.NoError(t, s.Customers.Insert(ctx, &invoice.Customer{ID: 1, Name: "a"}))
	require.NoError(t, s.Invoices.Insert(ctx, &invoice.Invoice{ID: 1, Payer: 1}))
	_, err = s.Customers.Update(ctx, 1, func(c *invoice.Customer) error { c.Name = "b"; return nil })
	require.NoError(t, err)
	return s
}

// A run serves the outboxes beside one whose version no clock can have reached, and ends with an error that names this one.
func TestFanOutWithAnOutboxAheadOfTheClock(t *testing.T) {
	ctx, backend := t.Context(), memory.New(memory.Config{})
	const skew = 10 * time.Second
	s := openUnserved(t, backend, mapper.Config{Lease: time.Millisecond, MaxClockSkew: skew})
	customers := plan.Link(*invoice.Roots[0])
	db, err := backend.Open(ctx, &descriptor.Schema{Tables: []*descriptor.Table{(*descriptor.Table)(customers.Versioning.Outboxes)}})
	require.NoError(t, err)
	list := func(id int32, ahead time.Duration) {
		at := time.Now().Add(ahead).UnixMicro()
		require.NoError(t, db.Apply(ctx, []plan.Mutation{customers.PutOutbox(idKey(id), at)}, store.Write{Timestamp: at}))
	}
	list(2, time.Hour)
	time.Sleep(5 * time.Millisecond) // longer than Config.Lease
	var last mapper.FanOutProgress
	err = s.FanOut(ctx, mapper.FanOutConfig{Progress: func(p mapper.FanOutProgress) { last = p }})
	require.ErrorContains(t, err, "aml_outboxes lists Customer (customers id=2) at ")
	require.ErrorContains(t, err, ", later than now: a clock was wrong; it is served when this time has passed")
	require.Equal(t, []int64{1, 1}, []int64{last.Served, last.Failed})
	v, err := s.Invoices.Get(ctx, 1)
	require.NoError(t, err)
	require.Equal(t, "b", v.PayerName)
}

// An outbox of the last Config.Lease is left, and so is one that two clocks can explain: a run without Follow waits for them.
func TestFanOutLeavesOutboxesOfSavesInFlight(t *testing.T) {
	stop := errors.New("stop")
	for name, config := range map[string]mapper.Config{
		"lease": {Lease: time.Minute, Timeout: 2 * time.Minute},
		"skew":  {Lease: time.Millisecond, MaxClockSkew: time.Minute, Now: func() time.Time { return time.Now().Add(50 * time.Second) }},
	} {
		t.Run(name, func(t *testing.T) {
			backend := memory.New(memory.Config{})
			openUnserved(t, backend, config)
			config.Now, config.Logger = nil, discardLogger
			s, err := invoice.OpenBackend(t.Context(), backend, config)
			require.NoError(t, err)
			ctx, cancel := context.WithCancelCause(t.Context())
			defer time.AfterFunc(200*time.Millisecond, func() { cancel(stop) }).Stop()
			err = s.FanOut(ctx, mapper.FanOutConfig{Progress: func(mapper.FanOutProgress) { t.Error("nothing is served, and nothing fails") }})
			require.ErrorIs(t, err, stop)
			v, err := s.Invoices.Get(t.Context(), 1)
			require.NoError(t, err)
			require.Equal(t, "a", v.PayerName)
		})
	}
}

// A run without Follow that its context ends also returns the first error of its last pass.
func TestFanOutThatItsContextEnds(t *testing.T) {
	backend := memory.New(memory.Config{})
	s := openUnserved(t, backend, mapper.Config{Lease: time.Millisecond})
	time.Sleep(5 * time.Millisecond) // longer than Config.Lease
	backend.Intercept(refuseReads("invoices__payer_holders"))
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	err := s.FanOut(ctx, mapper.FanOutConfig{Progress: func(mapper.FanOutProgress) { cancel(stop) }})
	require.ErrorIs(t, err, stop)
	require.ErrorContains(t, err, "too few replicas")
}
