// Package network changes or drops the answers of a server on their way to a session, for tests of unknown outcomes.
package network

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"

	"github.com/cassaml/cassaml/integration/cassandra"
)

// Dialer dials connections that can change the answers of the server: the server executes a write, but the driver does not
// receive the acknowledgement. Set it as the dialer of a cluster, as Session does.
type Dialer struct {
	mu      sync.Mutex
	answers map[Kind][]Answer // replace the next answers, by kind
	always  Answer            // replaces each acknowledged write, if answers has none
	seen    map[Kind]int      // the number of answers of each kind, without rows of the keyspace system
}

// Kind is the kind of an answer.
type Kind uint32

// The kinds of results, with their numbers in the protocol.
const (
	Written Kind = 1 // a write was executed
	Rows    Kind = 2 // a page of rows
)

// Answer replaces an answer: it is the body of an error, or empty to drop the answer. Nil leaves the answer unchanged.
type Answer []byte

// Lost drops the answer.
var Lost = Answer{} // the driver waits until its time-out

const (
	localQuorum = 6
	frameHeader = 9
)

// WriteTimeout is the answer of a coordinator whose replicas did not answer in time.
func WriteTimeout(writeType string) Answer {
	b := binary.BigEndian.AppendUint32(nil, gocql.ErrCodeWriteTimeout)
	b = appendString(b, "the replicas took too long")
	b = binary.BigEndian.AppendUint16(b, localQuorum)
	b = binary.BigEndian.AppendUint32(b, 0)
	b = binary.BigEndian.AppendUint32(b, 1)
	return appendString(b, writeType)
}

// ReadTimeout is the answer of a coordinator for which too few replicas sent their rows in time, and one did.
func ReadTimeout() Answer {
	b := binary.BigEndian.AppendUint32(nil, gocql.ErrCodeReadTimeout)
	b = appendString(b, "the replicas took too long")
	b = binary.BigEndian.AppendUint16(b, localQuorum)
	b = binary.BigEndian.AppendUint32(b, 1)
	b = binary.BigEndian.AppendUint32(b, 2)
	return append(b, 1)
}

// Unavailable is the answer of a coordinator that sent nothing to the replicas.
func Unavailable() Answer {
	b := binary.BigEndian.AppendUint32(nil, gocql.ErrCodeUnavailable)
	b = appendString(b, "too few replicas")
	b = binary.BigEndian.AppendUint16(b, localQuorum)
	b = binary.BigEndian.AppendUint32(b, 2)
	return binary.BigEndian.AppendUint32(b, 1)
}

// Overloaded is the answer of an overloaded coordinator.
func Overloaded() Answer {
	return appendString(binary.BigEndian.AppendUint32(nil, gocql.ErrCodeOverloaded), "too much to do")
}

func appendString(b []byte, s string) []byte {
	return append(binary.BigEndian.AppendUint16(b, uint16(len(s))), s...)
}

// Next replaces the next answers of a kind, in order.
func (n *Dialer) Next(k Kind, answers ...Answer) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.answers = map[Kind][]Answer{k: answers}
}

// Every replaces all acknowledgements of writes.
func (n *Dialer) Every(a Answer) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.always = a
}

// nextAnswer returns the replacement of an answer of a kind.
func (n *Dialer) nextAnswer(k Kind) Answer {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.seen == nil {
		n.seen = map[Kind]int{}
	}
	n.seen[k]++
	if coming := n.answers[k]; len(coming) > 0 {
		n.answers[k] = coming[1:]
		return coming[0]
	}
	if k == Written {
		return n.always
	}
	return nil
}

// Count returns the number of answers of a kind. Rows of the keyspace system are not counted, or replaced: the driver reads them by itself.
func (n *Dialer) Count(k Kind) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.seen[k]
}

// DialContext connects to a server. gocql calls it.
func (n *Dialer) DialContext(ctx context.Context, proto, address string) (net.Conn, error) {
	var d net.Dialer
	c, err := d.DialContext(ctx, proto, address)
	if err != nil {
		return nil, err
	}
	return &connection{Conn: c, network: n, frames: bufio.NewReader(c)}, nil
}

// connection changes the frames of the server.
type connection struct {
	net.Conn
	network *Dialer
	frames  *bufio.Reader
	rest    []byte // unread bytes of the current frame
}

func (c *connection) Read(b []byte) (int, error) {
	for len(c.rest) == 0 {
		if err := c.frame(); err != nil {
			return 0, err
		}
	}
	n := copy(b, c.rest)
	c.rest = c.rest[n:]
	return n, nil
}

// frame reads the next complete frame. A frame has a version, flags, two bytes of stream, an opcode, four bytes of length,
// and a body.
func (c *connection) frame() error {
	header, err := c.frames.Peek(frameHeader)
	if err != nil {
		return err
	}
	frame := make([]byte, frameHeader+int(binary.BigEndian.Uint32(header[5:])))
	if _, err := io.ReadFull(c.frames, frame); err != nil {
		return err
	}
	c.rest = frame
	const opError, opResult, plain = 0x00, 0x08, 0x00
	if frame[4] != opResult || frame[1] != plain {
		return nil
	}
	if readsNodes(frame[frameHeader:]) {
		return nil
	}
	switch a := c.network.nextAnswer(Kind(binary.BigEndian.Uint32(frame[frameHeader:]))); {
	case a == nil:
	case len(a) == 0:
		c.rest = nil
	default:
		c.rest = append([]byte{frame[0], plain, frame[2], frame[3], opError}, binary.BigEndian.AppendUint32(nil, uint32(len(a)))...)
		c.rest = append(c.rest, a...)
	}
	return nil
}

// readsNodes reports whether a result has rows of the keyspace system, in which the driver looks for nodes by itself, at any time. The result of a
// prepared statement does not name its table.
func readsNodes(result []byte) bool {
	const kindAndColumns, namesTable, hasMorePages = 12, 1, 2
	if Kind(binary.BigEndian.Uint32(result)) != Rows {
		return false
	}
	flags, rest := binary.BigEndian.Uint32(result[4:]), result[kindAndColumns:]
	if flags&namesTable == 0 {
		return false
	}
	if flags&hasMorePages != 0 {
		rest = rest[4+binary.BigEndian.Uint32(rest):]
	}
	return bytes.HasPrefix(rest, appendString(nil, "system"))
}

// Session returns a session in the keyspace of another one, through a dialer. Its driver waits for an answer until the
// timeout; 0 is the default.
func Session(t *testing.T, session gocqlx.Session, n *Dialer, timeout time.Duration, configure ...func(*gocql.ClusterConfig)) gocqlx.Session {
	t.Helper()
	return cassandra.SessionLike(t, session, func(c *gocql.ClusterConfig) {
		c.Dialer = n
		if timeout > 0 {
			c.Timeout = timeout
		}
		for _, f := range configure {
			f(c)
		}
	})
}
