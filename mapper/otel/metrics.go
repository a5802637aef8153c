package otel

import (
	"context"
	"errors"
	"slices"
	"sync"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/semconv/v1.43.0/dbconv"

	"github.com/cassaml/cassaml/mapper"
)

// metrics are the instruments of a tracer.
type metrics struct {
	duration  metric.Float64Histogram
	rows      metric.Int64Histogram
	bytes     metric.Int64Histogram
	retries   metric.Int64Counter
	unknown   metric.Int64Counter
	batchlog  metric.Int64Counter
	large     metric.Int64Counter
	unwritten metric.Int64Counter
	drift     metric.Int64Counter

	sets sync.Map // measured to metric.MeasurementOption: the number of methods of a model is limited
}

// measured identifies the attributes of the metrics of a request.
type measured struct {
	keyspace, op, aggregate string
	described               described
	failed                  failure
}

// creating creates instruments and collects the errors.
type creating struct {
	meter  metric.Meter
	failed error
}

func (c *creating) counter(name, unit, description string) metric.Int64Counter {
	i, err := c.meter.Int64Counter(name, metric.WithUnit(unit), metric.WithDescription(description))
	c.failed = errors.Join(c.failed, err)
	return i
}

func newMetrics(meter metric.Meter) (*metrics, error) {
	c := creating{meter: meter}
	duration, err := dbconv.NewClientOperationDuration(meter, metric.WithExplicitBucketBoundaries(0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10))
	c.failed = errors.Join(c.failed, err)
	rows, err := dbconv.NewClientResponseReturnedRows(meter, metric.WithExplicitBucketBoundaries(1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000))
	c.failed = errors.Join(c.failed, err)
	bytes, err := meter.Int64Histogram("cassaml.client.request.size", metric.WithUnit("By"), metric.WithDescription("Size of the values that a request sends."),
		metric.WithExplicitBucketBoundaries(64, 256, 1024, 5<<10, 10<<10, 20<<10, 50<<10, 100<<10, 1<<20, 16<<20)) // 5 KiB: the server warns; 50 KiB: it refuses batches
	c.failed = errors.Join(c.failed, err)
	return &metrics{duration: duration.Inst(), rows: rows.Inst(), bytes: bytes,
		retries:   c.counter("cassaml.client.retries", "{request}", "Attempts of writes after the first, and second requests of reads."),
		unknown:   c.counter("cassaml.client.unknown_outcomes", "{request}", "Attempts of writes that may or may not have been executed."),
		batchlog:  c.counter("cassaml.client.batchlog", "{request}", "Batches that the server stores in its batchlog."),
		large:     c.counter("cassaml.client.large_batches", "{request}", "Batches about whose size the server warns."),
		unwritten: c.counter("cassaml.client.unwritten_rows", "{row}", "Rows of unlogged copies that may not have been written."),
		drift:     c.counter("cassaml.reconcile.drift", "{finding}", "Findings of Reconcile."),
	}, c.failed
}

// record records the duration of a request, and how it ended.
func (m *metrics) record(ctx context.Context, base []attribute.KeyValue, result *mapper.RequestResult, failed failure) {
	r := &result.Request
	of := m.set(base, r, failed)
	m.duration.Record(ctx, result.Duration.Seconds(), of)
	m.bytes.Record(ctx, int64(r.Bytes()), of)
	if isRead(r) && result.Err == nil {
		m.rows.Record(ctx, int64(result.Rows), of)
	}
	count := func(c metric.Int64Counter, happened bool) {
		if happened {
			c.Add(ctx, 1, of)
		}
	}
	count(m.retries, r.Attempt > 1)
	count(m.unknown, result.Unknown)
	count(m.batchlog, r.Batchlog)
	count(m.large, r.Large)
}

// set returns the attributes of the metrics of a request. It keeps them, because to sort them takes longer than to add a value.
func (m *metrics) set(base []attribute.KeyValue, r *mapper.Request, failed failure) metric.MeasurementOption {
	failed.text = ""
	key := measured{r.Keyspace, r.Op, r.Aggregate, describe(r), failed}
	if known, ok := m.sets.Load(key); ok {
		return known.(metric.MeasurementOption)
	}
	of := metric.WithAttributeSet(attribute.NewSet(slices.Concat(base, key.described.common(r), failed.attributes())...))
	m.sets.Store(key, of)
	return of
}

// unwrittenRows counts the rows of each table.
func (m *metrics) unwrittenRows(ctx context.Context, base []attribute.KeyValue, lost mapper.Unwritten) {
	for _, row := range lost.Rows {
		m.unwritten.Add(ctx, 1, metric.WithAttributes(base...),
			metric.WithAttributes(semconv.DBCollectionName(row.Table), operationKey.String(lost.Op), aggregateKey.String(lost.Aggregate)))
	}
}

// found counts a finding of Reconcile.
func (m *metrics) found(base []attribute.KeyValue, d mapper.Drift) {
	m.drift.Add(context.Background(), 1, metric.WithAttributes(base...), metric.WithAttributes(semconv.DBCollectionName(d.Table),
		aggregateKey.String(d.Aggregate), kindKey.String(d.Kind.String()), repairedKey.Bool(d.Repaired)))
}
