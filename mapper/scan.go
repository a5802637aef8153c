package mapper

import "errors"

// ScanConfig configures a read of all rows of a table. Its zero value works.
//
// A scan divides the token ring into slices, and reads several slices at a time. The rows of a slice come in the order of their
// tokens, and the rows of a partition in their clustering order. A page has about 1 MiB, and at most 5,000 rows. Each row that is in the table during the
// whole scan is read. A row that is written or deleted meanwhile is read or not. A request that fails is repeated. The time limit of a
// call, Config.Timeout, applies to each request.
//
// Scan returns these errors before anything is sent: Slices, Parallel or Rate are negative, Job is used with Checkpoint or SaveCheckpoint, or Checkpoint is
// invalid. All accepts only Rate and Progress.
type ScanConfig struct {
	Parallel int // slices that are read at a time, each with its own goroutine for the callback; 0: 4
	Slices   int // the number of slices, at most 65,536; 0: the number in Checkpoint or, without it, 256

	// Checkpoint is the one after which the scan continues: the text that SaveCheckpoint of another scan of the same table received, in this
	// process or another one. With the empty text the scan starts at the beginning. A damaged checkpoint, and one of another table or number of
	// slices, is refused with ErrCheckpoint.
	Checkpoint string

	// SaveCheckpoint is called with a checkpoint after pages and at the end of the scan, also if the scan fails; nil: never. Two calls never
	// overlap. The callback has returned without an error for all rows that the checkpoint covers. A checkpoint covers whole
	// partitions: a scan that continues from it reads again those rows of other partitions that this scan has read. An error of
	// SaveCheckpoint ends the scan. A checkpoint contains tokens, but no keys and no values.
	SaveCheckpoint func(checkpoint string) error

	// Job is the name of a scan that several processes carry out together: they divide the slices among themselves, in the table
	// aml_work of the keyspace, and each process returns when all slices are done. If a process ends early, another one continues
	// its slices, and reads rows again after the last checkpoint of the slice, which is at most some seconds old. A scan that has
	// ended is not repeated: use a new name for each. The empty name means that no other process takes part.
	Job string

	Rate     int                // rows that this process reads per second; 0: no limit
	Progress func(ScanProgress) // is called after each page and each slice, by one goroutine at a time; nil: never
}

// ScanProgress describes how far a scan is.
type ScanProgress struct {
	Done  int   // slices that are complete, including those that Checkpoint covers; with Job: those that this process has completed
	Total int   // slices of the scan
	Rows  int64 // rows that this process has read and passed on
}

// ErrCheckpoint is returned by a scan whose checkpoint is damaged, or belongs to another table or number of slices. Nothing was sent.
var ErrCheckpoint = errors.New("invalid checkpoint")
