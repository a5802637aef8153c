package store

import (
	"errors"
	"strings"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/internal/servererror"
)

// classify converts an error of the driver to an [Error] with the outcome of the write. The outcome of an error that it does not
// recognize is unknown.
func classify(err error) error {
	if err == nil {
		return nil
	}
	return &Error{Outcome: writeOutcome(err), Err: err}
}

// classifyCAS is like classify for a conditional statement. Too few replicas for a consistency that is not serial are no refusal: the
// servers can notice them after they have accepted the statement, when they commit it.
func classifyCAS(err error) error {
	unavailable, ok := errors.AsType[*gocql.RequestErrUnavailable](err)
	if !ok {
		return classify(err)
	}
	outcome := Unknown
	if c := gocql.SerialConsistency(unavailable.Consistency); c == gocql.Serial || c == gocql.LocalSerial {
		outcome = Refused
	}
	return &Error{Outcome: outcome, Err: err}
}

func writeOutcome(err error) Outcome {
	var request gocql.RequestError
	switch {
	case errors.As(err, &request):
		if servererror.Refused(request.Code()) {
			return Refused
		}
		return Unknown
	case errors.Is(err, gocql.ErrNoConnections), errors.Is(err, gocql.ErrNoStreams):
		return NotSent
	case errors.Is(err, gocql.ErrSessionClosed), errors.Is(err, gocql.ErrTooManyStmts), errors.Is(err, gocql.ErrFrameTooBig), isNotBound(err):
		return Unsendable
	}
	return Unknown
}

// isNotBound reports whether the driver could not bind the arguments of a statement, which it finds before it sends the request. Its error
// for a wrong number of arguments has no type.
func isNotBound(err error) bool {
	_, invalid := errors.AsType[gocql.MarshalError](err)
	return invalid || strings.HasPrefix(err.Error(), "gocql: ") && strings.Contains(err.Error(), " values send got ")
}
