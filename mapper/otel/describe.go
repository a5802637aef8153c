package otel

import (
	"strings"

	"go.opentelemetry.io/otel/attribute"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"

	"github.com/cassaml/cassaml/mapper"
)

// The attributes that the semantic conventions do not have.
const (
	operationKey = attribute.Key("cassaml.operation")          // the store's method: Update
	aggregateKey = attribute.Key("cassaml.aggregate")          // the Go name of the struct: Customer
	batchKey     = attribute.Key("cassaml.batch")              // logged or unlogged
	batchlogKey  = attribute.Key("cassaml.batchlog")           // the batch writes to several partitions
	largeKey     = attribute.Key("cassaml.large")              // the server warns about the size of the batch
	attemptKey   = attribute.Key("cassaml.attempt")            // the number of a repeated write, from 2; for the second request of a read, 2
	serialKey    = attribute.Key("cassaml.serial_consistency") // set for a conditional statement
	bytesKey     = attribute.Key("cassaml.request.size")       // the size of the values that are sent
	unknownKey   = attribute.Key("cassaml.outcome_unknown")    // the write may have been executed
	appliedKey   = attribute.Key("cassaml.applied")            // the condition of a conditional statement was true
	kindKey      = attribute.Key("cassaml.drift.kind")         // missing, stale, …
	repairedKey  = attribute.Key("cassaml.drift.repaired")
)

// described has the attributes that the statements of a request have in common.
type described struct {
	operation  string // INSERT; of a batch: BATCH INSERT, or BATCH if the statements differ
	collection string // the table; empty if there are several
	summary    string // INSERT customers; of a batch: BATCH INSERT customers, or BATCH if the statements differ
}

func describe(r *mapper.Request) described {
	verb, table := firstWord(r.Statements[0].CQL), r.Statements[0].Table
	if len(r.Statements) == 1 {
		return described{verb, table, verb + " " + table}
	}
	oneVerb, oneTable := true, true
	for _, s := range r.Statements[1:] {
		oneVerb = oneVerb && firstWord(s.CQL) == verb
		oneTable = oneTable && s.Table == table
	}
	d := described{operation: "BATCH", summary: "BATCH"}
	if oneVerb {
		d.operation = "BATCH " + verb
	}
	if oneTable {
		d.collection = table
	}
	if oneVerb && oneTable {
		d.summary = d.operation + " " + table
	}
	return d
}

// firstWord returns the first word of a statement.
func firstWord(cql string) string {
	word, _, _ := strings.Cut(cql, " ")
	return word
}

// common returns the attributes of the span and of the metrics of a request.
func (d described) common(r *mapper.Request) []attribute.KeyValue {
	out := make([]attribute.KeyValue, 0, 5)
	out = append(out, semconv.DBOperationName(d.operation), operationKey.String(r.Op), aggregateKey.String(r.Aggregate))
	if d.collection != "" {
		out = append(out, semconv.DBCollectionName(d.collection))
	}
	if r.Keyspace != "" {
		out = append(out, semconv.DBNamespace(r.Keyspace))
	}
	return out
}

// ofSpan returns further attributes of the span of a request.
func ofSpan(r *mapper.Request, d described) []attribute.KeyValue {
	out := []attribute.KeyValue{semconv.DBQuerySummary(d.summary), semconv.DBQueryText(text(r.Statements)), bytesKey.Int(r.Bytes()), consistency(r)}
	optional := func(set bool, a attribute.KeyValue) {
		if set {
			out = append(out, a)
		}
	}
	optional(len(r.Statements) > 1, semconv.DBOperationBatchSize(len(r.Statements)))
	optional(r.Batch != mapper.NoBatch, batchKey.String(r.Batch.String()))
	optional(r.Batchlog, batchlogKey.Bool(true))
	optional(r.Large, largeKey.Bool(true))
	optional(r.Attempt > 1, attemptKey.Int(r.Attempt))
	optional(r.Conditional, serialKey.String(strings.ToLower(r.SerialConsistency.String())))
	return out
}

// consistency returns the level of a request: of a read that sees a save in flight, its serial level.
func consistency(r *mapper.Request) attribute.KeyValue {
	level := r.Consistency.String()
	if r.SerialConsistency != 0 && !r.Conditional {
		level = r.SerialConsistency.String()
	}
	return semconv.CassandraConsistencyLevelKey.String(strings.ToLower(level))
}

// text returns the CQL of statements. Equal statements that follow each other are written once, because a batch can have
// thousands of them.
func text(statements []mapper.Statement) string {
	var b strings.Builder
	for i, s := range statements {
		if i > 0 && s.CQL == statements[i-1].CQL {
			continue
		}
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(s.CQL)
	}
	return b.String()
}

// isRead reports whether a request reads.
func isRead(r *mapper.Request) bool { return firstWord(r.Statements[0].CQL) == "SELECT" }

// ofResult returns the attributes of a span that its result has.
func ofResult(result *mapper.RequestResult) []attribute.KeyValue {
	switch r := &result.Request; {
	case isRead(r):
		return []attribute.KeyValue{semconv.DBResponseReturnedRows(result.Rows)}
	case result.Unknown:
		return []attribute.KeyValue{unknownKey.Bool(true)}
	case r.Conditional && result.Err == nil:
		return []attribute.KeyValue{appliedKey.Bool(result.Rows > 0)}
	}
	return nil
}
