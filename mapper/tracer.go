package mapper

import (
	"context"

	"github.com/gocql/gocql"
)

// Tracer sees every request that a store sends: one per attempt of a write, one per query, whose pages belong
// to it. Its methods are called by the goroutine that called the store.
type Tracer interface {
	// Start is called before the request is sent. The context that it returns is used for the request and
	// handed to End.
	Start(ctx context.Context, request Request) context.Context
	// End is called when the request has been answered, or its rows have been read or abandoned.
	End(ctx context.Context, result Result)
}

// Request describes a request. It carries no values.
type Request struct {
	Op          string // the store's method: Insert, Put, Change, Update, Set, Delete, Get, All, Page, ByTitle
	Aggregate   string // the Go name of the struct
	Statements  []Statement
	Consistency gocql.Consistency
	Timestamp   int64 // of a write, in microseconds since 1970
	Attempt     int   // of a write, from 1
	Batch       Batch
	Batchlog    bool // the batch touches more than one partition, so the server keeps it in its batchlog first
	Large       bool // the batch is one that the server warns about
}

// Statement is one CQL statement of a request.
type Statement struct {
	CQL   string
	Table string
	Bytes int // the size of its values; of a write as the server counts it for the batch limit
}

// Batch describes how statements are sent.
type Batch uint8

// The kinds of batches.
const (
	None   Batch = iota // one statement by itself
	Logged              // all or nothing
)

// String returns the kind in lower case.
func (b Batch) String() string { return [...]string{"none", "logged"}[b] }

// Result is how a request ended.
type Result struct {
	Err  error // the driver's
	Rows int   // of a read: rows seen
}
