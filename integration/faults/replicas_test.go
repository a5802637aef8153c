package faults

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
	"github.com/cassaml/cassaml/migrate"
)

var (
	replicas      = flag.Int("replicas", 0, "the number of processes that migrate a keyspace concurrently; 0: no such test")
	replicaRounds = flag.Int("replicas.rounds", 1, "the number of rounds of concurrent migrations")
	replicaNodes  = flag.Bool("replicas.nodes", false, "kill a node in every third round, too")
	replicaSeed   = flag.Uint64("replicas.seed", uint64(time.Now().UnixNano()), "the seed of the points at which runs and nodes are killed")
)

const (
	killBefore      = 24 // last event at which a run or node is killed; a run has two for each statement, and one
	replicaVariable = "CASSAML_TEST_REPLICA"
	replicaHosts    = "CASSAML_TEST_HOSTS"
	replicaPatience = 3 * time.Minute // only limits a test that hangs
)

// replicaConfig has short times to wait for a killed run and a killed node.
var replicaConfig = migrate.Config{LockTTL: 8 * time.Second, DDLTimeout: 3 * time.Second}

// replicaMigrations would lose a field of the type if two runs altered it concurrently. The server rejects a repetition of
// any of its statements.
func replicaMigrations() fstest.MapFS {
	texts := map[string]string{
		"0001_init.cql": "CREATE TYPE address (street text);\nCREATE TABLE customers (id int PRIMARY KEY, name text, home frozen<address>);\n" +
			"CREATE TABLE visits (id int PRIMARY KEY, page text) WITH comment = 'counted';",
		"0002_grow.cql":   "ALTER TYPE address ADD city text;\nALTER TYPE address ADD country text;\nALTER TABLE customers ADD (email text, phone text);",
		"0003_orders.cql": "CREATE TABLE orders (customer int, id int, total decimal, PRIMARY KEY (customer, id));\nALTER TABLE orders RENAME id TO number;",
		"0004_index.cql":  "CREATE INDEX visits_by_page ON visits (page) USING 'sai';\nALTER TABLE customers DROP phone;",
		"0005_again.cql":  "DROP TABLE visits;\nCREATE TABLE visits (day date, id int, PRIMARY KEY (day, id));\nALTER TYPE address ADD zip text;",
	}
	fsys := fstest.MapFS{}
	for name, text := range texts {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

// TestMigrateReplica is one of the processes of the test below.
func TestMigrateReplica(t *testing.T) {
	keyspace := os.Getenv(replicaVariable)
	if keyspace == "" {
		t.Skip("runs only as a child process of other tests")
	}
	ctx, cancel := context.WithTimeout(t.Context(), replicaPatience)
	defer cancel()
	t.Setenv("CASSANDRA_HOSTS", os.Getenv(replicaHosts))
	session, err := cassandra.Test(t).Keyspace(ctx, keyspace)
	require.NoError(t, err)
	defer session.Close()
	fmt.Println("ready")
	in := bufio.NewReader(os.Stdin)
	_, _ = in.ReadString('\n')
	config := replicaConfig
	config.Progress = func(e migrate.Event) {
		fmt.Println("event", e.Kind, e.Epoch, e.File, e.Number)
		if isLast(e) { // a run must not end before the test that reads its events kills it
			_, _ = in.ReadString('\n')
		}
	}
	require.NoError(t, migrate.Up(ctx, gocqldriver.New(session), replicaMigrations(), config))
	fmt.Println("done")
}

// isLast reports whether all statements are applied and the lock is not yet released.
func isLast(e migrate.Event) bool {
	return e.Kind == migrate.EventApplied && e.File == "0005_again.cql" && e.Number == 3
}

// replica is a process that migrates.
type replica struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    bytes.Buffer // its output other than events
	err    bytes.Buffer
	lines  chan replicaLine
	killed bool
}

// replicaLine is a line of output of a process: a word, or an event.
type replicaLine struct {
	of    *replica
	word  string // ready, event, done, or "" after it has ended
	event migrate.Event
}

func startReplica(t *testing.T, hosts []string, keyspace string, lines chan replicaLine) *replica {
	t.Helper()
	r := &replica{cmd: exec.Command(os.Args[0], "-test.run=^TestMigrateReplica$"), lines: lines}
	r.cmd.Env = append(os.Environ(), replicaVariable+"="+keyspace, replicaHosts+"="+strings.Join(hosts, ","))
	r.cmd.Stderr = &r.err
	in, err := r.cmd.StdinPipe()
	require.NoError(t, err)
	out, err := r.cmd.StdoutPipe()
	require.NoError(t, err)
	r.in = in
	require.NoError(t, r.cmd.Start())
	t.Cleanup(func() { _ = r.cmd.Process.Kill() })
	go r.listen(out)
	return r
}

func (r *replica) listen(out io.Reader) {
	for lines := bufio.NewScanner(out); lines.Scan(); {
		l := replicaLine{of: r}
		var kind string
		if _, err := fmt.Sscan(lines.Text(), &l.word, &kind, &l.event.Epoch, &l.event.File, &l.event.Number); err == nil {
			l.event.Kind = migrate.EventKind(kind)
		}
		switch l.word {
		case "ready", "event", "done":
			r.lines <- l
		default:
			fmt.Fprintln(&r.out, lines.Text())
		}
	}
	r.lines <- replicaLine{of: r}
}

// testMigrateReplicas runs several processes that migrate a keyspace of three nodes concurrently. In every round the process
// with the lock is killed at a random point. With -replicas.nodes, a node is also killed and restarted in every third round.
func testMigrateReplicas(t *testing.T, cluster *cassandra.Cluster) {
	t.Logf("-replicas.seed=%d", *replicaSeed)
	random := rand.New(rand.NewPCG(*replicaSeed, 0))
	for round := range *replicaRounds {
		t.Run(fmt.Sprint(round), func(t *testing.T) {
			r := newReplicaRound(t, cluster, random, fmt.Sprintf("round_%d", round))
			if *replicaNodes && round%3 == 0 {
				r.killNode = 1 + random.IntN(killBefore)
			}
			r.run(t)
		})
	}
}

// replicaRound is one start of all processes.
type replicaRound struct {
	cluster  *cassandra.Cluster
	keyspace string
	session  gocqlx.Session
	lines    chan replicaLine
	all      []*replica
	applied  map[string]int // the number of times that a statement was recorded
	killRun  int            // the number of the event of runs with the lock at which a run is killed
	killed   int64          // its epoch
	killNode int            // the number of the event at which a node is killed; 0: never
	node     int
	restart  sync.WaitGroup
	failure  error // of the restart
}

func newReplicaRound(t *testing.T, cluster *cassandra.Cluster, random *rand.Rand, keyspace string) *replicaRound {
	t.Helper()
	session, err := cluster.Session(t.Context(), keyspace, len(cluster.Hosts()))
	require.NoError(t, err)
	t.Cleanup(session.Close)
	r := &replicaRound{
		cluster: cluster, keyspace: keyspace, session: session, lines: make(chan replicaLine), applied: map[string]int{},
		killRun: 1 + random.IntN(killBefore), node: random.IntN(len(cluster.Hosts())),
	}
	for range *replicas {
		r.all = append(r.all, startReplica(t, cluster.Hosts(), keyspace, r.lines))
	}
	return r
}

func (r *replicaRound) run(t *testing.T) {
	began := time.Now()
	epoch := r.listen(t)
	r.restart.Wait()
	require.NoError(t, r.failure)
	for i, one := range r.all {
		if err := one.cmd.Wait(); !one.killed {
			require.NoError(t, err, "process %d: %s%s", i, &one.out, &one.err)
		}
	}
	for statement, times := range r.applied {
		require.Equal(t, 1, times, statement)
	}
	t.Logf("%d processes in %v, the lock was taken %d times", len(r.all), time.Since(began).Round(time.Millisecond), epoch)
	require.Positive(t, r.killed, "no run was killed")
	require.Greater(t, epoch, r.killed, "no other run took over the lock of the killed run")
	r.requireWhole(t)
}

// listen reads the output of the processes until all have ended, and kills. It returns the last epoch of an event.
func (r *replicaRound) listen(t *testing.T) (epoch int64) {
	ready, ended, events := 0, 0, 0
	for ended < len(r.all) {
		switch l := <-r.lines; l.word {
		case "ready":
			if ready++; ready == len(r.all) {
				for _, one := range r.all {
					one.tell(t)
				}
			}
		case "":
			ended++
		case "event":
			if l.event.Kind == migrate.EventWaiting || l.of.killed {
				continue
			}
			events++
			epoch = max(epoch, l.event.Epoch)
			if l.event.Kind == migrate.EventApplied {
				r.applied[fmt.Sprint(l.event.File, " ", l.event.Number)]++
			}
			if events == r.killRun {
				r.kill(t, l)
			}
			if events == r.killNode {
				r.bounce(t)
			}
			if isLast(l.event) {
				l.of.tell(t)
			}
		}
	}
	return epoch
}

// tell lets a process continue.
func (r *replica) tell(t *testing.T) {
	_, err := io.WriteString(r.in, "go\n")
	require.NoError(t, err)
}

// kill kills the process that has the lock.
func (r *replicaRound) kill(t *testing.T, l replicaLine) {
	l.of.killed = true
	require.NoError(t, l.of.cmd.Process.Kill())
	r.killed = l.event.Epoch
	t.Logf("killed the run of epoch %d at %s %s %d", l.event.Epoch, l.event.Kind, l.event.File, l.event.Number)
}

// bounce kills a node and restarts it while the processes run.
func (r *replicaRound) bounce(t *testing.T) {
	require.NoError(t, r.cluster.Kill(t.Context(), r.node))
	t.Logf("killed node %d", r.node)
	r.restart.Go(func() { r.failure = r.cluster.Restart(t.Context(), r.node) })
}

// requireWhole checks every node separately.
func (r *replicaRound) requireWhole(t *testing.T) {
	var first map[string]string
	for _, host := range r.cluster.Hosts() {
		cluster := gocql.NewCluster(host)
		cluster.DisableInitialHostLookup = true
		cluster.Consistency = gocql.One
		session, err := cluster.CreateSession()
		require.NoError(t, err)
		ids := schemaOf(t, session, r.keyspace)
		session.Close()
		if first == nil {
			first = ids
		}
		require.Equal(t, first, ids, "the nodes have different schemas")
	}
	require.Equal(t, "[street city country zip]", first["address"])
	require.Len(t, first, 5, "%v", first)
	require.NoError(t, r.session.ExecStmt(`INSERT INTO customers (id, email, home) VALUES (1, 'a', {street: 'a', city: 'b', country: 'c', zip: 'd'})`))
	require.NoError(t, r.session.ExecStmt(`INSERT INTO orders (customer, number) VALUES (1, 2)`))
	config := replicaConfig
	config.Progress = func(e migrate.Event) { t.Errorf("all statements are recorded, but %v is reported", e) }
	require.NoError(t, migrate.Up(t.Context(), gocqldriver.New(r.session), replicaMigrations(), config))
}

// schemaOf returns the ID of each table, and the fields of each type.
func schemaOf(t *testing.T, session *gocql.Session, keyspace string) map[string]string {
	t.Helper()
	found := map[string]string{}
	rows := session.Query("SELECT table_name, id FROM system_schema.tables WHERE keyspace_name = ?", keyspace).Iter()
	var name string
	for id := (gocql.UUID{}); rows.Scan(&name, &id); {
		require.Equal(t, 5, id.Version(), name)
		found[name] = id.String()
	}
	require.NoError(t, rows.Close())
	rows = session.Query("SELECT type_name, field_names FROM system_schema.types WHERE keyspace_name = ?", keyspace).Iter()
	for fields := []string(nil); rows.Scan(&name, &fields); {
		found[name] = fmt.Sprint(fields)
	}
	require.NoError(t, rows.Close())
	return found
}
