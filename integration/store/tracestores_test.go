package store

import (
	"fmt"
	"net"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/aml/testdata/reach/jaeger"
	"github.com/cassaml/cassaml/aml/testdata/reach/zipkin"
	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

const reachModels = "../../aml/testdata/reach/"

// The generated store of Jaeger's tables writes spans, and finds them as Jaeger's queries do.
func TestStoreOfJaeger(t *testing.T) {
	t.Parallel()
	t.Run("memory", func(t *testing.T) {
		s, err := jaeger.OpenBackend(t.Context(), memory.New(memory.Config{}))
		require.NoError(t, err)
		jaegerSpans(t, s)
	})
	t.Run("node", func(t *testing.T) {
		cassandra.Requires(t, "5.0", "the tables of Jaeger have lists that are not frozen")
		session := storetest.SharedTables(t, schema.New(modelOf(t, reachModels+"jaeger")).CQL())
		s, err := jaeger.Open(t.Context(), session, mapper.Config{})
		require.NoError(t, err)
		jaegerSpans(t, s)
	})
}

func textTag(key, value string) jaeger.KeyValue {
	return jaeger.KeyValue{Key: key, ValueType: "string", ValueString: value}
}

// jaegerSpan returns a span of a trace. A number is its identifier, its hash, and the microseconds after the start.
func jaegerSpan(trace byte, number int64, start time.Time, operation string) *jaeger.Span {
	return &jaeger.Span{
		TraceID: []byte{trace}, SpanID: number, SpanHash: number, OperationName: operation, Flags: 1,
		StartTime: start.UnixMicro() + number, Duration: 1000 * number,
		Tags:    []jaeger.KeyValue{textTag("span.kind", "server"), textTag("http.method", "GET"), {Key: "error", ValueType: "bool", ValueBool: true}, textTag("body", `{"a":1}`)},
		Logs:    []jaeger.Log{{Timestamp: 5, Fields: []jaeger.KeyValue{textTag("event", "retry")}}},
		Refs:    []jaeger.SpanRef{{RefType: "child-of", TraceID: []byte{trace}, SpanID: 1}},
		Process: jaeger.Process{ServiceName: "shop", Tags: []jaeger.KeyValue{textTag("host", "h1")}},
	}
}

func jaegerSpans(t *testing.T, s *jaeger.Store) {
	ctx, start := t.Context(), time.Now().Add(-time.Hour).UTC().Truncate(time.Hour)
	spans := []*jaeger.Span{jaegerSpan(1, 1, start, "buy"), jaegerSpan(1, 2, start, "pay"), jaegerSpan(2, 3, start, "buy")}
	for _, x := range spans {
		require.NoError(t, s.Traces.Insert(ctx, x))
	}
	require.Equal(t, spans[:2], collected(t, s.Traces.Of([]byte{1}).All(ctx)), "a trace")
	got, err := s.Traces.Get(ctx, []byte{2}, 3, 3)
	require.NoError(t, err)
	require.Equal(t, spans[2], got)

	_, err = s.ServiceNames.Get(ctx, "shop")
	require.NoError(t, err)
	require.Equal(t, []*jaeger.OperationName{{ServiceName: "shop", SpanKind: "server", OperationName: "buy"}, {ServiceName: "shop", SpanKind: "server", OperationName: "pay"}},
		collected(t, s.OperationNamesV2.Of("shop").All(ctx)))
	traces := func(rows []*jaeger.TraceByOperation) (out []byte) {
		for _, r := range rows {
			out = append(out, r.TraceID...)
		}
		return out
	}
	require.Equal(t, []byte{2, 1}, traces(collected(t, s.ServiceOperationIndex.Of("shop", "buy").All(ctx))), "the newest first")
	newest := collected(t, s.ServiceOperationIndex.Of("shop", "buy").StartTimeAfter(spans[0].StartTime).All(ctx))
	require.Equal(t, []byte{2}, traces(newest))
	require.Len(t, collected(t, s.ServiceNameIndex.Of("shop", 3).All(ctx)), 1, "the shard of one span")
	slow := collected(t, s.DurationIndex.Of("shop", "", start).DurationFrom(2000).All(ctx))
	require.Len(t, slow, 2)
	require.Equal(t, []byte{2}, slow[0].TraceID, "the slowest first")
	for tag, n := range map[[2]string]int{{"http.method", "GET"}: 3, {"error", "true"}: 3, {"event", "retry"}: 3, {"host", "h1"}: 3, {"body", `{"a":1}`}: 0} {
		require.Len(t, collected(t, s.TagIndex.Of("shop", tag[0], tag[1]).All(ctx)), n, "%s", tag)
	}

	links := []jaeger.Dependency{{Parent: "shop", Child: "bank", CallCount: 7, Source: "jaeger"}}
	require.NoError(t, s.DependenciesV2.Insert(ctx, &jaeger.Dependencies{Day: jaeger.Day(start), Time: start, Links: links}))
	require.Equal(t, links, collected(t, s.DependenciesV2.Of(jaeger.Day(start)).All(ctx))[0].Links)
}

// The generated store of Zipkin's tables writes spans, and finds them as Zipkin's queries do.
func TestStoreOfZipkin(t *testing.T) {
	t.Parallel()
	t.Run("memory", func(t *testing.T) {
		s, err := zipkin.OpenBackend(t.Context(), memory.New(memory.Config{}))
		require.NoError(t, err)
		zipkinSpans(t, s)
	})
	t.Run("node", func(t *testing.T) {
		cassandra.Requires(t, "5.0", "the tables of Zipkin have storage-attached indexes")
		session := storetest.SharedTables(t, schema.New(modelOf(t, reachModels+"zipkin")).CQL())
		s, err := zipkin.Open(t.Context(), session, mapper.Config{})
		require.NoError(t, err)
		zipkinSpans(t, s)
	})
}

// zipkinSpan returns a span of a trace that calls the service bank.
func zipkinSpan(trace string, number int, start time.Time, name string) *zipkin.Span {
	kind, service, remote, duration, at := "CLIENT", "shop", "bank", int64(1000*number), start.UnixMicro()
	return &zipkin.Span{
		TraceID: trace, TimeID: gocql.UUIDFromTime(start.Add(time.Duration(number) * time.Millisecond)), ID: fmt.Sprint("s", number), Kind: &kind, Name: &name,
		Timestamp: &at, Duration: &duration, LocalEndpoint: &zipkin.Endpoint{Service: &service, IPv4: net.IPv4(10, 0, 0, 1).To4(), Port: 80},
		RemoteEndpoint: &zipkin.Endpoint{Service: &remote}, Annotations: []zipkin.Annotation{{Time: at, Value: "cs"}},
		Tags: map[string]string{"environment": "test", "path": "/x"}, LocalService: &service,
	}
}

func zipkinSpans(t *testing.T, s *zipkin.Store) {
	ctx, start := t.Context(), time.Now().Add(-time.Hour).UTC()
	spans := []*zipkin.Span{zipkinSpan("a", 2, start, "buy"), zipkinSpan("a", 1, start, "pay"), zipkinSpan("b", 3, start, "buy")}
	for _, x := range spans {
		require.NoError(t, s.Span.Insert(ctx, x))
	}
	require.Equal(t, spans[:2], collected(t, s.Span.Of("a").All(ctx)), "a trace, the newest span first")
	require.Len(t, collected(t, s.Span.ByLocalService("shop").All(ctx)), 3)
	day := spans[0].Day()
	named := collected(t, s.TraceByServiceSpan.Of("shop", "buy", day).All(ctx))
	require.Len(t, named, 2)
	require.Equal(t, "b", named[0].TraceID)
	require.Len(t, collected(t, s.TraceByServiceSpan.Of("shop", "", day).All(ctx)), 3, "under the empty name")
	require.Len(t, collected(t, s.TraceByServiceRemoteService.Of("shop", "bank", day).All(ctx)), 3)
	require.Equal(t, []*zipkin.SpanByService{{Service: "shop", Span: "buy"}, {Service: "shop", Span: "pay"}}, collected(t, s.SpanByService.Of("shop").All(ctx)))
	require.Len(t, collected(t, s.RemoteServiceByService.Of("shop").All(ctx)), 1)
	require.Equal(t, []*zipkin.AutocompleteTag{{Key: "environment", Value: "test"}}, collected(t, s.AutocompleteTags.Of("environment").All(ctx)))

	changed, err := s.Span.Update(ctx, "b", spans[2].TimeID, "s3", func(x *zipkin.Span) error { *x.Name = "refund"; return nil })
	require.NoError(t, err)
	require.Equal(t, "refund", *changed.Name)
	require.Len(t, collected(t, s.TraceByServiceSpan.Of("shop", "buy", day).All(ctx)), 1, "the row has moved")
	require.Len(t, collected(t, s.TraceByServiceSpan.Of("shop", "refund", day).All(ctx)), 1)
	require.NoError(t, s.Span.Delete(ctx, "b", spans[2].TimeID, "s3"))
	require.Len(t, collected(t, s.TraceByServiceSpan.Of("shop", "", day).All(ctx)), 2)

	link := &zipkin.DependencyLink{Day: start.Truncate(24 * time.Hour), Parent: "shop", Child: "bank", Calls: 3, Errors: 1}
	require.NoError(t, s.Dependency.Put(ctx, link))
	require.Equal(t, []*zipkin.DependencyLink{link}, collected(t, s.Dependency.Of(link.Day).All(ctx)))
}
