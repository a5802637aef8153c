package migrate

import (
	"errors"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/internal/lex"
	"github.com/cassaml/cassaml/internal/servererror"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/migrate/folder"
)

// notRun reports whether an error means that a statement was certainly not executed and will not be.
func notRun(err error, statement string) bool {
	return notApplied(err) || refused(err) || unsent(err) || unavailable(err) && checkedBefore(statement)
}

// notApplied reports whether the condition of a statement was false.
func notApplied(err error) bool {
	_, ok := errors.AsType[*notAppliedError](err)
	return ok
}

// unsent reports whether the driver returned an error before it sent anything.
func unsent(err error) bool {
	return driver.NotSent(err)
}

// unavailable reports whether too few replicas are up for a statement.
func unavailable(err error) bool {
	code, answered := driver.Code(err)
	return answered && code == driver.CodeUnavailable
}

// checkedBefore reports whether a server that answers a statement with Unavailable has sent nothing to any replica. It checks the replicas
// before it writes a partition, but a conditional statement writes twice, and a statement with IN or an unlogged batch writes one partition
// after the other.
func checkedBefore(statement string) bool {
	words := lex.Words(statement)
	has := func(upper string) bool {
		return slices.ContainsFunc(words, func(w lex.Word) bool { return w.Is(upper) })
	}
	switch lex.UpperAt(words, 0) {
	case "TRUNCATE":
		return true
	case "INSERT", "UPDATE", "DELETE":
		return !has("IF") && !has("IN")
	case "BEGIN":
		return lex.UpperAt(words, 1) == "BATCH" && !has("IF")
	}
	return false
}

// notAppliedError reports a conditional statement whose condition was false and that no line -- aml:optional precedes.
type notAppliedError struct {
	Rows []string // the rows that the server returned: {id: 1, version: 7}; values of the key and of the columns of conditions
}

func (e *notAppliedError) Error() string {
	rows := "the row does not exist"
	if len(e.Rows) > 0 {
		rows = "the row is " + strings.Join(e.Rows, ", ")
	}
	return "the condition is false, and nothing is written: " + rows + "; if this is intended, write -- aml:optional before the statement"
}

// unprepared returns the text of a statement in a form that the driver does not prepare. The driver prepares texts that begin with INSERT,
// UPDATE, DELETE or BEGIN, so each literal would be a separate prepared statement: they would evict the statements of running programs, and a
// statement that is larger than the server's cache would be prepared again and again.
func unprepared(statement string) string {
	switch (folder.Statement{Text: statement}).Verb() {
	case "INSERT", "UPDATE", "DELETE", "BEGIN":
		return "/**/" + statement
	}
	return statement
}

// refused reports whether an error means that the server did not execute the statement. After any other error, the statement may have been
// executed, or may be executed later.
func refused(err error) bool {
	if code, answered := driver.Code(err); answered {
		return servererror.RefusedAny(code)
	}
	e, ok := errors.AsType[*driver.Error](err)
	return ok && (e.Class == driver.Closed || e.Class == driver.Unsendable)
}
