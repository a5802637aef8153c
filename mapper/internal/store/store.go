package store

import (
	"context"
	"iter"
	"time"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/skew"
)

// Store is a database. Its methods can be called by several goroutines.
type Store interface {
	// Apply carries the mutations out as one atomic write, in one attempt. Its errors are *[Error]s.
	Apply(ctx context.Context, mutations []plan.Mutation, w Write) error
	// Rows returns the rows of a query, page by page. The row is reused, its cells are valid until the next. An
	// error comes once, without a row, and is the last.
	Rows(ctx context.Context, r Read) iter.Seq2[cell.Row, error]
	// Row returns the first row of a read, nil when it has none. Its cells stay valid.
	Row(ctx context.Context, l *Lookup) (cell.Row, error)
	// Page returns one page of the rows of a query: the first without a state, else the one after the page whose next the
	// state is. Without next there are no more rows. A page can have fewer rows than its size, or none, and a next.
	// The state is good for the same query alone, and nothing checks that.
	Page(ctx context.Context, r Read, state []byte) (rows []cell.Row, next []byte, err error)
}

// Watched is a [Store] of which some facts can change while it is open.
type Watched interface {
	// Clocks returns the time of one or several nodes, and that of now when their answers arrived.
	Clocks(ctx context.Context, now func() time.Time) ([]skew.Answer, error)
	// Identities returns the id of each table, which another table of the same name does not have. None: tables are
	// never replaced.
	Identities(ctx context.Context) (map[string]string, error)
}

// First returns the first of some rows, nil when there is none.
func First(rows iter.Seq2[cell.Row, error]) (cell.Row, error) {
	for row, err := range rows {
		return row, err
	}
	return nil, nil
}

// Backend is where a store can be opened: it makes the database that a schema's tables are in.
type Backend interface {
	// Open makes the schema's tables readable and writable. What is there in another form is a *[mapper.SchemaError].
	Open(ctx context.Context, schema *plan.Schema) (Store, error)
	// Now is the backend's clock.
	Now() time.Time
	// Clock stamps the writes of all stores that have no clock of their own. They share it, so that no write of one is stamped
	// below an earlier write of another, also while the clock does not move.
	Clock() *Clock
}

// Write describes how mutations are carried out.
type Write struct {
	Timestamp   int64 // microseconds since 1970; a mutation's Back is subtracted
	Age         int64 // seconds since Timestamp, by which every TTL is shortened
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

// Unwrap returns the driver's error.
func (e *Error) Unwrap() error { return e.Err }
