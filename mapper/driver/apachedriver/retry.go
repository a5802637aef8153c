package apachedriver

import (
	gocql "github.com/apache/cassandra-gocql-driver/v2"

	"github.com/cassaml/cassaml/mapper/driver"
)

// rereads is a retry policy that sends a failed read to other nodes, at the same consistency. The policy of a session could retry at a
// lower one.
type rereads struct{}

// maxRereads is the maximum number of retries for one page.
const maxRereads = 2

// Attempt reports whether to make another attempt.
func (rereads) Attempt(q gocql.RetryableQuery) bool { return q.Attempts() <= maxRereads }

// GetRetryType returns gocql.RetryNextHost if the failure can be limited to one node.
func (rereads) GetRetryType(err error) gocql.RetryType {
	if driver.OfOneNode(NewError(err)) {
		return gocql.RetryNextHost
	}
	return gocql.Rethrow
}

// repeats is the retry policy of statements that have the same effect each time.
var repeats = &gocql.SimpleRetryPolicy{NumRetries: 3}
