package otel

import (
	"context"
	"errors"
	"fmt"
	"net"

	"go.opentelemetry.io/otel/attribute"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver"
)

// failure describes the error of a request without values: a message of the mapper can have the key of a row.
type failure struct {
	status string // the error code of the server: 0x1100; empty for an error of the client
	kind   string // error.type: the error code of the server, or one of the words below; empty: no error
	text   string // the message of the server or the driver
}

// kinds are the words for the errors of a driver.
var kinds = map[driver.Class]string{
	driver.NoAnswer: "timeout", driver.NotConnected: "no_connections", driver.NoStream: "no_streams", driver.Disconnected: "connection",
	driver.Closed: "session_closed",
}

func classify(err error) failure {
	if err == nil {
		return failure{}
	}
	for _, ended := range []error{context.DeadlineExceeded, context.Canceled} {
		if errors.Is(err, ended) {
			return failure{kind: map[error]string{context.DeadlineExceeded: "timeout", context.Canceled: "canceled"}[ended], text: ended.Error()}
		}
	}
	if e, ok := errors.AsType[*driver.Error](err); ok {
		switch {
		case e.Class == driver.Answered:
			status := fmt.Sprintf("0x%04X", e.Code)
			return failure{status, status, e.Message}
		case kinds[e.Class] != "":
			return failure{kind: kinds[e.Class], text: e.Error()}
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
