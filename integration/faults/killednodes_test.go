package faults

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/models/workshop"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/integration/suite"
	"github.com/cassaml/cassaml/mapper"
)

// killRounds is the number of times that one of three nodes is killed during writes of jobs.
var killRounds = flag.Int("kills", 0, "the number of times that a node is killed while jobs are written; 0: no such test")

const (
	mostKills        = 20  // limit of the repetitions until a kill affects a write
	writesBesideKill = 200 // while a node is killed and restarted
	writesAfterKill  = 40  // when all nodes answer: on a loaded machine, few of those beside the kill are acknowledged
)

// TestKilledNodes runs the tests that kill nodes in sequence, on a separate cluster.
func TestKilledNodes(t *testing.T) {
	t.Parallel()
	cluster := cassandra.StartCluster(t)
	if *killRounds > 0 {
		t.Run("writes", func(t *testing.T) { testWritesSurviveKilledNodes(t, cluster) })
	}
	t.Run("versioned", func(t *testing.T) { testVersionedHistories(t, cluster) })
	if *reconcileRoots > 0 {
		t.Run("reconcile", func(t *testing.T) { testReconcile(t, cluster) })
	}
	if *replicas > 0 {
		t.Run("replicas", func(t *testing.T) { testMigrateReplicas(t, cluster) })
		t.Run("agreement", func(t *testing.T) { testSchemaChangesWithANodeDown(t, cluster) })
	}
}

// Nodes are killed during writes to up to a dozen rows of six tables, batches of several aggregates, increments of counters, and saves
// of a versioned root with parts.
// At the end, every acknowledged write is complete in all tables, every write and every batch of unknown outcome is complete or
// absent, no increment was repeated, and the versioned root has counted each of its parts. Each scan of a table meanwhile has the rows
// that exist all the time. Rows that only one node had acknowledged exist after it is restarted.
func testWritesSurviveKilledNodes(t *testing.T, cluster *cassandra.Cluster) {
	storetest.Requires(t, workshop.Schema)
	once := rowsOfOneReplica(t, cluster)
	session, err := cluster.Session(t.Context(), "jobs", 3)
	require.NoError(t, err)
	defer session.Close()
	storetest.Execute(t, session, workshop.Schema)

	attempts := &failedWrites{}
	store := storetest.OpenJobs(t, session, mapper.Config{Tracer: attempts})
	writers := make([]*killWriter, 6)
	for i := range writers {
		writers[i] = &killWriter{store: store, random: rand.New(rand.NewPCG(rand.Uint64(), 0)), number: i}
	}
	batches, counts := besideJobs(t, session, store, len(writers))
	bids := bidWriters(t, session, 2)
	all := []writer{bids[0], bids[1]}
	for i := range batches {
		all = append(all, writers[2*i], writers[2*i+1], batches[i], counts[i])
	}
	scans := newScanner(t, counts[0].store)
	stop := scans.beside(t.Context())
	rounds := killWhileWriting(t, cluster, all, attempts)
	stop()
	require.NoError(t, scans.err)
	t.Logf("%d scans beside the writers", scans.scans)
	jobs := slices.Clone(writers)
	for _, b := range batches {
		jobs = append(jobs, &b.killWriter)
	}
	var acknowledged, unknown int
	for _, w := range jobs {
		acknowledged += w.acknowledged
		unknown += len(w.unknown)
	}
	t.Logf("%d kills, %d writes acknowledged, %d of unknown outcome, %d attempts failed", rounds, acknowledged, unknown, attempts.n.Load())
	require.Positive(t, attempts.n.Load(), "no kill affected a write")
	require.Greater(t, acknowledged, 10*rounds)
	once()
	got := requireWhole(t, cluster, session, jobs)
	requireCountedBids(t, bids)
	batched := 0
	for i := range batches {
		batched += batches[i].acknowledged
		batches[i].requireWhole(t, got)
		counts[i].requireCounted(t, session)
	}
	require.Positive(t, batched, "no batch was acknowledged")
}

// rowsOfOneReplica inserts rows of which each is on one node only, and returns a function that requires that they exist.
func rowsOfOneReplica(t *testing.T, cluster *cassandra.Cluster) (still func()) {
	t.Helper()
	const rows = 100
	session, err := cluster.Session(t.Context(), "once", 1)
	require.NoError(t, err)
	t.Cleanup(session.Close)
	require.NoError(t, session.ExecStmt("CREATE TABLE customers (id int PRIMARY KEY, name text)"))
	for id := range rows {
		require.NoError(t, session.Session.Query("INSERT INTO customers (id, name) VALUES (?, 'Ana')", id).Exec())
	}
	return func() {
		var count int
		require.NoError(t, session.Session.Query("SELECT count(*) FROM customers").Consistency(gocql.All).Scan(&count))
		require.Equal(t, rows, count, "the rows that one node had acknowledged")
	}
}

// failedWrites counts the failed attempts of writes.
type failedWrites struct{ n atomic.Int64 }

func (f *failedWrites) Start(ctx context.Context, r mapper.Request) context.Context {
	return context.WithValue(ctx, failedWrites{}, r.Timestamp > 0)
}

func (f *failedWrites) End(ctx context.Context, r mapper.RequestResult) {
	if write, _ := ctx.Value(failedWrites{}).(bool); write && r.Err != nil {
		f.n.Add(1)
	}
}

// killWhileWriting kills a node during the writes of all writers and restarts it, repeatedly until a write has failed. It
// returns the number of kills.
func killWhileWriting(t *testing.T, cluster *cassandra.Cluster, writers []writer, attempts *failedWrites) (rounds int) {
	t.Helper()
	turn := make(chan struct{})
	var writing sync.WaitGroup
	for _, w := range writers {
		writing.Go(func() {
			for range turn {
				w.write(t.Context())
			}
		})
	}
	let := func(writes int) {
		for range writes {
			turn <- struct{}{}
		}
	}
	var err error
	for err == nil && (rounds < *killRounds || attempts.n.Load() == 0 && rounds < mostKills) {
		let(20 + rand.IntN(40)) // the last of them are in flight when the node is killed
		var others sync.WaitGroup
		others.Go(func() { let(writesBesideKill) })
		err = bounce(t, cluster, rand.IntN(3))
		others.Wait()
		let(writesAfterKill)
		rounds++
	}
	close(turn)
	writing.Wait()
	require.NoError(t, err)
	return rounds
}

// bounce kills a node and restarts it.
func bounce(t *testing.T, cluster *cassandra.Cluster, node int) error {
	if err := cluster.Kill(t.Context(), node); err != nil {
		return err
	}
	_, err := net.Dial("tcp", cluster.Hosts()[node])
	assert.ErrorContains(t, err, "refused", "the node has ended")
	if err := cluster.Restart(t.Context(), node); err != nil {
		return err
	}
	assert.ErrorContains(t, cluster.Restart(t.Context(), node), "the node runs")
	return nil
}

// killWriter writes separate jobs, one write at a time.
type killWriter struct {
	store  *workshop.Store
	random *rand.Rand
	number int
	made   int

	jobs         []*workshop.Job    // as of the last acknowledged write; nil: deleted
	unknown      [][2]*workshop.Job // the two possible states of a job of unknown outcome
	acknowledged int
}

// write inserts, changes or deletes one job. It does not write a job of unknown outcome again.
func (w *killWriter) write(ctx context.Context) {
	i := len(w.jobs)
	if i > 0 && w.random.IntN(3) > 0 {
		i = w.random.IntN(i)
	}
	if i == len(w.jobs) {
		w.jobs = append(w.jobs, nil)
	}
	old := w.jobs[i]
	var next *workshop.Job
	var err error
	switch {
	case old == nil:
		next = w.job()
		err = w.store.Jobs.Insert(ctx, next)
	case w.random.IntN(6) == 0:
		err = storetest.DeleteJob(ctx, w.store, old)
	default:
		next = w.other(old)
		err = w.store.Jobs.Change(ctx, old, next)
	}
	var outcome *mapper.UnknownOutcomeError
	switch {
	case err == nil:
		w.acknowledged++
		w.jobs[i] = next
	case errors.As(err, &outcome):
		w.unknown = append(w.unknown, [2]*workshop.Job{old, next})
		w.jobs = slices.Delete(w.jobs, i, i+1)
	}
	// For any other error nothing was written.
}

// job returns a job whose keys no other writer has.
func (w *killWriter) job() *workshop.Job {
	w.made++
	j := storetest.Changed(storetest.Brakes(), nil)
	j.ID[0], j.ID[1], j.ID[2] = byte(w.number), byte(w.made>>8), byte(w.made)
	j.Tools[0].Serial, j.Tools[1].Serial = w.serial(j), w.serial(j)
	return j
}

func (w *killWriter) serial(j *workshop.Job) string {
	return fmt.Sprintf("%v %d", j.ID, w.random.Uint64())
}

// other returns the job with other cells, and with copies whose rows change their keys, are added and are removed.
func (w *killWriter) other(old *workshop.Job) *workshop.Job {
	return storetest.Changed(old, func(j *workshop.Job) {
		j.Title = fmt.Sprint("title ", w.random.IntN(3))
		j.Hours = float64(w.random.IntN(9))
		j.Tools[0].Serial = w.serial(j)
		j.Parts[fmt.Sprint("part ", w.random.IntN(3))] = workshop.Part{Maker: fmt.Sprint("maker ", w.random.IntN(9))}
		delete(j.Parts, fmt.Sprint("part ", w.random.IntN(3)))
		j.Tags = []string{"night", fmt.Sprint("tag ", w.random.IntN(3))}
	})
}

// requireWhole waits until no node has batches to replay, and compares all tables with the expected jobs. It returns the tables.
func requireWhole(t *testing.T, cluster *cassandra.Cluster, session gocqlx.Session, writers []*killWriter) storetest.Tables {
	t.Helper()
	awaitBatchlogs(t, cluster)
	got := storetest.ReadTables(t, session)
	var jobs []*workshop.Job
	for _, w := range writers {
		for _, j := range w.jobs {
			if j != nil {
				jobs = append(jobs, j)
			}
		}
		for _, pair := range w.unknown {
			if j := whichever(t, pair, got); j != nil {
				jobs = append(jobs, j)
			}
		}
	}
	storetest.RequireSame(t, storetest.Expected(t, jobs), got)
	return got
}

// whichever returns the one of two jobs that the root contains. It returns nil if the root has none and one of the two is
// nil.
func whichever(t *testing.T, pair [2]*workshop.Job, got storetest.Tables) *workshop.Job {
	t.Helper()
	for _, j := range pair {
		if j == nil {
			continue
		}
		for key, r := range storetest.Expected(t, []*workshop.Job{j})["jobs"] {
			if fmt.Sprint(got["jobs"][key]) == fmt.Sprint(r) {
				return j
			}
		}
	}
	require.True(t, pair[0] == nil || pair[1] == nil, "a job is neither the old nor the new one: %v", pair[0])
	return nil
}

// awaitBatchlogs waits until the batchlog of every node is empty: then every logged batch has been executed.
func awaitBatchlogs(t *testing.T, cluster *cassandra.Cluster) {
	t.Helper()
	for _, host := range cluster.Hosts() {
		config := gocql.NewCluster(host)
		config.DisableInitialHostLookup = true
		config.Timeout, config.ConnectTimeout = 10*time.Second, 10*time.Second
		node, err := config.CreateSession()
		require.NoError(t, err)
		require.Eventually(t, func() bool {
			var left int
			return node.Query("SELECT count(*) FROM system.batches").Consistency(gocql.One).Scan(&left) == nil && left == 0
		}, 2*time.Minute, time.Second, "the batchlog of %s is not empty", host)
		node.Close()
	}
}

func TestMain(m *testing.M) { suite.Main(m) }
