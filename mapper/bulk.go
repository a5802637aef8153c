package mapper

// BulkConfig configures InsertAll. Its zero value works.
type BulkConfig struct {
	Parallel int             // batches that are sent at a time; 0: 16. A negative value is refused
	Progress func(count int) // is called with the number of values that are written, by one goroutine at a time; nil: none
}

// DefaultBulkParallel is the default of BulkConfig.Parallel.
const DefaultBulkParallel = 16

// BulkResult is the result of InsertAll. Positions count from 0, in the order of the sequence.
type BulkResult struct {
	Written int // the first values of the sequence, all of which are written
	// Unknown are the positions of further values that are written or can be written later, as ranges [from, to). The values that are
	// neither among the first Written nor in Unknown are not written. It is nil if Err is nil.
	Unknown [][2]int
	Err     error // the first error; nil if all values are written
}
