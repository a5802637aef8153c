package backlog

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/scylladb/gocqlx/v2"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/migrate/folder"
)

// Config configures a run.
type Config struct {
	Tasks    int       // a multiple of 10 times Batch
	Batch    int       // tasks of a call
	Samples  int       // calls of each kind in a measurement
	Progress io.Writer // gets a line for each measurement
}

// Variant is a way to complete tasks, and a state of the table.
type Variant struct {
	Single bool   // each task is deleted by a statement of its own
	State  string // the state of the table at a measurement
	// Prepare makes the state of a table before the first task, and before a measurement if measured is set; nil: nothing is done.
	Prepare func(ctx context.Context, session gocqlx.Session, table string, measured bool) error
}

// Name returns the name of a variant.
func (v Variant) Name() string {
	if v.Single {
		return "one by one, " + v.State
	}
	return "ranges, " + v.State
}

// States are the states of a table other than the one in which the server leaves it.
type States map[string]func(ctx context.Context, session gocqlx.Session, table string, measured bool) error

// AsItIs is the state in which the server leaves a table.
const AsItIs = "as it is"

// Variants returns all variants.
func Variants(states States) (out []Variant) {
	for _, single := range []bool{false, true} {
		out = append(out, Variant{Single: single, State: AsItIs})
		for _, state := range slices.Sorted(maps.Keys(states)) {
			out = append(out, Variant{single, state, states[state]})
		}
	}
	return out
}

// Result is a measurement after some tasks have been put and completed. The times are medians, in nanoseconds.
type Result struct {
	Variant     string `json:"variant"`
	Tasks       int    `json:"tasks"`
	Get         int64  `json:"get_ns"`
	EmptyGet    int64  `json:"empty_get_ns"`
	Update      int64  `json:"update_ns"`
	EmptyUpdate int64  `json:"empty_update_ns"`
}

// GetRatio returns how much longer Get takes than in an empty partition. UpdateRatio does so for Update.
func (r Result) GetRatio() float64 { return float64(r.Get) / float64(r.EmptyGet) }

// UpdateRatio returns how much longer Update takes than in an empty partition.
func (r Result) UpdateRatio() float64 { return float64(r.Update) / float64(r.EmptyUpdate) }

// tenths is the number of measurements of a run after tasks.
const tenths = 10

const (
	full  = "full"
	empty = "empty"
)

// Run creates the table in the keyspace of a session, puts and completes the tasks, and measures. The first result is from before the first
// task.
func Run(ctx context.Context, session gocqlx.Session, config Config, v Variant) ([]Result, error) {
	store, err := open(ctx, session)
	if err != nil {
		return nil, err
	}
	r := &run{Config: config, Variant: v, session: session, store: store}
	if err := r.prepare(ctx, false); err != nil {
		return nil, err
	}
	for _, name := range []string{full, empty} {
		if err := store.Queues.Insert(ctx, &Queue{Name: name}); err != nil {
			return nil, err
		}
	}
	var results []Result
	for tenth := range tenths + 1 {
		if tenth > 0 {
			if err := r.work(ctx, config.Tasks/tenths); err != nil {
				return nil, fmt.Errorf("backlog: %s: %w", v.Name(), err)
			}
		}
		result, err := r.measure(ctx)
		if err != nil {
			return nil, fmt.Errorf("backlog: %s: %w", v.Name(), err)
		}
		fmt.Fprintln(config.Progress, line(result))
		results = append(results, result)
	}
	return results, nil
}

// open creates the table and opens the store.
func open(ctx context.Context, session gocqlx.Session) (*Store, error) {
	statements, err := folder.Split(Schema)
	if err != nil {
		return nil, err
	}
	for _, s := range statements {
		if err := session.ContextQuery(ctx, s.Text, nil).ExecRelease(); err != nil {
			return nil, fmt.Errorf("backlog: %w", err)
		}
	}
	return Open(ctx, session, mapper.Config{Logger: slog.New(slog.DiscardHandler)})
}

// run is a run of one variant.
type run struct {
	Config
	Variant

	session gocqlx.Session
	store   *Store
	done    int // complete tasks
}

func (r *run) prepare(ctx context.Context, measured bool) error {
	if r.Prepare == nil {
		return nil
	}
	return r.Prepare(ctx, r.session, "queues", measured)
}

// work puts and completes tasks.
func (r *run) work(ctx context.Context, tasks int) error {
	for range tasks / r.Batch {
		_, err := r.store.Queues.Update(ctx, full, func(q *Queue, p *QueueParts) error {
			for range r.Batch {
				q.Added++
				p.Task.Put(&Task{Queue: full, Number: q.Added, Value: q.Added})
			}
			return nil
		})
		if err != nil {
			return err
		}
		if _, err := r.store.Queues.Update(ctx, full, r.complete); err != nil {
			return err
		}
		r.done += r.Batch
	}
	return nil
}

// complete completes all tasks of a queue.
func (r *run) complete(q *Queue, p *QueueParts) error {
	if r.Single {
		for n := q.Done + 1; n <= q.Added; n++ {
			p.Task.Delete(n)
		}
	} else {
		p.Task.Of().NumberTo(q.Added).Delete()
	}
	q.Done = q.Added
	return nil
}

// measure compares the queue with the empty one.
func (r *run) measure(ctx context.Context) (Result, error) {
	if err := r.prepare(ctx, true); err != nil {
		return Result{}, err
	}
	get := func(name string) func() error {
		return func() error {
			q, err := r.store.Queues.Get(ctx, name)
			if err == nil && name == full && q.Done != int64(r.done) {
				err = fmt.Errorf("%d tasks are complete, not %d", q.Done, r.done)
			}
			return err
		}
	}
	update := func(name string) func() error {
		return func() error {
			_, err := r.store.Queues.Update(ctx, name, func(q *Queue, _ *QueueParts) error { q.Saves++; return nil })
			return err
		}
	}
	calls := []func() error{get(full), get(empty), update(full), update(empty)}
	took := make([][]time.Duration, len(calls))
	for range r.Samples {
		for i, call := range calls {
			began := time.Now()
			if err := call(); err != nil {
				return Result{}, err
			}
			took[i] = append(took[i], time.Since(began))
		}
	}
	return Result{r.Name(), r.done, median(took[0]), median(took[1]), median(took[2]), median(took[3])}, nil
}

func median(d []time.Duration) int64 { return int64(slices.Sorted(slices.Values(d))[len(d)/2]) }
