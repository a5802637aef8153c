package mapper

import (
	"context"
	"time"
)

// Tracer is called for every request that a store sends: once for each attempt of a write, and once for each query with
// all its pages; for OfEach, and for All and Scan of a table, once for each page. Its methods are called during the call of the store, by several goroutines at the same time if these use the store,
// or if the call sends several requests at a time. [LogTracer] is a tracer; package mapper/otel has one; [Tracers] combines several.
type Tracer interface {
	// Start is called before the request is sent. The returned context is used for the request and passed to End.
	Start(ctx context.Context, request Request) context.Context
	// End is called after the response, or after the rows have been read or the read has been stopped.
	End(ctx context.Context, result RequestResult)
}

// UnwrittenTracer is a [Tracer] that also receives the rows of unlogged copies that a write may not have written.
type UnwrittenTracer interface {
	Tracer
	// Unwritten is called at the end of a call that has written the root, but may not have written all rows of unlogged copies. The
	// call succeeds.
	Unwritten(ctx context.Context, rows Unwritten)
}

// Unwritten describes the rows of unlogged copies that a write may not have written or deleted. Reconcile repairs them.
type Unwritten struct {
	Op        string // the store's method
	Aggregate string // the Go name of the struct of the root; Aggregate, Table and Key describe the first write of a batch
	Table     string
	Key       string // id=7
	Rows      []UnwrittenRow
	Err       error // the driver's error for the first of them
}

// UnwrittenRow is a row to write or delete, or a range of rows to delete.
type UnwrittenRow struct {
	Table string
	Key   string // tag='blue', id=7; of a range its first columns
}

// Request describes a request. It contains no values.
type Request struct {
	Op          string // the store's method: Insert, InsertOrGet, Put, Change, Import, Update, Set, Add, Remove, Append, Prepend, InsertAll, Delete, DeleteAt, Run, Get, GetMany, GetWith, OfWith, First, Count, Statics, FollowAuthor, All, Scan, Page, ByTitle, GetByEmail; in migrations Backfill and AssignVersions
	Aggregate   string // the Go name of the struct; for a batch: the struct of its first write
	Keyspace    string // empty on a backend in memory
	Statements  []Statement
	Consistency Consistency
	Timestamp   int64 // the timestamp of a write, in microseconds since 1970; 0 if it is conditional or of counters, because the server chooses the timestamp
	Attempt     int   // the number of the attempt of a write, from 1; for a read 1, or 2 if it is Speculative

	// Speculative is true for the second request of a read that had no answer after Options.SpeculativeDelay. The request that is not
	// needed any more is cancelled, and ends with an error.
	Speculative bool

	// Conditional is true for a lightweight transaction: a statement with IF, or a batch of such a statement and the writes of
	// parts, which is carried out if all its conditions hold.
	Conditional bool
	// Serial is the serial consistency of a conditional statement, or of a read that sees a save in flight: such a read is sent
	// at this level and not at Consistency. It is 0 for all other requests.
	SerialConsistency Consistency

	// Partitions is the number of partitions that the statements read or write. Equal partition keys are one partition, also in several tables. It is
	// 0 for a read without a partition key.
	Partitions int

	Batch    BatchKind
	Batchlog bool // the batch writes to more than one partition, so the server first stores it in its batchlog
	Large    bool // the server warns about the size of the batch
}

// Bytes returns the size of the values of all statements.
func (r *Request) Bytes() (n int) {
	for i := range r.Statements {
		n += r.Statements[i].Bytes
	}
	return n
}

// Statement is one CQL statement of a request.
type Statement struct {
	CQL   string
	Table string
	Bytes int // the size of its values; of a write, the size that the server counts for the batch limit
}

// BatchKind describes how statements are sent.
type BatchKind uint8

// The kinds of batches.
const (
	NoBatch       BatchKind = iota // one statement without a batch
	LoggedBatch                    // all or nothing
	UnloggedBatch                  // not atomic: rows of unlogged copies
)

// String returns the kind in lower case.
func (b BatchKind) String() string { return [...]string{"none", "logged", "unlogged"}[b] }

// RequestResult is how a request ended.
type RequestResult struct {
	Request  Request       // the request that was passed to Start
	Duration time.Duration // the time between Start and End; for All and a query with pages, it includes the time that the loop of the caller takes
	Err      error         // the driver's error
	Unknown  bool          // set for a write that failed, if it may have been executed, or may be executed later. A later attempt can succeed
	Rows     int           // the number of rows that were read; for a conditional statement: 1 if it was applied
}
