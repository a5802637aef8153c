package mapper

import (
	"log/slog"
	"time"

	"github.com/gocql/gocql"
)

// Config configures a store. Its zero value works.
type Config struct {
	// Consistency of reads and writes. The zero value means LocalQuorum. Less than a quorum is refused by Open, also for
	// reads: an Update plans what it writes from what it reads, and the batchlog lets go of a batch as soon as that many
	// replicas have it.
	Consistency gocql.Consistency

	Logger *slog.Logger     // nil: slog.Default()
	Tracer Tracer           // nil: none
	Now    func() time.Time // the clock that writes are stamped with; nil: time.Now
	// MaxClockSkew is the largest difference between Now and the clocks of the servers. A store that finds a larger one
	// is not opened, and later refuses to write, with a *ClockError. The zero value means 1 s, or no check on a backend
	// in memory. Less than zero means no check.
	MaxClockSkew time.Duration

	// Timeout is the longest time that one call takes, its repeats and the function of an Update included: then it ends
	// with context.DeadlineExceeded, a write that was sent with an *UnknownOutcomeError. Of All it is the longest wait for
	// a page. The zero value means 10 s. A sooner deadline of the context counts. Less than zero is refused.
	Timeout time.Duration
	// TokenKey seals the tokens of pages: 32 bytes that all processes share which take each other's tokens. With it a
	// token can be handed to a web client, who can neither read nor change it. Nil: a token shows the keys of rows.
	TokenKey []byte

	// BatchWarning is the size in bytes above which a write to several partitions is reported to the Tracer as one
	// that the server warns about. The zero value means 5 KiB, where a server does by default
	// (batch_size_warn_threshold). Less than zero is refused.
	BatchWarning int

	// BatchLimit is the size in bytes above which a write to several partitions is refused before it is sent,
	// with a *BatchTooLargeError. The zero value means 50 KiB, what a server refuses by default
	// (batch_size_fail_threshold). Less than zero is refused.
	BatchLimit int
}

// DefaultMaxClockSkew is the largest difference from the clocks of the servers that a store accepts by default.
const DefaultMaxClockSkew = time.Second

// DefaultTimeout is the longest time that one call takes by default.
const DefaultTimeout = 10 * time.Second

// DefaultBatchLimit is the batch size, in bytes, that a server refuses by default.
const DefaultBatchLimit = 50 << 10

// DefaultBatchWarning is the batch size, in bytes, that a server warns about by default.
const DefaultBatchWarning = 5 << 10

// Options change a store for some calls.
type Options struct {
	Consistency gocql.Consistency // of reads and writes; the zero value keeps the store's
	Timeout     time.Duration     // in the place of Config.Timeout; 0 keeps it

	// TTL is the time to live of everything that a write touches, in whole seconds, at most 20 years; 0 keeps what the
	// tables say, and of two the shorter counts. Every such write writes all columns, and all rows of all copies. What
	// was once written with a TTL is to be written with one always: a cell that is written without outlives its row. A write
	// is refused that would make a row of a shared copy or a static value expire, because other rows need them.
	TTL time.Duration

	// Timestamp is what writes are stamped with, in microseconds since 1970, for an Import that keeps the times of
	// where it comes from; 0 is the clock's. An Update or a Delete that reads what has been written at that time or later is
	// refused; so are Insert, Put, Change and Set of an aggregate that has redundant tables or a list that is not frozen. A
	// value that by its size is in another unit is refused, and one further ahead of the clock than Config.MaxClockSkew.
	Timestamp int64
}
