package storetest

import (
	"testing"
	"time"

	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/workshop"
	"github.com/cassaml/cassaml/integration/network"
	"github.com/cassaml/cassaml/mapper"
)

// Lossy is a store of jobs with a connection on which the answers of the server can be lost or replaced.
type Lossy struct {
	*testing.T
	Session gocqlx.Session // loses no answers
	Store   *workshop.Store
	Network network.Dialer
	Requests
}

// NewLossy returns a store in the keyspace of a session. Its driver waits for an answer until the timeout; 0 is the default
// of the driver.
func NewLossy(t *testing.T, session gocqlx.Session, timeout time.Duration) *Lossy {
	t.Helper()
	l := &Lossy{T: t, Session: session}
	l.Store = OpenJobs(t, network.Session(t, session, &l.Network, timeout), mapper.Config{Tracer: &l.Requests})
	return l
}

// Prepare makes Brakes the only job, or deletes it if fresh.
func (l *Lossy) Prepare(fresh bool) {
	l.Helper()
	require.NoError(l, DeleteJob(l.Context(), l.Store, Brakes()))
	if !fresh {
		InsertJobs(l.T, l.Store, Brakes())
	}
	l.Drain()
}

// RequireAttempts requires a number of attempts of one write. Their timestamps are the same, except with a list.
func (l *Lossy) RequireAttempts(op string, n int, list bool) {
	l.Helper()
	writes := l.Writes()
	require.Len(l, writes, n, op)
	for i, w := range writes {
		step := int64(0)
		if list {
			step = 2
		}
		require.Equal(l, i+1, w.Attempt, op)
		require.Equal(l, writes[0].Timestamp+int64(i)*step, w.Timestamp, "%s, attempt %d", op, w.Attempt)
		require.Equal(l, writes[0].Statements, w.Statements, op)
	}
}

// RequireWritten requires that the tables have the rows of one job, or no rows for nil.
func (l *Lossy) RequireWritten(op string, job *workshop.Job) {
	l.Helper()
	var jobs []*workshop.Job
	if job != nil {
		jobs = append(jobs, job)
	}
	RequireTables(l.T, l.Session, jobs, op)
}
