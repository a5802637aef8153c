package memory_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cassaml/cassaml/integration/models/workshop"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

func Example() {
	ctx := context.Background()
	at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	backend := memory.New(memory.Config{Now: func() time.Time { return at }})
	store, err := workshop.OpenBackend(ctx, backend)
	if err != nil {
		fmt.Println(err)
		return
	}
	job := &workshop.Job{Site: "Recife", Year: 2026, Opened: at, Title: "brakes", Due: at, Tags: []string{"night"}}
	fmt.Println("inserted:", store.Jobs.Insert(ctx, job))
	for j, err := range store.JobsByTag.Of("night").All(ctx) {
		fmt.Println("tagged:", j.Title, err)
	}
	// Output:
	// inserted: <nil>
	// tagged: brakes <nil>
}

// A lost answer to a write tests how a service handles a time-out.
func ExampleBackend_Intercept() {
	ctx := context.Background()
	backend := memory.New(memory.Config{})
	store, err := workshop.OpenBackend(ctx, backend)
	if err != nil {
		fmt.Println(err)
		return
	}
	backend.Intercept(func(memory.Request) memory.Outcome { return memory.LostAnswer })
	err = store.Samples.Insert(ctx, &workshop.Sample{ID: 7})
	var unknown *mapper.UnknownOutcomeError
	fmt.Println("unknown:", errors.As(err, &unknown) && unknown.Repeatable)

	backend.Intercept(nil)
	_, err = store.Samples.Get(ctx, 7)
	fmt.Println("read:", err)
	// Output:
	// unknown: true
	// read: <nil>
}

func ExampleBackend_Cells() {
	ctx := context.Background()
	backend := memory.New(memory.Config{Now: func() time.Time { return time.UnixMicro(1_000_000) }})
	store, err := workshop.OpenBackend(ctx, backend)
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := store.Samples.Insert(ctx, &workshop.Sample{ID: 7, Text: "hello"}); err != nil {
		fmt.Println(err)
	}
	cells, err := backend.Cells("samples")
	for _, c := range cells {
		if c.Column == "text" {
			fmt.Printf("%s %s=%s at %d %v\n", c.Key, c.Column, c.Value, c.Timestamp, err)
		}
	}
	// Output:
	// id=7 text=hello at 1000000 <nil>
}
