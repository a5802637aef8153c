package runtime

import (
	"errors"
	"fmt"

	"github.com/cassaml/cassaml/mapper"
)

// rowRefusal is the reason why a row cannot be changed until it is another.
type rowRefusal struct{ error }

// refuseRow returns a rowRefusal.
func refuseRow(format string, args ...any) error {
	return rowRefusal{fmt.Errorf(format, args...)}
}

// refusesRow reports whether an error is about the content of one row, so that the other rows can still be changed.
func refusesRow(err error) bool {
	_, refused := errors.AsType[rowRefusal](err)
	_, duplicate := errors.AsType[*mapper.DuplicateError](err)
	_, invalid := errors.AsType[*mapper.ConstraintError](err)
	_, large := errors.AsType[*mapper.BatchTooLargeError](err)
	_, damaged := errors.AsType[*mapper.DecodeError](err)
	return refused || duplicate || invalid || large || damaged
}

// errRefused is returned for a save that was not applied because the row has changed since the save was planned.
var errRefused = errors.New("the row has changed")
