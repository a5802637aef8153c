package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/scylladb/gocqlx/v2"

	"github.com/cassaml/cassaml/examples/queue/jobs"
	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/mapper"
)

// queueName is the queue of a run.
const queueName = "q"

// producers is the number of producers of a run; each adds an equal share of the tasks.
const producers = 2

// workers are the processes of a run.
var workers = []string{"producer 0", "producer 1", "consumer 0", "consumer 1"}

// keyspaceVariable is the environment variable with the keyspace of a worker.
const keyspaceVariable = "QUEUE_KEYSPACE"

// event is a line that a worker prints: a call that begins, or one that has ended. A worker that is killed leaves a call without an end.
type event struct {
	Worker string `json:"worker"`
	At     int64  `json:"at"` // nanoseconds since 1970
	Op     string `json:"op"` // add or complete
	End    bool   `json:"end"`
	From   int64  `json:"from"` // add: how many tasks the producer has added before; complete: the number of the last complete task
	N      int64  `json:"n"`    // the number of tasks
	Sum    int64  `json:"sum"`  // the sum of their values
	Last   int64  `json:"last"` // add that has ended: the number of the last task of the queue
	Error  string `json:"error,omitempty"`
}

// worker is a producer or a consumer.
type worker struct {
	*load
	name  string
	store *jobs.Store
	out   *json.Encoder
}

// run works until all tasks have been added, or completed.
func (w *worker) run(ctx context.Context) error {
	server, err := cassandra.Start(ctx, cassandra.Config{}) // uses CASSANDRA_HOSTS
	if err != nil {
		return err
	}
	cluster := server.Cluster()
	cluster.Keyspace = os.Getenv(keyspaceVariable)
	session, err := gocqlx.WrapSession(cluster.CreateSession())
	if err != nil {
		return err
	}
	defer session.Close()
	if w.store, err = jobs.Open(ctx, session, mapper.Config{}); err != nil {
		return err
	}
	w.out = json.NewEncoder(os.Stdout)
	if strings.HasPrefix(w.name, "producer") {
		return w.produce(ctx)
	}
	return w.consume(ctx)
}

// produce adds the tasks of this producer that the queue does not have yet. The value of a task is its position among them.
func (w *worker) produce(ctx context.Context) error {
	sent, err := w.store.Sent(ctx, queueName, w.name)
	for total := int64(w.tasks / producers); err == nil && sent < total; {
		e := event{Op: "add", From: sent, N: min(int64(w.batch), total-sent)}
		var values []int64
		for v := sent + 1; v <= sent+e.N; v++ {
			values, e.Sum = append(values, v), e.Sum+v
		}
		err = w.call(e, func(e *event) (err error) {
			e.Last, err = w.store.Add(ctx, queueName, w.name, sent, values)
			return err
		})
		if err == nil || isTemporary(err) {
			sent, err = w.store.Sent(ctx, queueName, w.name)
		}
	}
	return err
}

// consume completes tasks until the queue has had all.
func (w *worker) consume(ctx context.Context) error {
	for {
		q, tasks, err := w.store.First(ctx, queueName, w.batch)
		switch {
		case err != nil:
			return err
		case q.Done == int64(w.tasks):
			return nil
		case len(tasks) == 0:
			time.Sleep(5 * time.Millisecond) // the queue is empty, and nothing tells when a task is added
			continue
		}
		e := event{Op: "complete", From: q.Done, N: int64(len(tasks))}
		for _, t := range tasks {
			e.Sum += t.Value // this is the work
		}
		err = w.call(e, func(*event) error { return w.store.Complete(ctx, queueName, q.Done, tasks, e.Sum) })
		if err != nil && !errors.Is(err, jobs.ErrTaken) && !isTemporary(err) {
			return err
		}
	}
}

// isTemporary reports whether a call ran out of time: it had no effect, or it is unknown whether it had one.
func isTemporary(err error) bool {
	_, unknown := errors.AsType[*mapper.UnknownOutcomeError](err)
	return unknown || errors.Is(err, context.DeadlineExceeded)
}

// call prints that a call begins, calls do, and prints how it has ended.
func (w *worker) call(e event, do func(*event) error) error {
	e.Worker, e.At = w.name, time.Now().UnixNano()
	if err := w.out.Encode(e); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	err := do(&e)
	if e.End, e.At = true, time.Now().UnixNano(); err != nil {
		e.Error = err.Error()
	}
	return errors.Join(err, w.out.Encode(e))
}
