package store

import (
	"encoding/binary"
	"flag"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/invoice"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
)

var servedOutboxes = flag.Int("outboxes", 20_000, "the number of served outboxes after which FanOut finds work on a node")

const outboxShards = 64

// findWork is the longest time in which FanOut finds a root whose copies have to follow, and serves it, whatever has been served before. On an idle
// machine it is below a second.
const findWork = 20 * time.Second

// FanOut finds work although many outboxes have been served: the partitions that it reads have a tombstone for each of them until a compaction.
func TestFanOutAfterManyServedOutboxes(t *testing.T) {
	ctx := t.Context()
	session := storetest.OwnTables(t, invoice.Schema)
	s, err := invoice.Open(ctx, session, mapper.Config{FanOutInline: -1, Lease: 10 * time.Millisecond})
	require.NoError(t, err)
	insertCustomers(t, s, "a", "b")
	require.NoError(t, s.Invoices.Insert(ctx, &invoice.Invoice{ID: 1, Payer: 1}))
	find := func(name string) time.Duration {
		rename(t, s, 1, name)
		time.Sleep(20 * time.Millisecond) // longer than Config.Lease
		began := time.Now()
		var last mapper.FanOutProgress
		require.NoError(t, s.FanOut(ctx, mapper.FanOutConfig{Progress: func(p mapper.FanOutProgress) { last = p }}))
		took := time.Since(began)
		require.Equal(t, mapper.FanOutProgress{Served: 1}, last)
		v, err := s.Invoices.Get(ctx, 1)
		require.NoError(t, err)
		require.Equal(t, name, v.PayerName)
		return took
	}
	find("warm")
	before := find("before")
	listed := time.Now()
	serveOutboxes(t, session, *servedOutboxes)
	t.Logf("%d outboxes were listed and served in %v", *servedOutboxes, time.Since(listed))
	for _, name := range []string{"after", "again"} {
		after := find(name)
		t.Logf("FanOut took %v before, %v %s", before, after, name)
		require.Less(t, after, findWork)
	}
}

// serveOutboxes writes rows of the table of outboxes, of roots that do not exist, and deletes them, as saves and FanOut do.
func serveOutboxes(t *testing.T, session gocqlx.Session, n int) {
	t.Helper()
	const each = 100
	var wg sync.WaitGroup
	next := make(chan int)
	for range 4 * runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for first := range next {
				for _, statement := range []string{"INSERT INTO aml_outboxes (shard, source, key, aml_ver) VALUES (?, ?, ?, 5) USING TIMESTAMP 5",
					"DELETE FROM aml_outboxes USING TIMESTAMP 5 WHERE shard = ? AND source = ? AND key = ?"} {
					b := session.Session.NewBatch(gocql.UnloggedBatch)
					for i := range each {
						key := binary.BigEndian.AppendUint32([]byte{0, 0, 0, 4}, uint32(first+i))
						b.Query(statement, first/each%outboxShards, "customers", key)
					}
					if err := session.Session.ExecuteBatch(b); err != nil {
						t.Error(err)
						return
					}
				}
			}
		})
	}
	for first := 0; first < n; first += each {
		next <- first
	}
	close(next)
	wg.Wait()
}
