// Package jobs is a queue of tasks with several producers and consumers. The tasks are parts of the queue: rows in its partition, which are
// read in their order. Each call changes the queue and its tasks in one conditional batch, under the version of the queue:
//
//   - a producer adds tasks after the last one, and records how many it has added;
//   - a consumer reads the first tasks, works on them, and completes them: their rows are deleted with one range deletion, and the result of
//     the work is added to the queue.
//
// So a process that is killed at any time, and started again, loses no task and adds none twice: a call has changed the queue, or it has had no
// effect. Two consumers can work on the same tasks, and the queue accepts the work of one of them. Work with an effect outside of the queue
// can be done twice, as with every queue; pass it the number of the task, so that the repetition can be detected.
//
// A queue is one partition and one row under a version: it carries out one save at a time. Divide the tasks among several queues if that is
// not enough.
package jobs

import "github.com/cassaml/cassaml/aml"

//go:generate go run github.com/cassaml/cassaml/codegen/cmd/aml generate

// Queue is a queue. Its tasks have the numbers from 1.
type Queue struct {
	aml.Aggregate `aml:"queues,headrow"`

	Name    string           `aml:"name,identifier"`
	Added   int64            `aml:"added"`        // the number of the last task
	Done    int64            `aml:"done"`         // all tasks up to this number are complete
	Sum     int64            `aml:"sum"`          // the result of the complete tasks
	Sent    map[string]int64 `aml:"sent,max=100"` // how many tasks each producer has added
	Version int64            `aml:"version,version"`
}

// Task is a task that is not complete.
type Task struct {
	aml.Entity `aml:"queues,part=Queue"`

	Queue  string `aml:"name,identifier"`
	Number int64  `aml:"number,discriminator"`
	Value  int64  `aml:"value"`
}
