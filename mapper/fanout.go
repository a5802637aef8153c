package mapper

// FanOutConfig configures a run of FanOut. Its zero value works.
type FanOutConfig struct {
	Parallel int  // roots whose copies follow, or whose deletions are finished, at a time, and buckets of a root with many; 0: 4. Of each, 16 roots that refer to it are saved at a time
	Rate     int  // roots that refer to others that this process examines per second; 0: no limit
	Follow   bool // the run goes on until its context ends; otherwise it ends when nothing is left

	Progress func(FanOutProgress) // is called after each root, by one goroutine at a time; nil: never
}

// FanOutProgress describes how far a run of FanOut is.
type FanOutProgress struct {
	Served int64 // roots whose copies have followed, or whose deletion has ended
	Failed int64 // attempts after which some copies of a root have not followed, or its deletion has not ended: a later attempt tries again
	Err    error // the error of the last of them
}
