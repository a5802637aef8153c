package migrate

import (
	"errors"
	"fmt"
	"strings"

	"github.com/cassaml/cassaml/migrate/folder"
)

// ErrNoFiles reports that [Up] was given a file system whose root holds no
// migration. The usual cause is an embed.FS without the [io/fs.Sub] that enters
// the folder; the error of Up then says which folder has migrations.
var ErrNoFiles = errors.New("migrate: the root of the file system holds no NNNN_name.cql file")

// ErrNoKeyspace reports that [Up] was given a session that names no keyspace.
var ErrNoKeyspace = errors.New("migrate: the session names no keyspace: set Keyspace of the gocql.ClusterConfig")

// ChangedError reports a file that was edited, or renamed, after it or a part of
// it was applied.
type ChangedError struct {
	File      string
	Recorded  string // the name it was applied under
	Statement int    // the first applied statement that differs; 0: only what is between the statements, or the name
}

func (e *ChangedError) Error() string {
	what := "is not the text that was applied; no applied statement differs, only what stands between or after them"
	switch {
	case e.Recorded != e.File:
		what = "was applied under the name " + e.Recorded
	case e.Statement > 0:
		what = fmt.Sprintf("statement %d was applied and has been changed or taken out since", e.Statement)
	}
	return fmt.Sprintf("migrate: %s: %s; put the file back as it was and write the change as a new file", e.File, what)
}

// MissingError reports a file that was applied and is gone, although a newer
// file is there.
type MissingError struct {
	File string
}

func (e *MissingError) Error() string {
	return fmt.Sprintf("migrate: %s: was applied and is missing; put the file back", e.File)
}

// OrderError reports a file that was never applied although one with a greater
// number was.
type OrderError struct {
	File  string
	After string // the newest applied file
}

func (e *OrderError) Error() string {
	return fmt.Sprintf("migrate: %s: comes before %s, which is applied already; give it a greater number", e.File, e.After)
}

// AgreementError reports that the nodes did not come to one schema version in
// time. A node that is down has this effect, too.
type AgreementError struct {
	Err error
}

func (e *AgreementError) Error() string {
	return fmt.Sprintf("the nodes do not agree on the schema: %v", e.Err)
}

func (e *AgreementError) Unwrap() error { return e.Err }

// StatementError reports the statement at which [Up] stopped.
type StatementError struct {
	File      string
	Number    int // of the statement in its file, from 1
	Total     int // statements in the file
	Line      int // 0 of a function that is a migration of its own
	Statement string
	Applied   int  // statements of the file that are recorded as applied
	Unknown   bool // the statement, or the record of it, may or may not have taken effect
	Err       error
}

func (e *StatementError) Error() string {
	if e.Line == 0 {
		recorded := map[bool]string{false: "it is not recorded as applied", true: "it is recorded as applied"}[e.Applied > 0]
		return fmt.Sprintf("%s: %v; %s; %s", e.File, e.Err, recorded, e.advice())
	}
	s := folder.Statement{Text: e.Statement}
	return fmt.Sprintf("%s:%d: statement %d of %d: %s: %v; %s; %s",
		e.File, e.Line, e.Number, e.Total, s.Headline(), e.Err, e.recorded(), e.advice())
}

func (e *StatementError) Unwrap() error { return e.Err }

func (e *StatementError) recorded() string {
	switch e.Applied {
	case 0:
		return "no statement of the file is recorded as applied"
	case 1:
		return "statement 1 is recorded as applied"
	}
	return fmt.Sprintf("statements 1 to %d are recorded as applied", e.Applied)
}

func (e *StatementError) advice() string {
	switch {
	case e.Applied >= e.Number:
		return "the next run waits until they agree and goes on behind it"
	case strings.HasPrefix(e.Statement, "-- aml:func"):
		return "the function may have done a part of its work, and the next run calls it again"
	case e.Unknown:
		return fmt.Sprintf("statement %d may have been applied, and the next run may repeat it: "+
			"look at the database first if a repeat does harm", e.Number)
	}
	if unavailable(e.Err) || unsent(e.Err) {
		return fmt.Sprintf("statement %d was not applied: run again when enough nodes are up, which continues there", e.Number)
	}
	return fmt.Sprintf("statement %d was not applied: fix the file from there on and run again, which continues there", e.Number)
}
