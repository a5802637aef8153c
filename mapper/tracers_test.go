package mapper_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper"
)

type place struct{}

// noting is a tracer that writes its calls to a text, with what it finds in the context.
type noting struct {
	name string
	to   *strings.Builder
}

func (n noting) Start(ctx context.Context, r mapper.Request) context.Context {
	fmt.Fprintf(n.to, "start %s %s in %v\n", n.name, r.Op, ctx.Value(place{}))
	return context.WithValue(ctx, place{}, n.name)
}

func (n noting) End(ctx context.Context, r mapper.RequestResult) {
	fmt.Fprintf(n.to, "end %s %s in %v\n", n.name, r.Request.Op, ctx.Value(place{}))
}

// losing also notes rows that were not written.
type losing struct{ noting }

func (l losing) Unwritten(_ context.Context, rows mapper.Unwritten) {
	fmt.Fprintf(l.to, "unwritten %s %s\n", l.name, rows.Op)
}

// Each of several tracers gets the context that its own Start has returned, also when they are nested; their ends are in the reverse
// order.
func TestSeveralTracers(t *testing.T) {
	var calls strings.Builder
	tracer := mapper.Tracers(losing{noting{"a", &calls}}, nil, mapper.Tracers(noting{"b", &calls}, noting{"c", &calls}))
	ctx := tracer.Start(t.Context(), mapper.Request{Op: "Get"})
	require.Equal(t, "c", ctx.Value(place{}), "the context of the request")
	tracer.End(ctx, mapper.RequestResult{Request: mapper.Request{Op: "Get"}})
	tracer.(mapper.UnwrittenTracer).Unwritten(ctx, mapper.Unwritten{Op: "Put"})
	require.Equal(t, `start a Get in <nil>
start b Get in a
start c Get in b
end c Get in c
end b Get in b
end a Get in a
unwritten a Put
`, calls.String())
}

func TestTracersOfOneOrNone(t *testing.T) {
	require.Nil(t, mapper.Tracers())
	require.Nil(t, mapper.Tracers(nil, nil))
	require.Equal(t, noting{name: "a"}, mapper.Tracers(nil, noting{name: "a"}))
}

func logged(tracer mapper.LogTracer, results ...mapper.RequestResult) string {
	var out bytes.Buffer
	tracer.Logger = slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
	for _, r := range results {
		tracer.End(tracer.Start(context.Background(), r.Request), r)
	}
	return out.String()
}

func TestLogTracer(t *testing.T) {
	get := mapper.RequestResult{Request: mapper.Request{Op: "Get", Aggregate: "Customer", Keyspace: "shop", Consistency: mapper.LocalQuorum, Attempt: 1,
		Statements: []mapper.Statement{{CQL: "SELECT id FROM customers WHERE id = ?", Table: "customers", Bytes: 16}}}, Duration: 2 * time.Millisecond, Rows: 1}
	put := mapper.RequestResult{Request: mapper.Request{Op: "Put", Aggregate: "Customer", Consistency: mapper.Quorum, Attempt: 2, Batch: mapper.LoggedBatch,
		Batchlog: true, Large: true, Statements: []mapper.Statement{{CQL: "INSERT 1", Table: "customers", Bytes: 6000}, {CQL: "INSERT 2", Table: "vehicles", Bytes: 10}, {CQL: "INSERT 2", Table: "vehicles", Bytes: 20}}},
		Duration: time.Second, Err: errors.New("timeout"), Unknown: true}
	const failed = `level=WARN msg="mapper: request failed" op=Put aggregate=Customer table=customers statements="[INSERT 1 INSERT 2]" ` +
		"consistency=QUORUM took=1s bytes=6030 rows=0 attempt=2 batch=logged batchlog=true large=true unknown=true error=timeout\n"
	require.Equal(t, `level=INFO msg="mapper: request" op=Get aggregate=Customer table=customers statements="[SELECT id FROM customers WHERE id = ?]" `+
		"consistency=LOCAL_QUORUM took=2ms bytes=16 rows=1 keyspace=shop\n"+failed, logged(mapper.LogTracer{}, get, put))
	require.Equal(t, failed, logged(mapper.LogTracer{Slow: 3 * time.Millisecond}, get, put), "a failure is logged however short it was")
	require.Equal(t, failed, logged(mapper.LogTracer{Level: slog.LevelDebug}, get, put), "the level of the logger is Info")
}
