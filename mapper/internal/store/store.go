package store

import (
	"context"
	"iter"
	"time"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/skew"
)

// Store is a database. Its methods can be called by several goroutines.
type Store interface {
	// Apply executes the mutations as one atomic write, in one attempt. Its errors are of type *[Error].
	Apply(ctx context.Context, mutations []plan.Mutation, w Write) error
	// CAS carries out a conditional statement, in one attempt. Its errors are of type *[Error]. After an error of Outcome Unknown, the
	// next conditional statement or serial read of the partition decides whether the statement is carried out.
	CAS(ctx context.Context, c *plan.Conditional, w CAS) (Answer, error)
	// Rows returns the rows of a query, page by page. The row is reused: its cells are valid until the next row. An
	// error is yielded once, without a row, as the last element.
	Rows(ctx context.Context, r Read) iter.Seq2[cell.Row, error]
	// Row returns the first row of a read, or nil if there is none. Its cells stay valid.
	Row(ctx context.Context, l *Lookup) (cell.Row, error)
	// Page returns one page of the rows of a query: the first page for an empty state, otherwise the page after the one with this
	// State. A state is valid only for the same query, which Page does not check.
	Page(ctx context.Context, r Read, state []byte) (Page, error)
}

// Environment is a [Store] that also provides the values that calls otherwise get from the process: random identifiers, time and goroutines. A
// simulation of a database uses it, so that the same calls send the same requests in every run.
type Environment interface {
	// NewID returns the identifier of a save.
	NewID() plan.Attempt
	// Pause waits before a call that has met a concurrent writer starts over, and reports whether it does. The first pause has the number 1.
	Pause(ctx context.Context, attempt int) bool
	// Resend waits before a failed request is sent again, and reports whether it is. The first wait has the number 1.
	Resend(ctx context.Context, attempt int) bool
	// Parallel returns how many of n requests a call sends at a time.
	Parallel(n int) int
	// Elapsed returns the time of a monotonic clock.
	Elapsed() time.Duration
	// RunAll calls do for the numbers below n, as if at the same time, and returns after the last one has returned.
	RunAll(n int, do func(i int))
	// SumSeed returns the seed of the hashes by which a run of Reconcile compares tables, or nil: it compares each row.
	SumSeed() []byte
}

// Watched is a [Store] whose clocks and tables can change while it is open.
type Watched interface {
	// Clocks returns the time of one or several nodes, and the time of now when their answers arrived.
	Clocks(ctx context.Context, now func() time.Time) ([]skew.Answer, error)
	// Identities returns the ID of each table. A table that replaces another one of the same name has a different ID. An empty
	// result means that tables are never replaced.
	Identities(ctx context.Context) (map[string]string, error)
}

// Graced is a [Store] whose tables keep tombstones for a limited time.
type Graced interface {
	// GCGrace returns gc_grace_seconds of each table, for a job that reads the write times of some tables. It returns an error if a server
	// does not have these write times.
	GCGrace(ctx context.Context, job string, timed ...*descriptor.Table) (map[string]int, error)
}

// Filled is a [Store] on which migrations write rows of reverse tables while it is open.
type Filled interface {
	// Unfilled returns the names of the reverse tables that do not have the rows of all references yet.
	Unfilled(ctx context.Context) (map[string]bool, error)
}

// First returns the first of rows, or nil if there is none.
func First(rows iter.Seq2[cell.Row, error]) (cell.Row, error) {
	for row, err := range rows {
		return row, err
	}
	return nil, nil
}

// Backend is a database on which a store can be opened. It creates the tables of the store's schema.
type Backend interface {
	// Open creates the schema's tables. It returns a *[mapper.SchemaError] if an existing table has a different form.
	Open(ctx context.Context, schema *descriptor.Schema) (Store, error)
	// Now returns the time of the backend's clock.
	Now() time.Time
	// Clock returns the timestamps of all stores that have no clock of their own. They share it, so that a write of one store
	// has a greater timestamp than an earlier write of another, even while the time does not change.
	Clock() *Clock
}

// Write describes how mutations are executed.
type Write struct {
	Timestamp   int64 // microseconds since 1970; a mutation's Back is subtracted
	Age         int64 // seconds since Timestamp, by which every TTL is shortened
	Unlogged    bool  // a batch of several mutations need not be atomic
	Consistency driver.Consistency
}

// Outcome describes whether a failed write took effect.
type Outcome uint8

// The outcomes.
const (
	Refused    Outcome = iota // nothing was written, and the same write would be refused again
	NotSent                   // nothing was written: there was no connection
	Unsendable                // nothing was written: the driver cannot send the request, and could not send it again
	Unknown                   // it was executed, will be, or will not be
)

// Final reports whether nothing was written, and nothing would be written by the same request if it were repeated.
func (o Outcome) Final() bool { return o == Refused || o == Unsendable }

// Error reports a failed write.
type Error struct {
	Outcome Outcome
	Err     error // the driver's error
}

// Error returns the message of the driver.
func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns the error of the driver.
func (e *Error) Unwrap() error { return e.Err }

// CAS describes how a conditional statement is carried out.
type CAS struct {
	Serial      driver.Consistency // the level of the conditions
	Consistency driver.Consistency // the level of the write
}

// Answer is the server's answer to a conditional statement.
type Answer struct {
	Applied bool
	// Row is the existing row because of which the statement was not applied, or nil if there is none. An INSERT returns every
	// column; an UPDATE returns the columns of its conditions, and all others are null. A batch returns none.
	Row cell.Row
}
