package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/integration/cassandra"

	caller "github.com/cassaml/cassaml/integration/alternatives"
)

// size has the bytes of the data files of a design, compressed as the server does by default, divided by the number of roots.
type size struct {
	Design   string             `json:"design"`
	Elements int                `json:"elements"`
	Roots    int                `json:"roots"`
	Bytes    float64            `json:"bytes"`
	Tables   map[string]float64 `json:"tables"`
}

// measureSizes inserts roots, and returns the sizes of the tables of each design. Rows are written once, so there is nothing to compact. A server whose
// files are not on this machine has no sizes.
func (s *study) measureSizes(ctx context.Context) (out []size, err error) {
	if s.pids == nil {
		return nil, nil
	}
	elements := s.listing.Elements
	err = s.run(ctx, caller.Config{Task: caller.Fill, Elements: []int{elements}, Calls: filledRoots, InFlight: s.inFlight, First: firstFilled}, new(any))
	if err != nil {
		return nil, err
	}
	for _, a := range s.listing.Alternatives {
		if s.designs[a.Name] == "" {
			continue
		}
		x := size{Design: a.Name, Elements: elements, Roots: filledRoots, Tables: map[string]float64{}}
		if err := s.addTables(ctx, &x); err != nil {
			return nil, fmt.Errorf("%s: %w", a.Name, err)
		}
		out = append(out, x)
	}
	return out, nil
}

// addTables adds the sizes of the tables of a design.
func (s *study) addTables(ctx context.Context, x *size) error {
	cluster := gocql.NewCluster(s.hosts...)
	cluster.Keyspace, cluster.Timeout = s.prefix+s.designs[x.Design], schemaTimeout
	session, err := cluster.CreateSession()
	if err != nil {
		return err
	}
	defer session.Close()
	metadata, err := session.KeyspaceMetadata(cluster.Keyspace)
	if err != nil {
		return err
	}
	for table := range metadata.Tables {
		bytes, err := cassandra.Usage(ctx, session, table)
		if err != nil {
			return err
		}
		x.Tables[table] = float64(bytes) / filledRoots
		x.Bytes += x.Tables[table]
	}
	return nil
}

// sizeTable returns a row for each design, the smallest first.
func sizeTable(all []size) string {
	var b strings.Builder
	b.WriteString("| design | published | bytes of a root with its elements | to the smallest |\n|---|---|---:|---:|\n")
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(x, y size) int { return int(x.Bytes - y.Bytes) })
	for _, x := range sorted {
		fmt.Fprintf(&b, "| %s | %s | %.0f | %.1f |\n", x.Design, published[x.Design], x.Bytes, x.Bytes/sorted[0].Bytes)
	}
	return b.String()
}
