package alternatives

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/gocql/gocql"
)

// Sent has the numbers of requests and statements that the driver has sent for an operation.
type Sent struct {
	Design     string `json:"design"`
	Operation  string `json:"operation"`
	Requests   int64  `json:"requests"`
	Statements int64  `json:"statements"`
}

// requests has the numbers of requests and statements that the driver of a session has sent.
type requests struct{ requests, statements atomic.Int64 }

// ObserveQuery counts a statement.
func (r *requests) ObserveQuery(context.Context, gocql.ObservedQuery) {
	r.requests.Add(1)
	r.statements.Add(1)
}

// ObserveBatch counts the statements of a batch.
func (r *requests) ObserveBatch(_ context.Context, b gocql.ObservedBatch) {
	r.requests.Add(1)
	r.statements.Add(int64(len(b.Statements)))
}

// once makes each operation of each design once, and returns the requests that the driver has sent. The roots of all stores have the same numbers,
// so that two stores of one design leave the same rows.
func once(subjects []*subject, c Config) (out []Sent, err error) {
	for _, s := range subjects {
		for _, o := range operationOrder {
			if s.Operations[o] == nil {
				continue
			}
			x := s.caller(o, c.Elements[0])
			if err := x.prepare(); err != nil {
				return nil, fmt.Errorf("%s: before %s: %w", s.name, o, err)
			}
			r, n := s.sent.requests.Load(), s.sent.statements.Load()
			if err := x.operate(); err != nil {
				return nil, fmt.Errorf("%s: %s: %w", s.name, o, err)
			}
			out = append(out, Sent{s.name, o, s.sent.requests.Load() - r, s.sent.statements.Load() - n})
		}
	}
	return out, nil
}
