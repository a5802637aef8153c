// Package show prints the calls of a program to its store, the requests of each, and the resulting rows.
package show

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/scylladb/gocqlx/v2"

	"github.com/cassaml/cassaml/mapper"
)

// Stage runs the steps of a program and prints them. After a failed step, no other step runs.
type Stage struct {
	Session gocqlx.Session // uses the program's keyspace
	Config  mapper.Config  // opens a store whose requests the stage records
	Steps   []Step         // run so far

	tracing sync.Mutex // held while a request is recorded: a store sends some requests at the same time

	out io.Writer
	err error
}

// Step is one call of a program to its store, with the requests that were sent.
type Step struct {
	Title    string
	Requests []mapper.Request
}

// NewStage returns a stage that prints to out.
func NewStage(session gocqlx.Session, out io.Writer) *Stage {
	s := &Stage{Session: session, out: out}
	s.Config.Tracer = tracer{s}
	return s
}

// Step runs a step. Its requests are printed when they are sent.
func (s *Stage) Step(title string, do func() error) {
	if s.err != nil {
		return
	}
	fmt.Fprintf(s.out, "\n== %d. %s\n", len(s.Steps)+1, title)
	s.Steps = append(s.Steps, Step{Title: title})
	if err := do(); err != nil {
		s.err = fmt.Errorf("step %d, %s: %w", len(s.Steps), title, err)
	}
}

// Printf prints a result of a step.
func (s *Stage) Printf(format string, args ...any) { fmt.Fprintf(s.out, "   "+format+"\n", args...) }

// Tables prints all rows of some tables.
func (s *Stage) Tables(ctx context.Context, tables ...string) {
	for _, table := range tables {
		if s.err != nil {
			return
		}
		rows, err := Rows(ctx, s.Session, table)
		s.err = err
		fmt.Fprintf(s.out, "   table %s\n", table)
		for _, row := range rows {
			fmt.Fprintf(s.out, "      %s\n", row)
		}
	}
}

// Err returns the error of the step that failed.
func (s *Stage) Err() error { return s.err }

// Rows returns all rows of a table as JSON, sorted. It reads only with the driver.
func Rows(ctx context.Context, session gocqlx.Session, table string) ([]string, error) {
	rows, err := session.Session.Query("SELECT JSON * FROM " + table).WithContext(ctx).Iter().SliceMap()
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", table, err)
	}
	var out []string
	for _, row := range rows {
		out = append(out, row["[json]"].(string))
	}
	slices.Sort(out)
	return out, nil
}

// Refused returns nil if err is the error that target describes, as the step expects, and prints it.
func (s *Stage) Refused(err, target error) error {
	if !errors.Is(err, target) {
		return fmt.Errorf("ended in %w, not in %q", err, target.Error())
	}
	s.Printf("%v", err)
	return nil
}

// RefusedAs returns nil if err is an error of type E, as the step expects, and prints it.
func RefusedAs[E error](s *Stage, err error) error {
	if _, ok := errors.AsType[E](err); !ok {
		return fmt.Errorf("ended in %w, not in a %T", err, *new(E))
	}
	s.Printf("%v", err)
	return nil
}
