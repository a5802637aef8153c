package examples

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/gocql/gocql"
	"go.opentelemetry.io/otel/sdk/trace"

	"github.com/cassaml/cassaml/examples/quickstart/shop"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
	"github.com/cassaml/cassaml/mapper/otel"
)

// printer is an exporter that prints spans. A service uses an exporter of OpenTelemetry, such as otlptracegrpc.
type printer struct{}

func (printer) ExportSpans(_ context.Context, spans []trace.ReadOnlySpan) error {
	for _, s := range spans {
		fmt.Println(s.Name())
		for _, a := range s.Attributes() {
			if a.Key == "db.query.text" || a.Key == "cassaml.operation" || a.Key == "cassandra.consistency.level" {
				fmt.Printf("  %s: %s\n", a.Key, a.Value.String())
			}
		}
	}
	return nil
}

func (printer) Shutdown(context.Context) error { return nil }

func Example_opentelemetry() {
	ctx := context.Background()
	provider := trace.NewTracerProvider(trace.WithSyncer(printer{})) // WithBatcher in a service
	defer func() {
		if err := provider.Shutdown(ctx); err != nil {
			log.Print(err)
		}
	}()
	tracer, err := otel.New(otel.Config{TracerProvider: provider})
	if err != nil {
		log.Fatal(err)
	}
	// Requests that take long, or fail, are also logged.
	slow := mapper.LogTracer{Slow: time.Second}
	store, err := shop.OpenBackend(ctx, memory.New(memory.Config{}), mapper.Config{Tracer: mapper.Tracers(tracer, slow)})
	if err != nil {
		log.Fatal(err)
	}

	// In a service, this is the span of the request that it answers.
	ctx, span := provider.Tracer("service").Start(ctx, "sign up")
	defer span.End()
	if _, err := store.Vehicles.Get(ctx, "ABC1234"); !errors.Is(err, mapper.ErrNotFound) {
		log.Fatal(err)
	}
	ana := &shop.Customer{ID: gocql.UUID{15: 1}, Name: "Ana", Vehicles: []shop.Vehicle{{Plate: "ABC1234", Color: "blue"}}}
	if err := store.Customers.Insert(ctx, ana); err != nil {
		log.Fatal(err)
	}
	// Output:
	// SELECT vehicles
	//   cassaml.operation: Get
	//   db.query.text: SELECT plate, color, owner FROM vehicles WHERE plate = ?
	//   cassandra.consistency.level: local_quorum
	// BATCH
	//   cassaml.operation: Insert
	//   db.query.text: INSERT INTO customers (id, name, vehicles) VALUES (?, ?, ?) USING TIMESTAMP ? AND TTL ?; INSERT INTO vehicles (plate, color, owner) VALUES (?, ?, ?) USING TIMESTAMP ? AND TTL ?
	//   cassandra.consistency.level: local_quorum
	// sign up
}
