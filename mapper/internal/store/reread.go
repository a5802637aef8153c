package store

import (
	"context"
	"errors"
	"net"

	"github.com/gocql/gocql"
)

// read makes a query that writes nothing. Its retry policy is the store's own: that of the session may read again at a lower
// consistency.
func (s CQL) read(ctx context.Context, stmt string, c gocql.Consistency, args ...any) *gocql.Query {
	return s.Session.Query(stmt, args...).WithContext(ctx).Consistency(c).RetryPolicy(rereads{})
}

// rereads sends a read that failed to other nodes, at the consistency that it has.
type rereads struct{}

// maxRereads is how often one page is read again.
const maxRereads = 2

// Attempt reports whether there is to be another attempt.
func (rereads) Attempt(q gocql.RetryableQuery) bool { return q.Attempts() <= maxRereads }

// GetRetryType takes another node where the failure can be that of one node.
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
