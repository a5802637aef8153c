package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/scylladb/gocqlx/v2"

	"github.com/cassaml/cassaml/examples/internal/example"
	"github.com/cassaml/cassaml/examples/queue/jobs"
	"github.com/cassaml/cassaml/mapper"
)

// load is a run of a queue by several processes.
type load struct {
	tasks, batch, kills int
	seed                int64
	history             string

	mu      sync.Mutex
	events  []event
	ended   int         // calls that have ended
	kill    int         // the number of ended calls at which the next process is killed
	random  *rand.Rand  // selects it
	running []*exec.Cmd // the process of each worker; nil: it has ended
	killed  map[*exec.Cmd]bool
}

// check returns an error for invalid arguments.
func (l *load) check(args []string) error {
	switch {
	case len(args) > 0:
		return fmt.Errorf("unknown argument %q: use only flags", args[0])
	case l.tasks < 0 || l.batch < 1 || l.kills < 0:
		return errors.New("-tasks and -kills must not be negative, and -batch must be at least 1")
	case l.tasks%producers != 0:
		return fmt.Errorf("-tasks %d: use a multiple of %d, the number of producers", l.tasks, producers)
	}
	return nil
}

// run starts the workers, kills some, and requires that each task was carried out once.
func (l *load) run(ctx context.Context, session gocqlx.Session, out io.Writer) error {
	if err := example.Apply(session, jobs.Schema); err != nil {
		return err
	}
	store, err := jobs.Open(ctx, session, mapper.Config{})
	if err != nil {
		return err
	}
	if err := store.Queues.Insert(ctx, &jobs.Queue{Name: queueName}); err != nil {
		return err
	}
	if err := l.work(ctx, session); err != nil {
		return err
	}
	if err := l.save(); err != nil {
		return err
	}
	l.report(out)
	return l.compare(ctx, store, out)
}

// work runs the workers until all have ended, and kills some of them.
func (l *load) work(ctx context.Context, session gocqlx.Session) error {
	l.random, l.running, l.killed = rand.New(rand.NewPCG(uint64(l.seed), 0)), make([]*exec.Cmd, len(workers)), map[*exec.Cmd]bool{}
	l.kill = l.calls()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	failed := make([]error, len(workers))
	var all sync.WaitGroup
	for i := range workers {
		all.Go(func() {
			if failed[i] = l.supervise(ctx, i, session.Session.Query("").Keyspace()); failed[i] != nil {
				cancel() // the others would wait for its work
			}
		})
	}
	all.Wait()
	return errors.Join(failed...)
}

// calls returns how many calls end between two kills.
func (l *load) calls() int { return max(1, 2*l.tasks/l.batch/(l.kills+1)) }

// supervise runs a worker until it ends by itself.
func (l *load) supervise(ctx context.Context, i int, keyspace string) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	for {
		c := exec.CommandContext(ctx, program, "-work", workers[i], "-tasks", strconv.Itoa(l.tasks), "-batch", strconv.Itoa(l.batch))
		c.Env, c.Stderr = append(os.Environ(), keyspaceVariable+"="+keyspace), os.Stderr
		lines, err := c.StdoutPipe()
		if err == nil {
			err = c.Start()
		}
		if err != nil {
			return err
		}
		l.started(i, c)
		read := l.read(lines)
		ended := c.Wait()
		if l.hasEnded(i, c) {
			continue // killed: its last line can be incomplete
		}
		if err := errors.Join(ended, read); err != nil {
			return fmt.Errorf("%s: %w", workers[i], err)
		}
		return nil
	}
}

// read collects the events of a process.
func (l *load) read(lines io.Reader) error {
	for d := json.NewDecoder(lines); ; {
		var e event
		if err := d.Decode(&e); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if err := l.add(e); err != nil {
			return err
		}
	}
}

// add adds an event, and kills a process if it is time.
func (l *load) add(e event) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.events = append(l.events, e)
	if e.End {
		l.ended++
	}
	if len(l.killed) == l.kills || l.ended < l.kill {
		return nil
	}
	if c := l.running[l.random.IntN(len(l.running))]; c != nil && !l.killed[c] {
		l.killed[c], l.kill = true, l.kill+l.calls()
		return c.Process.Kill()
	}
	return nil
}

func (l *load) started(i int, c *exec.Cmd) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.running[i] = c
}

// hasEnded records that a process has ended, and reports whether it was killed.
func (l *load) hasEnded(i int, c *exec.Cmd) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.running[i] = nil
	return l.killed[c]
}

// save writes the events to the file of the history.
func (l *load) save() error {
	if l.history == "" {
		return nil
	}
	f, err := os.Create(l.history)
	if err != nil {
		return err
	}
	out := json.NewEncoder(f)
	for _, e := range l.events {
		err = errors.Join(err, out.Encode(e))
	}
	return errors.Join(err, f.Close())
}

// compare requires that each task was carried out once.
func (l *load) compare(ctx context.Context, store *jobs.Store, out io.Writer) error {
	q, left, err := store.With(mapper.Options{Serial: true}).Queues.GetWithTask(ctx, queueName)
	if err != nil {
		return err
	}
	each := int64(l.tasks / producers)
	sum := producers * each * (each + 1) / 2
	fmt.Fprintf(out, "tasks %d: added %d, complete %d, sum %d, left %d; %d processes killed\n", l.tasks, q.Added, q.Done, q.Sum, len(left), len(l.killed))
	if n := int64(l.tasks); q.Added != n || q.Done != n || q.Sum != sum || len(left) != 0 {
		return fmt.Errorf("a task was lost or carried out twice: the sum must be %d", sum)
	}
	return nil
}

// report prints how long the calls took in each tenth of the run.
func (l *load) report(out io.Writer) {
	began := map[string]int64{}
	took := map[string][]time.Duration{}
	for _, e := range l.events {
		if !e.End {
			began[e.Worker] = e.At
		} else if e.Error == "" {
			took[e.Op] = append(took[e.Op], time.Duration(e.At-began[e.Worker]))
		}
	}
	fmt.Fprintf(out, "%-10s %8s %12s %12s\n", "calls", "", "add p50", "complete p50")
	for i := range 10 {
		fmt.Fprintf(out, "%3d-%3d %% %20v %12v\n", 10*i, 10*i+10, median(tenth(took["add"], i)), median(tenth(took["complete"], i)))
	}
}

// tenth returns a tenth of the durations.
func tenth(d []time.Duration, i int) []time.Duration { return d[i*len(d)/10 : (i+1)*len(d)/10] }

func median(d []time.Duration) time.Duration {
	if len(d) == 0 {
		return 0
	}
	d = slices.Sorted(slices.Values(d))
	return d[len(d)/2].Round(10 * time.Microsecond)
}
