package alternatives

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"time"

	"github.com/cassaml/cassaml/mapper"
)

// Step is a line that [Write] appends before each call of an operation, with the number of the calls before it, and after the last one.
type Step struct {
	Design, Operation string
	Calls             int
	Done              bool
}

// ParseStep returns the step of a line; ok is false for a line that was not written whole.
func ParseStep(line string) (s Step, ok bool) {
	fields := strings.Split(line, "\t")
	if len(fields) != 4 {
		return s, false
	}
	s = Step{Design: fields[0], Operation: fields[1], Done: fields[3] == "done"}
	_, err := fmt.Sscan(fields[2], &s.Calls)
	return s, err == nil && (s.Done || fields[3] == "call")
}

// String returns the line.
func (s Step) String() string {
	what := "call"
	if s.Done {
		what = "done"
	}
	return fmt.Sprintf("%s\t%s\t%d\t%s\n", s.Design, s.Operation, s.Calls, what)
}

// writer makes operations of a design one after the other.
type writer struct {
	*subject
	log    *os.File // lines of all writers; each is one write of the operating system, which a killed process does not lose
	random *rand.Rand
}

// write makes operations of all designs beside each other, until an error ends it or the process is killed. Each has roots of its own.
func write(subjects []*subject, c Config) error {
	log, err := os.OpenFile(c.Log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	fmt.Fprintln(os.Stdout, "writing")
	return inParallel(len(subjects), len(subjects), func(i int) error {
		w := &writer{subjects[i], log, rand.New(rand.NewPCG(uint64(c.First), uint64(i)))}
		for {
			if err := w.next(c.Elements[0]); err != nil {
				return fmt.Errorf("%s: %w", w.name, err)
			}
		}
	})
}

// next makes an operation that is chosen at random. The rows that it needs are written before.
func (w *writer) next(elements int) error {
	var writing []string
	for _, o := range operationOrder {
		if w.Operations[o] != nil && !strings.HasPrefix(o, "read") {
			writing = append(writing, o)
		}
	}
	x := w.caller(writing[w.random.IntN(len(writing))], elements)
	if err := x.prepare(); err != nil {
		return err
	}
	s := Step{Design: w.name, Operation: x.operation}
	var failure error
	x.before = func() {
		_, err := w.log.WriteString(s.String())
		failure, s.Calls = err, s.Calls+1
	}
	if err := x.operate(); err != nil {
		return err
	}
	s.Done = true
	_, err := w.log.WriteString(s.String())
	return errors.Join(failure, err)
}

// Repaired has the rows of a design that differ from their roots, as Reconcile finds them, before and after a run that repairs them.
type Repaired struct {
	Design string `json:"design"`
	Rows   int64  `json:"rows"` // that were read
	Before int64  `json:"before"`
	After  int64  `json:"after"`
}

// repairGrace is the least that Reconcile accepts: rows that are younger are not compared.
const repairGrace = time.Minute

// repair counts the differences of all designs, repairs them, and counts them again. Stores without redundant tables have no Reconcile.
func repair(subjects []*subject) (out []Repaired, err error) {
	for _, s := range subjects {
		r := Repaired{Design: s.name}
		for _, run := range []struct {
			dry bool
			to  *int64
		}{{true, &r.Before}, {false, new(int64)}, {true, &r.After}} {
			report, err := s.reconcile(mapper.ReconcileConfig{DryRun: run.dry, Grace: repairGrace, Slices: 16})
			if err != nil {
				return nil, fmt.Errorf("%s: %w", s.name, err)
			}
			*run.to, r.Rows = report.Total(), report.Rows
		}
		out = append(out, r)
	}
	return out, nil
}

// reconcile calls Reconcile of a store; a store without it has nothing to repair.
func (s *subject) reconcile(c mapper.ReconcileConfig) (*mapper.ReconcileReport, error) {
	m := s.store.Addr().MethodByName("Reconcile")
	if !m.IsValid() {
		return &mapper.ReconcileReport{}, nil
	}
	out := m.Call([]reflect.Value{reflect.ValueOf(context.Background()), reflect.ValueOf(c)})
	if err := failed(out); err != nil {
		return nil, err
	}
	return out[0].Interface().(*mapper.ReconcileReport), nil
}
