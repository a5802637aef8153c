package examples

import (
	"bufio"
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/gocql/gocql"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	exporter "go.opentelemetry.io/otel/exporters/prometheus"
	"go.opentelemetry.io/otel/sdk/metric"

	"github.com/cassaml/cassaml/examples/quickstart/shop"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
	"github.com/cassaml/cassaml/mapper/otel"
)

func Example_prometheus() {
	ctx := context.Background()
	registry := prometheus.NewRegistry()
	reader, err := exporter.New(exporter.WithRegisterer(registry), exporter.WithoutScopeInfo())
	if err != nil {
		log.Fatal(err)
	}
	tracer, err := otel.New(otel.Config{MeterProvider: metric.NewMeterProvider(metric.WithReader(reader))})
	if err != nil {
		log.Fatal(err)
	}
	store, err := shop.OpenBackend(ctx, memory.New(memory.Config{}), mapper.Config{Tracer: tracer})
	if err != nil {
		log.Fatal(err)
	}
	http.Handle("/metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))

	for i := range 3 {
		c := &shop.Customer{ID: gocql.UUID{15: byte(i + 1)}, Name: "Ana", Vehicles: []shop.Vehicle{{Plate: fmt.Sprint("ABC", i)}}}
		if err := store.Customers.Insert(ctx, c); err != nil {
			log.Fatal(err)
		}
	}
	if _, err := store.Reconcile(ctx, mapper.ReconcileConfig{DryRun: true, Found: tracer.Found}); err != nil {
		log.Fatal(err)
	}

	// A service calls http.ListenAndServe here. This program reads its metrics once.
	answer := httptest.NewRecorder()
	http.DefaultServeMux.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
		if strings.Contains(lines.Text(), "_count{") || strings.Contains(lines.Text(), "_total{") {
			fmt.Println(lines.Text())
		}
	}
	// Output:
	// cassaml_client_batchlog_total{cassaml_aggregate="Customer",cassaml_operation="Insert",db_operation_name="BATCH INSERT",db_system_name="cassandra"} 3
	// cassaml_client_request_size_bytes_count{cassaml_aggregate="Customer",cassaml_operation="Insert",db_operation_name="BATCH INSERT",db_system_name="cassandra"} 3
	// db_client_operation_duration_seconds_count{cassaml_aggregate="Customer",cassaml_operation="Insert",db_operation_name="BATCH INSERT",db_system_name="cassandra"} 3
}
