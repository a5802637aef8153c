package driver

import (
	"context"
	"errors"
	"sync"

	"github.com/cassaml/cassaml/mapper/driver/internal/seal"
)

// Session sends requests to a cluster. Its methods can be called by several goroutines.
type Session interface {
	Values
	// Check returns an error that says how to make a session, if this one was not made.
	Check() error
	// Keyspace returns the keyspace of statements that name none, or "".
	Keyspace() string
	// Query sends a statement. An error of the request is returned by Close of the result.
	Query(ctx context.Context, q Query) Rows
	// Batch returns an empty batch. size is the number of statements that will be added.
	Batch(ctx context.Context, b BatchConfig, size int) Batch
	// Nodes returns the addresses of all nodes to which Query.Node can send a request, also of those that are down. The error says that the
	// session cannot choose a node.
	Nodes() ([]string, error)
	// Shared returns a map that all Sessions made of one session of the driver share.
	Shared() *sync.Map

	seal.Sealed
}

// Check returns an error that says how to make a session, if s is nil or was not made.
func Check(s Session) error {
	if s == nil {
		return errors.New("the session is nil: create one with gocqldriver.New or apachedriver.New")
	}
	return s.Check()
}

// Values converts encoded cells to arguments, and their places to destinations.
type Values interface {
	// Value returns an argument that is sent as the bytes of a cell, or a destination that receives them. A nil slice is null. The bytes of
	// a destination are valid until the next page is read. The result refers to the cell: it allocates nothing.
	Value(cell *[]byte) any
	// Unset returns the argument that leaves a column unchanged.
	Unset() any
	// Bind returns an argument whose bytes a function makes when the type of its place is known.
	Bind(f func(Type) ([]byte, error)) any
	// Encode returns the bytes of a Go value of a type: a string, a number, a boolean, a time, a UUID ([16]byte), or a slice or a map of them.
	Encode(t Type, v any) ([]byte, error)
	// Decode sets v, a pointer to a Go value, from the bytes of a type.
	Decode(t Type, b []byte, v any) error
}

// Query is a statement with its arguments and options. Arguments are results of Values, or Go values as for [Values.Encode].
type Query struct {
	CQL         string
	Args        []any
	Consistency Consistency // 0: the session's
	Serial      Consistency // the level of the conditions of a conditional statement; 0: the session's
	Attempts    Attempts
	PageSize    int // rows; 0: the session's; negative: all rows at once
	Pages       Pages
	PageState   []byte // set for Single: the page after the one with this state; nil: the first
	Node        string // the address of the only node that is asked; "": the session chooses
	Unrouted    bool   // the request has no routing key, so nodes take turns
	NoTimestamp bool   // the driver sets no write time: the statement has one, or a server sets it
	Metadata    bool   // the answer describes its columns, which can differ from the columns of an earlier answer
	Answered    func() // is called when a statement that changes the schema is answered, before the driver waits for the nodes; nil: never
}

// Attempts describes how often a request is sent.
type Attempts uint8

// The attempts.
const (
	Once   Attempts = iota // a repeat could have another effect, or the caller repeats the request
	Reread                 // up to three times, to another node and at the same consistency, if the failure can be limited to one node
	Repeat                 // up to four times: a statement that has the same effect each time
)

// Pages describes when pages are read.
type Pages uint8

// When pages are read.
const (
	Ahead  Pages = iota // the next page is read before it is needed, as the session is configured
	Needed              // the next page is read when it is needed
	Single              // one page is read
)

// Rows is the result of a query.
type Rows interface {
	// Scan sets the destinations, one for each column, from the next row, and reports whether there is one. It reads the next page if
	// necessary. It skips a column whose destination is nil.
	Scan(into ...any) bool
	// ScanMap is like Scan, for columns that are not known. It adds the values by the names of their columns.
	ScanMap(into map[string]any) bool
	// SwitchesPage reports whether the next Scan reads the next page.
	SwitchesPage() bool
	// Count returns the number of rows of the page.
	Count() int
	// PageState returns the state of the next page; nil after the last one.
	PageState() []byte
	// Columns returns the number of columns.
	Columns() int
	// Column returns the name of a column, from 0.
	Column(i int) string
	// Types returns the columns with their types.
	Types() []Column
	// Protocol returns the version of the native protocol; 0 if the answer does not show it.
	Protocol() int
	// Node returns the address of the node that answered.
	Node() string
	// Close ends the query. It returns the first error, an *[Error].
	Close() error
}

// Column is a column of a result.
type Column struct {
	Keyspace, Table, Name string
	Type                  Type
}

// BatchConfig has the options of a batch.
type BatchConfig struct {
	Unlogged    bool
	Consistency Consistency
	Serial      Consistency // the level of the conditions of conditional statements; 0: the session's
	Attempts    Attempts    // Once or Repeat
	NoTimestamp bool        // has the same meaning as in Query
}

// Batch is several statements that are sent as one request.
type Batch interface {
	// Add adds a statement.
	Add(cql string, args []any)
	// Exec sends the batch. Its error is an *[Error].
	Exec() error
	// ExecCAS sends a batch with conditions, and reports whether it was applied. Its error is an *[Error].
	ExecCAS() (applied bool, err error)
	// QueryCAS is like ExecCAS. If the batch is not applied, and the answer has as many columns after [Applied] as there are destinations, it
	// also sets them from the first existing row, and returns the names of these columns.
	QueryCAS(into ...any) (applied bool, columns []string, err error)
}

// ScanOne sets the destinations from the only row of a result and ends the query. It reports whether there is a row.
func ScanOne(rows Rows, into ...any) (bool, error) {
	found := rows.Scan(into...)
	err := rows.Close()
	return found && err == nil, err
}

// ScanCAS reads the answer to a conditional statement, and ends the query. row has the existing row because of which the statement was not
// applied, by the names of its columns; without such a row it is empty.
func ScanCAS(rows Rows) (applied bool, row map[string]any, err error) {
	row = map[string]any{}
	rows.ScanMap(row)
	if err := rows.Close(); err != nil {
		return false, nil, err
	}
	applied, ok := row[Applied].(bool)
	if !ok {
		return false, nil, &Error{Class: Failed, Err: ErrNotConditional}
	}
	delete(row, Applied)
	return applied, row, nil
}

// Applied is the name of the column of an answer that shows whether a conditional statement was applied.
const Applied = "[applied]"

// ErrNotConditional is the error of an answer to a conditional statement that does not show whether it was applied.
var ErrNotConditional = errors.New("the server's answer has no column " + Applied)
