// Package migrating passes values from a run of migrate.Up to the store that a program opens: the serial consistency of its conditional
// statements, the files that are applied later, and the files that the program does not have. The error of a keyspace that lacks a part of the
// model contains these files.
package migrating

import (
	"context"
	"slices"

	"github.com/cassaml/cassaml/mapper/driver"
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

// serialKey is the key of the level of [WithSerial] in a context.
type serialKey struct{}

// WithSerial returns a context for a function of a migration, with the serial consistency of the services.
func WithSerial(ctx context.Context, level driver.Consistency) context.Context {
	return context.WithValue(ctx, serialKey{}, level)
}

// Serial returns the level of [WithSerial]; 0 outside of a migration, and if the level is the default.
func Serial(ctx context.Context) driver.Consistency {
	level, _ := ctx.Value(serialKey{}).(driver.Consistency)
	return level
}

// unknownKey is the key of the files of [SetUnknown] in the map of a session.
type unknownKey struct{}

// SetUnknown sets the files that the keyspace of a session has applied and that the program does not have.
func SetUnknown(session driver.Session, files []string) {
	session.Shared().Store(unknownKey{}, slices.Clone(files))
}

// Unknown returns the files of [SetUnknown].
func Unknown(session driver.Session) []string {
	files, _ := session.Shared().Load(unknownKey{})
	out, _ := files.([]string)
	return out
}
