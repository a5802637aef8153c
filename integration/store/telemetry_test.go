package store

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	oteltrace "go.opentelemetry.io/otel/trace"

	"github.com/cassaml/cassaml/integration/models/trace"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
	"github.com/cassaml/cassaml/mapper/otel"
)

// telemetry is what OpenTelemetry has received of a store.
type telemetry struct {
	recorder *tracetest.SpanRecorder
	reader   *sdkmetric.ManualReader
	provider *sdktrace.TracerProvider
	tracer   *otel.Tracer
	sent     storetest.Requests
}

func newTelemetry(t *testing.T) *telemetry {
	t.Helper()
	x := &telemetry{recorder: tracetest.NewSpanRecorder(), reader: sdkmetric.NewManualReader()}
	x.provider = sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(x.recorder))
	var err error
	x.tracer, err = otel.New(otel.Config{TracerProvider: x.provider, MeterProvider: sdkmetric.NewMeterProvider(sdkmetric.WithReader(x.reader)),
		Attributes: []attribute.KeyValue{attribute.String("server.address", "cassandra.test")}})
	require.NoError(t, err)
	return x
}

// config has the tracer of OpenTelemetry and one that records requests.
func (x *telemetry) config() mapper.Config {
	return mapper.Config{Tracer: mapper.Tracers(&x.sent, x.tracer), Logger: slog.New(slog.DiscardHandler)}
}

// call runs f in a span, and returns the spans of the requests below it, in the order of their ends.
func (x *telemetry) call(ctx context.Context, t *testing.T, f func(ctx context.Context)) []string {
	t.Helper()
	before := len(x.recorder.Ended())
	ctx, parent := x.provider.Tracer("service").Start(ctx, "call")
	f(ctx)
	var out []string
	for _, s := range x.recorder.Ended()[before:] {
		require.Equal(t, parent.SpanContext().SpanID(), s.Parent().SpanID())
		require.Equal(t, oteltrace.SpanKindClient, s.SpanKind())
		out = append(out, spanText(t, s))
	}
	parent.End()
	return out
}

// spanText returns the name and the attributes of a span but for those that are the same or of no interest in each.
func spanText(t *testing.T, s sdktrace.ReadOnlySpan) string {
	t.Helper()
	has := map[attribute.Key]string{}
	for _, a := range s.Attributes() {
		has[a.Key] = a.Value.String()
	}
	require.Equal(t, "cassandra", has["db.system.name"])
	require.Equal(t, "cassandra.test", has["server.address"])
	require.NotEmpty(t, has["db.query.text"])
	require.NotEqual(t, "0", has["cassaml.request.size"])
	require.Equal(t, has["db.query.summary"], s.Name())
	require.Equal(t, has["error.type"] != "", s.Status().Code == codes.Error)
	for _, k := range []attribute.Key{"db.system.name", "server.address", "db.query.text", "db.query.summary", "db.namespace", "cassaml.request.size"} {
		delete(has, k)
	}
	return s.Name() + " " + keyed(has)
}

func keyed(has map[attribute.Key]string) string {
	var out []string
	for k, v := range has {
		out = append(out, fmt.Sprintf("%s=%s", k, v))
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// sums returns the sums of the counters of a table, and the numbers of values of the histograms.
func (x *telemetry) sums(t *testing.T, by attribute.Key) map[string]int64 {
	t.Helper()
	var all metricdata.ResourceMetrics
	require.NoError(t, x.reader.Collect(t.Context(), &all))
	out := map[string]int64{}
	add := func(name string, set attribute.Set, n int64) {
		v, _ := set.Value(by)
		out[name+" "+v.String()] += n
	}
	for _, scope := range all.ScopeMetrics {
		for _, m := range scope.Metrics {
			switch data := m.Data.(type) {
			case metricdata.Sum[int64]:
				for _, p := range data.DataPoints {
					add(m.Name, p.Attributes, p.Value)
				}
			case metricdata.Histogram[int64]:
				for _, p := range data.DataPoints {
					add(m.Name, p.Attributes, int64(p.Count))
				}
			case metricdata.Histogram[float64]:
				for _, p := range data.DataPoints {
					add(m.Name, p.Attributes, int64(p.Count))
				}
			}
		}
	}
	return out
}

// Each request is one span below that of the caller, with the attributes of the semantic conventions, and a value of each metric.
func TestTelemetry(t *testing.T) {
	t.Parallel()
	t.Run("memory", func(t *testing.T) {
		x := newTelemetry(t)
		s, err := trace.OpenBackend(t.Context(), memory.New(memory.Config{}), x.config())
		require.NoError(t, err)
		testTelemetry(t, x, s)
	})
	t.Run("node", func(t *testing.T) {
		x := newTelemetry(t)
		s, err := trace.Open(t.Context(), storetest.SharedTables(t, trace.Schema), x.config())
		require.NoError(t, err)
		testTelemetry(t, x, s)
		require.Contains(t, x.recorder.Ended()[0].Attributes(), attribute.String("db.namespace", s.Session().Query("", nil).Keyspace()))
	})
}

func testTelemetry(t *testing.T, x *telemetry, s *trace.Store) {
	t.Helper()
	spans := x.call(t.Context(), t, func(ctx context.Context) {
		span := spanOf(1, 2, 1)
		require.NoError(t, s.Spans.Insert(ctx, span))
		_, err := s.Spans.Get(ctx, span.Trace, 404)
		require.ErrorIs(t, err, mapper.ErrNotFound)
		require.Len(t, collected(t, s.SpansByTag.Of("tag0", "on").All(ctx)), 1)
		m := &trace.Monitor{ID: 1, Name: "m"}
		require.NoError(t, s.Monitors.Insert(ctx, m))
		require.ErrorIs(t, s.Monitors.Insert(ctx, m), mapper.ErrExists)
	})
	for i, want := range []string{
		"BATCH cassaml.aggregate=Span cassaml.batch=logged cassaml.batchlog=true cassaml.operation=Insert cassandra.consistency.level=local_quorum " +
			"db.operation.batch.size=3 db.operation.name=BATCH INSERT",
		"BATCH cassaml.aggregate=Span cassaml.batch=unlogged cassaml.operation=Insert cassandra.consistency.level=local_quorum " +
			"db.operation.batch.size=3 db.operation.name=BATCH INSERT",
		"SELECT spans cassaml.aggregate=Span cassaml.operation=Get cassandra.consistency.level=local_quorum db.collection.name=spans " +
			"db.operation.name=SELECT db.response.returned_rows=0",
		"SELECT spans_by_tag cassaml.aggregate=SpanByTag cassaml.operation=All cassandra.consistency.level=local_quorum db.collection.name=spans_by_tag " +
			"db.operation.name=SELECT db.response.returned_rows=1",
		"INSERT monitors cassaml.aggregate=Monitor cassaml.applied=true cassaml.operation=Insert cassaml.serial_consistency=serial " +
			"cassandra.consistency.level=local_quorum db.collection.name=monitors db.operation.name=INSERT",
		"BATCH cassaml.aggregate=Monitor cassaml.batch=logged cassaml.batchlog=true cassaml.operation=Insert cassandra.consistency.level=local_quorum " +
			"db.operation.batch.size=2 db.operation.name=BATCH INSERT",
		"INSERT monitors cassaml.aggregate=Monitor cassaml.applied=false cassaml.operation=Insert cassaml.serial_consistency=serial " +
			"cassandra.consistency.level=local_quorum db.collection.name=monitors db.operation.name=INSERT",
		"SELECT monitors cassaml.aggregate=Monitor cassaml.operation=Insert cassandra.consistency.level=serial db.collection.name=monitors " +
			"db.operation.name=SELECT db.response.returned_rows=1",
	} {
		require.Equal(t, want, spans[i])
	}
	require.Len(t, spans, len(x.sent.Drain()), "one span for each request")
	require.Equal(t, map[string]int64{"db.client.operation.duration Insert": 6, "db.client.operation.duration Get": 1, "db.client.operation.duration All": 1,
		"cassaml.client.request.size Insert": 6, "cassaml.client.request.size Get": 1, "cassaml.client.request.size All": 1,
		"db.client.response.returned_rows Insert": 1, "db.client.response.returned_rows Get": 1, "db.client.response.returned_rows All": 1,
		"cassaml.client.batchlog Insert": 2}, x.sums(t, "cassaml.operation"))
}

// Each attempt of a write is a span. Those after the first are counted as retries, and those without an answer as unknown outcomes;
// so are the rows of unlogged copies that were not written.
func TestTelemetryOfLostAnswers(t *testing.T) {
	t.Parallel()
	x, b := newTelemetry(t), memory.New(memory.Config{})
	s, err := trace.OpenBackend(t.Context(), b, x.config())
	require.NoError(t, err)
	lost := 0
	b.Intercept(func(r memory.Request) memory.Outcome {
		switch {
		case slices.Contains(r.Tables, "spans_by_tag"):
			return memory.Refused
		case lost < 2 && r.Write:
			lost++
			return memory.LostAnswer
		}
		return memory.Done
	})
	spans := x.call(t.Context(), t, func(ctx context.Context) { require.NoError(t, s.Spans.Insert(ctx, withLines(spanOf(1, 1, 10), 1000))) })
	first := "BATCH cassaml.aggregate=Span cassaml.batch=logged cassaml.batchlog=true cassaml.large=true cassaml.operation=Insert " +
		"cassandra.consistency.level=local_quorum db.operation.batch.size=12 db.operation.name=BATCH INSERT"
	lostAnswer := strings.NewReplacer("cassaml.operation=Insert", "cassaml.operation=Insert cassaml.outcome_unknown=true",
		"db.operation.name=BATCH INSERT", "db.operation.name=BATCH INSERT db.response.status_code=0x1100 error.type=0x1100").Replace(first)
	attempt := func(n int, of string) string {
		return strings.Replace(of, "BATCH cassaml.aggregate=Span", fmt.Sprintf("BATCH cassaml.aggregate=Span cassaml.attempt=%d", n), 1)
	}
	require.Equal(t, []string{lostAnswer, attempt(2, lostAnswer), attempt(3, first)}, spans[:3])
	sums := x.sums(t, "cassaml.aggregate")
	require.Equal(t, int64(2), sums["cassaml.client.unknown_outcomes Span"])
	require.Equal(t, int64(3), sums["cassaml.client.large_batches Span"])
	require.Equal(t, int64(2), sums["cassaml.client.unwritten_rows Span"], "of the two unlogged copies")
	require.GreaterOrEqual(t, sums["cassaml.client.retries Span"], int64(2))
	require.NotZero(t, x.sums(t, "error.type")["db.client.operation.duration 0x1000"], "a refused write of an unlogged copy")
}
