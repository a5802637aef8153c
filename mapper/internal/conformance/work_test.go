package conformance

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/network"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
	"github.com/cassaml/cassaml/mapper/internal/work"
)

var sharedPhases = []work.Phase{{Name: "copies", Table: "customers"}, {Name: "orphans", Table: "vehicles"}}

func sharedJob(count int, phases ...work.Phase) work.Job {
	return work.Job{Name: "nightly", Header: fmt.Sprint(count, " slices"), Slices: count, Phases: phases}
}

// brief has leases that expire soon, and looks often at the slices of other processes.
var brief = work.Config{TTL: time.Second, Pause: func(ctx context.Context, _ <-chan struct{}) error {
	time.Sleep(20 * time.Millisecond)
	return ctx.Err()
}}

// impatient does not wait for other processes.
var impatient = work.Config{Pause: func(context.Context, <-chan struct{}) error { return errors.New("no slice is free") }}

// process returns a queue with a session of its own.
func process(t *testing.T, session gocqlx.Session, job work.Job, c work.Config) *work.Queue {
	t.Helper()
	own := cassandra.SessionLike(t, session, func(c *gocql.ClusterConfig) { c.NumConns = 1 })
	q, err := work.Open(t.Context(), gocqldriver.New(own), job, c)
	require.NoError(t, err)
	return q
}

// sharedRun is what the processes of a test have done.
type sharedRun struct {
	mu    sync.Mutex
	asked map[string]bool // slices whose Done was called
	done  map[string]int  // slices whose Done has returned
	saved map[string]bool // checkpoints of the leases of each slice
}

func (h *sharedRun) lease(t *testing.T, job work.Job, phase int, l *work.Lease) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.asked[name(l)] = true
	h.saved[name(l)+": "+string(l.Checkpoint)] = true
	before := 0
	for slice := range h.asked {
		if slice[:1] < fmt.Sprint(phase) {
			before++
		}
	}
	assert.Equal(t, phase*job.Slices, before, "a phase begins before the other has ended")
}

func (h *sharedRun) ended(l *work.Lease) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.done[name(l)]++
}

func name(l *work.Lease) string {
	return fmt.Sprint(slices.Index(sharedPhases, l.Phase), " ", l.Slice)
}

// carryOut works on a job until it is done, and returns its reports.
func (h *sharedRun) carryOut(t *testing.T, q *work.Queue, job work.Job) [][]byte {
	for phase := range job.Phases {
		for {
			l, err := q.Next(t.Context(), phase)
			if !assert.NoError(t, err) || l == nil {
				break
			}
			h.lease(t, job, phase, l)
			if err = l.Renew(t.Context()); err == nil {
				err = l.Done(t.Context(), []byte(name(l)))
			}
			if errors.Is(err, work.ErrLost) {
				continue // the machine is slow, and another worker has taken the slice
			}
			assert.NoError(t, err)
			h.ended(l)
		}
	}
	reports, err := q.Reports(t.Context())
	assert.NoError(t, err)
	return reports
}

// Four processes share a job, and create its table at the same time. One of them stops within a slice, which another continues.
func TestSharedJob(t *testing.T) {
	t.Parallel()
	session := cassandra.Keyspace(t)
	job := sharedJob(16, sharedPhases...)
	queues := make([]*work.Queue, 4)
	var opened sync.WaitGroup
	for i := range queues {
		opened.Go(func() { queues[i] = process(t, session, job, brief) })
	}
	opened.Wait()
	stopped, err := queues[0].Next(t.Context(), 0)
	require.NoError(t, err)
	require.NoError(t, stopped.Save(t.Context(), []byte("half")))

	h := &sharedRun{asked: map[string]bool{}, done: map[string]int{}, saved: map[string]bool{}}
	all := make([][][]byte, len(queues))
	var working sync.WaitGroup
	for i, q := range queues[1:] {
		working.Go(func() { all[i] = h.carryOut(t, q, job) })
	}
	working.Wait()
	require.ErrorIs(t, stopped.Done(t.Context(), nil), work.ErrLost)
	all[3] = h.carryOut(t, queues[0], job)

	var want [][]byte
	for phase := range sharedPhases {
		for i := range job.Slices {
			slice := fmt.Sprint(phase, " ", i)
			want = append(want, []byte(slice))
			assert.Equal(t, 1, h.done[slice], slice)
		}
	}
	assert.Equal(t, map[string]bool{name(stopped) + ": half": true}, half(h.saved))
	again := process(t, session, job, impatient)
	assert.Equal(t, want, h.carryOut(t, again, job))
	for _, reports := range all {
		assert.Equal(t, want, reports)
	}
	headerOutlivesSlices(t, session)
}

// half returns the slices that were continued from a checkpoint.
func half(saved map[string]bool) map[string]bool {
	saved = maps.Clone(saved)
	maps.DeleteFunc(saved, func(s string, _ bool) bool { return s[len(s)-1] == ' ' })
	return saved
}

// headerOutlivesSlices compares the times at which the rows of a job expire: without the header, its name could be used for
// another job while some slices are recorded as done.
func headerOutlivesSlices(t *testing.T, session gocqlx.Session) {
	t.Helper()
	var phase string
	var report, epoch, done *int
	header, slice := 0, 0
	rows := session.Session.Query("SELECT phase, TTL(report), TTL(epoch), TTL(done) FROM aml_work").Iter()
	for rows.Scan(&phase, &report, &epoch, &done) {
		if phase == "" {
			header = *report
			continue
		}
		assert.Equal(t, *report, *epoch)
		assert.Equal(t, *report, *done)
		slice = max(slice, *report)
	}
	require.NoError(t, rows.Close())
	assert.Positive(t, slice)
	assert.Greater(t, header, slice)
}

// A process whose slice was taken over cannot write any more.
func TestLostLease(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	session := cassandra.Keyspace(t)
	job := sharedJob(1, sharedPhases[0])
	first, err := process(t, session, job, brief).Next(ctx, 0)
	require.NoError(t, err)
	require.NoError(t, first.Save(ctx, []byte("half")))
	second, err := process(t, session, job, work.Config{TTL: time.Second}).Next(ctx, 0)
	require.NoError(t, err)
	require.Equal(t, "half", string(second.Checkpoint))
	require.ErrorIs(t, first.Save(ctx, []byte("more")), work.ErrLost)
	require.ErrorIs(t, first.Renew(ctx), work.ErrLost)
	require.ErrorIs(t, first.Done(ctx, []byte("of the first")), work.ErrLost)
	require.NoError(t, first.Release(ctx))
	require.NoError(t, second.Release(ctx))
	q := process(t, session, job, impatient)
	third, err := q.Next(ctx, 0)
	require.NoError(t, err)
	require.Equal(t, "half", string(third.Checkpoint))
	require.NoError(t, third.Done(ctx, []byte("of the third")))
	require.ErrorIs(t, third.Save(ctx, nil), work.ErrLost)
	reports, err := q.Reports(ctx)
	require.NoError(t, err)
	require.Equal(t, [][]byte{[]byte("of the third")}, reports)
}

// afterQueries calls a function after each answer to a query.
type afterQueries func(statement string)

func (f afterQueries) ObserveQuery(_ context.Context, q gocql.ObservedQuery) { f(q.Statement) }

// A process does not take a slice whose lease had expired when the process read it, and was then renewed.
func TestLeaseIsRenewedInTime(t *testing.T) {
	t.Parallel()
	session := cassandra.Keyspace(t)
	job := sharedJob(1, sharedPhases[0])
	first, err := process(t, session, job, impatient).Next(t.Context(), 0)
	require.NoError(t, err)
	expired, err := session.Session.Query("UPDATE aml_work SET owner = null WHERE job = 'nightly' AND phase = 'copies' " +
		"AND tbl = 'customers' AND slice = 0 IF epoch = 1").MapScanCAS(map[string]any{})
	require.NoError(t, err)
	require.True(t, expired)
	other := cassandra.SessionLike(t, session, func(c *gocql.ClusterConfig) {
		c.QueryObserver = afterQueries(func(statement string) {
			if strings.HasPrefix(statement, "SELECT epoch, owner") {
				assert.NoError(t, first.Renew(t.Context()))
			}
		})
	})
	q, err := work.Open(t.Context(), gocqldriver.New(other), job, impatient)
	require.NoError(t, err)
	_, err = q.Next(t.Context(), 0)
	require.EqualError(t, err, "work: wait for the slices of copies of customers: no slice is free")
	require.NoError(t, first.Done(t.Context(), nil))
}

func TestOpenRefusesAnotherHeader(t *testing.T) {
	t.Parallel()
	session := cassandra.Keyspace(t)
	process(t, session, sharedJob(1, sharedPhases[0]), brief)
	other := sharedJob(2, sharedPhases[0])
	_, err := work.Open(t.Context(), gocqldriver.New(session), other, brief)
	require.EqualError(t, err, "work: the job \"nightly\" was started with\n  1 slices\nand this process has\n  2 slices\n"+
		"use the same configuration and model in all processes, or another name")
	require.Equal(t, &work.HeaderError{Job: "nightly", Have: "1 slices", Want: "2 slices"}, err)
}

// No role can create a table in the keyspaces of the server.
func TestOpenWithoutPermission(t *testing.T) {
	t.Parallel()
	cluster := cassandra.Test(t).Cluster()
	cluster.Keyspace = "system_traces"
	session, err := cassandra.CreateSession(t.Context(), cluster)
	require.NoError(t, err)
	defer session.Close()
	_, err = work.Open(t.Context(), gocqldriver.New(gocqlx.NewSession(session)), sharedJob(1, sharedPhases[0]), brief)
	code, _ := driver.Code(err)
	require.Equal(t, driver.CodeUnauthorized, code)
	require.ErrorContains(t, err, "a role with the permission CREATE on keyspace system_traces must execute this statement once:\n"+
		"CREATE TABLE IF NOT EXISTS aml_work (\n\tjob text, phase text, tbl text, slice int, ")
}

// A statement whose answer is lost was executed nevertheless, and its condition is no longer met.
func TestUnknownOutcomesOfLeases(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	session := cassandra.Keyspace(t)
	job := sharedJob(1, sharedPhases[0])
	process(t, session, sharedJob(0), brief)
	var answers network.Dialer
	lossy := network.Session(t, session, &answers, 0)
	timeout := network.WriteTimeout("CAS")
	job.Name = "lossy"

	answers.Next(network.Rows, timeout)
	q, err := work.Open(ctx, gocqldriver.New(lossy), job, impatient)
	require.NoError(t, err)
	answers.Next(network.Rows, nil, timeout)
	l, err := q.Next(ctx, 0)
	require.NoError(t, err)
	answers.Next(network.Rows, timeout)
	require.NoError(t, l.Save(ctx, []byte("half")))
	onlyOwnerExpiresSoon(t, session)
	answers.Next(network.Rows, timeout)
	require.NoError(t, l.Release(ctx))
	l, err = q.Next(ctx, 0)
	require.NoError(t, err)
	require.Equal(t, "half", string(l.Checkpoint))
	answers.Next(network.Rows, timeout)
	require.NoError(t, l.Done(ctx, []byte("all")))
	reports, err := q.Reports(ctx)
	require.NoError(t, err)
	require.Equal(t, [][]byte{[]byte("all")}, reports)
}

// onlyOwnerExpiresSoon compares the times at which the columns of a leased slice expire.
func onlyOwnerExpiresSoon(t *testing.T, session gocqlx.Session) {
	t.Helper()
	var owner, epoch, checkpoint *int
	require.NoError(t, session.Session.Query("SELECT TTL(owner), TTL(epoch), TTL(checkpoint) FROM aml_work WHERE job = 'lossy' "+
		"AND phase = 'copies' AND tbl = 'customers' AND slice = 0").Scan(&owner, &epoch, &checkpoint))
	if owner != nil { // it expires after 30 s
		require.LessOrEqual(t, *owner, 30)
	}
	require.Greater(t, *epoch, 29*24*60*60)
	require.Equal(t, *epoch, *checkpoint)
}
