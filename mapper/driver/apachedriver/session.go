package apachedriver

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	gocql "github.com/apache/cassandra-gocql-driver/v2"

	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/driver/internal/seal"
	"github.com/cassaml/cassaml/mapper/driver/internal/shared"
)

// session is a session of Apache's driver.
type session struct {
	values
	own *gocql.Session
}

// New returns a session that sends its requests through a session of Apache's driver.
func New(s *gocql.Session) driver.Session { return &session{own: s} }

// Session returns the session that New was given. If s is nil or of another driver, it returns one that is closed: each request fails with
// gocql.ErrSessionClosed.
func Session(s driver.Session) *gocql.Session {
	if own, ok := s.(*session); ok {
		return own.own
	}
	closed := new(gocql.Session)
	closed.Close()
	return closed
}

// Sealed implements driver.Session.
func (*session) Sealed(seal.Token) {}

// Check returns an error if the session is nil.
func (s *session) Check() error {
	if s.own == nil {
		return errors.New("the session is nil: create one with CreateSession of a gocql.ClusterConfig")
	}
	return nil
}

// Shared returns the map of the *gocql.Session.
func (s *session) Shared() *sync.Map { return shared.Map(s.own) }

// Keyspace returns the keyspace of the cluster's configuration.
func (s *session) Keyspace() string { return s.own.Query("").Keyspace() }

// Query sends a statement.
func (s *session) Query(ctx context.Context, q driver.Query) driver.Rows {
	g := s.bind(&q)
	switch q.Attempts {
	case driver.Once:
		g.RetryPolicy(nil).Idempotent(false)
	case driver.Reread:
		g.RetryPolicy(rereads{}).Idempotent(true) // the driver repeats no other query
	case driver.Repeat:
		g.RetryPolicy(repeats).Idempotent(true)
	}
	if q.Consistency != 0 {
		g.Consistency(gocql.Consistency(q.Consistency))
	}
	if q.Serial != 0 {
		g.SerialConsistency(gocql.Consistency(q.Serial))
	}
	if q.PageSize != 0 {
		g.PageSize(max(0, q.PageSize))
	}
	switch q.Pages {
	case driver.Needed:
		g.Prefetch(0)
	case driver.Single:
		g.PageState(q.PageState)
	}
	if q.NoTimestamp {
		g.DefaultTimestamp(false)
	}
	if q.Answered != nil {
		g.Trace(tracer(q.Answered))
	}
	if q.Metadata {
		g.NoSkipMetadata()
	}
	if q.Node != "" {
		host := s.host(q.Node)
		if host == nil {
			return failed{&driver.Error{Class: driver.NotConnected, Err: fmt.Errorf("the driver knows no node %s", q.Node)}}
		}
		g.SetHostID(host.HostID())
	}
	return (*rows)(g.IterContext(ctx))
}

// bind returns the driver's query of a statement. A token-aware policy sends each query with a routing key to the same replica first;
// without one, which a query with a function that binds has not, the nodes take turns.
func (s *session) bind(q *driver.Query) *gocql.Query {
	if !q.Unrouted {
		return s.own.Query(q.CQL, q.Args...)
	}
	args := q.Args
	return s.own.Bind(q.CQL, func(*gocql.QueryInfo) ([]any, error) { return args, nil })
}

// host returns the node with an address, or nil.
func (s *session) host(address string) *gocql.HostInfo {
	all := s.own.GetHosts()
	i := slices.IndexFunc(all, func(h *gocql.HostInfo) bool { return h.ConnectAddressAndPort() == address })
	if i < 0 {
		return nil
	}
	return all[i]
}

// Nodes returns the addresses of the nodes that the driver knows.
func (s *session) Nodes() ([]string, error) {
	var out []string
	for _, h := range s.own.GetHosts() {
		out = append(out, h.ConnectAddressAndPort())
	}
	slices.Sort(out)
	return out, nil
}

// Batch returns an empty batch.
func (s *session) Batch(ctx context.Context, c driver.BatchConfig, size int) driver.Batch {
	kind := gocql.LoggedBatch
	if c.Unlogged {
		kind = gocql.UnloggedBatch
	}
	g := s.own.Batch(kind)
	g.Entries = make([]gocql.BatchEntry, 0, size)
	b := &batch{Batch: g, ctx: ctx}
	switch c.Attempts {
	case driver.Once:
		g.RetryPolicy(nil)
	case driver.Repeat:
		g.RetryPolicy(repeats)
		b.repeats = true
	}
	if c.NoTimestamp {
		g.DefaultTimestamp(false)
	}
	if c.Serial != 0 {
		g.SerialConsistency(gocql.Consistency(c.Serial))
	}
	if c.Consistency != 0 {
		g.Consistency(gocql.Consistency(c.Consistency))
	}
	return b
}

// batch is a batch of the driver with its context.
type batch struct {
	*gocql.Batch
	ctx     context.Context
	repeats bool
}

// Add adds a statement.
func (b *batch) Add(cql string, args []any) {
	b.Entries = append(b.Entries, gocql.BatchEntry{Stmt: cql, Args: args, Idempotent: b.repeats})
}

// Exec sends the batch.
func (b *batch) Exec() error { return NewError(b.ExecContext(b.ctx)) }

// ExecCAS sends a batch with conditions. The answer to an applied batch has one column. The answer to a refused one has those of the
// existing rows, which do not show which condition failed.
func (b *batch) ExecCAS() (bool, error) {
	applied, _, err := b.QueryCAS()
	return applied, err
}

// QueryCAS is like ExecCAS, with destinations for an existing row.
func (b *batch) QueryCAS(into ...any) (applied bool, names []string, err error) {
	it := b.IterContext(b.ctx)
	columns := it.Columns()
	switch {
	case len(columns) == 1:
		it.Scan(&applied)
	case len(columns) == 1+len(into):
		it.Scan(append([]any{&applied}, into...)...)
		for _, c := range columns[1:] {
			names = append(names, c.Name)
		}
	}
	switch err := it.Close(); {
	case err != nil:
		return false, nil, NewError(err)
	case len(columns) == 0:
		return false, nil, &driver.Error{Err: driver.ErrNotConditional}
	}
	return applied, names, nil
}

// tracer is called when a traced request is answered: the driver passes the ID of the trace, which is part of the answer, before it waits
// for the nodes.
type tracer func()

// Trace implements gocql.Tracer.
func (answered tracer) Trace([]byte) { answered() }
