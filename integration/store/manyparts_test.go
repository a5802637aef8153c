package store

import (
	"context"
	"flag"
	"fmt"
	"iter"
	"runtime"
	"testing"

	"github.com/gocql/gocql"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/part"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
)

var manyParts = flag.Int("parts", 2000, "the number of parts of one root that are inserted, read and deleted on a node")

// mostHeap is how much the heap may grow, whatever the number of parts is.
const mostHeap = 48 << 20

// heap measures the growth of the heap.
type heap struct{ before, most uint64 }

func newHeap() *heap {
	h := &heap{}
	h.measure()
	h.before = h.most
	return h
}

func (h *heap) measure() {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	h.most = max(h.most, m.HeapAlloc)
}

// Many parts of one root are inserted, read and scanned with flat memory, although their partition has more than one page, and deleted with as many requests as none. The test is not parallel,
// because it measures the heap.
func TestManyParts(t *testing.T) {
	sent := &storetest.Requests{}
	session := storetest.SharedTables(t, storetest.SchemaFile(t, "../models/part"))
	s, err := part.Open(t.Context(), session, mapper.Config{})
	require.NoError(t, err)
	traced, err := part.Open(t.Context(), session, mapper.Config{Tracer: sent})
	require.NoError(t, err)
	ctx, n := t.Context(), *manyParts
	full, empty := gocql.TimeUUID(), gocql.TimeUUID()
	for _, id := range []gocql.UUID{full, empty} {
		require.NoError(t, s.Games.Insert(ctx, &part.Game{Region: "north", ID: id, Name: id.String()}))
	}
	memory := newHeap()
	each := max(1, n/10)
	res, err := s.Rounds.InsertAll(ctx, rounds(full, n, func(i int) {
		if i%each == 0 {
			memory.measure()
		}
	}), mapper.BulkConfig{})
	require.NoError(t, err)
	require.Equal(t, n, res.Written)

	read := 0
	for r, err := range s.Rounds.Of("north", full).Reverse().All(ctx) {
		require.NoError(t, err)
		require.Equal(t, int32(read), r.Number)
		if read++; read%each == 0 {
			memory.measure()
		}
	}
	require.Equal(t, n, read)
	read = 0
	require.NoError(t, s.Rounds.Scan(ctx, mapper.ScanConfig{Slices: 4}, func(_ context.Context, r *part.Round) error {
		require.Equal(t, int32(n-1-read), r.Number, "one partition, in its order")
		if read++; read%each == 0 {
			memory.measure()
		}
		return nil
	}))
	require.Equal(t, n, read)
	require.Less(t, memory.most-memory.before, uint64(mostHeap))

	deleted := func(id gocql.UUID) []string {
		sent.Drain()
		require.NoError(t, traced.Games.Delete(ctx, "north", id))
		all, requests := statements(sent)
		return append(all, fmt.Sprint(requests))
	}
	require.Equal(t, deleted(empty), deleted(full))
	require.Empty(t, collected(t, s.Rounds.Of("north", full).All(ctx)))
}

// rounds returns the rounds of a game, and calls f before each.
func rounds(game gocql.UUID, n int, f func(i int)) iter.Seq2[*part.Round, error] {
	return sequence(n, func(i int) *part.Round {
		f(i)
		return &part.Round{Region: "north", GameID: game, Number: int32(i), Winner: "Ana"}
	})
}
