package jobs

import (
	"context"

	"github.com/cassaml/cassaml/examples/internal/show"
)

// Demo adds tasks, and completes the first ones.
func Demo(ctx context.Context, s *show.Stage) error {
	store, err := Open(ctx, s.Session, s.Config)
	if err != nil {
		return err
	}
	s.Step("create the queue", func() error { return store.Queues.Insert(ctx, &Queue{Name: "mails"}) })
	s.Step("add three tasks: one conditional batch, whatever their number", func() error {
		_, err := store.Add(ctx, "mails", "web", 0, []int64{10, 20, 30})
		return err
	})
	s.Step("add them again, as after a restart: the queue has them already", func() error {
		_, err := store.Add(ctx, "mails", "web", 0, []int64{10, 20, 30})
		return err
	})
	var q *Queue
	var tasks []*Task
	s.Step("read the first two tasks", func() (err error) {
		q, tasks, err = store.First(ctx, "mails", 2)
		return err
	})
	s.Step("complete them: one range deletion, whatever their number", func() error {
		return store.Complete(ctx, "mails", q.Done, tasks, 30)
	})
	s.Step("complete them as another consumer that has read the same tasks", func() error {
		return s.Refused(store.Complete(ctx, "mails", q.Done, tasks, 30), ErrTaken)
	})
	s.Tables(ctx, "queues")
	return s.Err()
}
