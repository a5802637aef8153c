// Package migrating passes the names of migrations from a run of migrate.Up to the store that a program opens: the files that are applied
// later, and the files that the program does not have. The error of a keyspace that lacks a part of the model contains them.
package migrating

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"weak"

	"github.com/gocql/gocql"
)

// laterKey is the key of the files in a context.
type laterKey struct{}

// WithLaterFiles returns a context for a function of a migration, with the files that are applied after the function has returned.
func WithLaterFiles(ctx context.Context, files []string) context.Context {
	return context.WithValue(ctx, laterKey{}, slices.Clone(files))
}

// LaterFiles returns the files of [WithLaterFiles]; nil outside of a migration.
func LaterFiles(ctx context.Context) []string {
	files, _ := ctx.Value(laterKey{}).([]string)
	return files
}

// unknown has the files of [SetUnknown] by their sessions, to which it has weak pointers.
var unknown sync.Map

// SetUnknown sets the files that the keyspace of a session has applied and that the program does not have.
func SetUnknown(session *gocql.Session, files []string) {
	if session == nil {
		return
	}
	key := weak.Make(session)
	if len(files) == 0 {
		unknown.Delete(key)
		return
	}
	if _, known := unknown.Swap(key, slices.Clone(files)); !known {
		runtime.AddCleanup(session, func(key weak.Pointer[gocql.Session]) { unknown.Delete(key) }, key)
	}
}

// Unknown returns the files of [SetUnknown].
func Unknown(session *gocql.Session) []string {
	if session == nil {
		return nil
	}
	files, _ := unknown.Load(weak.Make(session))
	out, _ := files.([]string)
	return out
}
