package faults

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/models/member"
	"github.com/cassaml/cassaml/integration/network"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
)

var (
	versionedFaults = flag.Int("versioned.faults", 6, "the number of faults during calls of versioned stores")
	versionedSeed   = flag.Uint64("versioned.seed", uint64(time.Now().UnixNano()), "the seed of the faults and of the calls")
)

const (
	memberClients  = 8
	clocksApart    = 3 * time.Second
	faultsOfRound  = 8
	callsOfFault   = 60              // at most, before the next fault
	faultPatience  = 2 * time.Second // for these calls, because a fault can stop all
	longestDelay   = 4 * time.Second // is longer than the time of a call
	memberPatience = 3 * time.Minute // only limits a test that hangs
)

// faultKinds are the faults, in the order in which they are repeated. By default no node is killed: that costs more processor
// time than all other faults, and [testWritesSurviveKilledNodes] kills one.
var faultKinds = []string{"cut", "client", "delay", "client", "cut", "delay", "delay", "node"}

// testVersionedHistories runs processes that call versioned stores on few members, with different clocks. The two with the smallest
// differences also run Reconcile of all members again and again. Nodes and processes are killed and restarted, and connections are cut
// and delayed. Afterwards the calls of each member are linearizable, no two members have had the same nickname at a time, and after
// one more save of each member all copies equal the projections.
func testVersionedHistories(t *testing.T, cluster *cassandra.Cluster) {
	t.Logf("-versioned.seed=%d", *versionedSeed)
	session, err := cluster.Session(t.Context(), "members", len(cluster.Hosts()))
	require.NoError(t, err)
	defer session.Close()
	storetest.Execute(t, session, member.Schema)
	r := newMemberRun(t, cluster)
	r.inject(t, *versionedFaults)
	r.stop(t)
	awaitBatchlogs(t, cluster)

	config := clientConfig{Number: memberClients, History: r.historyOf(memberClients), Timeout: memberPatience}
	store, err := member.Open(t.Context(), session, config.store())
	require.NoError(t, err)
	saver := newMemberClient(t, store.Members, store.With(mapper.Options{Serial: true}).Members, config)
	saveEach(t, saver, r.round+1)
	calls := r.calls(t)
	r.log(t, calls)
	requireLinearizable(t, calls)
	requireProjections(t, session, saver.known)
}

// memberRun is a run of all processes.
type memberRun struct {
	cluster *cassandra.Cluster
	random  *rand.Rand
	dir     string // of the histories
	clients []*memberProcess
	round   int32
	called  chan struct{}  // a process has made a call
	runs    atomic.Int32   // of Reconcile that have ended without an error
	faults  map[string]int // how many of each kind there were
	node    sync.WaitGroup // until the node that was killed answers
	failure error          // of its restart
}

// memberProcess is a process that runs [TestMemberClient].
type memberProcess struct {
	config  clientConfig
	proxies []*network.Proxy // of each node
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bytes.Buffer // its output other than calls
	err     *bytes.Buffer
	read    sync.WaitGroup // until its output ends
}

func newMemberRun(t *testing.T, cluster *cassandra.Cluster) *memberRun {
	t.Helper()
	r := &memberRun{
		cluster: cluster, random: rand.New(rand.NewPCG(*versionedSeed, 0)), dir: t.TempDir(),
		called: make(chan struct{}, memberClients), faults: map[string]int{},
	}
	for i := range memberClients {
		p := &memberProcess{config: clientConfig{
			Number: i, Keyspace: "members", Proxies: map[string]string{}, History: r.historyOf(i),
			Timeout: 3 * time.Second, Skew: clocksApart*time.Duration(i)/(memberClients-1) - clocksApart/2,
		}}
		for _, host := range cluster.Hosts() {
			proxy, err := network.NewProxy(t.Context(), host)
			require.NoError(t, err)
			t.Cleanup(func() { _ = proxy.Close() })
			p.proxies, p.config.Proxies[host] = append(p.proxies, proxy), proxy.Address()
		}
		r.clients = append(r.clients, p)
		r.start(t, p)
	}
	return r
}

func (r *memberRun) historyOf(client int) string {
	return filepath.Join(r.dir, fmt.Sprint(client))
}

// start starts a process. It continues the history of the one before.
func (r *memberRun) start(t *testing.T, p *memberProcess) {
	t.Helper()
	p.config.Seed, p.config.Round = r.random.Uint64(), r.round
	config, err := json.Marshal(p.config)
	require.NoError(t, err)
	p.cmd = exec.Command(os.Args[0], "-test.run=^TestMemberClient$")
	p.cmd.Env = append(os.Environ(), clientVariable+"="+string(config))
	p.out, p.err = &bytes.Buffer{}, &bytes.Buffer{}
	p.cmd.Stderr = p.err
	p.in, err = p.cmd.StdinPipe()
	require.NoError(t, err)
	out, err := p.cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, p.cmd.Start())
	t.Cleanup(func() { _ = p.cmd.Process.Kill() })
	p.read.Go(func() {
		for lines := bufio.NewScanner(out); lines.Scan(); {
			switch lines.Text() {
			case "called":
				select {
				case r.called <- struct{}{}:
				default: // nothing waits for calls
				}
			case "reconciled":
				r.runs.Add(1)
			default:
				fmt.Fprintln(p.out, lines.Text())
			}
		}
	})
}

// inject causes the faults, with some calls between.
func (r *memberRun) inject(t *testing.T, faults int) {
	t.Helper()
	for range 2 * memberClients {
		r.await(t)
	}
	for i := range faults {
		r.fault(t, faultKinds[i%len(faultKinds)])
		calls, patience := r.random.IntN(callsOfFault), time.After(faultPatience)
		for range calls {
			select {
			case <-r.called:
				continue
			case <-patience:
			}
			break
		}
		if i%faultsOfRound == faultsOfRound-1 {
			r.round++
			for _, p := range r.clients {
				_, err := fmt.Fprintln(p.in, r.round)
				require.NoError(t, err)
			}
		}
	}
}

// await waits for a call.
func (r *memberRun) await(t *testing.T) {
	t.Helper()
	select {
	case <-r.called:
	case <-time.After(memberPatience):
		t.Fatal("no process makes a call")
	}
}

// fault causes a fault.
func (r *memberRun) fault(t *testing.T, kind string) {
	t.Helper()
	r.faults[kind]++
	p := r.clients[r.random.IntN(memberClients)]
	node := r.random.IntN(len(r.cluster.Hosts()))
	proxies := p.proxies
	if r.random.IntN(2) == 0 {
		proxies = nil
		for _, p := range r.clients {
			proxies = append(proxies, p.proxies[node])
		}
	}
	way, delay := network.Direction(r.random.IntN(2)), rand.N(longestDelay)
	switch kind {
	case "node":
		r.node.Wait()
		require.NoError(t, r.failure)
		require.NoError(t, r.cluster.Kill(t.Context(), node))
		r.node.Go(func() { r.failure = r.cluster.Restart(t.Context(), node) })
	case "client":
		require.NoError(t, p.cmd.Process.Kill())
		var exit *exec.ExitError
		require.ErrorAs(t, p.end(), &exit)
		require.False(t, exit.Exited(), "client %d had ended before: %s%s", p.config.Number, p.out, p.err)
		r.start(t, p)
	case "cut":
		for _, proxy := range proxies {
			proxy.Cut()
		}
	case "delay":
		for _, proxy := range proxies {
			proxy.Delay(way, delay)
		}
	}
}

// end waits until a process has ended.
func (p *memberProcess) end() error {
	p.read.Wait()
	return p.cmd.Wait()
}

// stop lets all processes end, when every node answers and no connection is delayed.
func (r *memberRun) stop(t *testing.T) {
	t.Helper()
	r.node.Wait()
	require.NoError(t, r.failure)
	for _, p := range r.clients {
		for _, proxy := range p.proxies {
			proxy.Delay(network.Requests, 0)
			proxy.Delay(network.Answers, 0)
		}
	}
	for range 2 * memberClients {
		r.await(t)
	}
	for i, p := range r.clients {
		require.NoError(t, p.in.Close())
		require.NoError(t, p.end(), "client %d: %s%s", i, p.out, p.err)
	}
}

// calls returns the calls of all histories.
func (r *memberRun) calls(t *testing.T) (all []*call) {
	t.Helper()
	for i := range memberClients + 1 {
		all = append(all, readHistory(t, r.historyOf(i))...)
	}
	return all
}

func (r *memberRun) log(t *testing.T, calls []*call) {
	t.Helper()
	results := map[result]int{}
	for _, c := range calls {
		results[c.Result]++
	}
	t.Logf("%d calls of %d members, %d faults %v, %d calls of unknown outcome, %d conflicts, %d duplicates, %d other failures, %d runs of Reconcile",
		len(calls), int(r.round+1)*idsOfRound, *versionedFaults, r.faults, results[unknown], results[conflict], results[duplicate], results[failed], r.runs.Load())
}

// saveEach saves each member once more, with the nickname that it has. It tries until the save succeeds.
func saveEach(t *testing.T, c *memberClient, rounds int32) {
	t.Helper()
	for id := range rounds * idsOfRound {
		var saved result
		for began := time.Now(); saved != succeeded; {
			c.do(t.Context(), record{Op: "Get", ID: id})
			r := record{Op: "Put", ID: id, New: entry{Team: "team"}}
			if old := c.known[id]; old != nil {
				r.New.Nick, r.New.Team = value(old.Nick), old.Team
			}
			saved = c.do(t.Context(), r)
			require.Less(t, time.Since(began), 2*memberPatience, "member %d is not saved: %s", id, saved)
		}
	}
}

// requireProjections compares all rows with the members as they were saved last.
func requireProjections(t *testing.T, session gocqlx.Session, members map[int32]*member.Member) {
	t.Helper()
	var roots, teams, nicks []string
	owners := map[string]int32{}
	for id, m := range members {
		nick := value(m.Nick)
		roots = append(roots, fmt.Sprint([]any{id, nick, m.Team, m.Note, m.Version}))
		teams = append(teams, fmt.Sprint([]any{m.Team, id, nick, m.Note}))
		if nick == "" {
			continue
		}
		nicks = append(nicks, fmt.Sprint([]any{nick, id, m.Note}))
		require.NotContains(t, owners, nick, "members %d and %d have the nickname %q", owners[nick], id, nick)
		owners[nick] = id
	}
	require.ElementsMatch(t, roots, rowsOf(t, session, "members", "id", "nick", "team", "note", "version"))
	require.ElementsMatch(t, teams, rowsOf(t, session, "members_of_team", "team", "id", "nick", "note"))
	require.ElementsMatch(t, nicks, rowsOf(t, session, "members_by_nick", "nick", "id", "note"))
	reserved := rowsOf(t, session, "members__nick_unique", "nick", "aml_owner_id")
	for nick, id := range owners {
		require.Contains(t, reserved, fmt.Sprint([]any{nick, id}))
	}
}

// rowsOf reads columns of a table without the mapper. Null is an empty text.
func rowsOf(t *testing.T, session gocqlx.Session, table string, columns ...string) (out []string) {
	t.Helper()
	for _, r := range storetest.ReadTable(t, session, table) {
		var values []any
		for _, c := range columns {
			v := r[c]
			if v == nil {
				v = ""
			}
			values = append(values, v)
		}
		out = append(out, fmt.Sprint(values))
	}
	return out
}
