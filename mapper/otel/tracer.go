package otel

import (
	"context"

	global "go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"

	"github.com/cassaml/cassaml/mapper"
)

const scope = "github.com/cassaml/cassaml/mapper/otel"

// Config configures a tracer. Its zero value works.
type Config struct {
	TracerProvider trace.TracerProvider // nil: the global provider
	MeterProvider  metric.MeterProvider // nil: the global provider
	// Attributes are added to all spans and metrics. The tracer does not know the servers: a service can add
	// semconv.ServerAddress here.
	Attributes []attribute.KeyValue
}

// Tracer is a [mapper.UnwrittenTracer] that creates a span for each request, and records metrics.
type Tracer struct {
	spans      trace.Tracer
	metrics    *metrics
	attributes []attribute.KeyValue
}

// New returns a tracer. It returns the error of the meter provider if that cannot create an instrument.
func New(c Config) (*Tracer, error) {
	if c.TracerProvider == nil {
		c.TracerProvider = global.GetTracerProvider()
	}
	if c.MeterProvider == nil {
		c.MeterProvider = global.GetMeterProvider()
	}
	m, err := newMetrics(c.MeterProvider.Meter(scope, metric.WithSchemaURL(semconv.SchemaURL)))
	if err != nil {
		return nil, err
	}
	spans := c.TracerProvider.Tracer(scope, trace.WithSchemaURL(semconv.SchemaURL))
	return &Tracer{spans: spans, metrics: m, attributes: append([]attribute.KeyValue{semconv.DBSystemNameCassandra}, c.Attributes...)}, nil
}

// Start starts the span of a request.
func (t *Tracer) Start(ctx context.Context, r mapper.Request) context.Context {
	d := describe(&r)
	//nolint:spancheck // End ends it
	ctx, _ = t.spans.Start(ctx, d.summary, trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(t.attributes...),
		trace.WithAttributes(d.common(&r)...), trace.WithAttributes(ofSpan(&r, d)...))
	return ctx
}

// End ends the span of a request, and records its metrics.
func (t *Tracer) End(ctx context.Context, result mapper.RequestResult) {
	failed := classify(result.Err)
	t.metrics.record(ctx, t.attributes, &result, failed)
	span := trace.SpanFromContext(ctx)
	if span.IsRecording() {
		span.SetAttributes(failed.attributes()...)
		span.SetAttributes(ofResult(&result)...)
		if result.Err != nil {
			span.SetStatus(codes.Error, failed.text)
		}
	}
	span.End()
}

// Unwritten records the number of rows of unlogged copies that may not have been written.
func (t *Tracer) Unwritten(ctx context.Context, rows mapper.Unwritten) {
	t.metrics.unwrittenRows(ctx, t.attributes, rows)
}

// Found records a finding of Reconcile:
//
//	report, err := store.Reconcile(ctx, mapper.ReconcileConfig{Found: tracer.Found})
func (t *Tracer) Found(d mapper.Drift) { t.metrics.found(t.attributes, d) }
