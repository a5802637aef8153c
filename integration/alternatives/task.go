package alternatives

import (
	"context"
	"fmt"
	"reflect"
	"time"
)

// Task names the work of a program with stores on a node.
type Task string

// The tasks.
const (
	Measure Task = "measure" // returns []Measurement
	Fill    Task = "fill"    // inserts roots of each design, and returns nothing
	Mix     Task = "mix"     // returns []MixResult
	Write   Task = "write"   // writes until the process is killed
	Repair  Task = "repair"  // returns []Repaired
	Attempt Task = "attempt" // returns []Attempts
	Once    Task = "once"    // makes each operation once, and returns []Sent
)

// Config configures a task.
type Config struct {
	Task       Task          `json:"task"`
	Elements   []int         `json:"elements"` // the numbers of elements of a root
	Calls      int           `json:"calls"`    // the number for each operation and round, one after the other
	Warm       int           `json:"warm"`     // the rounds before the rounds that count
	Rounds     int           `json:"rounds"`
	InFlight   int           `json:"in_flight"`
	Slice      time.Duration `json:"slice"`       // the processor time of the calls of which InFlight are made at a time
	Budget     time.Duration `json:"budget"`      // an operation that has taken longer in earlier rounds is not measured again
	ServerPIDs []int         `json:"server_pids"` // processes of servers on this machine, whose processor time is measured
	State      string        `json:"state"`       // a file with the rounds that are complete; "" for none
	First      int           `json:"first"`       // the number before the first root
	Filled     map[int]int   `json:"filled"`      // the numbers before the first root of Fill, by the numbers of elements; operations that read call these
	Single     bool          `json:"single"`      // one call of each operation in a round, which also gives its processor time: for calls that take seconds
	Designs    []string      `json:"designs"`     // the designs of Mix; all without it
	Log        string        `json:"log"`         // the file to which Write appends
}

// calls returns the number of calls for a number of elements: with many elements a call takes long, and fewer are enough.
func (c Config) calls(elements int) int {
	if c.Single {
		return 1
	}
	return min(c.Calls, max(2, c.Calls*20/max(1, elements)))
}

// atATime returns how many calls for roots with a number of elements are made at a time: on a small machine, more of them would only wait for each other.
func atATime(most, elements int) int { return min(most, max(1, 1000/max(1, elements))) }

// callTime is the time limit of a call that is measured: a save of many elements on few processors takes longer than a service would wait.
const callTime = 5 * time.Minute

// CallTime returns the time limit of the calls of the task of the program; 0 for the default of the store.
func CallTime() time.Duration {
	if c, err := task(); err == nil && (c.Task == Measure || c.Task == Fill) {
		return callTime
	}
	return 0
}

// FilledRoots returns the number of roots of a design that [Fill] inserts.
func FilledRoots(elements int) int { return max(6, 1000/max(10, elements)) }

// roots returns n, a number of roots, or 1 if each operation is called once.
func (c Config) roots(n int) int {
	if c.Single {
		return 1
	}
	return n
}

// subject is a design with its open store.
type subject struct {
	Design
	name    string
	store   reflect.Value
	traffic *counter
	sent    *requests
	roots   int               // the number of roots that have been used
	same    map[int][]*caller // the roots of reusable operations that change them, by their number of elements
}

// caller returns a caller of an operation for a root that no other has.
func (s *subject) caller(operation string, elements int) *caller {
	x := &caller{ctx: context.Background(), store: s.store, Design: s.Design, operation: operation, first: s.roots}
	x.Elements = elements
	s.roots += 2
	return x
}

// filled returns n callers of an operation that reads for the roots of Fill, which the server has written to disk.
func (s *subject) filled(n int, operation string, elements, first int) []*caller {
	x := &subject{Design: s.Design, store: s.store, roots: first}
	out := make([]*caller, n)
	for i := range out {
		out[i] = x.caller(operation, elements)
		out[i].there = elements
	}
	return out
}

// reused returns n callers of a reusable operation that changes its root. The operations of a design share the roots.
func (s *subject) reused(n int, operation string, elements int) ([]*caller, error) {
	if s.same[elements] == nil {
		var all []*caller
		for range n {
			all = append(all, s.caller("rename", elements))
		}
		if err := prepareAll(all, elements); err != nil {
			return nil, err
		}
		s.same[elements] = all
	}
	out := make([]*caller, len(s.same[elements]))
	for i, x := range s.same[elements] {
		other := *x
		other.operation, out[i] = operation, &other
	}
	return out, nil
}

// execute executes a task, and returns its results.
func execute(c Config) (any, error) {
	for _, s := range subjects {
		s.roots, s.same = c.First, map[int][]*caller{}
	}
	switch c.Task {
	case Measure:
		return measure(subjects, c)
	case Fill:
		return nil, fill(subjects, c)
	case Mix:
		return mixes(subjects, c)
	case Write:
		return nil, write(subjects, c)
	case Repair:
		return repair(subjects)
	case Once:
		return once(subjects, c)
	case Attempt:
		return nil, attempts(subjects, c)
	}
	return nil, fmt.Errorf("unknown task %q", c.Task)
}

// fill inserts roots. Operations that read find no roots of a design that refuses them.
func fill(subjects []*subject, c Config) error {
	for _, s := range subjects {
		all := make([]*caller, c.roots(FilledRoots(c.Elements[0])))
		for i := range all {
			all[i] = s.caller("insert", c.Elements[0])
			if err := all[i].prepare(); err != nil {
				return err
			}
		}
		err := inParallel(len(all), atATime(c.InFlight, c.Elements[0]), func(i int) error { return all[i].operate() })
		if err != nil && refusal(err) == "" {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return nil
}
