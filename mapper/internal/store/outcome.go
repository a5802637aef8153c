package store

import (
	"context"
	"errors"

	"github.com/cassaml/cassaml/internal/servererror"
	"github.com/cassaml/cassaml/mapper/driver"
)

// Ended returns the error of a write whose context has ended before it is sent. The driver does not tell it from one that ends later.
func Ended(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return &Error{Outcome: Refused, Err: err}
	}
	return nil
}

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
	e, ok := errors.AsType[*driver.Error](err)
	if !ok || e.Class != driver.Answered || e.Code != driver.CodeUnavailable {
		return classify(err)
	}
	outcome := Unknown
	if e.Consistency.IsSerial() {
		outcome = Refused
	}
	return &Error{Outcome: outcome, Err: err}
}

func writeOutcome(err error) Outcome {
	e, ok := errors.AsType[*driver.Error](err)
	if !ok {
		return Unknown
	}
	switch e.Class {
	case driver.Answered:
		if servererror.Refused(e.Code) {
			return Refused
		}
	case driver.NotConnected, driver.NoStream:
		return NotSent
	case driver.Closed, driver.Unsendable:
		return Unsendable
	}
	return Unknown
}
