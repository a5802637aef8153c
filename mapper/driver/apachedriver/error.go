package apachedriver

import (
	"errors"
	"io"
	"net"
	"strings"

	gocql "github.com/apache/cassandra-gocql-driver/v2"

	"github.com/cassaml/cassaml/mapper/driver"
)

// NewError returns an error of the driver as the *driver.Error that a request ends with, or nil.
func NewError(err error) error {
	if err == nil {
		return nil
	}
	e := &driver.Error{Class: classify(err), Err: err}
	if answer, ok := errors.AsType[gocql.RequestError](err); ok {
		e.Class, e.Code, e.Message = driver.Answered, answer.Code(), answer.Message()
		e.Consistency = driver.Consistency(consistency(answer))
	}
	return e
}

func classify(err error) driver.Class {
	var network net.Error
	switch {
	case errors.Is(err, gocql.ErrNoConnections):
		return driver.NotConnected
	case errors.Is(err, gocql.ErrNoStreams):
		return driver.NoStream
	case errors.Is(err, gocql.ErrSessionClosed):
		return driver.Closed
	case errors.Is(err, gocql.ErrTooManyStmts), errors.Is(err, gocql.ErrFrameTooBig),
		errors.Is(err, gocql.ErrUseStmt), isNotBound(err):
		return driver.Unsendable
	case errors.Is(err, gocql.ErrTimeoutNoResponse):
		return driver.NoAnswer
	case errors.Is(err, gocql.ErrConnectionClosed), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &network):
		return driver.Disconnected
	}
	return driver.Failed
}

// isNotBound reports whether the driver could not bind the arguments of a statement, which it finds before it sends the request. Its error
// for a wrong number of arguments has no type.
func isNotBound(err error) bool {
	_, invalid := errors.AsType[gocql.MarshalError](err)
	return invalid || strings.HasPrefix(err.Error(), "gocql: ") && strings.Contains(err.Error(), " values send got ")
}

// consistency returns the level that an answer names; 0 if it names none.
func consistency(answer gocql.RequestError) gocql.Consistency {
	switch e := answer.(type) {
	case *gocql.RequestErrUnavailable:
		return e.Consistency
	case *gocql.RequestErrWriteTimeout:
		return e.Consistency
	case *gocql.RequestErrReadTimeout:
		return e.Consistency
	case *gocql.RequestErrCASWriteUnknown:
		return e.Consistency
	}
	return 0
}
