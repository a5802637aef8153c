package store

import (
	"context"
	"iter"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// Store is a database. Its methods can be called by several goroutines.
type Store interface {
	// Apply carries the mutations out as one atomic write, in one attempt. Its errors are *[Error]s.
	Apply(ctx context.Context, mutations []plan.Mutation, w Write) error
	// Rows gives the rows of a query, page by page. The row is reused, its cells are valid until the next. An
	// error comes once, without a row, and is the last.
	Rows(ctx context.Context, r Read) iter.Seq2[cell.Row, error]
}

// Write says how mutations are carried out.
type Write struct {
	Timestamp   int64 // microseconds since 1970; a mutation's Back is subtracted
	Consistency gocql.Consistency
}

// Read is a query.
type Read struct {
	Statement   string
	Args        cell.Row
	Columns     int // of a row
	PageSize    int // rows; 0: the driver's
	Consistency gocql.Consistency
}

// Outcome is what is known about a write that ended in an error.
type Outcome uint8

// The outcomes.
const (
	Refused Outcome = iota // nothing was written, and the same write would be refused again
	NotSent                // nothing was written: there was no connection to send it on
	Unknown                // it was, will be, or was not carried out
)

// Error is a write that failed.
type Error struct {
	Outcome Outcome
	Err     error // the driver's
}

// Error is the driver's message.
func (e *Error) Error() string { return e.Err.Error() }

// Unwrap gives the driver's error.
func (e *Error) Unwrap() error { return e.Err }
