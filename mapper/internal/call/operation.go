package call

import (
	"errors"

	"github.com/cassaml/cassaml/mapper"
)

// InOperation adds the name of an operation to the errors of rows in err that do not have one, and returns err. An error that a callback of the
// caller has returned, own, is not changed: other goroutines can have it.
func InOperation(op string, err, own error) error {
	if err == nil || own != nil && errors.Is(err, own) {
		return err
	}
	switch e := err.(type) {
	case *mapper.ConstraintError:
		setOperation(&e.Operation, op)
	case *mapper.DuplicateError:
		setOperation(&e.Operation, op)
	case *mapper.UnknownOutcomeError:
		setOperation(&e.Operation, op)
	case *mapper.BatchTooLargeError:
		setOperation(&e.Operation, op)
	case interface{ Unwrap() []error }:
		for _, one := range e.Unwrap() {
			_ = InOperation(op, one, own)
		}
	}
	return err
}

// setOperation sets the operation of an error, unless it has one.
func setOperation(to *string, op string) {
	if *to == "" {
		*to = op
	}
}
