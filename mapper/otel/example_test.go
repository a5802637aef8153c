package otel_test

import (
	"context"
	"errors"
	"fmt"

	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/cassaml/cassaml/integration/models/workshop"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
	"github.com/cassaml/cassaml/mapper/otel"
)

// Each request of a store is a span, below the span in the context of the call.
func Example() {
	ctx := context.Background()
	spans := tracetest.NewInMemoryExporter() // a service uses an exporter such as otlptracegrpc
	tracer, err := otel.New(otel.Config{TracerProvider: trace.NewTracerProvider(trace.WithSyncer(spans))})
	if err != nil {
		fmt.Println(err)
		return
	}
	store, err := workshop.OpenBackend(ctx, memory.New(memory.Config{}), mapper.Config{Tracer: tracer})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = store.Samples.Get(ctx, 1)
	fmt.Println(errors.Is(err, mapper.ErrNotFound))
	for _, s := range spans.GetSpans() {
		fmt.Println(s.Name)
	}
	// Output:
	// true
	// SELECT samples
}
