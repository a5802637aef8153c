package conformance

import (
	"context"
	"encoding/binary"
	"fmt"
	"net"
	"sync"
	"testing"
	"time"

	apache "github.com/apache/cassandra-gocql-driver/v2"
	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/internal/substitute"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/driver/apachedriver"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
)

// recorder keeps the last request of each kind that a driver sends, in version 4 of the protocol, and counts them.
type recorder struct {
	mu      sync.Mutex
	sent    map[byte][]byte // by opcode
	count   map[byte]int
	version byte // in the first frame of the newest connection
}

func newRecorder() *recorder { return &recorder{sent: map[byte][]byte{}, count: map[byte]int{}} }

// The opcodes of requests.
const (
	opPrepare = 0x09
	opExecute = 0x0A
	opBatch   = 0x0D
)

// DialContext connects to a node.
func (r *recorder) DialContext(ctx context.Context, proto, address string) (net.Conn, error) {
	var d net.Dialer
	c, err := d.DialContext(ctx, proto, address)
	return &recorded{Conn: c, by: r}, err
}

func (r *recorder) last(op byte) []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.sent[op]
}

func (r *recorder) protocol() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return int(r.version)
}

func (r *recorder) prepared() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.count[opPrepare]
}

// recorded is a connection whose requests are recorded. A driver that does not wait for more requests writes one frame at a time.
type recorded struct {
	net.Conn
	by      *recorder
	started bool
}

func (c *recorded) Write(b []byte) (int, error) {
	const opcode = 4
	c.by.mu.Lock()
	if !c.started {
		c.started, c.by.version = true, b[0]
	}
	c.by.sent[b[opcode]] = append([]byte(nil), b...)
	c.by.count[b[opcode]]++
	c.by.mu.Unlock()
	return c.Conn.Write(b)
}

// openVersion opens a session of each driver with a version of the protocol, and a dialer if it is not nil. statements is the number of
// prepared statements that it keeps, if it is given.
func openVersion(t *testing.T, keyspace string, version int, dialer gocql.Dialer, statements ...int) map[string]driver.Session {
	t.Helper()
	hosts := cassandra.Test(t).Hosts()
	older := gocql.NewCluster(hosts...)
	older.Keyspace, older.ProtoVersion, older.Timeout, older.WriteCoalesceWaitTime, older.Dialer = keyspace, min(version, 4), 30*time.Second, 0, dialer
	newer := apache.NewCluster(hosts...)
	for _, n := range statements {
		older.MaxPreparedStmts, newer.MaxPreparedStmts = n, n
	}
	a, err := gocqlx.WrapSession(older.CreateSession())
	require.NoError(t, err)
	t.Cleanup(a.Close)
	substitute.Set(a.Session, nil)
	newer.Keyspace, newer.ProtoVersion, newer.Timeout, newer.WriteCoalesceWaitTime = keyspace, version, 30*time.Second, 0
	if dialer != nil {
		newer.Dialer = dialer
	}
	b, err := newer.CreateSession()
	require.NoError(t, err)
	t.Cleanup(b.Close)
	return map[string]driver.Session{"gocql": gocqldriver.New(a), "apache": apachedriver.New(b)}
}

// The levels of a request are sent: those of the conditions at the end of the frame, those of the write before them.
func TestLevelsAreSent(t *testing.T) {
	t.Parallel()
	keyspace := cassandra.Tables(t, "CREATE TABLE t (p int PRIMARY KEY, v int)")
	r := newRecorder()
	const cql = "UPDATE t SET v = ? WHERE p = 1 IF v = 2"
	for name, s := range openVersion(t, keyspace.Query("", nil).Keyspace(), 4, r) {
		for _, serial := range []driver.Consistency{driver.Serial, driver.LocalSerial} {
			for _, level := range []driver.Consistency{driver.One, driver.LocalQuorum} {
				v := bigEndian(1)
				q := driver.Query{CQL: cql, Args: []any{s.Value(&v)}, Consistency: level, Serial: serial, Metadata: true, NoTimestamp: true}
				require.NoError(t, s.Query(t.Context(), q).Close())
				sent := r.last(opExecute)
				require.EqualValues(t, serial, binary.BigEndian.Uint16(sent[len(sent)-2:]), name)
				id := int(binary.BigEndian.Uint16(sent[9:]))
				require.EqualValues(t, level, binary.BigEndian.Uint16(sent[11+id:]), name)

				b := s.Batch(t.Context(), driver.BatchConfig{Consistency: level, Serial: serial, NoTimestamp: true}, 1)
				b.Add(cql, []any{s.Value(&v)})
				_, err := b.ExecCAS()
				require.NoError(t, err)
				sent = r.last(opBatch)
				require.EqualValues(t, serial, binary.BigEndian.Uint16(sent[len(sent)-2:]), name)
				require.EqualValues(t, level, binary.BigEndian.Uint16(sent[len(sent)-5:]), name)
			}
		}
	}
}

// The bytes of a row stay valid while later rows and pages are read: they are slices of a frame that the driver does not use again.
func TestReceivedBytesAreKept(t *testing.T) {
	t.Parallel()
	const rows = 200
	keyspace := cassandra.Tables(t, "CREATE TABLE t (p int, c int, v text, PRIMARY KEY (p, c))")
	for c := range rows {
		require.NoError(t, keyspace.Session.Query("INSERT INTO t (p, c, v) VALUES (1, ?, ?)", c, fmt.Sprint("value ", c)).Exec())
	}
	for version := 4; version <= 5; version++ {
		for name, s := range openVersion(t, keyspace.Query("", nil).Keyspace(), version, nil) {
			kept := make([][]byte, rows)
			it := s.Query(t.Context(), driver.Query{CQL: "SELECT v FROM t WHERE p = 1", PageSize: 10, Pages: driver.Needed})
			var v []byte
			for c := range rows {
				require.True(t, it.Scan(s.Value(&v)), name)
				kept[c] = v
				require.Equal(t, len(kept[c]), cap(kept[c]))
			}
			require.False(t, it.Scan(nil))
			require.NoError(t, it.Close())
			for c, v := range kept {
				require.Equal(t, fmt.Sprint("value ", c), string(v), name)
			}
		}
	}
}

// Both drivers send their clock as the write time, unless NoTimestamp is set; a time in the statement overrides it.
func TestWriteTimesOfDrivers(t *testing.T) {
	t.Parallel()
	keyspace := cassandra.Tables(t, "CREATE TABLE t (p int PRIMARY KEY, v int)")
	r := newRecorder()
	for name, s := range openVersion(t, keyspace.Query("", nil).Keyspace(), 4, r) {
		sent := func(op byte, noTimestamp bool, using string) (flag bool, written int64) {
			v := bigEndian(1)
			args, cql := []any{s.Value(&v)}, "INSERT INTO t (p, v) VALUES (1, ?)"+using
			if op == opBatch {
				b := s.Batch(t.Context(), driver.BatchConfig{NoTimestamp: noTimestamp}, 1)
				b.Add(cql, args)
				require.NoError(t, b.Exec())
			} else {
				require.NoError(t, s.Query(t.Context(), driver.Query{CQL: cql, Args: args, NoTimestamp: noTimestamp}).Close())
			}
			require.NoError(t, keyspace.Session.Query("SELECT WRITETIME(v) FROM t WHERE p = 1").Scan(&written))
			frame := r.last(op)
			return binary.BigEndian.Uint64(frame[len(frame)-8:]) == uint64(written), written
		}
		for _, op := range []byte{opExecute, opBatch} {
			require.NoError(t, keyspace.ExecStmt("TRUNCATE t"))
			_, written := sent(op, true, " USING TIMESTAMP 7")
			require.EqualValues(t, 7, written, name)
			_, written = sent(op, false, " USING TIMESTAMP 8")
			require.EqualValues(t, 8, written, name)
			drivers, _ := sent(op, false, "")
			require.True(t, drivers, name)
			drivers, _ = sent(op, true, "")
			require.False(t, drivers, name)
		}
	}
}
