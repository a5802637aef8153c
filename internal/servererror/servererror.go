// Package servererror classifies the error codes that a server answers a request with.
package servererror

import "github.com/gocql/gocql"

// Permanent reports whether a server answers the same request with this code each time.
func Permanent(code int) bool {
	switch code {
	case gocql.ErrCodeSyntax, gocql.ErrCodeInvalid, gocql.ErrCodeUnauthorized, gocql.ErrCodeConfig, gocql.ErrCodeProtocol:
		return true
	}
	return false
}

// Refused reports whether a server that answers a write with this code has written nothing. Overloaded is not such a code: the batch can
// already be in the batchlog. Unavailable is one for a write that is a single statement or a logged batch, and not conditional.
func Refused(code int) bool {
	return Permanent(code) || code == gocql.ErrCodeUnavailable || code == gocql.ErrCodeBootstrapping ||
		code == gocql.ErrCodeCredentials || code == gocql.ErrCodeAlreadyExists
}

// RefusedAny is like Refused for a statement of any kind. Unavailable is not such a code: a statement with IN or an unlogged batch can
// have written one partition when too few replicas are up for the next. Nor is Protocol: who executes any statement checks its effect if
// the outcome is unknown.
func RefusedAny(code int) bool {
	return Refused(code) && code != gocql.ErrCodeUnavailable && code != gocql.ErrCodeProtocol
}
