package store

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/directory"
	"github.com/cassaml/cassaml/integration/models/hotel"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

// exiting is a tracer that, once it is on, ends the goroutine of each request, as a failed assertion of a test does.
type exiting struct{ on atomic.Bool }

func (*exiting) Start(ctx context.Context, _ mapper.Request) context.Context { return ctx }

func (e *exiting) End(context.Context, mapper.RequestResult) {
	if e.on.Load() {
		runtime.Goexit()
	}
}

const exited = "the callback has ended its goroutine"

// InsertAll whose callbacks end its goroutines returns an error. Its result has all values that can be written.
func TestInsertAllWhoseCallbacksExit(t *testing.T) {
	t.Parallel()
	tracer := &exiting{}
	tracer.on.Store(true)
	for name, c := range map[string]struct {
		config mapper.BulkConfig
		tracer mapper.Tracer
	}{
		"progress": {config: mapper.BulkConfig{Parallel: 2, Progress: func(int) { runtime.Goexit() }}},
		"tracer":   {config: mapper.BulkConfig{Parallel: 2}, tracer: tracer},
	} {
		backend := memory.New(memory.Config{})
		s, err := directory.OpenBackend(t.Context(), backend, mapper.Config{Tracer: c.tracer})
		require.NoError(t, err)
		res, err := s.Contacts.InsertAll(t.Context(), sequence(9, func(i int) *directory.Contact { return bulkContact(i, false) }), c.config)
		require.ErrorContains(t, err, exited, name)
		require.Less(t, res.Written, 9, name)
		untraced, err := directory.OpenBackend(t.Context(), backend)
		require.NoError(t, err)
		for i := range 9 {
			named := i < res.Written || slices.ContainsFunc(res.Unknown, func(x [2]int) bool { return x[0] <= i && i < x[1] })
			_, err := untraced.Contacts.Get(t.Context(), fmt.Sprint(i))
			require.True(t, err != nil || named, "%s: value %d is written, not in %+v", name, i, res)
		}
	}
}

// A read whose tracer ends the goroutine of a page that is read ahead, or of a request that can be sent a second time, returns an error.
func TestReadsWhoseTracerExits(t *testing.T) {
	t.Parallel()
	ctx, tracer := t.Context(), &exiting{}
	s, err := hotel.OpenBackend(ctx, memory.New(memory.Config{}), mapper.Config{Tracer: tracer})
	require.NoError(t, err)
	for night := range int32(9) {
		for _, room := range []string{"a", "b"} {
			require.NoError(t, s.Bookings.Insert(ctx, &hotel.Booking{Room: room, Night: night}))
		}
	}
	for _, err = range s.Bookings.OfEach([]string{"a", "b"}).PageSize(2).All(ctx) {
		tracer.on.Store(true) // the first pages have been read
	}
	require.ErrorContains(t, err, exited)
	_, err = s.With(mapper.Options{SpeculativeDelay: 1}).Bookings.Get(ctx, "a", 1)
	require.ErrorContains(t, err, exited)
}
