package faults

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/models/lease"
	"github.com/cassaml/cassaml/mapper"
)

const holderVariable = "CASSAML_TEST_LEASE_HOLDER"

// holderConfig configures a process that holds locks.
type holderConfig struct {
	Name     string
	Seed     uint64
	Hosts    []string
	Keyspace string
}

// holding is the time in which a process has held a lock. A process prints it when it has acquired or renewed the lock, before it works, and
// when it has ended its work. The times are on the clock of the machine, which all processes share.
type holding struct {
	Lock     int32
	Token    int64
	Began    int64 // the call that has acquired it; in nanoseconds since 1970, as the others
	From, To int64
}

// leaseHolder is a process that holds locks one after the other.
type leaseHolder struct {
	holderConfig

	store  *lease.Store
	random *rand.Rand
}

// TestLeaseHolder is one of the processes of [TestLeasesOnNodes]. It ends with its input.
func TestLeaseHolder(t *testing.T) {
	text := os.Getenv(holderVariable)
	if text == "" {
		t.Skip("runs only as a child process of other tests")
	}
	h := &leaseHolder{}
	require.NoError(t, json.Unmarshal([]byte(text), &h.holderConfig))
	h.random = rand.New(rand.NewPCG(h.Seed, 0))
	cluster := gocql.NewCluster(h.Hosts...)
	cluster.Keyspace, cluster.ProtoVersion, cluster.Consistency = h.Keyspace, 4, gocql.LocalQuorum
	cluster.Timeout, cluster.ConnectTimeout, cluster.WriteCoalesceWaitTime = 10*time.Second, 10*time.Second, 0
	session, err := cassandra.CreateSession(t.Context(), cluster)
	require.NoError(t, err)
	defer session.Close()
	h.store, err = lease.Open(t.Context(), gocqlx.NewSession(session), leaseConfig)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		}
		cancel()
	}()
	for ctx.Err() == nil {
		h.run(ctx)
	}
}

// run acquires a lock, renews it, and releases it.
func (h *leaseHolder) run(ctx context.Context) {
	id := h.random.Int32N(leaseLocks)
	began := time.Now()
	v := &lease.Lock{ID: id, Name: h.Name}
	found, err := h.store.Locks.InsertOrGet(ctx, v)
	if err != nil || found != nil {
		h.pause(ctx, 100*time.Millisecond)
		return
	}
	until := began.Add(leaseTTL - time.Second - leaseClocks)
	x := holding{Lock: id, Token: v.Version, Began: began.UnixNano(), From: time.Now().UnixNano(), To: until.UnixNano()}
	x.print()
	for range h.random.IntN(4) {
		h.pause(ctx, time.Second)
		began := time.Now()
		renewed, err := h.store.Locks.Update(ctx, id, func(v *lease.Lock) error {
			if v.Name != h.Name {
				return errors.New("another process holds it")
			}
			return nil
		})
		if err != nil || time.Now().After(until) {
			break
		}
		v, until = renewed, began.Add(leaseTTL-time.Second-leaseClocks)
		x.To = until.UnixNano()
		x.print()
	}
	x.To = min(x.To, time.Now().UnixNano())
	x.print()
	_ = h.store.Locks.DeleteAt(ctx, id, v.Version)
}

// print prints the holding. The test has it as soon as the process has written it, also if the process is killed afterwards.
func (x *holding) print() {
	line, err := json.Marshal(x)
	if err != nil {
		panic(err)
	}
	fmt.Println("held " + string(line))
}

// pause waits for a random time.
func (h *leaseHolder) pause(ctx context.Context, longest time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(time.Duration(h.random.Int64N(int64(longest)))):
	}
}

// leaseConfig is the configuration of the stores of all holders.
var leaseConfig = mapper.Config{TTL: map[string]time.Duration{"lock": leaseTTL}, MaxClockSkew: -1}
