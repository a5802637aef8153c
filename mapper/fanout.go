package mapper

// FanOutConfig configures a run of FanOut. Its zero value works.
type FanOutConfig struct {
	Parallel int  // the number of roots, or buckets of a root with many holders, that are served at a time; 0: 4. Of each, up to 16 roots that refer to it are saved at a time
	Rate     int  // roots that refer to others that this process examines per second; 0: no limit
	Follow   bool // the run goes on until its context ends; otherwise it ends when nothing is left, which may never happen while other calls change roots: limit it by its context

	Progress func(FanOutProgress) // is called after each root and each error, by one goroutine at a time; nil: never
}

// FanOutProgress describes how far a run of FanOut is.
type FanOutProgress struct {
	Served int64 // roots whose copies are all up to date, or whose deletion has ended
	Failed int64 // attempts that have left copies of a root out of date or its deletion unfinished, reads of aml_outboxes that failed, and rows of it that no store has written; a later attempt tries again
	Err    error // the error of the last failed attempt
}
