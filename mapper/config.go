package mapper

import (
	"log/slog"
	"time"
)

// Config configures a store. Its zero value works.
type Config struct {
	// Consistency is the consistency level of reads and writes. The zero value means LocalQuorum. Open refuses a level
	// below a quorum, also for reads: an Update plans its write from the row that it reads, and the batchlog deletes a batch
	// as soon as that many replicas have it.
	Consistency Consistency

	Logger *slog.Logger     // nil: slog.Default()
	Tracer Tracer           // nil: none
	Now    func() time.Time // the clock that provides the timestamps of writes; nil: time.Now
	// MaxClockSkew is the largest accepted difference between Now and the clocks of the servers. If the difference is
	// larger, Open, and later every write, returns a *ClockError. The zero value means 1 s, or no check on a backend in
	// memory. A negative value means no check.
	MaxClockSkew time.Duration

	// Timeout is the maximum duration of one call, including its repeats and the function of an Update. The call then
	// returns context.DeadlineExceeded, or an *UnknownOutcomeError for a write that was sent. For All and Count it is the longest
	// wait for a page. The zero value means 10 s. An earlier deadline of the context takes precedence. Calls whose contexts cannot
	// be canceled share timers: such a call can end up to 2 % earlier. A negative value is refused, and so is one above
	// 30 minutes: a write must end long before deleted rows are purged.
	Timeout time.Duration
	// Serial is the serial consistency of the conditional statements of versioned aggregates, and of the reads that must see
	// them: Serial, which is the zero value, or LocalSerial. LocalSerial is correct only if all programs that write
	// the keyspace are in one datacenter: two datacenters would not see each other's statements in flight.
	SerialConsistency Consistency

	// Lease is how long a write of a versioned aggregate waits for another write that has claimed one of its unique values
	// and has neither succeeded nor failed. After that time it prevents the other write from succeeding, and takes the value.
	// The zero value means 2 s, or half of Timeout if that is shorter. A negative value is refused, and so is one that is not
	// shorter than Timeout, because the time of the call would end first.
	Lease time.Duration

	// FanOutInline is the greatest number of roots with copies of a changed field that a save updates before it returns. FanOut or Reconcile updates
	// the others. It is also the greatest number of roots that one Delete deletes or clears because they refer to the root, at all levels of cascade
	// together; if there are more, it returns a *PendingError. The zero value means 100; a negative value means none.
	FanOutInline int

	// TTL sets the TTLs that have a name in the model: TTL["retention"] applies to each table with ttl=$retention. A TTL is a number
	// of whole seconds, at most 20 years. A name that is not set has the default of its tag. Open refuses a name that the model does
	// not have, and a configuration without a name that has no default. All programs that write a table must use the same value.
	TTL map[string]time.Duration

	// TokenKey encrypts and authenticates page tokens. It has 32 bytes, and processes that accept each other's tokens must
	// share it. With a TokenKey, a token can be handed to a web client, who can neither read nor change it. If it is nil, a
	// token shows the keys of rows.
	TokenKey []byte

	// BatchWarning is the size in bytes above which a write to several partitions is reported to the Tracer as one
	// that the server warns about. The zero value means 5 KiB, the default of the server
	// (batch_size_warn_threshold). A negative value is refused.
	BatchWarning int

	// SharedCache is the number of rows of shared aggregates with cache= that the store remembers as written. The zero value means
	// 10,000. A negative value is refused.
	SharedCache int

	// BatchLimit is the size in bytes above which a write to several partitions is refused before it is sent, with a
	// *BatchTooLargeError. An aggregate that is large in the model is then sent as several batches instead. The zero value means 50
	// KiB, the default of the server (batch_size_fail_threshold). A negative value is refused.
	BatchLimit int
}

// DefaultMaxClockSkew is the default of Config.MaxClockSkew.
const DefaultMaxClockSkew = time.Second

// DefaultTimeout is the default of Config.Timeout.
const DefaultTimeout = 10 * time.Second

// DefaultLease is the default of Config.Lease.
const DefaultLease = 2 * time.Second

// DefaultFanOutInline is the default of Config.FanOutInline.
const DefaultFanOutInline = 100

// DefaultSharedCache is the default of Config.SharedCache.
const DefaultSharedCache = 10_000

// DefaultBatchLimit is the batch size, in bytes, above which a server refuses a batch by default.
const DefaultBatchLimit = 50 << 10

// DefaultBatchWarning is the batch size, in bytes, above which a server logs a warning by default.
const DefaultBatchWarning = 5 << 10

// Options override the configuration of a store for some calls.
type Options struct {
	Consistency Consistency   // the level of reads and writes; the zero value keeps the store's
	Timeout     time.Duration // replaces Config.Timeout; 0 keeps it

	// ReadConsistency is the consistency level of reads. It can be less than a quorum: such a read may return older data. Update, Put
	// and Delete keep the consistency of the store for their reads, and so do the roots that Verified reads. The zero value keeps
	// the store's. It cannot be used with Serial.
	ReadConsistency Consistency

	// SpeculativeDelay makes a read of one row send a second request if the first has no answer after this time: Get, each row of GetMany,
	// First, and both reads of GetBy…. The first answer is returned, and the other request is cancelled. The driver chooses the node
	// of the second request, which can be the same one. Writes and serial reads are never sent twice. 0 means no second request; a
	// negative value is refused. A good value is above the latency of most reads, so that few are sent twice.
	SpeculativeDelay time.Duration

	// Serial makes reads of a versioned root, by the primary key, by a unique value or of one partition, see a save that is in
	// flight. Other reads, and writes, return an error.
	Serial bool

	// Verified makes reads of a redundant table derive each row again from the current row of its root. A row that no longer
	// follows from its root is left out. A row that is missing from the redundant table is not found. Each row costs one more
	// read, or two if it contains a unique value of its root instead of the root's key. A table whose rows contain neither
	// cannot be read so. Other reads, and writes, return an error.
	Verified bool

	// TTL is the time to live of all cells of a write, in whole seconds, at most 20 years. 0 keeps the TTLs of the tables;
	// if a table has a TTL too, the shorter one applies. A write with a TTL writes all columns, and all rows of all copies.
	// Always write such a row with a TTL: a cell that is written without one outlives its row. A write that would make a row
	// of a shared copy or a static value expire is refused, because other rows need them. So is every write of counters.
	TTL time.Duration

	// Timestamp is the timestamp of writes, in microseconds since 1970, for an Import that keeps the write times of the
	// original database; 0 means the time of the clock. An Update or a Delete that reads a cell written at that time or
	// later is refused. So are Insert, Put, Change and Set of an aggregate that has redundant tables or a list that is not
	// frozen, and every write of counters. A value whose size suggests another unit is refused, and so is a value further ahead of the clock than
	// Config.MaxClockSkew.
	Timestamp int64
}
