package otel_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/otel"
)

func answered(code int, message string) error {
	return fmt.Errorf("query: %w", &driver.Error{Class: driver.Answered, Code: code, Message: message, Err: errors.New("email='ana@example.com'")})
}

func failed(class driver.Class, text string) error {
	return &driver.Error{Class: class, Err: errors.New(text)}
}

func open(t *testing.T) (*otel.Tracer, *tracetest.SpanRecorder, *sdkmetric.ManualReader) {
	t.Helper()
	spans, reader := tracetest.NewSpanRecorder(), sdkmetric.NewManualReader()
	tracer, err := otel.New(otel.Config{TracerProvider: sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans)),
		MeterProvider: sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader))})
	require.NoError(t, err)
	return tracer, spans, reader
}

func get() mapper.Request {
	return mapper.Request{Op: "Get", Aggregate: "Customer", Keyspace: "shop", Consistency: mapper.LocalQuorum, Attempt: 1,
		Statements: []mapper.Statement{{CQL: "SELECT id FROM customers WHERE id = ?", Table: "customers", Bytes: 16}}}
}

// Each error has a type of few words, and no text of the mapper, which can contain the key of a row.
func TestErrors(t *testing.T) {
	for want, err := range map[string]error{
		"0x2200 the table has no such column": answered(driver.CodeInvalid, "the table has no such column"),
		"0x1000 ":                             answered(driver.CodeUnavailable, ""),
		"0x1100 ":                             answered(driver.CodeWriteTimeout, ""),
		"0x1200 ":                             answered(driver.CodeReadTimeout, ""),
		"0x1700 ":                             answered(driver.CodeCASWriteUnknown, ""),
		"timeout context deadline exceeded":   fmt.Errorf("ana@example.com: %w", context.DeadlineExceeded),
		"timeout no answer in time":           failed(driver.NoAnswer, "no answer in time"),
		"canceled context canceled":           context.Canceled,
		"no_connections no hosts":             failed(driver.NotConnected, "no hosts"),
		"connection read":                     &net.OpError{Op: "read", Err: errors.New("10.0.0.1")},
		"decode a column has a value that its type does not allow": &mapper.DecodeError{Table: "customers", Key: "email='ana@example.com'"},
		"_OTHER ": errors.New("email='ana@example.com'"),
	} {
		tracer, spans, _ := open(t)
		tracer.End(tracer.Start(t.Context(), get()), mapper.RequestResult{Request: get(), Err: err})
		s := spans.Ended()[0]
		require.Equal(t, codes.Error, s.Status().Code)
		kind, text, _ := strings.Cut(want, " ")
		require.Equal(t, text, s.Status().Description)
		require.Contains(t, s.Attributes(), attribute.String("error.type", kind))
		if strings.HasPrefix(kind, "0x") {
			require.Contains(t, s.Attributes(), attribute.String("db.response.status_code", kind))
		}
		require.NotContains(t, fmt.Sprint(s.Attributes()), "ana@")
	}
}

// A batch of one kind of statements on one table is named after both, and its text has each statement once.
func TestBatchOfOneTable(t *testing.T) {
	tracer, spans, _ := open(t)
	insert := mapper.Statement{CQL: "INSERT INTO vehicles (plate) VALUES (?)", Table: "vehicles"}
	for _, second := range []mapper.Statement{insert, {CQL: "DELETE FROM vehicles WHERE plate = ?", Table: "vehicles"}} {
		r := mapper.Request{Op: "Put", Batch: mapper.LoggedBatch, Statements: []mapper.Statement{insert, second}}
		tracer.End(tracer.Start(t.Context(), r), mapper.RequestResult{Request: r})
	}
	same, other := spans.Ended()[0], spans.Ended()[1]
	require.Equal(t, "BATCH INSERT vehicles", same.Name())
	require.Contains(t, same.Attributes(), attribute.String("db.query.text", insert.CQL))
	require.Equal(t, "BATCH", other.Name())
	require.Contains(t, other.Attributes(), attribute.String("db.query.text", insert.CQL+"; DELETE FROM vehicles WHERE plate = ?"))
	require.Contains(t, other.Attributes(), attribute.String("db.collection.name", "vehicles"))
}

// Metrics have the units of the semantic conventions, and the time that the request took.
func TestMetrics(t *testing.T) {
	tracer, _, reader := open(t)
	tracer.End(tracer.Start(t.Context(), get()), mapper.RequestResult{Request: get(), Duration: 20 * time.Millisecond, Rows: 1})
	tracer.Found(mapper.Drift{Kind: mapper.DriftStale, Aggregate: "Customer", Table: "vehicles", Key: "plate='ABC1234'", Have: "blue", Repaired: true})
	var all metricdata.ResourceMetrics
	require.NoError(t, reader.Collect(t.Context(), &all))
	got := map[string]string{}
	for _, m := range all.ScopeMetrics[0].Metrics {
		switch data := m.Data.(type) {
		case metricdata.Histogram[float64]:
			got[m.Name] = fmt.Sprint(m.Unit, " ", data.DataPoints[0].Sum, " ", data.DataPoints[0].Attributes.Encoded(attribute.DefaultEncoder()))
		case metricdata.Histogram[int64]:
			got[m.Name] = fmt.Sprint(m.Unit, " ", data.DataPoints[0].Sum)
		case metricdata.Sum[int64]:
			got[m.Name] = fmt.Sprint(m.Unit, " ", data.DataPoints[0].Value, " ", data.DataPoints[0].Attributes.Encoded(attribute.DefaultEncoder()))
		}
	}
	require.Equal(t, map[string]string{
		"db.client.operation.duration": "s 0.02 cassaml.aggregate=Customer,cassaml.operation=Get,db.collection.name=customers,db.namespace=shop," +
			"db.operation.name=SELECT,db.system.name=cassandra",
		"db.client.response.returned_rows": "{row} 1",
		"cassaml.client.request.size":      "By 16",
		"cassaml.reconcile.drift": "{finding} 1 cassaml.aggregate=Customer,cassaml.drift.kind=stale,cassaml.drift.repaired=true," +
			"db.collection.name=vehicles,db.system.name=cassandra",
	}, got)
}

func BenchmarkTracer(b *testing.B) {
	tracer, err := otel.New(otel.Config{TracerProvider: sdktrace.NewTracerProvider(), MeterProvider: sdkmetric.NewMeterProvider(sdkmetric.WithReader(sdkmetric.NewManualReader()))})
	require.NoError(b, err)
	r := get()
	b.ReportAllocs()
	for b.Loop() {
		tracer.End(tracer.Start(b.Context(), r), mapper.RequestResult{Request: r, Duration: time.Millisecond, Rows: 1})
	}
}
