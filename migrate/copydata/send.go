package copydata

import (
	"context"

	"github.com/gocql/gocql"
)

const (
	attempts = 4 // how often a request is sent that can be repeated

	// A server refuses a batch of 65,536 statements, and one that is longer than its frames or half of its commit log's
	// segments (16 MiB each, if nothing else is said). A row can be that large.
	batchStatements = 100
	batchBytes      = 1 << 20
)

// send sends what can be sent twice, a few statements at a time, then list after list.
func (w *writing) send(ctx context.Context, session *gocql.Session) error {
	for _, some := range batches(w.statements()) {
		batch := session.NewBatch(gocql.UnloggedBatch).WithContext(ctx).DefaultTimestamp(false).
			RetryPolicy(&gocql.SimpleRetryPolicy{NumRetries: attempts - 1})
		batch.SetConsistency(gocql.LocalQuorum)
		for _, s := range some {
			batch.Entries = append(batch.Entries, gocql.BatchEntry{Stmt: s.text, Args: s.args, Idempotent: true})
		}
		if err := session.ExecuteBatch(batch); err != nil {
			return err
		}
	}
	for _, l := range w.lists {
		if err := w.writeList(ctx, session, l); err != nil {
			return err
		}
	}
	return nil
}

// batches cuts statements into pieces that a server takes; one that is too long alone is its own.
func batches(all []statement) (out [][]statement) {
	from, size := 0, 0
	for i, s := range all {
		n := s.size()
		if i > from && (i-from == batchStatements || size+n > batchBytes) {
			out = append(out, all[from:i])
			from, size = i, 0
		}
		size += n
	}
	if from < len(all) {
		out = append(out, all[from:])
	}
	return out
}

// size is how long the values are that are copied as they are.
func (s statement) size() (n int) {
	for _, a := range s.args {
		if v, ok := a.(raw); ok {
			n += len(v)
		}
	}
	return n
}
