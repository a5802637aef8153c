package runtime

import (
	"errors"
	"fmt"

	"github.com/cassaml/cassaml/mapper/internal/rowname"
)

// ErrExists is returned by an Insert of a versioned aggregate whose identifier is in use. Nothing was written.
var ErrExists = errors.New("exists already")

// ErrConflict is returned when another writer has saved a versioned aggregate since it was read: by Change and DeleteAt at
// once, by the other methods when the time of the call ends before a save succeeds. Nothing was written.
var ErrConflict = errors.New("the version has changed")

// ErrBusy is returned when another save has claimed a unique value and has not ended within the time of the call. Nothing
// was written.
var ErrBusy = errors.New("a unique value is claimed by a save that has not ended")

// DuplicateError is returned by a save with a unique value that another aggregate has. Nothing was written.
type DuplicateError struct {
	Aggregate string // the Go name of the struct
	Table     string
	Key       string // of the value that was not saved: id=7
	Field     string // the unique field or fields: Email
	Value     string // "…" where the model marks the field secret
	Owner     string // the key of the aggregate that has the value: id=3
}

// Error returns a message with the value and its owner.
func (e *DuplicateError) Error() string {
	return fmt.Sprintf("mapper: %s: %s %s is taken by %s", rowname.Of(e.Aggregate, e.Table, e.Key), e.Field, e.Value, rowname.Of(e.Aggregate, e.Table, e.Owner))
}
