package store

import (
	"context"
	"errors"
	"net"

	"github.com/gocql/gocql"
)

// read returns a query that writes nothing. It has the retry policy of the store, because the policy of the session could retry at a
// lower consistency.
func (s CQL) read(ctx context.Context, stmt string, c gocql.Consistency, args ...any) *gocql.Query {
	return within(ctx, s.Session.Query(stmt, args...)).Consistency(c).RetryPolicy(rereads{})
}

// within returns a copy of a query with a context. It releases the original, whose storage the driver can then use again.
func within(ctx context.Context, q *gocql.Query) *gocql.Query {
	defer q.Release()
	return q.WithContext(ctx)
}

// unrouted returns the query of read without a routing key. A token-aware policy sends each query with a routing key to the same replica
// first; without one, the nodes take turns.
func (s CQL) unrouted(ctx context.Context, stmt string, c gocql.Consistency, args []any) *gocql.Query {
	bind := func(*gocql.QueryInfo) ([]any, error) { return args, nil }
	return within(ctx, s.Session.Bind(stmt, bind)).Consistency(c).RetryPolicy(rereads{})
}

// rereads is a retry policy that sends a failed read to other nodes, at the same consistency.
type rereads struct{}

// maxRereads is the maximum number of retries for one page.
const maxRereads = 2

// Attempt reports whether to make another attempt.
func (rereads) Attempt(q gocql.RetryableQuery) bool { return q.Attempts() <= maxRereads }

// GetRetryType returns gocql.RetryNextHost if the failure can be limited to one node.
func (rereads) GetRetryType(err error) gocql.RetryType {
	var request gocql.RequestError
	var network net.Error
	switch {
	case errors.As(err, &request):
		switch request.Code() {
		case gocql.ErrCodeUnavailable, gocql.ErrCodeReadTimeout, gocql.ErrCodeOverloaded, gocql.ErrCodeBootstrapping, gocql.ErrCodeServer:
			return gocql.RetryNextHost
		}
	case errors.As(err, &network), errors.Is(err, gocql.ErrTimeoutNoResponse), errors.Is(err, gocql.ErrConnectionClosed), errors.Is(err, gocql.ErrNoStreams):
		return gocql.RetryNextHost
	}
	return gocql.Rethrow
}

// TimedOut reports whether a read has failed because a server or a node has not answered in time. A read at the serial consistency
// can also fail while it completes the write of another client.
func TimedOut(err error) bool {
	if request, ok := errors.AsType[gocql.RequestError](err); ok {
		switch request.Code() {
		case gocql.ErrCodeReadTimeout, gocql.ErrCodeWriteTimeout, gocql.ErrCodeCASWriteUnknown:
			return true
		}
		return false
	}
	return errors.Is(err, gocql.ErrTimeoutNoResponse)
}
