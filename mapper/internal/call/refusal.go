package call

import (
	"errors"
	"fmt"

	"github.com/cassaml/cassaml/mapper"
)

// rowRefusal is the reason why a row cannot be changed until it is another.
type rowRefusal struct{ error }

// RefuseRow returns a rowRefusal.
func RefuseRow(format string, args ...any) error {
	return rowRefusal{fmt.Errorf(format, args...)}
}

// IsRowError reports whether an error is about the content of one row, so that the other rows can still be changed.
func IsRowError(err error) bool {
	_, refused := errors.AsType[rowRefusal](err)
	_, duplicate := errors.AsType[*mapper.DuplicateError](err)
	_, invalid := errors.AsType[*mapper.ConstraintError](err)
	_, large := errors.AsType[*mapper.BatchTooLargeError](err)
	_, damaged := errors.AsType[*mapper.DecodeError](err)
	return refused || duplicate || invalid || large || damaged
}

// ErrChanged is returned for a save that was not applied because the row has changed since the save was planned.
var ErrChanged = errors.New("the row has changed")
