package alternatives

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"

	"github.com/cassaml/cassaml/mapper"
)

// The variables of the environment of a program.
const (
	NodeVariable      = "AML_NODE"      // the address of a server; without it stores are in memory, and requests are counted
	KeyspacesVariable = "AML_KEYSPACES" // the beginning of the names of the keyspaces
	MeasureVariable   = "AML_MEASURE"   // a [MeasureConfig] in JSON: requests are measured
)

var (
	counted  = map[string]map[string]Count{}
	measured []Measurement
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
	var session *gocqlx.Session
	traffic := &counter{}
	if host := os.Getenv(NodeVariable); host != "" {
		cluster := gocql.NewCluster(host)
		cluster.Keyspace, cluster.WriteCoalesceWaitTime, cluster.Dialer = os.Getenv(KeyspacesVariable)+pkg, 0, traffic
		s, err := gocqlx.WrapSession(cluster.CreateSession())
		if err != nil {
			return err
		}
		defer s.Close()
		session = &s
	}
	if text := os.Getenv(MeasureVariable); text != "" {
		var c MeasureConfig
		if err := json.Unmarshal([]byte(text), &c); err != nil {
			return err
		}
		store, err := open(session, nil)
		if err != nil {
			return err
		}
		found, err := measure(context.Background(), store, d, c, traffic)
		for i := range found {
			found[i].Design = design
		}
		measured = append(measured, found...)
		fmt.Fprintln(os.Stderr, "measured", design, strconv.Itoa(len(found)))
		return err
	}
	out, err := Tally(context.Background(), func(t mapper.Tracer) (any, error) { return open(session, t) }, d)
	counted[design] = out
	return err
}

// Print prints the counts or the measurements of all designs in JSON.
func Print() {
	var out any = counted
	if measured != nil {
		out = measured
	}
	if err := json.NewEncoder(os.Stdout).Encode(out); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
