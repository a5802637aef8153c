package store

import (
	"errors"

	"github.com/gocql/gocql"
)

// classify returns what an error of the driver means for a write. What it does not know may have been written.
func classify(err error) error {
	if err == nil {
		return nil
	}
	return &Error{Outcome: outcomeOf(err), Err: err}
}

func outcomeOf(err error) Outcome {
	var request gocql.RequestError
	switch {
	case errors.As(err, &request):
		return outcomeOfCode(request.Code())
	case errors.Is(err, gocql.ErrNoConnections), errors.Is(err, gocql.ErrNoStreams):
		return NotSent
	case errors.Is(err, gocql.ErrSessionClosed), errors.Is(err, gocql.ErrTooManyStmts), errors.Is(err, gocql.ErrFrameTooBig):
		return Refused
	}
	return Unknown
}

// outcomeOfCode knows the codes that the server answers with before it writes anything. Overloaded is none of
// them: a batch can have reached the batchlog by then.
func outcomeOfCode(code int) Outcome {
	switch code {
	case gocql.ErrCodeUnavailable, gocql.ErrCodeBootstrapping,
		gocql.ErrCodeSyntax, gocql.ErrCodeInvalid, gocql.ErrCodeConfig, gocql.ErrCodeProtocol,
		gocql.ErrCodeUnauthorized, gocql.ErrCodeCredentials, gocql.ErrCodeAlreadyExists:
		return Refused
	}
	return Unknown
}
