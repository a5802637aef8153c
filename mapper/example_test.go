package mapper_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cassaml/cassaml/integration/models/workshop"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

// A generated store is opened on a session, or here on a backend in memory. Each call returns an error that says what was written.
func Example() {
	ctx := context.Background()
	store, err := workshop.OpenBackend(ctx, memory.New(memory.Config{}), mapper.Config{Timeout: 5 * time.Second})
	if err != nil {
		fmt.Println(err)
		return
	}
	at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	job := &workshop.Job{Site: "Recife", Year: 2026, Opened: at, Due: at}
	err = store.Jobs.Insert(ctx, job)
	if invalid, ok := errors.AsType[*mapper.ConstraintError](err); ok {
		fmt.Println(invalid.Operation, invalid.Violations[0].Path, invalid.Violations[0].Problem)
	}
	_, err = store.Jobs.Get(ctx, job.Site, job.Year, job.Opened, job.ID)
	fmt.Println(errors.Is(err, mapper.ErrNotFound))
	// Output:
	// Insert Title is required
	// true
}

// Options apply to all calls of the store that With returns.
func ExampleOptions() {
	ctx := context.Background()
	now := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	store, err := workshop.OpenBackend(ctx, memory.New(memory.Config{Now: func() time.Time { return now }}))
	if err != nil {
		fmt.Println(err)
		return
	}
	hour := store.With(mapper.Options{TTL: time.Hour})
	fmt.Println(hour.Samples.Insert(ctx, &workshop.Sample{ID: 1, Int: 5}))
	now = now.Add(2 * time.Hour)
	_, err = store.Samples.Get(ctx, 1)
	fmt.Println(err)
	// Output:
	// <nil>
	// mapper: Get Sample (samples id=1): not found
}
