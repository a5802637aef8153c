package migrate

import (
	"errors"
	"fmt"
	"strings"

	"github.com/cassaml/cassaml/migrate/folder"
)

// ErrNoFiles reports that the root of the file system given to [Up] has no migration. The usual cause is an embed.FS without the
// [io/fs.Sub] that enters the folder; the error of Up then contains the folder that has migrations.
var ErrNoFiles = errors.New("migrate: the root of the file system has no NNNN_name.cql file")

// ErrNoKeyspace reports that the session given to [Up] has no keyspace.
var ErrNoKeyspace = errors.New("migrate: the session has no keyspace: set Keyspace of the gocql.ClusterConfig")

// ForeignTableError reports that the keyspace has a table aml_migrations that another program has created.
type ForeignTableError struct {
	Keyspace string
	Column   string // the first column that the table lacks
}

func (e *ForeignTableError) Error() string {
	return fmt.Sprintf("migrate: keyspace %s has a table aml_migrations with another purpose: it has no column %s. Migrations are recorded in a table "+
		"with this name: give the other table another name, or use another keyspace", e.Keyspace, e.Column)
}

// StatementError reports the statement at which [Up] stopped.
type StatementError struct {
	File      string
	Number    int // the number of the statement in its file, counted from 1
	Total     int // statements in the file
	Line      int // 0 for a function that is a separate migration
	Statement string
	Applied   int  // statements of the file that are recorded as applied
	Unknown   bool // it is unknown whether the statement, or its record, took effect
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
		return "the next run waits until they agree and continues after it"
	case strings.HasPrefix(e.Statement, "-- aml:func"):
		return "the function may have done part of its work, and the next run calls it again"
	case e.Unknown:
		return fmt.Sprintf("statement %d may have been applied, and the next run may repeat it: "+
			"check the database first if it is not safe to repeat", e.Number)
	}
	if unavailable(e.Err) || unsent(e.Err) {
		return fmt.Sprintf("statement %d was not applied: run again when enough nodes are up; the run continues there", e.Number)
	}
	return fmt.Sprintf("statement %d was not applied: fix the file from there on and run again; the run continues there", e.Number)
}
