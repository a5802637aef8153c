package faults

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/models/member"
	"github.com/cassaml/cassaml/mapper"
)

const (
	clientVariable = "CASSAML_TEST_MEMBER_CLIENT"
	nicksOfRound   = 3
	teamsOfRound   = 2
	longestThought = 10 * time.Millisecond // between two calls of a client

	reconcilerSkew = 500 * time.Millisecond // a client with a smaller difference of clocks also runs Reconcile of all rows
	betweenRuns    = 100 * time.Millisecond // of one client
)

// clientConfig configures a process that calls a store of members.
type clientConfig struct {
	Number   int
	Seed     uint64
	Skew     time.Duration // of its clock
	Timeout  time.Duration // of a call
	Keyspace string
	Proxies  map[string]string // of the nodes, by the address of the node
	History  string            // the file to which it appends its history
	Round    int32
}

// TestMemberClient is one of the processes of [testVersionedHistories]. Each line of its input is the number of a round. It
// ends with its input.
func TestMemberClient(t *testing.T) {
	text := os.Getenv(clientVariable)
	if text == "" {
		t.Skip("runs only as a child process of other tests")
	}
	var config clientConfig
	require.NoError(t, json.Unmarshal([]byte(text), &config))
	ctx, cancel := context.WithCancel(t.Context())
	var round atomic.Int32
	round.Store(config.Round)
	go func() {
		for in := bufio.NewScanner(os.Stdin); in.Scan(); {
			var next int32
			if _, err := fmt.Sscan(in.Text(), &next); err == nil {
				round.Store(next)
			}
		}
		cancel()
	}()
	store, err := config.open(ctx)
	if ctx.Err() != nil {
		return // the test has ended before
	}
	require.NoError(t, err)
	defer store.Session().Close()
	c := newMemberClient(t, store.Members, store.With(mapper.Options{Serial: true}).Members, config)
	var runs sync.WaitGroup
	defer runs.Wait()
	if config.Skew.Abs() < reconcilerSkew {
		runs.Go(func() { reconcileMembers(ctx, store) })
	}
	for ctx.Err() == nil {
		if r := round.Load(); r != c.round {
			c.round, c.known = r, map[int32]*member.Member{}
		}
		c.call(t.Context())
		fmt.Println("called")
		time.Sleep(rand.N(longestThought))
	}
}

// reconcileMembers runs Reconcile of the whole table again and again, until the context ends. It prints a line after each run that has ended.
func reconcileMembers(ctx context.Context, store *member.Store) {
	for ctx.Err() == nil {
		if _, err := store.Reconcile(ctx, mapper.ReconcileConfig{Slices: 2}); err != nil {
			fmt.Println("Reconcile:", err)
		} else {
			fmt.Println("reconciled")
		}
		select {
		case <-time.After(betweenRuns):
		case <-ctx.Done():
		}
	}
}

// DialContext connects to the proxy of a node.
func (c *clientConfig) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	var d net.Dialer
	return d.DialContext(ctx, network, c.Proxies[address])
}

// open opens the store through the proxies. It tries until the nodes answer, or the context ends.
func (c *clientConfig) open(ctx context.Context) (*member.Store, error) {
	cluster := gocql.NewCluster(slices.Collect(maps.Keys(c.Proxies))...)
	cluster.Keyspace, cluster.Dialer, cluster.ProtoVersion = c.Keyspace, c, 4
	cluster.Consistency = gocql.LocalQuorum
	cluster.Timeout, cluster.ConnectTimeout = 2*time.Second, 2*time.Second
	cluster.ReconnectInterval = time.Second
	cluster.Logger = silent{}
	for {
		session, err := gocqlx.WrapSession(cassandra.CreateSession(ctx, cluster))
		if err == nil {
			var store *member.Store
			if store, err = member.Open(ctx, session, c.store()); err == nil {
				return store, nil
			}
			session.Close()
		}
		_, different := errors.AsType[*mapper.SchemaError](err)
		if different || ctx.Err() != nil {
			return nil, err
		}
	}
}

// store returns the configuration of the store.
func (c *clientConfig) store() mapper.Config {
	return mapper.Config{
		Now: func() time.Time { return time.Now().Add(c.Skew) }, MaxClockSkew: -1, Timeout: c.Timeout, Lease: time.Second,
		Logger: slog.New(slog.DiscardHandler),
	}
}

// silent is a logger of the driver that ignores the faults of the network.
type silent struct{}

func (silent) Print(...any)          {}
func (silent) Printf(string, ...any) {}
func (silent) Println(...any)        {}

// members is a table of members.
type members interface {
	Get(ctx context.Context, id int32) (*member.Member, error)
	GetByNick(ctx context.Context, nick string) (*member.Member, error)
	Insert(ctx context.Context, v *member.Member) error
	Put(ctx context.Context, v *member.Member) error
	Update(ctx context.Context, id int32, change func(*member.Member) error) (*member.Member, error)
	Change(ctx context.Context, old, new *member.Member) error
	Delete(ctx context.Context, id int32) error
	DeleteAt(ctx context.Context, id int32, version int64) error
	Reconcile(ctx context.Context, id int32, config mapper.ReconcileConfig, known ...*member.Member) (*mapper.ReconcileReport, error)
}

// memberClient calls a store, and writes a history.
type memberClient struct {
	t       *testing.T
	name    string
	members members
	serial  members // its reads see a save in flight
	random  *rand.Rand
	history *os.File
	round   int32
	calls   int
	known   map[int32]*member.Member // as it was last read or written
}

func newMemberClient(t *testing.T, table, serial members, config clientConfig) *memberClient {
	t.Helper()
	history, err := os.OpenFile(config.History, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, history.Close()) })
	c := &memberClient{
		t: t, name: fmt.Sprintf("%d.%d", config.Number, os.Getpid()), members: table, serial: serial,
		random: rand.New(rand.NewPCG(config.Seed, uint64(config.Number))), history: history,
		round: config.Round, known: map[int32]*member.Member{},
	}
	c.write(record{Op: "start"})
	return c
}

// write appends a record to the history.
func (c *memberClient) write(r record) {
	r.At = time.Now().UnixNano()
	text, err := json.Marshal(r)
	require.NoError(c.t, err)
	_, err = c.history.Write(append(text, '\n'))
	require.NoError(c.t, err)
}

// call makes a random call.
func (c *memberClient) call(ctx context.Context) {
	r := record{ID: c.round*idsOfRound + c.random.Int32N(idsOfRound), Keep: c.random.IntN(2) == 0}
	known := c.known[r.ID]
	r.Op = []string{"Get", "Get", "Get", "GetBy", "GetBy", "Insert", "Insert", "Insert", "Put", "Put", "Delete",
		"Update", "Update", "Update", "Update", "Change", "Change", "Change", "DeleteAt", "Reconcile"}[c.random.IntN(20)]
	if known == nil && (r.Op == "Change" || r.Op == "DeleteAt") {
		r.Op = "Get"
	}
	if r.Op != "Update" && r.Op != "Change" {
		r.Keep = false
	}
	if n := c.random.IntN(nicksOfRound + 1); (n > 0 || r.Op == "GetBy") && !r.Keep {
		r.New.Nick = fmt.Sprintf("nick%d.%d", c.round, n)
	}
	r.New.Team = fmt.Sprintf("team%d.%d", c.round, c.random.IntN(teamsOfRound))
	c.do(ctx, r)
}

// do makes a call, and writes its begin and its end to the history.
func (c *memberClient) do(ctx context.Context, r record) result {
	c.calls++
	r.Label = fmt.Sprintf("%s.%d", c.name, c.calls)
	r.New.Note = r.Label
	if old := c.known[r.ID]; old != nil && (r.Op == "Change" || r.Op == "DeleteAt") {
		r.Read = entryOf(old)
		if r.Keep {
			r.New.Nick, r.Keep = value(old.Nick), false
		}
	}
	c.write(r)
	got, err := c.send(ctx, &r)
	r.Result = resultOf(err)
	if d, is := errors.AsType[*mapper.DuplicateError](err); is {
		_, scan := fmt.Sscanf(d.Owner, "id=%d", &r.Owner)
		require.NoError(c.t, scan)
	}
	if err != nil {
		r.Error = err.Error()
	}
	switch {
	case err == nil && got != nil:
		r.ID = got.ID
		if c.known[r.ID], r.New.Version = got, got.Version; r.Op == "Get" || r.Op == "GetBy" {
			r.Read = entryOf(got)
		}
	case r.Op == "GetBy" || r.Op == "Reconcile":
	case err == nil, r.Result == absent:
		delete(c.known, r.ID)
	}
	if r.Op == "Update" && r.Result != succeeded && r.Result != unknown {
		r.Read = nil // of an attempt that came to nothing
	}
	c.write(r)
	return r.Result
}

// send calls the store. It returns the row that was written or read, if there is one.
func (c *memberClient) send(ctx context.Context, r *record) (*member.Member, error) {
	v := &member.Member{ID: r.ID, Nick: pointer(r.New.Nick), Team: r.New.Team, Note: r.New.Note}
	switch r.Op {
	case "Get":
		return c.serial.Get(ctx, r.ID)
	case "GetBy":
		return c.serial.GetByNick(ctx, r.New.Nick)
	case "Reconcile":
		return nil, c.reconcile(ctx, r.ID, v)
	case "Insert":
		return v, c.members.Insert(ctx, v)
	case "Put":
		return v, c.members.Put(ctx, v)
	case "Change":
		return v, c.members.Change(ctx, c.known[r.ID], v)
	case "Delete":
		return nil, c.members.Delete(ctx, r.ID)
	case "DeleteAt":
		return nil, c.members.DeleteAt(ctx, r.ID, r.Read.Version)
	}
	return c.members.Update(ctx, r.ID, func(m *member.Member) error {
		r.Read = entryOf(m)
		if r.Keep {
			v.Nick = m.Nick
		}
		m.Nick, m.Team, m.Note = v.Nick, v.Team, v.Note
		return nil
	})
}

// reconcile compares a member with the copies and reservations that follow from its row, from another value and from the last value that
// the client knows.
func (c *memberClient) reconcile(ctx context.Context, id int32, other *member.Member) error {
	known := []*member.Member{other}
	if old := c.known[id]; old != nil {
		known = append(known, old)
	}
	_, err := c.members.Reconcile(ctx, id, mapper.ReconcileConfig{}, known...)
	return err
}

func entryOf(m *member.Member) *entry {
	return &entry{Nick: value(m.Nick), Team: m.Team, Note: m.Note, Version: m.Version}
}

// pointer returns nil for the empty text, which stands for no nickname.
func pointer(nick string) *string {
	if nick == "" {
		return nil
	}
	return &nick
}

func value(nick *string) string {
	if nick == nil {
		return ""
	}
	return *nick
}

// resultOf returns the result of a call with an error.
func resultOf(err error) result {
	_, isDuplicate := errors.AsType[*mapper.DuplicateError](err)
	switch {
	case err == nil:
		return succeeded
	case isDuplicate:
		return duplicate
	case mapper.OutcomeUnknown(err):
		return unknown
	case errors.Is(err, mapper.ErrNotFound):
		return absent
	case errors.Is(err, mapper.ErrExists):
		return exists
	case errors.Is(err, mapper.ErrConflict) && !errors.Is(err, context.DeadlineExceeded):
		return conflict
	}
	return failed
}
