//go:build unix

package cassandra

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

const clusterVariable = "CASSAML_TEST_CLUSTER"

// TestClusterHolder runs in a child process of the tests below: it launches the nodes of a cluster, prints their addresses,
// and waits to be killed.
func TestClusterHolder(t *testing.T) {
	dir := os.Getenv(clusterVariable)
	if dir == "" {
		t.Skip("runs only as a child process of other tests")
	}
	found, err := findLocal(t.Context(), Config{StateDir: dir, Log: os.Stderr})
	if err != nil {
		StartCluster(t) // which reports the reason
	}
	cluster, err := found.launchCluster(t.Context(), nil)
	require.NoError(t, err)
	defer cluster.Close()
	for i, n := range cluster.nodes {
		fmt.Println("node", cluster.hosts[i], n.(clusterNode).dir)
	}
	_, _ = os.Stdin.Read(make([]byte, 1))
}

// No process of a cluster remains after its process is killed, whether its nodes run or not. The nodes are stubs here: the
// supervisor ends them.
func TestClusterEndsWithAProcessThatIsKilled(t *testing.T) {
	fakeMaven(t)
	fakeJava(t, "exec sleep 3600")
	h := startChild(t, "TestClusterHolder", clusterVariable+"="+t.TempDir())
	var dirs, hosts []string
	for range clusterSize {
		fields := h.await(t, "node")
		hosts, dirs = append(hosts, fields[1]), append(dirs, fields[2])
	}
	var waits []func()
	for _, dir := range dirs {
		waits = append(waits, ending(t, dir))
	}
	pids := []int{serverPid(t, dirs[0]), serverPid(t, dirs[1]), serverPid(t, dirs[2])}
	require.NoError(t, unix.Kill(pids[1], unix.SIGKILL))
	h.signal(t, unix.SIGKILL)
	for i := range dirs {
		waits[i]()
		requireGone(t, pids[i], hosts[i])
		require.NoDirExists(t, filepath.Join(dirs[i], "node1", "state"))
	}
}

func TestClusterWithoutJava(t *testing.T) {
	out, err := bare("TestClusterHolder", clusterVariable+"=x", requireVariable+"=1", hostsVariable+"=127.0.0.1:1").CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "cassandra: no cluster: nodes that a test kills, or whose roles it changes, run as processes, not in Docker and not by "+
		"CASSANDRA_HOSTS: install Java 17 or 11 and Maven (no java in PATH)\n")
	out, err = bare("TestClusterHolder", clusterVariable+"=x").CombinedOutput()
	require.NoError(t, err)
	require.Contains(t, string(out), "--- SKIP: TestClusterHolder ")
}

// A server that can be restarted keeps its state until its users have ended.
func TestRestart(t *testing.T) {
	place := commons{t.TempDir(), 60}
	s, err := place.launch(t.Context(), func(dir string) (plan, error) {
		p, err := stub("echo up >>state/starts; exec sleep 3600")(dir)
		p.restartable = true
		return p, err
	})
	require.NoError(t, err)
	n, ended := clusterNode{s}, ending(t, s.dir)
	starts := func() int {
		text, _ := os.ReadFile(filepath.Join(s.dir, "node1", "state", "starts"))
		return bytes.Count(text, []byte("up"))
	}
	for round := 1; round < 4; round++ {
		require.Eventually(t, func() bool { return starts() == round }, patience, admitEvery)
		require.NoError(t, n.running())
		require.NoError(t, n.kill(t.Context()))
		require.ErrorIs(t, n.running(), errEnded)
		require.NoError(t, s.alive(), "the supervisor runs")
		require.NoError(t, n.revive(t.Context()))
	}
	s.keepLogs(false)
	require.NoError(t, s.release())
	ended()
	require.NoDirExists(t, s.dir)
}

func TestRestartableServerEndsWhileItIsDown(t *testing.T) {
	s, err := commons{t.TempDir(), 60}.launch(t.Context(), func(dir string) (plan, error) {
		p, err := stub(sleeps)(dir)
		p.restartable = true
		return p, err
	})
	require.NoError(t, err)
	ended := ending(t, s.dir)
	require.NoError(t, clusterNode{s}.kill(t.Context()))
	s.keepLogs(false)
	require.NoError(t, s.release())
	ended()
	require.NoDirExists(t, s.dir)
}

func TestEvenToken(t *testing.T) {
	require.Equal(t, []string{"-9223372036854775807", "-3074457345618258602", "3074457345618258603"},
		[]string{evenToken(0, 3), evenToken(1, 3), evenToken(2, 3)})
}

// A name of a data centre is written to a file of properties, and each node has one.
func TestLayout(t *testing.T) {
	require.NoError(t, layout(nil).check())
	require.NoError(t, layout{"dc1", "dc1", "dc2"}.check())
	require.EqualError(t, layout{"dc1", "dc2"}.check(), `a cluster has 3 nodes: there are 2 data centres ["dc1" "dc2"]`)
	require.EqualError(t, layout{"dc1", "dc1", "dc\n"}.check(), `"dc\n" is not the name of a data centre: use letters, digits and underscores`)
}

func TestClusterNeedsItsAddresses(t *testing.T) {
	_, err := sharedPorts([]string{"127.0.0.1", "192.0.2.1"}, 1)
	require.ErrorIs(t, err, unix.EADDRNOTAVAIL)
	require.True(t, strings.HasSuffix(err.Error(), "on a Mac: sudo ifconfig lo0 alias 127.0.0.2)"), err)
}
