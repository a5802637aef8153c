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

// fill inserts roots with each number of elements, and lets the server write them to disk: if some designs were read from memory and others from files,
// they could not be compared. It leaves out numbers of elements that an earlier run has measured. It returns the sizes of the tables of each design with the number of elements of the listing. A server whose files are not on
// this machine has no sizes.
func (s *study) fill(ctx context.Context) (out []size, err error) {
	s.filled = map[int]int{}
	for i, n := range append([]int{s.listing.Elements}, s.roots...) {
		if _, ok := s.filled[n]; ok {
			continue
		}
		var measured bool
		if measured, err = s.isMeasured(n); err != nil {
			return nil, err
		}
		if measured && (i > 0 || s.nodes > 1) {
			continue
		}
		s.filled[n] = firstFilled + i*2000
		if err := s.run(ctx, caller.Config{Task: caller.Fill, Elements: []int{n}, InFlight: s.inFlight, First: s.filled[n], Single: s.single(n)}, new(any)); err != nil {
			return nil, err
		}
		if i == 0 {
			out, err = s.measureSizes(ctx)
		}
	}
	if err == nil && len(s.filled) > 1 {
		_, err = s.measureSizes(ctx)
	}
	return out, err
}

// measureSizes returns the sizes of the tables of each design, which the server has then written to disk. Rows are written once, so there is nothing to compact.
func (s *study) measureSizes(ctx context.Context) (out []size, err error) {
	if s.pids == nil || s.cluster != nil {
		return nil, nil
	}
	elements := s.listing.Elements
	for _, a := range s.listing.Alternatives {
		if s.program.Packages[a.Name] == "" {
			continue
		}
		x := size{Design: a.Name, Elements: elements, Roots: caller.FilledRoots(elements), Tables: map[string]float64{}}
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
	cluster.Keyspace, cluster.Timeout = s.prefix+s.program.Packages[x.Design], schemaTimeout
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
		x.Tables[table] = float64(bytes) / float64(x.Roots)
		x.Bytes += x.Tables[table]
	}
	return nil
}

// sizeTable returns a row for each design, the smallest first.
func sizeTable(all []size) string {
	var b strings.Builder
	b.WriteString("| design | published | bytes of a root with its elements | ratio to the smallest |\n|---|---|---:|---:|\n")
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(x, y size) int { return int(x.Bytes - y.Bytes) })
	for _, x := range sorted {
		fmt.Fprintf(&b, "| %s | %s | %.0f | %.1f |\n", x.Design, published[x.Design], x.Bytes, x.Bytes/sorted[0].Bytes)
	}
	return b.String()
}
