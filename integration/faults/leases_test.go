package faults

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/models/lease"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
)

var (
	leaseKills = flag.Int("leases.kills", 0, "the number of holders of a lease that are killed, on nodes whose clocks differ; 0 skips the test")
	leaseSeed  = flag.Uint64("leases.seed", uint64(time.Now().UnixNano()), "the seed of the calls of holders of leases")
)

const (
	leaseTTL    = 8 * time.Second
	leaseClocks = 2 * time.Second // the greatest difference between the clocks of two nodes
	leaseLocks  = 2
)

// holding is the time in which a process has held a lock.
type holding struct {
	lock     int32
	token    int64
	began    time.Time // of the call that has acquired it
	from, to time.Time
}

// holder is a process that holds locks one after the other.
type holder struct {
	name   string
	store  *lease.Store
	random *rand.Rand
	kills  func() bool // takes a kill, if one is left
	held   []holding
}

// TestLeasesOnNodes runs holders of locks on three nodes whose clocks are 2 s apart. Holders are killed: they neither renew nor release their
// lock. By the rule of docs/consistency.md no two processes hold one lock, and the tokens of acquisitions grow.
func TestLeasesOnNodes(t *testing.T) {
	if *leaseKills == 0 {
		t.Skip("-leases.kills")
	}
	t.Logf("-leases.seed=%d", *leaseSeed)
	cluster := cassandra.StartClocks(t, 0, leaseClocks/2, leaseClocks)
	session, err := cluster.Session(t.Context(), "leases", len(cluster.Hosts()))
	require.NoError(t, err)
	defer session.Close()
	storetest.Execute(t, session, lease.Schema)
	store, err := lease.Open(t.Context(), session, mapper.Config{TTL: map[string]time.Duration{"lock": leaseTTL}, MaxClockSkew: -1})
	require.NoError(t, err)
	var mu sync.Mutex
	left := *leaseKills
	kills := func() bool {
		mu.Lock()
		defer mu.Unlock()
		left--
		return left >= 0
	}
	ended := func() bool {
		mu.Lock()
		defer mu.Unlock()
		return left <= 0
	}
	var group sync.WaitGroup
	holders := make([]*holder, 2*leaseLocks+1)
	for i := range holders {
		h := &holder{name: fmt.Sprintf("h%d", i), store: store, random: rand.New(rand.NewPCG(*leaseSeed, uint64(i))), kills: kills}
		holders[i] = h
		group.Go(func() {
			for !ended() && t.Context().Err() == nil {
				h.run(t.Context())
			}
		})
	}
	group.Wait()
	var all []holding
	for _, h := range holders {
		all = append(all, h.held...)
	}
	requireOneHolder(t, all)
	require.GreaterOrEqual(t, len(all), *leaseKills)
	t.Logf("%d acquisitions", len(all))
}

// run acquires a lock, renews it, and then releases it or is killed.
func (h *holder) run(ctx context.Context) {
	id := h.random.Int32N(leaseLocks)
	began := time.Now()
	v := &lease.Lock{ID: id, Name: h.name}
	found, err := h.store.Locks.InsertOrGet(ctx, v)
	if err != nil || found != nil {
		h.pause(ctx, 100*time.Millisecond)
		return
	}
	end := func(began time.Time) time.Time { return began.Add(leaseTTL - time.Second - leaseClocks) }
	x := holding{lock: id, token: v.Version, began: began, from: time.Now(), to: end(began)}
	version := v.Version
	for range h.random.IntN(3) {
		h.pause(ctx, time.Second)
		began := time.Now()
		renewed, err := h.store.Locks.Update(ctx, id, func(v *lease.Lock) error {
			if v.Name != h.name {
				return errors.New("another process holds it")
			}
			return nil
		})
		if err != nil || time.Now().After(x.to) {
			break
		}
		version, x.to = renewed.Version, end(began)
	}
	if h.random.IntN(2) == 0 && h.kills() {
		h.held = append(h.held, x)
		return
	}
	if now := time.Now(); now.Before(x.to) {
		x.to = now
	}
	h.held = append(h.held, x)
	_ = h.store.Locks.DeleteAt(ctx, id, version)
}

// pause waits for a random time.
func (h *holder) pause(ctx context.Context, longest time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(time.Duration(h.random.Int64N(int64(longest)))):
	}
}

// requireOneHolder requires that no two holdings of one lock overlap, and that tokens grow.
func requireOneHolder(t *testing.T, all []holding) {
	t.Helper()
	slices.SortFunc(all, func(a, b holding) int { return cmp.Compare(a.from.UnixNano(), b.from.UnixNano()) })
	for i, b := range all {
		for _, a := range all[:i] {
			if a.lock != b.lock {
				continue
			}
			if b.from.Before(b.to) && b.from.Before(a.to) {
				require.Failf(t, "two holders", "lock %d: %+v and %+v", a.lock, a, b)
			}
			if a.from.Before(b.began) {
				require.Greater(t, b.token, a.token, "lock %d: %+v and %+v", a.lock, a, b)
			}
		}
	}
}
