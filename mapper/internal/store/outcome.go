package store

import (
	"errors"

	"github.com/gocql/gocql"
)

// classify converts an error of the driver to an [Error] with the outcome of the write. The outcome of an error that it does not
// recognize is unknown.
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

// outcomeOfCode returns Refused for the error codes that the server sends before it writes anything. Overloaded is not one
// of them: the batch can already be in the batchlog.
func outcomeOfCode(code int) Outcome {
	switch code {
	case gocql.ErrCodeUnavailable, gocql.ErrCodeBootstrapping,
		gocql.ErrCodeSyntax, gocql.ErrCodeInvalid, gocql.ErrCodeConfig, gocql.ErrCodeProtocol,
		gocql.ErrCodeUnauthorized, gocql.ErrCodeCredentials, gocql.ErrCodeAlreadyExists:
		return Refused
	}
	return Unknown
}
