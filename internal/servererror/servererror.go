// Package servererror classifies the error codes that a server answers a request with.
package servererror

import "github.com/cassaml/cassaml/mapper/driver"

// Permanent reports whether a server answers the same request with this code each time.
func Permanent(code int) bool {
	switch code {
	case driver.CodeSyntax, driver.CodeInvalid, driver.CodeUnauthorized, driver.CodeConfig, driver.CodeProtocol:
		return true
	}
	return false
}

// Refused reports whether a server that answers a write with this code has written nothing. Overloaded is not such a code: the batch can
// already be in the batchlog. Unavailable is one for a write that is a single statement or a logged batch, and not conditional.
func Refused(code int) bool {
	return Permanent(code) || code == driver.CodeUnavailable || code == driver.CodeBootstrapping ||
		code == driver.CodeCredentials || code == driver.CodeAlreadyExists
}

// RefusedAny is like Refused for a statement of any kind. Unavailable is not such a code: a statement with IN or an unlogged batch can
// have written one partition when too few replicas are up for the next. Nor is Protocol: who executes any statement checks its effect if
// the outcome is unknown.
func RefusedAny(code int) bool {
	return Refused(code) && code != driver.CodeUnavailable && code != driver.CodeProtocol
}
