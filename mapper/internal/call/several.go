package call

import (
	"errors"
	"fmt"
)

// shownErrors is the greatest number of errors in the message of Several.
const shownErrors = 100

// Several is the error of a call with several errors, of values or of rows. Their number has no limit, so the message has only the first.
type Several struct{ all []error }

// Join returns errors as one: nil for none, and a single error as it is.
func Join(all []error) error {
	switch len(all) {
	case 0:
		return nil
	case 1:
		return all[0]
	}
	return &Several{all}
}

// Error returns the messages of the first errors, one a line, and the number of the others.
func (e *Several) Error() string {
	shown := e.all[:min(shownErrors, len(e.all))]
	text := errors.Join(shown...).Error()
	if more := len(e.all) - len(shown); more > 0 {
		text += fmt.Sprintf("\nand %d more", more)
	}
	return text
}

// Unwrap returns all errors.
func (e *Several) Unwrap() []error { return e.all }
