package carry

import (
	"context"

	"github.com/gocql/gocql"
)

// attempts is how often a request is sent that can be repeated.
const attempts = 4

// send sends what can be sent twice, as one mutation of one partition, then list after list.
func (w *writing) send(ctx context.Context, session *gocql.Session) error {
	batch := session.NewBatch(gocql.UnloggedBatch).WithContext(ctx).DefaultTimestamp(false).
		RetryPolicy(&gocql.SimpleRetryPolicy{NumRetries: attempts - 1})
	batch.SetConsistency(gocql.LocalQuorum)
	for _, s := range w.statements() {
		batch.Entries = append(batch.Entries, gocql.BatchEntry{Stmt: s.text, Args: s.args, Idempotent: true})
	}
	if len(batch.Entries) > 0 {
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
