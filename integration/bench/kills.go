package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	caller "github.com/cassaml/cassaml/integration/alternatives"
)

// killed is the result of killed processes for a design.
type killed struct {
	Design      string          `json:"design"`
	Operations  int             `json:"operations"`  // the completed ones
	Interrupted int             `json:"interrupted"` // the operations that were not
	Halves      int             `json:"halves"`      // the interrupted operations of several calls of which at least one was completed
	Overlaps    caller.Repaired `json:"overlaps"`    // the rows that overlapping calls of the mixes have left
	Rows        caller.Repaired `json:"rows"`
}

// settling is longer than Reconcile lets rows settle: it compares no younger ones.
const settling = 65 * time.Second

// measureKills makes the workloads, in which calls for one root overlap, counts the rows that differ, and repairs them. Then it kills processes that write, and
// counts and repairs again. The tables are new: Reconcile would read all rows of the other measurements each time.
func (s *study) measureKills(ctx context.Context) ([]killed, error) {
	if err := s.ready(ctx); err != nil {
		return nil, err
	}
	if err := s.createDesigns(ctx); err != nil {
		return nil, err
	}
	c := s.measuring()
	s.mixing(&c)
	c.Warm, c.Rounds = 0, 1
	if err := s.run(ctx, c, new(any)); err != nil {
		return nil, err
	}
	overlaps, err := s.repair(ctx)
	if err != nil {
		return nil, err
	}
	log := filepath.Join(s.dir, "steps")
	for i := range s.kills() {
		if err := s.kill(ctx, log, firstKilled+20_000*i); err != nil {
			return nil, err
		}
	}
	all := map[string]*killed{}
	for _, r := range overlaps {
		all[r.Design] = &killed{Design: r.Design, Overlaps: r}
	}
	if err := countSteps(log, s.kills(), all); err != nil {
		return nil, err
	}
	rows, err := s.repair(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]killed, 0, len(rows))
	for _, r := range rows {
		all[r.Design].Rows = r
		out = append(out, *all[r.Design])
	}
	return out, nil
}

// kills returns the number of processes that are killed.
func (s *study) kills() int {
	if s.quick {
		return 3
	}
	return killedTimes
}

// repair waits until all rows are old enough, and repairs those that differ.
func (s *study) repair(ctx context.Context) (out []caller.Repaired, err error) {
	if err := wait(ctx, settling); err != nil {
		return nil, err
	}
	return out, s.run(ctx, caller.Config{Task: caller.Repair}, &out)
}

// wait waits for a duration, or until the context ends, whose error it then returns.
func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// kill starts a process that writes, and kills it at a random time.
func (s *study) kill(ctx context.Context, log string, first int) error {
	c, err := s.command(ctx, caller.Config{Task: caller.Write, Elements: []int{s.listing.Elements}, First: first, Log: log})
	if err != nil {
		return err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		return errors.Join(err, c.Wait())
	}
	if err := wait(ctx, time.Second+rand.N(time.Second)); err != nil { // the time of the kill is random
		return errors.Join(err, c.Wait())
	}
	if err := c.Process.Kill(); err != nil {
		return errors.Join(err, c.Wait())
	}
	var exit *exec.ExitError
	if err := c.Wait(); !errors.As(err, &exit) || exit.Exited() {
		return fmt.Errorf("the process that writes has ended before it was killed: %w", err)
	}
	file, err := os.OpenFile(log, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = file.WriteString(killedLine)
	return errors.Join(err, file.Close())
}

// killedLine is written after the lines of a process that was killed.
const killedLine = "\nkilled\n"

// countSteps counts the operations in the log of processes that were killed.
func countSteps(file string, processes int, all map[string]*killed) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	open := map[string]caller.Step{}
	for line := range strings.SplitSeq(string(text), "\n") {
		if line == "killed" {
			processes--
			for design := range maps.Keys(open) {
				all[design].Interrupted++
				if open[design].Calls > 0 {
					all[design].Halves++
				}
			}
			clear(open)
			continue
		}
		x, ok := caller.ParseStep(line)
		switch {
		case !ok:
		case x.Done:
			all[x.Design].Operations++
			delete(open, x.Design)
		default:
			open[x.Design] = x
		}
	}
	if processes != 0 {
		return fmt.Errorf("the log %s lacks the lines of %d killed processes", file, processes)
	}
	return nil
}

// killTable returns a row for each design.
func killTable(all []killed) string {
	var b strings.Builder
	b.WriteString("| design | operations | interrupted | of these, after a completed call | differing rows after overlaps | after Reconcile | differing rows after kills | after Reconcile |\n|---|---:|---:|---:|---:|---:|---:|---:|\n")
	for _, k := range all {
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d | %d | %d |\n", k.Design, k.Operations, k.Interrupted, k.Halves, k.Overlaps.Before, k.Overlaps.After, k.Rows.Before, k.Rows.After)
	}
	return b.String()
}
