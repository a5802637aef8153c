// Command long runs long rounds of the tests: many kills of nodes, many replicas, large sets of random models, many pairs of
// models, many random writes and long fuzzing. `go test ./...` runs a little of each.
//
//	go run ./integration/long            one round, about 13 minutes on two processors
//	go run ./integration/long -rounds 5  five rounds, with fuzzing in all but the first
//	go run ./integration/long -other     only the tests that `go test ./...` skips, or that run there over another driver or with other seeds
//	go run ./integration/long -version 4.1.10  the usual tests that need a server, on this version of Cassandra, and no long round
//
// Three steps run the suites of package suite over Apache's driver; all others run over gocql. Package suite lists the packages that run over
// both drivers, and the reasons why the others do not.
//
// Each step is a go test. It is printed with its seed, so it can be repeated separately. The steps that kill nodes mostly wait, and run
// beside the others; each sequence runs one step at a time. A step has a fixed
// size and takes at most three minutes on two processors. The seed of round N is N, so each run tests the same cases, except
// for fuzzing and for the schedules of one step, whose seed is the time of the clock. Fuzzing begins with the second round,
// because the go command compiles everything again for it. -rounds repeats the steps with other seeds: the size of a step does
// not change, and its duration stays below the time-out of go test.
//
// One step runs the tests of stores on Cassandra 4.1. All other steps run on the version of CASSANDRA_VERSION.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"time"
)

func main() {
	rounds := flag.Int("rounds", 1, "the number of rounds; each has other seeds")
	only := flag.Bool("other", false, "leave out the steps with tests that go test ./... runs in a small size")
	version := flag.String("version", "", "run the usual tests that need a server on this version of Cassandra, in place of the rounds")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := error(nil)
	if *version != "" && len(flag.Args()) == 0 {
		err = runVersion(ctx, *version, os.Stdout)
	} else {
		err = run(ctx, *rounds, *only, flag.Args(), os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "long:", err)
		os.Exit(1)
	}
}

// run runs all steps, also after a failure: the clusters beside the others.
func run(ctx context.Context, rounds int, only bool, args []string, out io.Writer) error {
	switch {
	case len(args) > 0:
		return fmt.Errorf("unknown argument %q: -rounds, -other and -version are the only flags", args[0])
	case rounds < 1:
		return fmt.Errorf("-rounds %d: at least 1", rounds)
	}
	out = &shared{out: out}
	env := append(os.Environ(), "AML_REQUIRE_CASSANDRA=1") // each step starts a server: one becomes slower with each table that tests leave
	began := time.Now()
	beside := sequence{steps: clusters, do: func(s step, seed int64) bool { return s.run(ctx, env, seed, out) }}
	others := sequence{steps: other, do: beside.do}
	if !only {
		others.steps = slices.Concat(other, larger)
	}
	runRounds(ctx, rounds, &beside, &others)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	fmt.Fprintf(out, "%d steps in %.0f s\n", beside.ran+others.ran, time.Since(began).Seconds())
	if failed := beside.failed + others.failed; failed > 0 {
		return fmt.Errorf("%d steps failed", failed)
	}
	return nil
}

// sequence runs steps one after the other, and counts them.
type sequence struct {
	steps       []step
	do          func(s step, seed int64) bool
	ran, failed int
}

// runRounds runs the rounds of two sequences. The steps of one run beside the steps of the other.
func runRounds(ctx context.Context, rounds int, beside, others *sequence) {
	for round := range rounds {
		var running sync.WaitGroup
		running.Go(func() { beside.run(ctx, round) })
		others.run(ctx, round)
		running.Wait()
	}
}

// run runs the steps of a round, counted from 0, until the context ends.
func (q *sequence) run(ctx context.Context, round int) {
	for _, s := range q.steps {
		if s.fuzzes() && round == 0 || ctx.Err() != nil {
			continue
		}
		q.ran++
		if !q.do(s, int64(round+1)) {
			q.failed++
		}
	}
}

// shared is a writer for several goroutines. Each call of Write is written as a whole.
type shared struct {
	mu  sync.Mutex
	out io.Writer
}

func (s *shared) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out.Write(text)
}

// runVersion runs the tests that need a server, in their usual size, on a version of Cassandra.
func runVersion(ctx context.Context, version string, out io.Writer) error {
	c := exec.CommandContext(ctx, "go", append([]string{"test", "-count=1"}, suites...)...)
	c.Env, c.Stdout, c.Stderr = append(os.Environ(), "AML_REQUIRE_CASSANDRA=1", "CASSANDRA_HOSTS=", "CASSANDRA_VERSION="+version), out, out
	fmt.Fprintf(out, "CASSANDRA_VERSION=%s go test -count=1 %s\n", version, strings.Join(suites, " "))
	if err := c.Run(); err != nil {
		return fmt.Errorf("the tests on Cassandra %s: %w", version, err)
	}
	return nil
}

// run runs a step and reports whether it passed. It prints the command at the beginning, and its duration at the end, with the output of go
// test if the step failed.
func (s step) run(ctx context.Context, env []string, seed int64, out io.Writer) bool {
	began := time.Now()
	args := s.args(seed, began)
	c := exec.CommandContext(ctx, "go", args...)
	c.Env = slices.Concat(env, s.env())
	fmt.Fprintf(out, "%s\n", strings.Join(slices.Concat(s.env(), []string{"go"}, args), " "))
	text, err := c.CombinedOutput()
	if err != nil {
		fmt.Fprintf(out, "%s    failed after %.0f s: %s: %v\n", text, time.Since(began).Seconds(), s, err)
		return false
	}
	fmt.Fprintf(out, "    %.0f s: %s\n", time.Since(began).Seconds(), s)
	return true
}
