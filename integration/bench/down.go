package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/cassaml/cassaml/codegen/alternatives"

	caller "github.com/cassaml/cassaml/integration/alternatives"
)

// detection is longer than nodes need to notice that another one has ended.
const detection = 40 * time.Second

// measureCluster measures the designs on three nodes, and publishes the results.
func (s *study) measureCluster(ctx context.Context, stdout io.Writer) error {
	s.steps = "cluster-"
	measured, err := s.measureOperations(ctx)
	if err != nil {
		return err
	}
	mixed, err := task[[]caller.MixResult](ctx, s, "cluster-mixed", func(c *caller.Config) {
		s.mixing(c)
		c.Designs = slices.Sorted(maps.Keys(published)) // all designs would take an hour
	})
	if err != nil {
		return err
	}
	down, err := step(s, "cluster-down", func() ([]caller.Attempts, error) { return s.measureDown(ctx) })
	if err != nil {
		return err
	}
	return s.publishCluster(measured, mixed, down, stdout)
}

// measureDown returns which calls succeed with three nodes, with two, and with one.
func (s *study) measureDown(ctx context.Context) (out []caller.Attempts, err error) {
	if err := s.ready(ctx); err != nil {
		return nil, err
	}
	c, err := s.command(ctx, caller.Config{Task: caller.Attempt, Elements: []int{s.listing.Elements}, Calls: triedCalls, Rounds: s.nodes, InFlight: s.inFlight, First: firstTried})
	if err != nil {
		return nil, err
	}
	in, err := c.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := c.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.Start(); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, in.Close(), c.Wait()) }()
	lines := bufio.NewReader(stdout)
	if _, err := lines.ReadString('\n'); err != nil {
		return nil, err
	}
	for round := range s.nodes {
		if round > 0 {
			if err := s.cluster.Kill(ctx, s.nodes-round); err != nil {
				return nil, err
			}
			if err := wait(ctx, detection); err != nil {
				return nil, err
			}
		}
		if _, err := io.WriteString(in, "go\n"); err != nil {
			return nil, err
		}
		text, err := lines.ReadBytes('\n')
		var results []caller.Attempts
		if err == nil {
			err = json.Unmarshal(text, &results)
		}
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(s.stderr, "%d nodes are down: %d operations\n", round, len(results))
		out = append(out, results...)
	}
	return out, nil
}

// downTable returns a row for each operation: the calls of all designs that succeed with all nodes, with one less, and with two less. Designs of which
// some calls fail with one node less follow.
func downTable(all []caller.Attempts) string {
	var b strings.Builder
	b.WriteString("| operation | all nodes | one down | two down |\n|---|---:|---:|---:|\n")
	for _, o := range alternatives.Operations() {
		fmt.Fprintf(&b, "| %s |", o)
		for down := range clusterSize {
			calls, succeeded := 0, 0
			for _, a := range all {
				if a.Operation == string(o) && a.Down == down {
					calls, succeeded = calls+a.Calls, succeeded+a.Succeeded
				}
			}
			fmt.Fprintf(&b, " %d of %d |", succeeded, calls)
		}
		b.WriteString("\n")
	}
	return b.String()
}
