package call

import (
	"context"
	"errors"
	"time"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// traceWrite reports an attempt of a write to the tracer; the returned function reports its end.
func (db *DB) traceWrite(ctx context.Context, b *batch, at int64, attempt int) (context.Context, func(error, int)) {
	if db.Config.Tracer == nil {
		return ctx, untraced
	}
	r := mapper.Request{Op: b.op, Aggregate: b.table.Aggregate, Consistency: db.Config.Consistency,
		Timestamp: at, Attempt: attempt, Partitions: plan.Partitions(b.mutations)}
	for i := range b.mutations {
		m := &b.mutations[i]
		r.Statements = append(r.Statements, mapper.Statement{CQL: m.Statement(), Table: m.Table.Name, Bytes: m.Size()})
	}
	if len(b.mutations) > 1 {
		r.Batch, r.Batchlog = mapper.LoggedBatch, b.spread
		if b.unlogged {
			r.Batch, r.Batchlog = mapper.UnloggedBatch, false
		}
		r.Large = b.spread && b.bytes > db.Config.BatchWarning
	}
	return db.trace(ctx, r)
}

// TraceRead reports a query to the tracer; the returned function reports its end.
func (db *DB) TraceRead(ctx context.Context, op string, q *store.Read) (context.Context, func(error, int)) {
	if db.Config.Tracer == nil {
		return ctx, untraced
	}
	s := mapper.Statement{CQL: q.Statement(), Table: q.Table.Name}
	for _, c := range q.Args() {
		s.Bytes += len(c)
	}
	r := mapper.Request{Op: op, Aggregate: q.Table.Aggregate, Consistency: q.Consistency, Attempt: 1, Partitions: q.Partitions(), Statements: []mapper.Statement{s}}
	if q.Second {
		r.Attempt, r.Speculative = 2, true
	}
	if q.Serial() {
		r.Consistency, r.SerialConsistency = db.Config.Consistency, q.Consistency
	}
	return db.trace(ctx, r)
}

// TraceCAS reports an attempt of a conditional statement to the tracer; the rows of its result are 1 when it was applied.
func (db *DB) TraceCAS(ctx context.Context, op string, c *plan.Conditional, attempt int) (context.Context, func(error, int)) {
	if db.Config.Tracer == nil {
		return ctx, untraced
	}
	s := mapper.Statement{CQL: c.CQL, Table: c.Table.Name}
	for v := range c.Args() {
		s.Bytes += len(*v)
	}
	r := mapper.Request{Op: op, Aggregate: c.Table.Aggregate, Consistency: db.Config.Consistency, Attempt: attempt,
		Partitions: 1, Conditional: true, SerialConsistency: db.Config.SerialConsistency, Statements: []mapper.Statement{s}}
	if c.Values != nil {
		s := mapper.Statement{CQL: c.Values.CQL, Table: c.Table.Name}
		for v := range c.ValuesArgs() {
			s.Bytes += len(*v)
		}
		r.Batch, r.Statements = mapper.LoggedBatch, append(r.Statements, s)
	}
	for i := range c.Parts {
		r.Batch, r.Statements = mapper.LoggedBatch, append(r.Statements, partStatement(&c.Parts[i]))
	}
	return db.trace(ctx, r)
}

// partStatement describes a statement of a part.
func partStatement(p *plan.PartWrite) mapper.Statement {
	s := mapper.Statement{CQL: p.Statement(), Table: p.Of.Table.Name}
	for v, set := range p.Args() {
		if set {
			s.Bytes += len(*v)
		}
	}
	return s
}

// trace reports a request to the tracer; the returned function reports its end.
func (db *DB) trace(ctx context.Context, r mapper.Request) (context.Context, func(error, int)) {
	tracer := db.Config.Tracer
	r.Keyspace = db.tokens.keyspace
	start := time.Now()
	ctx = tracer.Start(ctx, r)
	return ctx, func(err error, rows int) {
		result := mapper.RequestResult{Request: r, Duration: time.Since(start), Err: err, Rows: rows}
		if failure, ok := errors.AsType[*store.Error](err); ok {
			result.Err, result.Unknown = failure.Err, failure.Outcome == store.Unknown
		}
		tracer.End(ctx, result)
	}
}

func untraced(error, int) {}
