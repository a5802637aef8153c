package store

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen/explain"
	"github.com/cassaml/cassaml/integration/models/trace"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
)

// requireChain requires that writes are a request and those that follow it, in this order.
func requireChain(t *testing.T, want *explain.Request, writes []mapper.Request) {
	t.Helper()
	for _, w := range writes {
		require.NotNil(t, want, w.Statements)
		requireStatements(t, want, w)
		want = want.Then
	}
	require.Nil(t, want)
}

// requireStatements requires that the statements of a request are among those that are explained, and all tables are written.
func requireStatements(t *testing.T, want *explain.Request, sent mapper.Request) {
	t.Helper()
	all, tables := texts(want), map[string]bool{}
	for _, s := range sent.Statements {
		require.True(t, all[s.CQL], s.CQL)
		tables[s.Table] = true
	}
	require.Len(t, tables, len(want.Writes))
	require.Equal(t, want.Unlogged && len(sent.Statements) > 1, sent.Batch == mapper.UnloggedBatch)
}

// The store sends what aml explain prints for a trace store: the rows of unlogged copies follow, and a done-marker is the last.
func TestExplainTraces(t *testing.T) {
	t.Parallel()
	sent := &storetest.Requests{}
	s, err := trace.Open(t.Context(), storetest.SharedTables(t, trace.Schema), mapper.Config{Tracer: sent})
	require.NoError(t, err)
	spans := explained(t, "../models/trace", "spans")
	span, other := spanOf(1, 2, 2), spanOf(1, 3, 2)
	require.NoError(t, s.Spans.Insert(t.Context(), span))
	requireChain(t, operation(t, spans, "Insert").Requests[0], sent.Writes())
	other.Operation = "sell" // that of the span is cached
	require.NoError(t, s.Spans.Change(t.Context(), span, other))
	requireChain(t, fieldOf(t, spans, "Tags").Update, sent.Writes())
	require.NoError(t, s.Spans.Delete(t.Context(), span.Trace, span.ID))
	requireChain(t, operation(t, spans, "Delete").Requests[1], sent.Writes())

	monitors := explained(t, "../models/trace", "monitors")
	m := &trace.Monitor{ID: 1, Name: "slow", Words: map[string]bool{"a": true, "b": false}}
	require.NoError(t, s.Monitors.Insert(t.Context(), m))
	insert := operation(t, monitors, "Insert").Requests
	requireChain(t, insert[len(insert)-1], sent.Writes()[1:])
}
