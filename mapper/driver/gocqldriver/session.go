package gocqldriver

import (
	"context"
	"errors"
	"sync"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"

	"github.com/cassaml/cassaml/internal/substitute"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/driver/internal/seal"
	"github.com/cassaml/cassaml/mapper/driver/internal/shared"
)

// session is a session of gocql.
type session struct {
	values
	gocqlx gocqlx.Session
	nodes  *Nodes
}

// New returns a session that sends its requests through a session of gocqlx. The nodes are the policy that the cluster's configuration had
// when the session was created; without one, requests cannot be sent to a given node.
func New(s gocqlx.Session, nodes ...*Nodes) driver.Session {
	if s.Session != nil {
		if other := substitute.Session(s.Session); other != nil {
			return substituted{other, s}
		}
	}
	out := &session{gocqlx: s}
	if len(nodes) > 0 {
		out.nodes = nodes[0]
	}
	return out
}

// Session returns the session that New was given. If s is nil or of another driver, it returns one that is closed: each request fails with
// gocql.ErrSessionClosed.
func Session(s driver.Session) gocqlx.Session {
	switch s := s.(type) {
	case *session:
		return s.gocqlx
	case substituted:
		return s.gocqlx
	}
	closed := new(gocql.Session)
	closed.Close()
	return gocqlx.NewSession(closed)
}

// substituted sends requests through the session of another driver, in the tests of this module.
type substituted struct {
	driver.Session
	gocqlx gocqlx.Session
}

// Sealed implements driver.Session.
func (*session) Sealed(seal.Token) {}

// Check returns an error if the session is the zero value.
func (s *session) Check() error {
	if s.gocqlx.Session == nil {
		return errors.New("the session is the zero value: create one with gocqlx.WrapSession")
	}
	return nil
}

// Shared returns the map of the *gocql.Session.
func (s *session) Shared() *sync.Map { return shared.Map(s.gocqlx.Session) }

// Keyspace returns the keyspace of the cluster's configuration.
func (s *session) Keyspace() string { return s.gocqlx.Session.Query("").Keyspace() }

// Query sends a statement.
func (s *session) Query(ctx context.Context, q driver.Query) driver.Rows {
	if q.Node != "" {
		ctx = context.WithValue(ctx, nodeKey{}, q.Node)
	}
	g := s.bind(ctx, &q)
	switch q.Attempts {
	case driver.Once:
		g.RetryPolicy(nil).Idempotent(false)
	case driver.Reread:
		g.RetryPolicy(rereads{})
	case driver.Repeat:
		g.RetryPolicy(repeats).Idempotent(true)
	}
	if q.Consistency != 0 {
		g.Consistency(gocql.Consistency(q.Consistency))
	}
	if q.Serial != 0 {
		g.SerialConsistency(gocql.SerialConsistency(q.Serial))
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
	if !q.Metadata {
		return (*rows)(g.Iter())
	}
	defer g.Release()
	return (*rows)(g.NoSkipMetadata().Iter())
}

// bind returns the driver's query of a statement. A token-aware policy sends each query with a routing key to the same replica first;
// without one, which a query with a function that binds has not, the nodes take turns.
func (s *session) bind(ctx context.Context, q *driver.Query) *gocql.Query {
	if !q.Unrouted {
		return withContext(ctx, s.gocqlx.Session.Query(q.CQL, q.Args...))
	}
	args := q.Args
	return withContext(ctx, s.gocqlx.Session.Bind(q.CQL, func(*gocql.QueryInfo) ([]any, error) { return args, nil }))
}

// withContext returns a copy of a query with a context. It releases the original, whose storage the driver can then use again.
func withContext(ctx context.Context, q *gocql.Query) *gocql.Query {
	defer q.Release()
	return q.WithContext(ctx)
}

// Nodes returns the addresses of the nodes that the policy of New knows.
func (s *session) Nodes() ([]string, error) {
	if s.nodes == nil {
		return nil, errors.New("the session has no gocqldriver.Nodes, so it cannot send a request to a given node")
	}
	return s.nodes.addresses(), nil
}

// Batch returns an empty batch.
func (s *session) Batch(ctx context.Context, c driver.BatchConfig, size int) driver.Batch {
	kind := gocql.LoggedBatch
	if c.Unlogged {
		kind = gocql.UnloggedBatch
	}
	b := &batch{Batch: *s.gocqlx.Session.NewBatch(kind).WithContext(ctx), session: s.gocqlx.Session}
	b.Entries = make([]gocql.BatchEntry, 0, size)
	switch c.Attempts {
	case driver.Once:
		b.RetryPolicy(nil)
	case driver.Repeat:
		b.RetryPolicy(repeats)
		b.repeats = true
	}
	if c.NoTimestamp {
		b.DefaultTimestamp(false)
	}
	if c.Serial != 0 {
		b.Batch.SerialConsistency(gocql.SerialConsistency(c.Serial))
	}
	if c.Consistency != 0 {
		b.SetConsistency(gocql.Consistency(c.Consistency))
	}
	return b
}

// batch is a batch of gocql with the session that sends it.
type batch struct {
	gocql.Batch
	session *gocql.Session
	repeats bool
}

// Add adds a statement.
func (b *batch) Add(cql string, args []any) {
	b.Entries = append(b.Entries, gocql.BatchEntry{Stmt: cql, Args: args, Idempotent: b.repeats})
}

// Exec sends the batch.
func (b *batch) Exec() error { return NewError(b.session.ExecuteBatch(&b.Batch)) }

// ExecCAS sends a batch with conditions. The answer to an applied batch has one column. The answer to a refused batch has the columns
// of the existing rows, which do not show which condition failed.
func (b *batch) ExecCAS() (bool, error) {
	applied, _, err := b.QueryCAS()
	return applied, err
}

// QueryCAS is like ExecCAS, with destinations for an existing row. The driver accepts only as many as the answer has columns.
func (b *batch) QueryCAS(into ...any) (bool, []string, error) {
	applied, it, err := b.session.ExecuteBatchCAS(&b.Batch, into...)
	if err != nil {
		return false, nil, NewError(err)
	}
	columns := it.Columns()
	switch err := it.Close(); {
	case len(columns) == 0:
		return false, nil, &driver.Error{Err: driver.ErrNotConditional}
	case len(columns) == 1:
		return applied, nil, NewError(err)
	case len(columns) != 1+len(into):
		return false, nil, nil // err is about the number of destinations
	case err != nil:
		return false, nil, NewError(err)
	}
	var names []string
	for _, c := range columns[1:] {
		names = append(names, c.Name)
	}
	return false, names, nil
}

// tracer is called when a traced request is answered: the driver passes the ID of the trace, which is part of the answer, before it waits
// for the nodes.
type tracer func()

// Trace implements gocql.Tracer.
func (answered tracer) Trace([]byte) { answered() }
