package mapper

import (
	"context"
	"log/slog"
	"time"
)

// LogTracer is a [Tracer] that logs each request after its end, without the values of its statements: a request that succeeded at
// Level, one that failed at the level Warn, with its error, which can contain the key of a row. Its zero value works.
//
//	store, err := shop.Open(ctx, session, mapper.Config{Tracer: mapper.LogTracer{Level: slog.LevelDebug}})
//
// The attributes are op, aggregate, table (of the first statement), statements (their CQL; of consecutive equal ones only the first), consistency, took, bytes (of the values that
// were sent), rows, and, where they apply, keyspace, attempt, batch, batchlog, large, serial, unknown and error.
type LogTracer struct {
	Logger *slog.Logger  // nil: slog.Default()
	Level  slog.Level    // the level of requests that succeeded; the zero value is slog.LevelInfo
	Slow   time.Duration // requests that succeeded sooner are not logged; 0: all are logged
}

// Start does nothing.
func (LogTracer) Start(ctx context.Context, _ Request) context.Context { return ctx }

// End logs the request.
func (t LogTracer) End(ctx context.Context, result RequestResult) {
	level, message := t.Level, "mapper: request"
	switch {
	case result.Err != nil:
		level, message = slog.LevelWarn, "mapper: request failed"
	case result.Duration < t.Slow:
		return
	}
	if logger := t.logger(); logger.Enabled(ctx, level) {
		logger.LogAttrs(ctx, level, message, attributes(&result)...)
	}
}

func (t LogTracer) logger() *slog.Logger {
	if t.Logger == nil {
		return slog.Default()
	}
	return t.Logger
}

// attributes returns the attributes of a log line.
func attributes(result *RequestResult) []slog.Attr {
	r := &result.Request
	out := []slog.Attr{slog.String("op", r.Op), slog.String("aggregate", r.Aggregate), slog.String("table", r.Statements[0].Table),
		slog.Any("statements", texts(r.Statements)), slog.String("consistency", r.Consistency.String()), slog.Duration("took", result.Duration),
		slog.Int("bytes", r.Bytes()), slog.Int("rows", result.Rows)}
	optional := func(set bool, a slog.Attr) {
		if set {
			out = append(out, a)
		}
	}
	optional(r.Keyspace != "", slog.String("keyspace", r.Keyspace))
	optional(r.Attempt > 1, slog.Int("attempt", r.Attempt))
	optional(r.Batch != NoBatch, slog.String("batch", r.Batch.String()))
	optional(r.Batchlog, slog.Bool("batchlog", true))
	optional(r.Large, slog.Bool("large", true))
	optional(r.SerialConsistency != 0, slog.String("serial", r.SerialConsistency.String()))
	optional(result.Unknown, slog.Bool("unknown", true))
	optional(result.Err != nil, slog.Any("error", result.Err))
	return out
}

// texts returns the CQL of statements. Consecutive equal statements are written once, because a batch can have thousands of them.
func texts(statements []Statement) (out []string) {
	for i, s := range statements {
		if i == 0 || s.CQL != statements[i-1].CQL {
			out = append(out, s.CQL)
		}
	}
	return out
}
