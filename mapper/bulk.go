package mapper

// BulkConfig configures InsertAll. Its zero value works.
type BulkConfig struct {
	Parallel int             // the number of requests that are sent at a time; 0: 16. A negative value is refused
	Progress func(count int) // called with the number of values that are written, by one goroutine at a time; nil: none
}

// DefaultBulkParallel is the default of BulkConfig.Parallel.
const DefaultBulkParallel = 16

// BulkResult is the result of InsertAll. Positions count from 0, in the order of the sequence.
type BulkResult struct {
	Written int // the first values of the sequence, all of which are written
	// Unknown has the positions of other values that are written or can still be written, as ranges [from, to). A value that is
	// neither among the first Written nor in Unknown is not written. Unknown is nil if Err is nil.
	Unknown [][2]int
	Err     error // the first error; nil if all values are written
}
