package store

import (
	"errors"

	"github.com/cassaml/cassaml/mapper/driver"
)

// TimedOut reports whether a read has failed because a server or a node has not answered in time. A read at the serial consistency
// can also fail while it completes the write of another client.
func TimedOut(err error) bool {
	if code, answered := driver.Code(err); answered {
		return code == driver.CodeReadTimeout || code == driver.CodeWriteTimeout || code == driver.CodeCASWriteUnknown
	}
	e, ok := errors.AsType[*driver.Error](err)
	return ok && e.Class == driver.NoAnswer
}
