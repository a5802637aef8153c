package mapper

import (
	"log/slog"
	"time"

	"github.com/gocql/gocql"
)

// Config configures a store. Its zero value works.
type Config struct {
	// Consistency of reads and writes. The zero value means LocalQuorum. Less than a quorum is refused by Open:
	// the batchlog lets go of a batch as soon as that many replicas have it.
	Consistency gocql.Consistency

	Logger *slog.Logger     // nil: slog.Default()
	Tracer Tracer           // nil: none
	Now    func() time.Time // the clock that writes are stamped with; nil: time.Now

	// BatchLimit is the size in bytes above which a write to several partitions is refused before it is sent,
	// with a *BatchTooLargeError. The zero value means 50 KiB, what a server refuses by default
	// (batch_size_fail_threshold).
	BatchLimit int
}

// DefaultBatchLimit is the batch size, in bytes, that a server refuses by default.
const DefaultBatchLimit = 50 << 10

// Options change a store for some calls.
type Options struct {
	Consistency gocql.Consistency // of reads and writes; the zero value keeps the store's
}
