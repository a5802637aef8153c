package store

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/models/invoice"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
)

// invoiceReads is a tracer that counts the reads of invoices, and calls do when a number of them have been sent.
type invoiceReads struct {
	sent   atomic.Int64
	number int64 // 0: never
	do     func()
}

func (r *invoiceReads) Start(ctx context.Context, q mapper.Request) context.Context {
	if strings.Contains(q.Statements[0].CQL, "FROM invoices WHERE") && r.sent.Add(1) == r.number {
		r.do()
	}
	return ctx
}

func (*invoiceReads) End(context.Context, mapper.RequestResult) {}

// insertInvoices inserts invoices of the customer 1, whose guest is the customer 2.
func insertInvoices(t *testing.T, s *invoice.Store, n int32) {
	t.Helper()
	var all sync.WaitGroup
	var next atomic.Int32
	for range 8 {
		all.Go(func() {
			for id := next.Add(1); id <= n; id = next.Add(1) {
				if err := s.Invoices.Insert(t.Context(), &invoice.Invoice{ID: id, Payer: 1, Guest: new(int32(2))}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
}

// A process that ends in the middle of a fan-out is replaced when its lease expires. The next one continues from the last checkpoint.
func TestFanOutContinues(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	const invoices, killed = 1200, 1100
	session := storetest.SharedTables(t, invoice.Schema)
	s, err := invoice.Open(ctx, session, mapper.Config{FanOutInline: 3})
	require.NoError(t, err)
	insertCustomers(t, s, "a", "b")
	insertInvoices(t, s, invoices)
	rename(t, s, 2, "c")
	inAnHour := func() time.Time { return time.Now().Add(time.Hour) } // the save has ended, whatever the time of a lease
	config := mapper.Config{FanOutInline: 3, Lease: 10 * time.Minute, Timeout: 20 * time.Minute, Now: inAnHour, MaxClockSkew: -1}

	cluster := cassandra.Test(t).Cluster()
	cluster.Keyspace = gocqldriver.New(session).Keyspace()
	dying, err := cassandra.CreateSession(ctx, cluster)
	require.NoError(t, err)
	running, end := context.WithCancel(ctx)
	defer end()
	first := &invoiceReads{number: killed, do: func() { dying.Close(); end() }}
	config.Tracer = first
	one, err := invoice.Open(ctx, gocqlx.NewSession(dying), config)
	require.NoError(t, err)
	require.ErrorIs(t, one.FanOut(running, mapper.FanOutConfig{}), context.Canceled)
	expireLeases(t, session)

	rest := &invoiceReads{}
	config.Tracer = rest
	two, err := invoice.Open(ctx, session, config)
	require.NoError(t, err)
	require.NoError(t, two.FanOut(ctx, mapper.FanOutConfig{}))
	require.Equal(t, int64(invoices-1000), rest.sent.Load(), "the checkpoint is after 1,000")
	for id := int32(1); id <= invoices; id++ {
		v, err := s.Invoices.Get(ctx, id)
		require.NoError(t, err)
		require.Equal(t, new("c"), v.GuestName)
	}
	var epoch int64
	require.NoError(t, session.Session.Query("SELECT max(epoch) FROM aml_work").Scan(&epoch))
	require.Equal(t, int64(2), epoch, "the second process has taken the lease of the first")
}

// expireLeases removes the presence of all workers, as the end of the time of their leases does.
func expireLeases(t *testing.T, session gocqlx.Session) {
	t.Helper()
	owners := session.Session.Query("SELECT job FROM aml_work WHERE tbl = 'owner' ALLOW FILTERING").Iter()
	var job string
	for owners.Scan(&job) {
		storetest.Execute(t, session, "DELETE FROM aml_work WHERE job = '"+job+"' AND phase = '' AND tbl = 'owner' AND slice = 0")
	}
	require.NoError(t, owners.Close())
}
