package conformance

import (
	"context"
	"errors"
	"io"
	"net"
	"sync"
	"syscall"
	"testing"
	"time"

	apache "github.com/apache/cassandra-gocql-driver/v2"
	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/network"
	"github.com/cassaml/cassaml/internal/substitute"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/driver/apachedriver"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
)

// oneNode connects to one node, whatever the address: a driver has several nodes, all of which are this one.
type oneNode struct {
	network.Dialer
	address string
}

// DialContext connects to the node.
func (n *oneNode) DialContext(ctx context.Context, proto, _ string) (net.Conn, error) {
	return n.Dialer.DialContext(ctx, proto, n.address)
}

// lossyDriver is a session of a driver that has four nodes, and whose answers can be replaced.
type lossyDriver struct {
	*oneNode
	session driver.Session
	write   func(cql string) error // writes with the policy of the session, which repeats four times
}

// lossyDrivers opens a session of each driver.
func lossyDrivers(t *testing.T, timeout time.Duration) map[string]lossyDriver {
	t.Helper()
	keyspace := cassandra.Tables(t, "CREATE TABLE t (p int PRIMARY KEY, v int)")
	node := cassandra.Test(t).Hosts()[0]
	_, port, err := net.SplitHostPort(node)
	require.NoError(t, err)
	var hosts []string
	for _, host := range []string{"127.0.1.1", "127.0.1.2", "127.0.1.3", "127.0.1.4"} {
		hosts = append(hosts, net.JoinHostPort(host, port))
	}
	name := keyspace.Query("", nil).Keyspace()
	const attempts = 4

	older, forOlder := gocql.NewCluster(hosts...), &oneNode{address: node}
	older.Keyspace, older.ProtoVersion, older.Timeout, older.Dialer, older.DisableInitialHostLookup = name, 4, timeout, forOlder, true
	older.RetryPolicy = &gocql.SimpleRetryPolicy{NumRetries: attempts - 1}
	a, err := gocqlx.WrapSession(older.CreateSession())
	require.NoError(t, err)
	t.Cleanup(a.Close)
	substitute.Set(a.Session, nil)

	newer, forNewer := apache.NewCluster(hosts...), &oneNode{address: node}
	newer.Keyspace, newer.ProtoVersion, newer.Timeout, newer.Dialer, newer.DisableInitialHostLookup = name, 4, timeout, forNewer, true
	newer.RetryPolicy = &apache.SimpleRetryPolicy{NumRetries: attempts - 1}
	b, err := newer.CreateSession()
	require.NoError(t, err)
	t.Cleanup(b.Close)
	return map[string]lossyDriver{
		"gocql":  {forOlder, gocqldriver.New(a), func(cql string) error { return a.Session.Query(cql).Exec() }},
		"apache": {forNewer, apachedriver.New(b), func(cql string) error { return b.Query(cql).Exec() }},
	}
}

// A read is repeated on other nodes, at most twice, if the failure can be limited to one node. A statement with Once is sent once.
func TestAttemptsOfDrivers(t *testing.T) {
	t.Parallel()
	for name, d := range lossyDrivers(t, 30*time.Second) {
		t.Run(name, func(t *testing.T) {
			send := func(q driver.Query, kind network.Kind, answers ...network.Answer) (attempts int, err error) {
				require.NoError(t, d.session.Query(t.Context(), q).Close(), "it is prepared")
				before := d.Count(kind)
				d.Next(kind, answers...)
				err = d.session.Query(t.Context(), q).Close()
				d.Next(kind)
				return d.Count(kind) - before, err
			}
			read := driver.Query{CQL: "SELECT v FROM t WHERE p = 1", Attempts: driver.Reread, Consistency: driver.LocalQuorum}
			failure := network.ReadTimeout()
			attempts, err := send(read, network.Rows, failure, network.Overloaded())
			require.NoError(t, err)
			require.Equal(t, 3, attempts)
			attempts, err = send(read, network.Rows, failure, failure, failure, failure)
			requireCode(t, driver.CodeReadTimeout, err)
			require.Equal(t, 3, attempts)
			attempts, err = send(read, network.Rows, network.WriteTimeout("CAS"))
			requireCode(t, driver.CodeWriteTimeout, err)
			require.Equal(t, 1, attempts, "no other node can help")
			read.Attempts = driver.Once
			attempts, err = send(read, network.Rows, failure)
			requireCode(t, driver.CodeReadTimeout, err)
			require.Equal(t, 1, attempts)

			write := driver.Query{CQL: "UPDATE t SET v = 1 WHERE p = 1", Attempts: driver.Once}
			lost := network.WriteTimeout("SIMPLE")
			attempts, err = send(write, network.Written, lost)
			requireCode(t, driver.CodeWriteTimeout, err)
			require.Equal(t, 1, attempts)
			write.Attempts = driver.Repeat
			attempts, err = send(write, network.Written, lost, lost, lost)
			require.NoError(t, err)
			require.Equal(t, 4, attempts)
			for policy, want := range map[driver.Attempts]int{driver.Once: 1, driver.Repeat: 4} {
				d.Next(network.Written, lost, lost, lost)
				before := d.Count(network.Written)
				b := d.session.Batch(t.Context(), driver.BatchConfig{Attempts: policy}, 1)
				b.Add("UPDATE t SET v = 1 WHERE p = 1", nil)
				require.Equal(t, want == 1, b.Exec() != nil)
				require.Equal(t, want, d.Count(network.Written)-before)
				d.Next(network.Written)
			}
		})
	}
}

// A session's retry policy repeats each statement over gocql. Apache's driver repeats only statements that are marked as idempotent.
func TestRetryPolicyOfASession(t *testing.T) {
	t.Parallel()
	for name, d := range lossyDrivers(t, 30*time.Second) {
		const cql = "UPDATE t SET v = 2 WHERE p = 2"
		require.NoError(t, d.write(cql))
		before := d.Count(network.Written)
		lost := network.WriteTimeout("SIMPLE")
		d.Next(network.Written, lost, lost, lost)
		err := d.write(cql)
		if name == "gocql" {
			require.NoError(t, err)
			require.Equal(t, 4, d.Count(network.Written)-before)
			continue
		}
		require.ErrorContains(t, err, "the replicas took too long")
		require.Equal(t, 1, d.Count(network.Written)-before)
	}
}

// A call whose context ends while the driver waits for the answer returns the error of the context at once; the connection stays in use.
func TestContextsOfDrivers(t *testing.T) {
	t.Parallel()
	for name, d := range lossyDrivers(t, 30*time.Second) {
		q := driver.Query{CQL: "SELECT v FROM t WHERE p = 3", Attempts: driver.Reread}
		require.NoError(t, d.session.Query(t.Context(), q).Close())
		for want, start := range map[error]func() (context.Context, context.CancelFunc){
			context.Canceled: func() (context.Context, context.CancelFunc) {
				ctx, cancel := context.WithCancel(t.Context())
				go func() {
					for before := d.Count(network.Rows); d.Count(network.Rows) == before; {
						time.Sleep(time.Millisecond)
					}
					cancel()
				}()
				return ctx, cancel
			},
			context.DeadlineExceeded: func() (context.Context, context.CancelFunc) {
				return context.WithTimeout(t.Context(), 100*time.Millisecond)
			},
		} {
			d.Next(network.Rows, network.Lost)
			ctx, cancel := start()
			err := d.session.Query(ctx, q).Close()
			cancel()
			require.ErrorIs(t, err, want, name)
			require.False(t, driver.NotSent(err), name)
			d.Next(network.Rows)
			require.NoError(t, d.session.Query(t.Context(), q).Close())
		}
	}
}

// A request whose answer does not arrive in time may have been executed.
func TestTimeoutsOfDrivers(t *testing.T) {
	t.Parallel()
	for name, d := range lossyDrivers(t, 300*time.Millisecond) {
		d.Every(network.Lost)
		err := d.session.Query(t.Context(), driver.Query{CQL: "UPDATE t SET v = 1 WHERE p = 4"}).Close()
		b := d.session.Batch(t.Context(), driver.BatchConfig{}, 1)
		b.Add("UPDATE t SET v = 1 WHERE p = 4", nil)
		for _, err := range []error{err, b.Exec()} {
			e, ok := errors.AsType[*driver.Error](err)
			require.True(t, ok)
			require.Equal(t, driver.NoAnswer, e.Class, "%s: %v", name, err)
			require.False(t, driver.NotSent(err))
		}
	}
}

// A request whose connection breaks may have been executed.
func TestBrokenConnectionsOfDrivers(t *testing.T) {
	t.Parallel()
	keyspace := cassandra.Tables(t, "CREATE TABLE t (p int PRIMARY KEY, v int)")
	for version := 4; version <= 5; version++ {
		for _, ending := range []error{io.EOF, io.ErrUnexpectedEOF, &net.OpError{Op: "read", Err: syscall.ECONNRESET}} {
			r := &breaker{}
			for name, s := range openVersion(t, keyspace.Query("", nil).Keyspace(), version, r) {
				q := driver.Query{CQL: "UPDATE t SET v = 1 WHERE p = 5"}
				require.NoError(t, s.Query(t.Context(), q).Close())
				r.set(ending)
				err := s.Query(t.Context(), q).Close()
				r.set(nil)
				e, ok := errors.AsType[*driver.Error](err)
				require.True(t, ok)
				require.Equal(t, driver.Disconnected, e.Class, "%s: %v", name, err)
				require.False(t, driver.NotSent(err))
			}
		}
	}
}

// breaker connects to a node, and can end the connections as a node does that is stopped or killed: the driver reads the end of the
// connection, or that the other side has reset it, instead of an answer.
type breaker struct {
	mu     sync.Mutex
	ending error
}

func (b *breaker) set(ending error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ending = ending
}

// DialContext connects to a node.
func (b *breaker) DialContext(ctx context.Context, proto, address string) (net.Conn, error) {
	var d net.Dialer
	c, err := d.DialContext(ctx, proto, address)
	return &breaking{Conn: c, by: b}, err
}

// breaking is a connection of a breaker.
type breaking struct {
	net.Conn
	by *breaker
}

// Read reads an answer, and drops it if the connection breaks.
func (c *breaking) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.by.mu.Lock()
	defer c.by.mu.Unlock()
	if c.by.ending == nil {
		return n, err
	}
	_ = c.Conn.Close()
	return 0, c.by.ending
}

// requireCode requires that an error contains a code of the server.
func requireCode(t *testing.T, want int, err error) {
	t.Helper()
	code, ok := driver.Code(err)
	require.True(t, ok, "%v", err)
	require.Equal(t, want, code)
}
