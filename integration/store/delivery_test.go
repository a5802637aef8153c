package store

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/trace"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

// onTraceStores runs a test on a store in memory and on one on a node.
func onTraceStores(t *testing.T, test func(t *testing.T, s *trace.Store, sent *storetest.Losses)) {
	onStores(t, generated[*trace.Store]{trace.Schema, trace.Open, trace.OpenBackend}, test)
}

// shapes returns each write as text: its kind, whether it uses the batchlog, and its tables, each once. It requires that all have
// one timestamp.
func shapes(t *testing.T, writes []mapper.Request) (out []string) {
	t.Helper()
	for _, w := range writes {
		kind := w.Batch.String()
		if w.Batchlog {
			kind += ", batchlog"
		}
		var tables []string
		for _, s := range w.Statements {
			tables = append(tables, s.Table)
		}
		out = append(out, kind+": "+strings.Join(slices.Compact(tables), " "))
		require.Equal(t, writes[0].Timestamp, w.Timestamp, "all requests have the timestamp of the root")
		require.LessOrEqual(t, len(w.Statements), 65535)
	}
	return out
}

// spanRows returns the numbers of rows of the copies of a span.
func spanRows(t *testing.T, s *trace.Store, span *trace.Span) string {
	t.Helper()
	logs, tags := 0, 0
	for _, l := range span.Logs {
		logs += len(collected(t, s.LogsByTime.Of(l.At).All(t.Context())))
	}
	for k, v := range span.Tags {
		tags += len(collected(t, s.SpansByTag.Of(k, v).All(t.Context())))
	}
	return fmt.Sprintf("%d spans, %d logs, %d tags, %d operations", len(collected(t, s.SpansByService.Of(span.Service).All(t.Context()))), logs, tags,
		len(collected(t, s.Operations.Of(span.Service).All(t.Context()))))
}

// withLines sets the length of the lines of a span.
func withLines(s *trace.Span, bytes int) *trace.Span {
	for i := range s.Logs {
		s.Logs[i].Text = strings.Repeat("x", bytes)
	}
	return s
}

// A write of a large root below the limit is one batch, as without large. Rows of unlogged copies follow in a request of their
// own.
func TestLargeBelowTheLimit(t *testing.T) {
	t.Parallel()
	onTraceStores(t, func(t *testing.T, s *trace.Store, sent *storetest.Losses) {
		span := spanOf(1, 3, 2)
		require.NoError(t, s.Spans.Insert(t.Context(), span))
		require.Equal(t, []string{"logged, batchlog: spans spans_by_service logs_by_time", "unlogged: spans_by_tag operations"}, shapes(t, sent.Writes()))
		require.Equal(t, "1 spans, 2 logs, 3 tags, 1 operations", spanRows(t, s, span))
		require.NoError(t, s.Spans.Put(t.Context(), span), "nothing differs, but an earlier call could have ended after the root")
		require.Equal(t, []string{"logged, batchlog: spans spans_by_service logs_by_time", "unlogged: spans_by_tag"}, shapes(t, sent.Writes()))
		require.NoError(t, s.Spans.Delete(t.Context(), span.Trace, span.ID))
		require.Equal(t, []string{"logged, batchlog: spans spans_by_service logs_by_time", "unlogged: spans_by_tag"}, shapes(t, sent.Writes()))
		require.Equal(t, "0 spans, 0 logs, 0 tags, 1 operations", spanRows(t, s, span))
		require.Empty(t, sent.Lost)
	})
}

// Above the limit the row of the root is written first, then the rows of the copies in pieces at the same timestamp, deletions
// last. A single row above the limit is a piece. A Delete ends with the root.
func TestLargeWrites(t *testing.T) {
	t.Parallel()
	onTraceStores(t, func(t *testing.T, s *trace.Store, sent *storetest.Losses) {
		many := withLines(spanOf(1, 0, 300), 200) // 60 KB of text, in the row of a service, and in 300 rows
		require.NoError(t, s.Spans.Insert(t.Context(), many))
		inserted := []string{"none: spans", "none: spans_by_service", "logged, batchlog: logs_by_time", "logged, batchlog: logs_by_time", "none: operations"}
		require.Equal(t, inserted, shapes(t, sent.Writes()))
		require.Equal(t, "1 spans, 300 logs, 0 tags, 1 operations", spanRows(t, s, many))

		require.NoError(t, s.Spans.Put(t.Context(), many), "it could have ended after the root, so all rows are written again")
		require.Equal(t, inserted[:4], shapes(t, sent.Writes()))

		changed := *many
		changed.Service, changed.Logs = "cart", slices.Clone(many.Logs[:200])
		for i := range changed.Logs {
			changed.Logs[i].At += 1000
		}
		require.NoError(t, s.Spans.Change(t.Context(), many, &changed))
		require.Equal(t, []string{"logged: spans", "logged, batchlog: spans_by_service logs_by_time", "logged, batchlog: logs_by_time",
			"logged, batchlog: logs_by_time", "logged, batchlog: spans_by_service logs_by_time", "none: operations"}, replaced(shapes(t, sent.Writes()), "none: spans", "logged: spans"))
		require.Equal(t, "1 spans, 200 logs, 0 tags, 1 operations", spanRows(t, s, &changed))
		require.Equal(t, "0 spans, 0 logs, 0 tags, 1 operations", spanRows(t, s, many))

		require.NoError(t, s.Spans.Insert(t.Context(), withLines(spanOf(2, 0, 1), 60_000)), "one line of 60 KB")
		require.Equal(t, []string{"none: spans", "none: spans_by_service", "none: logs_by_time"}, shapes(t, sent.Writes()))

		thousand := withLines(spanOf(3, 1, 1000), 5)
		require.NoError(t, s.Spans.Insert(t.Context(), thousand))
		sent.Drain()
		require.NoError(t, s.Spans.Delete(t.Context(), thousand.Trace, thousand.ID))
		require.Equal(t, []string{"logged, batchlog: spans_by_service logs_by_time", "logged, batchlog: logs_by_time", "none: spans", "none: spans_by_tag"},
			shapes(t, sent.Writes()), "a repeated Delete finds the row until all logged copies are deleted")
		require.Equal(t, "1 spans, 1 logs, 0 tags, 1 operations", spanRows(t, s, thousand), "those of the span with one line")
	})
}

func replaced(in []string, old, with string) []string {
	for i := range in {
		if in[i] == old {
			in[i] = with
		}
	}
	return in
}

// bubble returns a test in which time passes only while all goroutines wait, so that time limits do not depend on the speed of the machine.
func bubble(test func(t *testing.T)) func(t *testing.T) {
	return func(t *testing.T) { synctest.Test(t, test) }
}

// losing opens a store in memory in which the requests that write certain tables fail.
func losing(t *testing.T, tables ...string) (s *trace.Store, sent *storetest.Losses, lose func(tables ...string)) {
	b := memory.New(memory.Config{})
	sent = &storetest.Losses{}
	s, err := trace.OpenBackend(t.Context(), b, mapper.Config{Tracer: sent, Timeout: 300 * time.Millisecond, Logger: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	lose = func(tables ...string) {
		b.Intercept(func(r memory.Request) memory.Outcome {
			if r.Write && slices.ContainsFunc(r.Tables, func(t string) bool { return slices.Contains(tables, t) }) {
				return memory.LostRequest
			}
			return memory.Done
		})
	}
	lose(tables...)
	return s, sent, lose
}

// If it is unknown whether the root is written, the rows of unlogged copies are reported, because a repeated call need not write them.
func TestUnloggedRowsOfAnUnknownOutcome(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, sent, lose := losing(t, "spans")
		span := spanOf(1, 3, 1)
		var unknown *mapper.UnknownOutcomeError
		require.ErrorAs(t, s.Spans.Put(t.Context(), span), &unknown)
		require.Len(t, sent.Lost, 1)
		rows := map[string]int{}
		for _, r := range sent.Lost[0].Rows {
			rows[r.Table]++
		}
		require.Equal(t, map[string]int{"spans_by_tag": 3, "operations": 1}, rows)
		lose()
		require.NoError(t, s.Spans.Put(t.Context(), span))
		require.Len(t, sent.Lost, 1)
	})
}

// A failure after the root has been written is an UnknownOutcomeError with the tables that are left. The same call writes them.
func TestLargeWriteInterrupted(t *testing.T) {
	t.Parallel()
	many := withLines(spanOf(1, 2, 300), 200)
	for name, write := range map[string]func(ctx context.Context, s *trace.Store) error{
		"Insert": func(ctx context.Context, s *trace.Store) error { return s.Spans.Insert(ctx, many) },
		"Put":    func(ctx context.Context, s *trace.Store) error { return s.Spans.Put(ctx, many) },
		"Change": func(ctx context.Context, s *trace.Store) error { return s.Spans.Change(ctx, spanOf(1, 0, 0), many) },
	} {
		t.Run(name, bubble(func(t *testing.T) {
			s, sent, lose := losing(t, "logs_by_time")
			err := write(t.Context(), s)
			var unknown *mapper.UnknownOutcomeError
			require.ErrorAs(t, err, &unknown)
			require.Equal(t, []string{"logs_by_time", "spans_by_tag", "operations"}, unknown.Tables)
			require.True(t, mapper.SafeToRepeat(err))
			require.ErrorContains(t, err, "outcome unknown in logs_by_time, spans_by_tag, operations, repeating the call is safe")
			_, err = s.Spans.Get(t.Context(), many.Trace, many.ID)
			require.NoError(t, err, "the root is written")
			require.Empty(t, sent.Lost, "the call has failed")
			lose()
			require.NoError(t, write(t.Context(), s))
			require.Equal(t, "1 spans, 300 logs, 2 tags, 1 operations", spanRows(t, s, many))
		}))
	}

	t.Run("Put of fewer elements", bubble(func(t *testing.T) {
		s, sent, lose := losing(t)
		board := &trace.Board{ID: 1, Owner: "ana", Links: map[string]string{}}
		for i := range 40 {
			board.Links[fmt.Sprint(i, strings.Repeat("x", 2000))] = "on"
		}
		require.NoError(t, s.Boards.Insert(t.Context(), board))
		lose("boards_by_owner")
		board.Links = map[string]string{"one": "on"}
		err := s.Boards.Put(t.Context(), board)
		require.True(t, mapper.OutcomeUnknown(err) && mapper.SafeToRepeat(err), "%v", err)
		lose()
		sent.Drain()
		require.NoError(t, s.Boards.Put(t.Context(), board))
		require.Equal(t, []string{"logged, batchlog: boards boards_by_owner"}, shapes(t, sent.Writes()), "one batch, because it is below the limit")
		copied, err := s.BoardsByOwner.Get(t.Context(), "ana", 1)
		require.NoError(t, err)
		require.Equal(t, board.Links, copied.Links)
	}))
	t.Run("rows to delete", bubble(func(t *testing.T) {
		s, _, lose := losing(t)
		require.NoError(t, s.Spans.Insert(t.Context(), many))
		lose("logs_by_time")
		moved := *many
		moved.Logs = withLines(spanOf(1, 0, 301), 199).Logs[1:]
		var unknown *mapper.UnknownOutcomeError
		require.ErrorAs(t, s.Spans.Put(t.Context(), &moved), &unknown)
		require.False(t, unknown.Repeatable, "a repeated Put does not find the rows to delete")
		_, err := s.Spans.Update(t.Context(), many.Trace, many.ID, func(v *trace.Span) error { v.Logs = many.Logs; return nil })
		require.ErrorAs(t, err, &unknown)
		require.False(t, unknown.Repeatable)
	}))
	t.Run("rows to delete after the root", bubble(func(t *testing.T) {
		s, _, lose := losing(t)
		require.NoError(t, s.Spans.Insert(t.Context(), many))
		lose("spans")
		moved := *many
		moved.Logs = withLines(spanOf(1, 0, 301), 199).Logs[1:]
		var unknown *mapper.UnknownOutcomeError
		require.ErrorAs(t, s.Spans.Put(t.Context(), &moved), &unknown)
		require.False(t, unknown.Repeatable, "the root can be written, and then a repeated Put does not find the rows to delete")
		require.ErrorAs(t, s.Spans.Change(t.Context(), many, &moved), &unknown)
		require.True(t, unknown.Repeatable, "a repeated Change finds them by its old value")
	}))
	t.Run("Delete", bubble(func(t *testing.T) {
		s, _, lose := losing(t)
		many := withLines(spanOf(1, 2, 1000), 5)
		require.NoError(t, s.Spans.Insert(t.Context(), many))
		lose("logs_by_time")
		var unknown *mapper.UnknownOutcomeError
		require.ErrorAs(t, s.Spans.Delete(t.Context(), many.Trace, many.ID), &unknown)
		require.True(t, unknown.Repeatable)
		slices.Sort(unknown.Tables)
		require.Equal(t, []string{"logs_by_time", "spans", "spans_by_service", "spans_by_tag"}, unknown.Tables)
		lose()
		require.NoError(t, s.Spans.Delete(t.Context(), many.Trace, many.ID))
		require.Equal(t, "0 spans, 0 logs, 0 tags, 1 operations", spanRows(t, s, many))
	}))
	t.Run("Delete of a refused root", func(t *testing.T) {
		b := memory.New(memory.Config{})
		s, err := trace.OpenBackend(t.Context(), b)
		require.NoError(t, err)
		many := withLines(spanOf(1, 2, 1000), 5)
		require.NoError(t, s.Spans.Insert(t.Context(), many))
		b.Intercept(func(r memory.Request) memory.Outcome {
			if r.Write && slices.Equal(r.Tables, []string{"spans"}) {
				return memory.Refused
			}
			return memory.Done
		})
		var unknown *mapper.UnknownOutcomeError
		require.ErrorAs(t, s.Spans.Delete(t.Context(), many.Trace, many.ID), &unknown, "the rows of the copies are deleted")
		require.True(t, unknown.Repeatable)
		require.Equal(t, []string{"spans", "spans_by_tag"}, unknown.Tables)
		require.Equal(t, "0 spans, 0 logs, 2 tags, 1 operations", spanRows(t, s, many))
	})
	t.Run("root", bubble(func(t *testing.T) {
		s, sent, _ := losing(t, "spans")
		var unknown *mapper.UnknownOutcomeError
		require.ErrorAs(t, s.Spans.Insert(t.Context(), many), &unknown)
		require.Equal(t, []string{"spans", "spans_by_service", "logs_by_time", "spans_by_tag", "operations"}, unknown.Tables)
		for _, w := range sent.Writes() {
			require.Equal(t, []string{"none: spans"}, shapes(t, []mapper.Request{w}), "nothing follows a root of unknown outcome")
		}
	}))
}

// A batch of several aggregates is never split, and a single row above 16 MiB is refused. Nothing is sent in either case.
func TestLargeIsRefused(t *testing.T) {
	t.Parallel()
	sent := &storetest.Losses{}
	s, err := trace.OpenBackend(t.Context(), memory.New(memory.Config{}), mapper.Config{Tracer: sent})
	require.NoError(t, err)
	b := s.Batch()
	b.Spans.Insert(withLines(spanOf(1, 0, 300), 200))
	b.Spans.Insert(spanOf(2, 0, 0))
	var large *mapper.BatchTooLargeError
	require.ErrorAs(t, b.Run(t.Context()), &large)
	require.Equal(t, 51200, large.Limit)
	require.ErrorContains(t, large, "use several batches")
	require.ErrorAs(t, s.Spans.Insert(t.Context(), withLines(spanOf(1, 0, 2), 9<<20)), &large)
	require.Equal(t, 16<<20, large.Limit)
	require.Empty(t, sent.Writes())
}

// A lost row of an unlogged copy does not fail the call. The tracer receives it, and Reconcile writes it, with the TTL of the
// store.
func TestUnloggedRowsThatAreLost(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, sent, lose := losing(t, "spans_by_tag", "operations")
		span := spanOf(1, 12, 0)
		require.NoError(t, s.Spans.Insert(t.Context(), span))
		require.Len(t, sent.Lost, 1)
		l := sent.Lost[0]
		require.Error(t, l.Err)
		require.Equal(t, "Insert Span spans trace=00000000-0000-0000-0000-000000000007, id=1", fmt.Sprintf("%s %s %s %s", l.Op, l.Aggregate, l.Table, l.Key))
		require.Len(t, l.Rows, 13)
		require.Contains(t, l.Rows, mapper.UnwrittenRow{Table: "spans_by_tag", Key: "tag='tag3', value='on', trace=00000000-0000-0000-0000-000000000007, id=1"})
		require.Contains(t, l.Rows, mapper.UnwrittenRow{Table: "operations", Key: "service='shop', operation='buy'"})
		attempts := map[int]int{}
		for _, w := range sent.Writes() {
			attempts[w.Attempt]++
		}
		require.GreaterOrEqual(t, attempts[2], 1, "it is repeated")
		require.Equal(t, "1 spans, 0 logs, 0 tags, 0 operations", spanRows(t, s, span))

		lose()
		require.NoError(t, s.Spans.Insert(t.Context(), span), "a row that is not acknowledged is not remembered as written")
		require.Equal(t, "1 spans, 0 logs, 12 tags, 1 operations", spanRows(t, s, span))
	})
}

// On a node Reconcile writes the lost rows of an unlogged copy.
func TestReconcileWritesLostRows(t *testing.T) {
	t.Parallel()
	session := storetest.SharedTables(t, trace.Schema)
	past := time.Now().Add(-time.Hour)
	old, err := trace.Open(t.Context(), session, mapper.Config{TTL: days, Now: func() time.Time { return past }, MaxClockSkew: -1})
	require.NoError(t, err)
	span := spanOf(1, 3, 0)
	require.NoError(t, old.Spans.Insert(t.Context(), span))
	require.NoError(t, session.ExecStmt("TRUNCATE spans_by_tag")) // what a client that ends after the root leaves
	require.NoError(t, session.ExecStmt("TRUNCATE operations"))

	s, err := trace.Open(t.Context(), session, mapper.Config{TTL: days})
	require.NoError(t, err)
	report, err := s.Reconcile(t.Context(), mapper.ReconcileConfig{Tables: []string{"spans"}, Slices: 4})
	require.NoError(t, err)
	require.Equal(t, "1 spans, 0 logs, 3 tags, 1 operations", spanRows(t, s, span), "%+v", report)
	require.EqualValues(t, 4, report.Repaired)
}

// A save of a versioned root writes its unlogged copies after the logged ones and before the done-marker.
func TestUnloggedCopiesOfVersionedRoots(t *testing.T) {
	t.Parallel()
	onTraceStores(t, func(t *testing.T, s *trace.Store, sent *storetest.Losses) {
		m := &trace.Monitor{ID: 1, Name: "slow", Words: map[string]bool{"a": true, "b": false}}
		require.NoError(t, s.Monitors.Insert(t.Context(), m))
		writes := sent.Writes()
		require.True(t, writes[0].Conditional)
		require.Equal(t, []string{"logged, batchlog: monitors_by_name words", "unlogged: monitors_by_word", "none: monitors__sync"}, shapes(t, writes[1:]))
		_, err := s.Monitors.Update(t.Context(), 1, func(m *trace.Monitor) error { delete(m.Words, "a"); return nil })
		require.NoError(t, err)
		require.Equal(t, []string{"none: monitors_by_name", "unlogged: monitors_by_word", "none: monitors__sync"}, shapes(t, sent.Writes()[1:]), "the words are cached")
		_, err = s.MonitorsByWord.Get(t.Context(), "a", 1)
		require.ErrorIs(t, err, mapper.ErrNotFound)
	})
}

// Without an acknowledgment of the unlogged copies there is no done-marker, so the next Update writes them.
func TestLostUnloggedCopiesOfVersionedRoots(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, _, lose := losing(t)
		m := &trace.Monitor{ID: 1, Name: "slow", Words: map[string]bool{"a": true, "b": false}}
		require.NoError(t, s.Monitors.Insert(t.Context(), m))
		lose("monitors_by_word")
		_, err := s.Monitors.Update(t.Context(), 1, func(m *trace.Monitor) error { delete(m.Words, "a"); return nil })
		require.NoError(t, err)
		_, err = s.MonitorsByWord.Get(t.Context(), "a", 1)
		require.NoError(t, err, "it is not deleted yet")
		lose()
		_, err = s.Monitors.Update(t.Context(), 1, func(m *trace.Monitor) error { m.Name = "fast"; return nil })
		require.NoError(t, err)
		_, err = s.MonitorsByWord.Get(t.Context(), "a", 1)
		require.ErrorIs(t, err, mapper.ErrNotFound)
	})
}

// forgetful is a tracer that calls a function before a request is sent.
type forgetful struct {
	storetest.Losses
	before func()
}

// Start calls the function.
func (f *forgetful) Start(ctx context.Context, q mapper.Request) context.Context {
	if f.before != nil {
		f.before()
	}
	return f.Losses.Start(ctx, q)
}

// After Forget the rows of copies with cache= are written again, also if they were in flight.
func TestForgottenSharedRows(t *testing.T) {
	t.Parallel()
	sent := &forgetful{}
	s, err := trace.OpenBackend(t.Context(), memory.New(memory.Config{}), mapper.Config{Tracer: sent})
	require.NoError(t, err)
	id := int64(0)
	words := func() (n int) {
		id++
		span := spanOf(id, 0, 0)
		span.Operation = "buy"
		require.NoError(t, s.Spans.Insert(t.Context(), span))
		_, err := s.Monitors.Upsert(t.Context(), id, func(m *trace.Monitor, _ bool) error {
			m.Name, m.Words = fmt.Sprint(id), map[string]bool{"one": true}
			return nil
		})
		require.NoError(t, err)
		for _, w := range sent.Writes() {
			for _, x := range w.Statements {
				if x.Table == "operations" || x.Table == "words" {
					n++
				}
			}
		}
		return n
	}
	require.Equal(t, 2, words())
	require.Equal(t, 0, words())
	s.With(mapper.Options{Timeout: time.Minute}).Forget()
	sent.before = s.Forget
	require.Equal(t, 2, words())
	sent.before = nil
	require.Equal(t, 2, words(), "they were in flight")
	require.Equal(t, 0, words())
}

// A row of a copy with cache= is written once, until its time has passed or it is dropped for another row.
func TestCachedSharedRows(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	sent := &storetest.Losses{}
	open := func(c mapper.Config) *trace.Store {
		c.Tracer = sent
		s, err := trace.OpenBackend(t.Context(), memory.New(memory.Config{Now: func() time.Time { return now }}), c)
		require.NoError(t, err)
		return s
	}
	s := open(mapper.Config{SharedCache: 2})
	id := int64(0)
	writes := func(s *trace.Store, operation string) int {
		id++
		span := spanOf(id, 0, 0)
		span.Operation = operation
		require.NoError(t, s.Spans.Insert(t.Context(), span))
		n := 0
		for _, w := range sent.Writes() {
			for _, x := range w.Statements {
				if x.Table == "operations" {
					n++
				}
			}
		}
		return n
	}
	require.Equal(t, 1, writes(s, "buy"))
	require.Equal(t, 0, writes(s, "buy"))
	require.Equal(t, 1, writes(s.With(mapper.Options{TTL: 0, Timeout: time.Second}), "sell"))
	require.Equal(t, 0, writes(s, "buy"), "it was used after sell")
	require.Equal(t, 1, writes(s, "look"), "which is the least recently used one")
	require.Equal(t, 0, writes(s, "buy"))
	require.Equal(t, 1, writes(s, "sell"))
	now = now.Add(12*time.Hour - time.Second)
	require.Equal(t, 0, writes(s, "buy"))
	now = now.Add(time.Second)
	require.Equal(t, 1, writes(s, "buy"), "the time counts from the write")
	now = now.Add(-36 * time.Hour)
	require.Equal(t, 1, writes(s, "buy"), "the clock has gone back: the row can expire before 12 hours from now")
	require.Equal(t, 0, writes(s, "buy"))

	_, err := trace.OpenBackend(t.Context(), memory.New(memory.Config{}), mapper.Config{SharedCache: -1})
	require.EqualError(t, err, "mapper: Config.SharedCache is -1 rows: use 1 or more, or 0 for 10000")
	_, err = trace.OpenBackend(t.Context(), memory.New(memory.Config{}), mapper.Config{TTL: map[string]time.Duration{"retention": 23 * time.Hour}})
	require.EqualError(t, err, "mapper: Config.TTL: rows of operations expire after 82800 seconds, less than twice the 43200 seconds of cache=")
}

// An import, which has a timestamp, writes each row. A row of a write of unknown outcome is not remembered.
func TestCacheIsBypassed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, sent, lose := losing(t)
		require.NoError(t, s.Spans.Insert(t.Context(), spanOf(1, 0, 0)))
		sent.Drain()
		written, err := s.With(mapper.Options{Timestamp: time.Now().UnixMicro() - 1e6}).Spans.Import(t.Context(), spanOf(2, 0, 0))
		require.NoError(t, err)
		require.True(t, written)
		require.Equal(t, []string{"logged, batchlog: spans spans_by_service", "none: operations"}, shapes(t, sent.Writes()))
		lose("operations")
		other := spanOf(3, 0, 0)
		other.Operation = "sell"
		require.NoError(t, s.Spans.Insert(t.Context(), other))
		require.Len(t, sent.Lost, 1)
		lose()
		require.NoError(t, s.Spans.Insert(t.Context(), other))
		require.Len(t, collected(t, s.Operations.Of("shop").All(t.Context())), 2)
	})
}
