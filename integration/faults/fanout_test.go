package faults

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/models/invoice"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
)

var (
	fanOutTargets = flag.Int("fanout.targets", 0, "the number of targets of a fan-out by processes that are killed, on three nodes; 0 skips the test")
	fanOutHolders = flag.Int("fanout.holders", 2000, "the number of their holders: half of them refer to one target")
)

const (
	fanOutVariable = "CASSAML_TEST_FAN_OUT"
	fanOutPatience = 10 * time.Minute
)

// fannerConfig configures a process that runs FanOut.
type fannerConfig struct {
	Hosts []string
	Skew  time.Duration
}

// TestFanOutProcess is one of the processes of [TestFanOutOnNodes]. It ends with its input.
func TestFanOutProcess(t *testing.T) {
	text := os.Getenv(fanOutVariable)
	if text == "" {
		t.Skip("runs only as a child process of other tests")
	}
	var c fannerConfig
	require.NoError(t, json.Unmarshal([]byte(text), &c))
	cluster := gocql.NewCluster(c.Hosts...)
	cluster.Keyspace, cluster.ProtoVersion, cluster.Consistency = "fanout", 4, gocql.LocalQuorum
	cluster.Timeout, cluster.ConnectTimeout, cluster.WriteCoalesceWaitTime = 10*time.Second, 10*time.Second, 0
	session, err := cassandra.CreateSession(t.Context(), cluster)
	require.NoError(t, err)
	defer session.Close()
	s, err := invoice.Open(t.Context(), gocqlx.NewSession(session), fanOutConfig(c.Skew))
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	fmt.Println("ready")
	err = s.FanOut(ctx, mapper.FanOutConfig{Follow: true, Progress: func(p mapper.FanOutProgress) { fmt.Println("served", p.Served, p.Failed) }})
	require.ErrorIs(t, err, context.Canceled)
}

// fanOutConfig returns the configuration of stores whose clock differs, and whose saves leave all holders to FanOut.
func fanOutConfig(ahead time.Duration) mapper.Config {
	return mapper.Config{FanOutInline: -1, MaxClockSkew: -1, Now: func() time.Time { return time.Now().Add(ahead) }}
}

// fanner is a process that runs [TestFanOutProcess].
type fanner struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines chan string // is closed when its output has ended
}

func startFanner(t *testing.T, c fannerConfig) *fanner {
	t.Helper()
	text, err := json.Marshal(c)
	require.NoError(t, err)
	f := &fanner{cmd: exec.Command(os.Args[0], "-test.run=^TestFanOutProcess$"), lines: make(chan string, 100_000)}
	f.cmd.Env, f.cmd.Stderr = append(os.Environ(), fanOutVariable+"="+string(text)), os.Stderr
	f.in, err = f.cmd.StdinPipe()
	require.NoError(t, err)
	out, err := f.cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, f.cmd.Start())
	t.Cleanup(func() { _ = f.cmd.Process.Kill() })
	go func() {
		defer close(f.lines)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			f.lines <- lines.Text()
		}
	}()
	require.Equal(t, "ready", <-f.lines)
	return f
}

// kill kills the process.
func (f *fanner) kill(t *testing.T) {
	t.Helper()
	require.NoError(t, f.cmd.Process.Kill())
	_ = f.cmd.Wait()
}

// TestFanOutOnNodes renames targets on three nodes, whose clocks are up to 3 s apart, while four processes run FanOut, with clocks as far apart. Two
// of them and a node are killed. In the end each holder has the name of its target, no outbox is left, no reference has lost its target or its row, and
// the changes of each target, with the reads of two clients, are linearizable.
func TestFanOutOnNodes(t *testing.T) {
	if *fanOutTargets == 0 {
		t.Skip("-fanout.targets")
	}
	cluster := cassandra.StartClocks(t, 0, clocksApart/2, clocksApart)
	session, err := cluster.Session(t.Context(), "fanout", len(cluster.Hosts()))
	require.NoError(t, err)
	defer session.Close()
	storetest.Execute(t, session, invoice.Schema)
	s, err := invoice.Open(t.Context(), session, fanOutConfig(0))
	require.NoError(t, err)
	inTwenty(t, *fanOutTargets, func(i int32) error {
		return s.Customers.Insert(t.Context(), &invoice.Customer{ID: i, Name: firstName})
	})
	inTwenty(t, *fanOutHolders, func(i int32) error {
		return s.Invoices.Insert(t.Context(), &invoice.Invoice{ID: i, Payer: payerOf(i)})
	})
	var all []*fanner
	for i := range 4 {
		all = append(all, startFanner(t, fannerConfig{cluster.Hosts(), clocksApart * time.Duration(i) / 3}))
	}
	calls := &renamings{s: s, began: time.Now()}
	var attempts atomic.Int64
	rename := func(name string) {
		inTwenty(t, *fanOutTargets, func(i int32) error { return calls.rename(t.Context(), i, fmt.Sprint(name, " ", attempts.Add(1))) })
	}
	var readers sync.WaitGroup
	reading, stopReading := context.WithCancel(t.Context())
	for range 2 {
		readers.Go(func() { calls.readUntil(reading, int32(min(*fanOutTargets, 4))) })
	}
	rename("first")
	leased := func() (epochs int) {
		_ = session.Session.Query("SELECT count(epoch) FROM aml_work").Scan(&epochs)
		return epochs
	}
	require.Eventually(t, func() bool { return leased() > 0 }, fanOutPatience, 50*time.Millisecond, "no process has leased a bucket")
	all[0].kill(t)
	rename("second")
	require.NoError(t, cluster.Kill(t.Context(), 1))
	all[1].kill(t)
	rename("third")
	require.NoError(t, cluster.Restart(t.Context(), 1))
	rename("last")
	require.Eventually(t, func() bool {
		var rows int
		err := session.Session.Query("SELECT count(*) FROM aml_outboxes").Scan(&rows)
		return err == nil && rows == 0
	}, fanOutPatience, time.Second, "outboxes are left")
	stopReading()
	readers.Wait()
	names := make([]string, *fanOutTargets)
	inTwenty(t, *fanOutTargets, func(i int32) (err error) {
		names[i], err = calls.read(t.Context(), i)
		return err
	})
	calls.requireLinearizable(t)
	stale := atomic.Int64{}
	inTwenty(t, *fanOutHolders, func(i int32) error {
		v, err := s.Invoices.Get(t.Context(), i)
		if err == nil && v.PayerName != names[payerOf(i)] {
			stale.Add(1)
		}
		return err
	})
	require.Zero(t, stale.Load())
	requireNoOrphans(t, session)
	for _, f := range all[2:] {
		require.NoError(t, f.in.Close())
		for range f.lines {
		}
		require.NoError(t, f.cmd.Wait())
	}
	t.Logf("%d targets, %d holders, %d leased buckets, 2 of 4 processes and a node killed: 0 stale", *fanOutTargets, *fanOutHolders, leased())
}

// requireNoOrphans checks that each reference has its target and its row, and that Reconcile deletes the rows that refused saves have left.
func requireNoOrphans(t *testing.T, session gocqlx.Session) {
	t.Helper()
	ahead := func() time.Time { return time.Now().Add(2 * clocksApart) } // nothing is too recent
	s, err := invoice.Open(t.Context(), session, mapper.Config{MaxClockSkew: 3 * clocksApart, Now: ahead})
	require.NoError(t, err)
	report, err := s.Reconcile(t.Context(), mapper.ReconcileConfig{Found: func(d mapper.Drift) {
		if d.Kind != mapper.DriftOrphan || !d.Repaired {
			t.Errorf("%+v", d)
		}
	}})
	require.NoError(t, err)
	require.True(t, report.Clean())
}

// payerOf returns the target of a holder: half of all have one.
func payerOf(holder int32) int32 {
	if holder%2 == 0 {
		return 0
	}
	return holder % int32(*fanOutTargets)
}

// inTwenty calls do for the numbers below n, twenty at a time. It repeats a call that fails, because a node can be down.
func inTwenty(t *testing.T, n int, do func(i int32) error) {
	t.Helper()
	var all sync.WaitGroup
	var next atomic.Int32
	for range 20 {
		all.Go(func() {
			for i := next.Add(1) - 1; i < int32(n); i = next.Add(1) - 1 {
				for attempt := 0; ; attempt++ {
					err := do(i)
					if err == nil {
						break
					}
					if attempt == 20 {
						t.Error(err)
						return
					}
					time.Sleep(100 * time.Millisecond)
				}
			}
		})
	}
	all.Wait()
	require.False(t, t.Failed())
}
