package store

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/garage"
	"github.com/cassaml/cassaml/integration/models/stock"
	"github.com/cassaml/cassaml/integration/models/trace"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

// With Options.Verified, the rows of several partitions are those that follow from their roots. Only the roots of rows that are
// returned are read.
func TestEachPartitionOfRoots(t *testing.T) {
	t.Parallel()
	onStores(t, generated[*garage.Store]{garage.Schema, garage.Open, garage.OpenBackend}, func(t *testing.T, s *garage.Store, sent *storetest.Requests) {
		for i := range int32(6) {
			city := []string{"Recife", "Olinda", "Natal"}[i%3]
			require.NoError(t, s.Customers.Insert(t.Context(), &garage.Customer{ID: i, Name: "Ana", City: &city}))
		}
		cities := []string{"Natal", "Recife", "Lisboa"}
		sent.Drain()
		ids := func(s *garage.Store) (ids []int32) {
			for _, c := range collected(t, s.CustomersByCity.OfEach(cities).IDAfter(0).Limit(2).All(t.Context())) {
				ids = append(ids, c.ID)
			}
			return ids
		}
		require.Equal(t, []int32{2, 3}, ids(s))
		require.Len(t, sent.Drain(), len(cities), "one read for each partition")
		require.Equal(t, []int32{2, 3}, ids(s.With(mapper.Options{Verified: true})))
		require.Len(t, sent.Drain(), len(cities)+2, "and one for each row that is returned")
	})
}

// Rows of several partitions are deleted as those of one.
func TestEachPartitionIsDeleted(t *testing.T) {
	t.Parallel()
	s, err := trace.OpenBackend(t.Context(), memory.New(memory.Config{}))
	require.NoError(t, err)
	for i := range 3 {
		for id := range int64(2) {
			require.NoError(t, s.Spans.Insert(t.Context(), &trace.Span{Trace: gocql.UUID{15: byte(i + 1)}, ID: id, Service: "shop", Operation: "buy"}))
		}
	}
	require.NoError(t, s.Spans.OfEach([]gocql.UUID{{15: 1}, {15: 3}}).IDFrom(1).Delete(t.Context()))
	var left []int64
	for _, x := range collected(t, s.Spans.OfEach([]gocql.UUID{{15: 1}, {15: 2}, {15: 3}}).All(t.Context())) {
		left = append(left, x.ID)
	}
	require.Equal(t, []int64{0, 0, 0, 1}, left)
	require.Len(t, collected(t, s.SpansByService.Of("shop").All(t.Context())), 4, "and their copies")
}

// If the time limit of a call has ended before a request is sent, the error names the call. A query without keys sends nothing.
func TestEachPartitionOutOfTime(t *testing.T) {
	t.Parallel()
	store, err := stock.OpenBackend(t.Context(), memory.New(memory.Config{}), mapper.Config{Timeout: time.Nanosecond})
	require.NoError(t, err)
	ports := make([]string, 17)
	for i := range ports {
		ports[i] = fmt.Sprint("port ", i)
	}
	for _, n := range []int{1, 2, 16, 17} {
		err := failureOf(store.StopsByPort.OfEach(ports[:n]).All(t.Context()))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.ErrorContains(t, err, "mapper: All StopByPort (stops_by_port", "%d keys", n)
	}
	require.NoError(t, failureOf(store.StopsByPort.OfEach(nil).All(t.Context())))
}
