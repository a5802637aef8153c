package index

import (
	"context"
	_ "embed"

	"github.com/cassaml/cassaml/examples/internal/show"
)

// Schema is the schema of this package.
//
//go:embed schema.cql
var Schema string

// Newest returns the newest spans of a service, at most n, from all buckets.
func (s *Store) Newest(ctx context.Context, service string, n int) (spans []*SpanByService, err error) {
	keys := make([]SpansByServicePartitionKey, Buckets)
	for i := range keys {
		keys[i] = SpansByServicePartitionKey{Service: service, Bucket: int32(i)}
	}
	for span, err := range s.SpansByService.OfEach(keys).Limit(n).All(ctx) {
		if err != nil {
			return nil, err
		}
		spans = append(spans, span)
	}
	return spans, nil
}

// Demo writes spans and finds the newest ones of a service.
func Demo(ctx context.Context, s *show.Stage) error {
	store, err := Open(ctx, s.Session, s.Config)
	if err != nil {
		return err
	}
	s.Step("write three spans: the row of the index is written after the span", func() error {
		for n := range int64(3) {
			span := &Span{TraceID: 100 + n, SpanID: 1, Service: "cart", StartedAt: 1_000_000 + n, Operation: "GET /cart", Duration: 12}
			if err := store.Spans.Insert(ctx, span); err != nil {
				return err
			}
		}
		return nil
	})
	s.Step("write the last one again: it has one row of the index", func() error {
		return store.Spans.Insert(ctx, &Span{TraceID: 102, SpanID: 1, Service: "cart", StartedAt: 1_000_002, Operation: "GET /cart", Duration: 12})
	})
	s.Step("find the two newest spans of a service: each bucket is a partition", func() error {
		spans, err := store.Newest(ctx, "cart", 2)
		for _, span := range spans {
			s.Printf("trace %d", span.TraceID)
		}
		return err
	})
	s.Tables(ctx, "spans_by_service")
	return s.Err()
}
