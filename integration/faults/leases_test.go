package faults

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/models/lease"
	"github.com/cassaml/cassaml/integration/storetest"
)

var (
	leaseKills = flag.Int("leases.kills", 0, "the number of holders of a lease that are killed, on nodes whose clocks differ; 0 skips the test")
	leaseSeed  = flag.Uint64("leases.seed", uint64(time.Now().UnixNano()), "the seed of the calls of holders of leases, and of their kills")
)

const (
	leaseTTL      = 8 * time.Second
	leaseClocks   = 2 * time.Second // the greatest difference between the clocks of two nodes
	leaseLocks    = 2
	leasePatience = 2 * time.Minute        // for the next holding
	longestHeld   = 300 * time.Millisecond // from a holding to a kill
)

// TestLeasesOnNodes runs processes that hold locks on three nodes whose clocks are 2 s apart. Processes that hold a lock are killed: they neither
// renew nor release it, and can be in the middle of either. By the rule of docs/consistency.md no two processes hold one lock, where a process
// that was killed counts as if it had worked on, and the tokens of acquisitions grow.
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
	r := &leaseRun{hosts: cluster.Hosts(), random: rand.New(rand.NewPCG(*leaseSeed, 0)), held: make(chan heldBy)}
	for i := range 2*leaseLocks + 1 {
		r.start(t, i)
	}
	for kills := 0; kills < *leaseKills; {
		x := r.await(t)
		if x.To > x.From && r.processes[x.place].name == x.name && r.random.IntN(2) == 0 {
			r.kill(t, x.place)
			kills++
		}
	}
	for len(r.all) <= *leaseKills { // another process acquires a lock of one that was killed
		r.await(t)
	}
	r.stop(t)
	requireOneHolder(t, r.all)
	t.Logf("%d acquisitions, %d processes were killed", len(r.all), *leaseKills)
}

// heldBy is a holding of a process.
type heldBy struct {
	holding

	place int // of the process
	name  string
}

// leaseRun has the processes of [TestLeasesOnNodes].
type leaseRun struct {
	hosts     []string
	random    *rand.Rand
	processes []*holderProcess
	started   int
	held      chan heldBy
	all       []heldBy
}

// holderProcess is a process that runs [TestLeaseHolder].
type holderProcess struct {
	name string
	cmd  *exec.Cmd
	in   io.WriteCloser
	err  bytes.Buffer
	read chan struct{} // is closed when its output has ended
}

// start starts a process, in the place of one that was killed or in a new one.
func (r *leaseRun) start(t *testing.T, place int) {
	t.Helper()
	r.started++
	p := &holderProcess{name: fmt.Sprint("h", r.started), cmd: exec.Command(os.Args[0], "-test.run=^TestLeaseHolder$"), read: make(chan struct{})}
	config, err := json.Marshal(holderConfig{Name: p.name, Seed: r.random.Uint64(), Hosts: r.hosts, Keyspace: "leases"})
	require.NoError(t, err)
	p.cmd.Env = append(os.Environ(), holderVariable+"="+string(config))
	p.cmd.Stderr = &p.err
	p.in, err = p.cmd.StdinPipe()
	require.NoError(t, err)
	out, err := p.cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, p.cmd.Start())
	t.Cleanup(func() { _ = p.cmd.Process.Kill() })
	if place < len(r.processes) {
		r.processes[place] = p
	} else {
		r.processes = append(r.processes, p)
	}
	go func() {
		defer close(p.read)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			x := heldBy{place: place, name: p.name}
			if text, found := strings.CutPrefix(lines.Text(), "held "); found && json.Unmarshal([]byte(text), &x.holding) == nil {
				r.held <- x
			}
		}
	}()
}

// await returns the next holding that a process prints, and adds it to all.
func (r *leaseRun) await(t *testing.T) heldBy {
	t.Helper()
	select {
	case x := <-r.held:
		r.add(x)
		return x
	case <-time.After(leasePatience):
		for _, p := range r.processes {
			t.Logf("%s: %s", p.name, &p.err)
		}
		require.FailNow(t, "no process acquires or renews a lock")
	}
	return heldBy{}
}

// add adds a holding, or replaces it if the process has printed it before: then it was renewed or has ended.
func (r *leaseRun) add(x heldBy) {
	i := slices.IndexFunc(r.all, func(o heldBy) bool { return o.name == x.name && o.Token == x.Token })
	if i < 0 {
		r.all = append(r.all, x)
		return
	}
	r.all[i].holding = x.holding
}

// kill kills a process, with SIGKILL, some time after it has printed a holding, and starts another one.
func (r *leaseRun) kill(t *testing.T, place int) {
	t.Helper()
	p := r.processes[place]
	after := time.After(time.Duration(r.random.Int64N(int64(longestHeld))))
	for waits := true; waits; {
		select {
		case x := <-r.held:
			r.add(x)
		case <-after:
			waits = false
		}
	}
	require.NoError(t, p.cmd.Process.Kill())
	r.drain(p)
	_ = p.cmd.Wait()
	require.False(t, p.cmd.ProcessState.Exited(), "%s had ended before: %s", p.name, &p.err)
	r.start(t, place)
}

// drain reads holdings until the output of a process has ended.
func (r *leaseRun) drain(p *holderProcess) {
	for {
		select {
		case x := <-r.held:
			r.add(x)
		case <-p.read:
			return
		}
	}
}

// stop ends the processes.
func (r *leaseRun) stop(t *testing.T) {
	t.Helper()
	for _, p := range r.processes {
		require.NoError(t, p.in.Close())
	}
	for _, p := range r.processes {
		r.drain(p)
		require.NoError(t, p.cmd.Wait(), "%s: %s", p.name, &p.err)
	}
}

// requireOneHolder requires that no two holdings of one lock overlap, and that tokens grow.
func requireOneHolder(t *testing.T, all []heldBy) {
	t.Helper()
	slices.SortFunc(all, func(a, b heldBy) int { return cmp.Compare(a.From, b.From) })
	for i, b := range all {
		for _, a := range all[:i] {
			if a.Lock != b.Lock {
				continue
			}
			if b.From < b.To && b.From < a.To {
				require.Failf(t, "two holders", "lock %d: %+v and %+v", a.Lock, a, b)
			}
			if a.From < b.Began {
				require.Greater(t, b.Token, a.Token, "lock %d: %+v and %+v", a.Lock, a, b)
			}
		}
	}
}
