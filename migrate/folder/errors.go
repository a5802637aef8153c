package folder

import (
	"errors"
	"fmt"
	"strings"

	"github.com/cassaml/cassaml/internal/lex"
)

// NameError reports a .cql file whose name migrate.Up cannot order.
type NameError struct {
	File   string
	Reason string
}

func (e *NameError) Error() string {
	return fmt.Sprintf("migrate: %s: %s", e.File, e.Reason)
}

// SyntaxError reports a text that cannot be split into statements, an invalid statement, or an invalid directive.
type SyntaxError struct {
	File   string // "" if the text is not from a file
	Line   int    // counted from 1
	Column int    // counted in bytes, from 1
	Reason string
}

func (e *SyntaxError) Error() string {
	where := fmt.Sprintf("%d:%d: ", e.Line, e.Column)
	if e.File != "" {
		where = e.File + ":" + where
	}
	return where + e.Reason
}

// unclosed adds the position to the error of a token.
func unclosed(text string, err error) error {
	if e, ok := errors.AsType[*lex.Error](err); ok {
		return syntaxError(text, e.Offset, e.Reason)
	}
	return err
}

func syntaxError(text string, offset int, reason string) *SyntaxError {
	before := text[:offset]
	return &SyntaxError{
		Line:   1 + strings.Count(before, "\n"),
		Column: offset - strings.LastIndexByte(before, '\n'),
		Reason: reason,
	}
}

// SumError reports that a folder and its aml.sum do not match.
type SumError struct {
	File   string // the first file that differs
	Reason string
}

func (e *SumError) Error() string {
	return fmt.Sprintf("migrate: %s: %s; restore it, or, if the change is intended, update aml.sum with aml migrate sum", e.File, e.Reason)
}

// errHeld reports a lock that another process has.
var errHeld = errors.New("the lock is held")
