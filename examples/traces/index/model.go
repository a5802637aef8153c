// Package index stores spans of traces, and finds the newest spans of a service in an index that is divided into buckets.
//
// A service that writes thousands of spans a second would write them to one partition of an index by service alone. With a bucket in
// the partition key they are spread over ten partitions, and so over the nodes; a reader merges the newest rows of all buckets. The
// bucket follows from the key of the span, so each span has one row of the index, also after a repeated write.
//
// The index is written after the span and outside of a batch. A span is never changed, so a reader can only miss rows that are written
// late, and Reconcile writes the rows that are missing after a crash. Rows expire after two days.
package index

import (
	"github.com/cassaml/cassaml/aml"
)

//go:generate go run github.com/cassaml/cassaml/codegen/cmd/aml generate

// Buckets is the number of partitions of each service in the index.
const Buckets = 10

// Span is one step of a trace.
type Span struct {
	aml.Aggregate `aml:"spans,ttl=172800"`

	TraceID   int64  `aml:"trace_id,identifier"`
	SpanID    int64  `aml:"span_id,discriminator"`
	Service   string `aml:"service,required,final"`
	StartedAt int64  `aml:"started_at,final"` // microseconds since 1970
	Operation string `aml:"operation"`
	Duration  int64  `aml:"duration"`
}

// Bucket returns the number of the bucket that has the span.
func (s Span) Bucket() int32 { return int32(uint64(s.TraceID) % Buckets) }

// SpanByService finds the spans of a service, the newest first.
type SpanByService struct {
	aml.Aggregate `aml:"spans_by_service,redundant=Span,unlogged"`

	Service   string `aml:"service,identifier"`
	Bucket    int32  `aml:"bucket,identifier,from=Span.Bucket()"`
	StartedAt int64  `aml:"started_at,discriminator,desc"`
	TraceID   int64  `aml:"trace_id,discriminator"`
	SpanID    int64  `aml:"span_id,discriminator"`
}
