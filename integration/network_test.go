package integration

import (
	"bufio"
	"context"
	"encoding/binary"
	"io"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
)

// network stands between a session and its server, and can change what the server answers: what is written is
// written, and the driver does not learn of it.
type network struct {
	mu      sync.Mutex
	answers map[kind][]answer // those to come, by what they answer
	always  answer            // to every write, when there are no others
	seen    map[kind]int      // how many there were
}

// kind is what an answer answers.
type kind uint32

// The kinds of results, as the protocol numbers them.
const (
	written kind = 1 // a write was carried out
	rows    kind = 2 // a page of rows
)

// answer is what is put in the place of an answer: the body of an error, empty for nothing at all. Nil leaves it as it is.
type answer []byte

var lost = answer{} // the driver waits for it in vain

const (
	localQuorum = 6
	frameHeader = 9
)

// writeTimeout is what a coordinator says when replicas did not answer in time.
func writeTimeout(writeType string) answer {
	b := binary.BigEndian.AppendUint32(nil, gocql.ErrCodeWriteTimeout)
	b = appendString(b, "the replicas took too long")
	b = binary.BigEndian.AppendUint16(b, localQuorum)
	b = binary.BigEndian.AppendUint32(b, 0)
	b = binary.BigEndian.AppendUint32(b, 1)
	return appendString(b, writeType)
}

// readTimeout is what a coordinator says when too few replicas sent their rows in time, and one did.
func readTimeout() answer {
	b := binary.BigEndian.AppendUint32(nil, gocql.ErrCodeReadTimeout)
	b = appendString(b, "the replicas took too long")
	b = binary.BigEndian.AppendUint16(b, localQuorum)
	b = binary.BigEndian.AppendUint32(b, 1)
	b = binary.BigEndian.AppendUint32(b, 2)
	return append(b, 1)
}

// unavailable is what a coordinator says when it sent nothing to the replicas.
func unavailable() answer {
	b := binary.BigEndian.AppendUint32(nil, gocql.ErrCodeUnavailable)
	b = appendString(b, "too few replicas")
	b = binary.BigEndian.AppendUint16(b, localQuorum)
	b = binary.BigEndian.AppendUint32(b, 2)
	return binary.BigEndian.AppendUint32(b, 1)
}

// overloaded is what a coordinator says when it has too much to do.
func overloaded() answer {
	return appendString(binary.BigEndian.AppendUint32(nil, gocql.ErrCodeOverloaded), "too much to do")
}

func appendString(b []byte, s string) []byte {
	return append(binary.BigEndian.AppendUint16(b, uint16(len(s))), s...)
}

// next puts answers in the place of the coming ones of a kind, in turn.
func (n *network) next(k kind, answers ...answer) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.answers = map[kind][]answer{k: answers}
}

// every puts an answer in the place of all that acknowledge a write.
func (n *network) every(a answer) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.always = a
}

// judge takes the answer that is put in the place of one of a kind.
func (n *network) judge(k kind) answer {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.seen == nil {
		n.seen = map[kind]int{}
	}
	n.seen[k]++
	if coming := n.answers[k]; len(coming) > 0 {
		n.answers[k] = coming[1:]
		return coming[0]
	}
	if k == written {
		return n.always
	}
	return nil
}

// count returns how many answers of a kind there were.
func (n *network) count(k kind) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.seen[k]
}

// DialContext is gocql's way to a server.
func (n *network) DialContext(ctx context.Context, proto, address string) (net.Conn, error) {
	var d net.Dialer
	c, err := d.DialContext(ctx, proto, address)
	if err != nil {
		return nil, err
	}
	return &connection{Conn: c, network: n, frames: bufio.NewReader(c)}, nil
}

// connection changes the frames that come from the server.
type connection struct {
	net.Conn
	network *network
	frames  *bufio.Reader
	rest    []byte // of the frame that is being read
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

// frame reads the next frame whole. A frame has a version, flags, two bytes of stream, an opcode, four of length, a body.
func (c *connection) frame() error {
	header := make([]byte, frameHeader)
	if _, err := io.ReadFull(c.frames, header); err != nil {
		return err
	}
	frame := append(header, make([]byte, binary.BigEndian.Uint32(header[5:]))...)
	if _, err := io.ReadFull(c.frames, frame[frameHeader:]); err != nil {
		return err
	}
	c.rest = frame
	const opError, opResult, plain = 0x00, 0x08, 0x00
	if frame[4] != opResult || frame[1] != plain {
		return nil
	}
	switch a := c.network.judge(kind(binary.BigEndian.Uint32(frame[frameHeader:]))); {
	case a == nil:
	case len(a) == 0:
		c.rest = nil
	default:
		c.rest = append([]byte{frame[0], plain, frame[2], frame[3], opError}, binary.BigEndian.AppendUint32(nil, uint32(len(a)))...)
		c.rest = append(c.rest, a...)
	}
	return nil
}

// behind returns a session in the same keyspace as another, with a network before it.
func behind(t *testing.T, session gocqlx.Session, n *network, timeout time.Duration) gocqlx.Session {
	t.Helper()
	cluster := cassandra.Test(t).Cluster()
	cluster.Keyspace = session.Query("", nil).Keyspace()
	cluster.Dialer = n
	if timeout > 0 {
		cluster.Timeout = timeout
	}
	s, err := gocqlx.WrapSession(cluster.CreateSession())
	require.NoError(t, err)
	t.Cleanup(s.Close)
	return s
}
