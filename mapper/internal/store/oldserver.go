package store

import (
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/internal/systemschema"
	"github.com/cassaml/cassaml/mapper"
)

// VerifyServer returns a *[mapper.ServerVersionError] if a node of the keyspace is too old for the store of a schema: for an index, for a
// vector, or for the write times that Update and the other writes of a plain aggregate read.
func (k *Keyspace) VerifyServer(want *descriptor.Schema) error {
	var needs []mapper.ServerNeed
	for _, t := range want.Types {
		for _, f := range t.Fields {
			if hasVector(f.Type) {
				needs = append(needs, mapper.ServerNeed{Aggregate: t.Of, Type: t.Name, Column: f.Name, Of: f.Type, Feature: mapper.NeedsVector})
			}
		}
	}
	copies := versionedCopies(want)
	for _, t := range want.Tables {
		needs = append(needs, tableNeeds(t)...)
	}
	for _, t := range slices.Concat(want.Tables, want.Views) {
		if t.Load != "" && !slices.Contains(copies, t) {
			needs = append(needs, writeTimeNeeds(t)...)
		}
	}
	return newServerError("open the store", k.Oldest, needs)
}

// versionedCopies returns the copies of versioned roots, whose write times no operation of a store reads.
func versionedCopies(s *descriptor.Schema) (out []*descriptor.Table) {
	for _, a := range s.Aggregates {
		for i := range a.Copies {
			if a.Versioning != nil {
				out = append(out, a.Copies[i].Table)
			}
		}
	}
	return out
}

// VerifyWriteTimes returns a *[mapper.ServerVersionError] if a node of the keyspace has no write times of some columns of tables that a job reads.
func (k *Keyspace) VerifyWriteTimes(job string, tables ...*descriptor.Table) error {
	var needs []mapper.ServerNeed
	for _, t := range tables {
		needs = append(needs, writeTimeNeeds(t)...)
	}
	return newServerError(job, k.Oldest, needs)
}

func newServerError(job string, oldest systemschema.Node, needs []mapper.ServerNeed) error {
	if len(needs) == 0 || !oldest.Before(cellsMajor, cellsMin) {
		return nil
	}
	return &mapper.ServerVersionError{Job: job, Node: oldest.Address, Version: oldest.Release, Needs: needs}
}

// tableNeeds returns the indexes and the vectors of a table.
func tableNeeds(t *descriptor.Table) (out []mapper.ServerNeed) {
	for _, c := range t.Columns {
		if hasVector(c.Type) {
			out = append(out, mapper.ServerNeed{Aggregate: t.Aggregate, Table: t.Name, Column: c.Name, Of: c.Type, Feature: mapper.NeedsVector})
		}
	}
	for _, i := range t.Indexes {
		out = append(out, mapper.ServerNeed{Aggregate: t.Aggregate, Table: t.Name, Column: i.Target, Feature: mapper.NeedsIndex})
	}
	return out
}

// writeTimeNeeds returns the columns of several cells.
func writeTimeNeeds(t *descriptor.Table) (out []mapper.ServerNeed) {
	for _, i := range t.Timed() {
		if c := &t.Columns[i]; c.Cells != projection.Single {
			out = append(out, mapper.ServerNeed{Aggregate: t.Aggregate, Table: t.Name, Column: c.Name, Of: c.Type, Feature: mapper.NeedsWriteTime})
		}
	}
	return out
}

func hasVector(cqlType string) bool { return strings.Contains(cqlType, "vector<") }
