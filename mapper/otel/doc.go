// Package otel contains a tracer for generated stores that creates spans and metrics of OpenTelemetry, with the semantic conventions
// for Cassandra clients. A service that does not import this package does not contain OpenTelemetry. The package uses the interfaces of
// OpenTelemetry only; the service configures the providers and the exporters.
//
// A complete program, with a model in package shop:
//
//	package main
//
//	import (
//		"context"
//		"log"
//
//		"go.opentelemetry.io/otel/exporters/stdout/stdouttrace"
//		"go.opentelemetry.io/otel/sdk/trace"
//
//		"example.com/shop"
//		"github.com/cassaml/cassaml/mapper"
//		"github.com/cassaml/cassaml/mapper/memory"
//		"github.com/cassaml/cassaml/mapper/otel"
//	)
//
//	func main() {
//		ctx := context.Background()
//		exporter, err := stdouttrace.New(stdouttrace.WithPrettyPrint())
//		if err != nil {
//			log.Fatal(err)
//		}
//		spans := trace.NewTracerProvider(trace.WithBatcher(exporter))
//		defer spans.Shutdown(ctx)
//		tracer, err := otel.New(otel.Config{TracerProvider: spans})
//		if err != nil {
//			log.Fatal(err)
//		}
//		store, err := shop.OpenBackend(ctx, memory.New(memory.Config{}), mapper.Config{Tracer: tracer})
//		if err != nil {
//			log.Fatal(err)
//		}
//		if err := store.Customers.Insert(ctx, &shop.Customer{ID: 7, Name: "Ana"}); err != nil {
//			log.Fatal(err)
//		}
//	}
//
// # Spans
//
// Each request is one span of kind client: each attempt of a write, and each query with all its pages; of OfEach, and of All and Scan of
// a table, each page. Its parent is the span in the context of the call. Its name is db.query.summary: "SELECT customers", "BATCH INSERT vehicles", or "BATCH" if the statements differ.
// db.query.text has no values, because the statements of a store bind all values. docs/observability.md lists the attributes.
package otel
