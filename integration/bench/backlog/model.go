package backlog

import (
	_ "embed"

	"github.com/cassaml/cassaml/aml"
)

//go:generate go run ../../../codegen/cmd/aml generate

// Schema is the CQL of the table.
//
//go:embed schema.cql
var Schema string

// Queue is a queue whose partition begins with a head row.
type Queue struct {
	aml.Aggregate `aml:"queues,headrow"`

	Name    string `aml:"name,identifier"`
	Added   int64  `aml:"added"` // the number of the last task
	Done    int64  `aml:"done"`  // all tasks up to this number are complete
	Saves   int64  `aml:"saves"` // the number of measured saves
	Version int64  `aml:"version,version"`
}

// Task is a task that is not complete.
type Task struct {
	aml.Entity `aml:"queues,part=Queue"`

	Queue  string `aml:"name,identifier"`
	Number int64  `aml:"number,discriminator"`
	Value  int64  `aml:"value"`
}
