package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/codegen/alternatives"
	"github.com/cassaml/cassaml/integration/cassandra"

	caller "github.com/cassaml/cassaml/integration/alternatives"
)

// study is a program with the stores of designs, and the servers on which it runs.
type study struct {
	options
	listing *alternatives.Listing
	stderr  io.Writer

	program *caller.Program
	dir     string // has the compiled program
	hosts   []string
	pids    []int
	prefix  string // the beginning of the names of the keyspaces
	config  *gocql.ClusterConfig
	cluster *cassandra.Cluster // nil on one node
	sizes   []size             // the results of fill
	filled  map[int]int        // the numbers before the first root that fill has inserted, by the number of elements
	steps   string             // the prefix of the names of steps for a number of elements
	closers []func() error
}

// start lists the designs, and generates the program.
func (s *study) start(ctx context.Context, program func(*alternatives.Listing) (*caller.Program, error)) error {
	files, err := load.Read(ctx, approachesFolder)
	if err != nil {
		return fmt.Errorf("%w: run the command in the root of the module", err)
	}
	if s.listing, err = alternatives.List(files, approachesRelationship, alternatives.Config{}); err != nil {
		return err
	}
	s.program, err = program(s.listing)
	return err
}

// ready compiles the program, starts the servers, and creates and fills the tables of each design in a keyspace, once. A run whose steps are all completed does not
// call it.
func (s *study) ready(ctx context.Context) (err error) {
	if s.config != nil {
		return nil
	}
	if s.dir, err = os.MkdirTemp("", "approaches"); err != nil {
		return err
	}
	s.closers = append(s.closers, func() error { return os.RemoveAll(s.dir) })
	if err := s.program.Build(ctx, ".", s.dir, filepath.Join(s.dir, "program")); err != nil {
		return err
	}
	if s.config, err = s.startServers(ctx); err != nil {
		return err
	}
	if err := s.createDesigns(ctx); err != nil {
		return err
	}
	s.sizes, err = s.fill(ctx)
	return err
}

// startServers starts one node or three.
func (s *study) startServers(ctx context.Context) (*gocql.ClusterConfig, error) {
	config := cassandra.Config{Log: s.stderr, Optimize: true}
	if s.nodes > 1 {
		cluster, err := cassandra.LaunchCluster(ctx, config)
		if err != nil {
			return nil, err
		}
		s.closers, s.cluster, s.hosts, s.pids = append(s.closers, cluster.Close), cluster, cluster.Hosts(), processes(cluster.LogDirs())
		return cluster.Cluster(), nil
	}
	server, err := cassandra.Start(ctx, config)
	if err != nil {
		return nil, err
	}
	s.closers, s.hosts, s.pids = append(s.closers, server.Close), server.Hosts(), processes([]string{server.LogDir()})
	return server.Cluster(), nil
}

// close ends the servers and removes the files of start, the last first.
func (s *study) close() (err error) {
	for _, end := range slices.Backward(s.closers) {
		err = errors.Join(err, end())
	}
	return err
}

// processes returns the processes of servers that this command has started; none for others.
func processes(logs []string) (out []int) {
	for _, dir := range logs {
		text, err := os.ReadFile(filepath.Join(filepath.Dir(dir), "pid"))
		if err != nil {
			return nil
		}
		pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
		if err != nil {
			return nil
		}
		out = append(out, pid)
	}
	return out
}

// schemaTimeout is the time of a statement of the schema on a busy server.
const schemaTimeout = 2 * time.Minute

// createDesigns creates a new keyspace for each design, which the tasks that follow use. Its writes are durable, as in production.
func (s *study) createDesigns(ctx context.Context) error {
	s.prefix = "approaches_" + strconv.FormatInt(time.Now().UnixNano(), 36) + "_"
	cluster := s.config
	cluster.Timeout, cluster.MaxWaitSchemaAgreement = schemaTimeout, schemaTimeout
	control, err := cluster.CreateSession()
	if err != nil {
		return err
	}
	s.closers = append(s.closers, func() error { control.Close(); return nil })
	for name, statements := range s.program.Schemas {
		keyspace := s.prefix + name
		err := control.Query(fmt.Sprintf("CREATE KEYSPACE %s WITH replication = {'class': 'NetworkTopologyStrategy', 'replication_factor': %d}", keyspace, s.nodes)).WithContext(ctx).Exec()
		if err != nil {
			return err
		}
		if os.Getenv("CASSANDRA_HOSTS") != "" {
			s.closers = append(s.closers, func() error { return control.Query("DROP KEYSPACE " + keyspace).Exec() })
		}
		if err := s.inKeyspace(ctx, cluster, keyspace, statements); err != nil {
			return err
		}
	}
	return nil
}

// inKeyspace executes the statements of a design in its keyspace.
func (s *study) inKeyspace(ctx context.Context, cluster *gocql.ClusterConfig, keyspace string, statements []string) error {
	in := *cluster
	in.Keyspace = keyspace
	session, err := in.CreateSession()
	if err != nil {
		return err
	}
	defer session.Close()
	for _, text := range statements {
		if err := session.Query(text).WithContext(ctx).Exec(); err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
	}
	return nil
}

// command returns a command that runs the program with a task.
func (s *study) command(ctx context.Context, config caller.Config) (*exec.Cmd, error) {
	config.ServerPIDs = s.pids
	text, err := json.Marshal(config)
	if err != nil {
		return nil, err
	}
	c := exec.CommandContext(ctx, filepath.Join(s.dir, "program"))
	c.Env = append(os.Environ(), caller.NodeVariable+"="+strings.Join(s.hosts, ","), caller.KeyspacesVariable+"="+s.prefix, caller.TaskVariable+"="+string(text))
	c.Stderr = s.stderr
	return c, nil
}

// run runs the program with a task, and decodes its result.
func (s *study) run(ctx context.Context, config caller.Config, result any) error {
	c, err := s.command(ctx, config)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	c.Stdout = &out
	if err := c.Run(); err != nil {
		return fmt.Errorf("%s: %w", config.Task, err)
	}
	return json.Unmarshal(out.Bytes(), result)
}

// file returns the path of a file of -resume; "" without it.
func (s *study) file(name string) string {
	if s.resume == "" {
		return ""
	}
	return filepath.Join(s.resume, name+".json")
}

// stepName returns the name of a step for roots with a number of elements.
func (s *study) stepName(name string, elements int) string {
	return fmt.Sprintf("%s%s-%d", s.steps, name, elements)
}

// isMeasured reports whether an earlier run has measured the operations on roots with a number of elements.
func (s *study) isMeasured(elements int) (bool, error) {
	file := s.file(s.stepName("measured", elements))
	if file == "" {
		return false, nil
	}
	_, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// task returns the results of a task of the program, which is a step. configure changes the configuration of a measurement.
func task[T any](ctx context.Context, s *study, name string, configure func(*caller.Config)) (T, error) {
	return step(s, name, func() (out T, err error) {
		if err := s.ready(ctx); err != nil {
			return out, err
		}
		c := s.measuring()
		configure(&c)
		return out, s.run(ctx, c, &out)
	})
}

// step returns the results of a step: the results of an earlier run that was stopped, or new ones, which it writes for a later run.
func step[T any](s *study, name string, do func() (T, error)) (result T, err error) {
	file := s.file(name)
	if file != "" {
		text, err := os.ReadFile(file)
		if err == nil {
			return result, json.Unmarshal(text, &result)
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return result, err
		}
		if err := os.MkdirAll(s.resume, 0o755); err != nil {
			return result, err
		}
	}
	begun := time.Now()
	if result, err = do(); err != nil {
		return result, err
	}
	fmt.Fprintf(s.stderr, "%s: %.0f s\n", name, time.Since(begun).Seconds())
	if file == "" {
		return result, nil
	}
	return result, writeJSON(s.resume, name+".json", result)
}
