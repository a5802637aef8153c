package otel

import (
	"context"
	"errors"
	"fmt"
	"net"

	"github.com/gocql/gocql"
	"go.opentelemetry.io/otel/attribute"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"

	"github.com/cassaml/cassaml/mapper"
)

// failure describes the error of a request without values: a message of the mapper can have the key of a row.
type failure struct {
	status string // the error code of the server: 0x1100; empty for an error of the client
	kind   string // error.type: the error code of the server, or one of the words below; empty: no error
	text   string // of the server or of the driver
}

// kinds are the errors of the client by their error.type.
var kinds = []struct {
	kind string
	err  error
}{
	{"timeout", context.DeadlineExceeded},
	{"timeout", gocql.ErrTimeoutNoResponse},
	{"canceled", context.Canceled},
	{"no_connections", gocql.ErrNoConnections},
	{"connection", gocql.ErrConnectionClosed},
	{"session_closed", gocql.ErrSessionClosed},
}

func classify(err error) failure {
	if err == nil {
		return failure{}
	}
	if code, text, ok := ofServer(err); ok {
		status := fmt.Sprintf("0x%04X", code)
		return failure{status, status, text}
	}
	for _, k := range kinds {
		if errors.Is(err, k.err) {
			return failure{kind: k.kind, text: k.err.Error()}
		}
	}
	if _, ok := errors.AsType[*mapper.DecodeError](err); ok {
		return failure{kind: "decode", text: "a column has a value that its type does not allow"}
	}
	if broken, ok := errors.AsType[*net.OpError](err); ok {
		return failure{kind: "connection", text: broken.Op}
	}
	return failure{kind: semconv.ErrorTypeOther.Value.AsString()}
}

// ofServer returns the code and the message of an error of the server. The errors of the backend in memory have neither.
func ofServer(err error) (code int, text string, ok bool) {
	refused, ok := errors.AsType[gocql.RequestError](err)
	if !ok {
		return 0, "", false
	}
	if code = refused.Code(); code == 0 {
		switch refused.(type) {
		case *gocql.RequestErrUnavailable:
			code = gocql.ErrCodeUnavailable
		case *gocql.RequestErrWriteTimeout:
			code = gocql.ErrCodeWriteTimeout
		case *gocql.RequestErrReadTimeout:
			code = gocql.ErrCodeReadTimeout
		case *gocql.RequestErrCASWriteUnknown:
			code = gocql.ErrCodeCASWriteUnknown
		}
	}
	return code, refused.Message(), true
}

// attributes returns the attributes of a failure; none without an error.
func (f failure) attributes() (out []attribute.KeyValue) {
	if f.kind != "" {
		out = append(out, semconv.ErrorTypeKey.String(f.kind))
	}
	if f.status != "" {
		out = append(out, semconv.DBResponseStatusCode(f.status))
	}
	return out
}
