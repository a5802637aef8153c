// Queue runs a queue of tasks that are parts of it. Package jobs has the model.
//
//	go run ./examples/queue
//
// prints the requests of each step. With -tasks it runs producers and consumers as processes, kills some of them and starts them again,
// and compares the queue at the end with the tasks: none is lost, and none is carried out twice. It prints how long the calls took, in ten
// slices of the run.
//
//	go run ./examples/queue -tasks 200000
//
// All requests are for one partition.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/cassaml/cassaml/examples/internal/example"
	"github.com/cassaml/cassaml/examples/queue/jobs"
)

func main() {
	var l load
	work := ""
	flag.IntVar(&l.tasks, "tasks", 0, "run this number of tasks through the queue")
	flag.IntVar(&l.batch, "batch", 100, "tasks per call")
	flag.IntVar(&l.kills, "kills", 10, "how many processes to kill and start again")
	flag.Int64Var(&l.seed, "seed", 1, "selects which processes are killed, and when")
	flag.StringVar(&l.history, "history", "", "a file for the calls of all processes, one JSON object per line")
	flag.StringVar(&work, "work", "", "the name of a worker: set for the processes that -tasks starts")
	flag.Parse()
	if err := l.check(flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "queue:", err)
		os.Exit(2)
	}
	switch {
	case work != "":
		if err := (&worker{load: &l, name: work}).run(context.Background()); err != nil {
			fmt.Fprintln(os.Stderr, "queue:", work+":", err)
			os.Exit(1)
		}
	case l.tasks > 0:
		example.Run("queue", l.run)
	default:
		example.Main("queue", jobs.Schema, jobs.Demo)
	}
}
