package alternatives

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"

	"github.com/cassaml/cassaml/mapper"
)

// The variables of the environment of a program.
const (
	NodeVariable      = "AML_NODE"      // the addresses of servers, separated by commas; without it stores are in memory, and requests are counted
	KeyspacesVariable = "AML_KEYSPACES" // the beginning of the names of the keyspaces
	TaskVariable      = "AML_TASK"      // a [Config] in JSON: a task
)

var (
	counted  = map[string]map[string]Count{}
	subjects []*subject
)

// Runner returns the function that calls the store of a design, for the main function of a [Program].
func Runner() func(design, pkg string, open func(*gocqlx.Session, mapper.Tracer) (any, error), d Design) {
	return func(design, pkg string, open func(*gocqlx.Session, mapper.Tracer) (any, error), d Design) {
		if err := runDesign(design, pkg, open, d); err != nil {
			fmt.Fprintln(os.Stderr, design+":", err)
			os.Exit(1)
		}
	}
}

func runDesign(design, pkg string, open func(*gocqlx.Session, mapper.Tracer) (any, error), d Design) error {
	c, err := task()
	if err != nil {
		return err
	}
	var session *gocqlx.Session
	traffic, sent := &counter{}, &requests{}
	if host := os.Getenv(NodeVariable); host != "" {
		cluster := gocql.NewCluster(strings.Split(host, ",")...)
		cluster.Keyspace, cluster.WriteCoalesceWaitTime, cluster.Dialer = os.Getenv(KeyspacesVariable)+pkg, 0, traffic
		if c.Task == Once { // observers would be measured by the other tasks
			cluster.QueryObserver, cluster.BatchObserver = sent, sent
		}
		s, err := gocqlx.WrapSession(cluster.CreateSession())
		if err != nil {
			return err
		}
		session = &s
	}
	if c.Task != "" {
		store, err := open(session, nil)
		subjects = append(subjects, &subject{Design: d, name: design, store: reflect.ValueOf(store).Elem(), traffic: traffic, sent: sent})
		return err
	}
	if session != nil {
		defer session.Close()
	}
	out, err := Tally(context.Background(), func(t mapper.Tracer) (any, error) { return open(session, t) }, d)
	counted[design] = out
	return err
}

// Print prints the counts or the measurements of all designs in JSON.
func Print() {
	out, err := results()
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(out)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// results returns the counts, or executes a task.
func results() (any, error) {
	switch c, err := task(); {
	case err != nil:
		return nil, err
	case c.Task != "":
		return execute(c)
	}
	return counted, nil
}

// task returns the task of the program; the zero value if it has none.
func task() (c Config, err error) {
	if text := os.Getenv(TaskVariable); text != "" {
		err = json.Unmarshal([]byte(text), &c)
	}
	return c, err
}
