package reconciling

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
)

const childVariable = "CASSAML_BENCH_RECONCILE"

// child configures a child process.
type child struct {
	Hosts    []string `json:"hosts"`
	Keyspace string   `json:"keyspace"`
	Work     string   `json:"work"`
	Job      string   `json:"job"`
}

// IsChild reports whether this process is a child process of [Run].
func IsChild() bool { return os.Getenv(childVariable) != "" }

// Child prints a line when it is ready, and takes part in the shared run when it reads a line.
func Child(ctx context.Context) error {
	var c child
	if err := json.Unmarshal([]byte(os.Getenv(childVariable)), &c); err != nil {
		return fmt.Errorf("reconciling: %w", err)
	}
	cluster := gocql.NewCluster(c.Hosts...)
	cluster.Keyspace, cluster.ProtoVersion, cluster.Timeout, cluster.WriteCoalesceWaitTime = c.Keyspace, 4, 30*time.Second, 0
	session, err := gocqlx.WrapSession(cluster.CreateSession())
	if err != nil {
		return fmt.Errorf("reconciling: %w", err)
	}
	defer session.Close()
	store, err := open(ctx, session, false)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(os.Stdout, "ready"); err != nil {
		return fmt.Errorf("reconciling: %w", err)
	}
	if _, err := bufio.NewReader(os.Stdin).ReadString('\n'); err != nil {
		return fmt.Errorf("reconciling: %w", err)
	}
	_, err = store.Reconcile(ctx, runConfig(findWork(c.Work), c.Job))
	return err
}

// measureShared adds the results of runs that processes share, one for each number of processes.
func (r *runner) measureShared(ctx context.Context, results []Result) ([]Result, error) {
	if len(results) == 0 {
		return results, nil
	}
	alone := results[len(results)-1]
	for _, n := range r.config.Processes {
		out := Result{Work: alone.Work + ", shared", Roots: alone.Roots, Processes: n, Rows: alone.Rows, Scan: alone.Scan}
		took, err := r.share(ctx, alone.Work, n, fmt.Sprint(n, " processes"))
		if err != nil {
			return nil, err
		}
		out.Reconcile = took.Seconds()
		r.printf("%s, %d processes: %.2f s", out.Work, n, took.Seconds())
		results = append(results, out)
	}
	return results, nil
}

// share returns how long a run of several processes takes.
func (r *runner) share(ctx context.Context, name string, n int, share string) (time.Duration, error) {
	text, err := json.Marshal(child{r.cluster.Hosts, r.cluster.Keyspace, name, share})
	if err != nil {
		return 0, err
	}
	program, err := os.Executable()
	if err != nil {
		return 0, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var all []*exec.Cmd
	var inputs []io.Writer
	for range n {
		c := exec.CommandContext(ctx, program)
		c.Env, c.Stderr = append(os.Environ(), childVariable+"="+string(text)), r.config.Progress
		in, err := c.StdinPipe()
		if err != nil {
			return 0, err
		}
		out, err := c.StdoutPipe()
		if err != nil {
			return 0, err
		}
		if err := c.Start(); err != nil {
			return 0, err
		}
		all, inputs = append(all, c), append(inputs, in)
		if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
			return 0, errors.Join(fmt.Errorf("reconciling: a process is not ready: %w", err), c.Wait())
		}
	}
	began := time.Now()
	for _, in := range inputs {
		if _, err := io.WriteString(in, "go\n"); err != nil {
			return 0, err
		}
	}
	for _, c := range all {
		err = errors.Join(err, c.Wait())
	}
	return time.Since(began), err
}
