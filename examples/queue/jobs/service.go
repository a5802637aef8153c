package jobs

import (
	"context"
	_ "embed"
	"errors"
)

// Schema is the schema of this package.
//
//go:embed schema.cql
var Schema string

// Sent returns how many tasks a producer has added to a queue. A producer continues there when it starts.
func (s *Store) Sent(ctx context.Context, queue, producer string) (int64, error) {
	q, err := s.Queues.Get(ctx, queue)
	if err != nil {
		return 0, err
	}
	return q.Sent[producer], nil
}

// Add adds the next tasks of a producer, which has added sent tasks before, and returns the number of the last one. It has no effect if
// the producer has already added them.
func (s *Store) Add(ctx context.Context, queue, producer string, sent int64, values []int64) (last int64, err error) {
	_, err = s.Queues.Update(ctx, queue, func(q *Queue, p *QueueParts) error {
		if last = q.Added; q.Sent[producer] != sent {
			return errAdded
		}
		for _, v := range values {
			last++
			p.Task.Put(&Task{Queue: queue, Number: last, Value: v})
		}
		if q.Sent == nil {
			q.Sent = map[string]int64{}
		}
		q.Added, q.Sent[producer] = last, sent+int64(len(values))
		return nil
	})
	if err == errAdded {
		return last, nil
	}
	return last, err
}

// errAdded ends an Update without a save.
var errAdded = errors.New("the tasks have been added")

// ErrTaken is returned by Complete if another consumer has completed the tasks.
var ErrTaken = errors.New("another consumer has completed the tasks")

// First returns the queue and its first tasks, at most n.
func (s *Store) First(ctx context.Context, queue string, n int) (*Queue, []*Task, error) {
	q, err := s.Queues.Get(ctx, queue)
	if err != nil {
		return nil, nil, err
	}
	var tasks []*Task
	for t, err := range s.Task.Of(queue).NumberAfter(q.Done).Limit(n).All(ctx) {
		if err != nil {
			return nil, nil, err
		}
		tasks = append(tasks, t)
	}
	return q, tasks, nil
}

// Complete deletes the first tasks of a queue, and adds the result of the work on them. done is the Done of the queue with which they were
// read. Complete returns ErrTaken if another consumer was faster: then the work must be discarded.
func (s *Store) Complete(ctx context.Context, queue string, done int64, tasks []*Task, result int64) error {
	_, err := s.Queues.Update(ctx, queue, func(q *Queue, p *QueueParts) error {
		if q.Done != done {
			return ErrTaken
		}
		q.Done = tasks[len(tasks)-1].Number
		q.Sum += result
		p.Task.Of().NumberTo(q.Done).Delete()
		return nil
	})
	return err
}
