package measure

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"time"
)

// Case is a piece of code that is measured.
type Case struct {
	Work    string // the operation
	Variant string // its implementation
	Items   int    // the number of operations in one Run; 0: one
	Run     func() error
}

// Config is the extent of the measurement. The zero value is the one of the published figures.
type Config struct {
	Rounds   int                     // 0: 12
	Slices   int                     // slices of each case in a round; 0: 5
	Slice    time.Duration           // its approximate duration; 0: 20 ms, in which slow cases also collect their garbage several times
	Progress func(round, rounds int) // is called after each round, unless nil
}

func (c Config) withDefaults() Config {
	if c.Rounds == 0 {
		c.Rounds = 12
	}
	if c.Slices == 0 {
		c.Slices = 5
	}
	if c.Slice == 0 {
		c.Slice = 20 * time.Millisecond
	}
	if c.Progress == nil {
		c.Progress = func(int, int) {}
	}
	return c
}

// Series has the measurements of one case, round by round.
type Series struct {
	Work, Variant string
	Rounds        []Round
}

// Round is the fastest slice of a case in one round: other load of the machine can only make slices slower.
type Round struct {
	Ops    int // operations
	Time   time.Duration
	Allocs uint64
	Bytes  uint64
}

// Run measures the cases, on the calling goroutine only. The series are in the order of the cases.
func Run(cases []Case, config Config) ([]Series, error) {
	config = config.withDefaults()
	series, runs := make([]Series, len(cases)), make([]int, len(cases))
	for i, c := range cases {
		series[i] = Series{Work: c.Work, Variant: c.Variant, Rounds: make([]Round, config.Rounds)}
		var err error
		if runs[i], err = countRuns(&c, config.Slice); err != nil {
			return nil, err
		}
	}
	for r := range config.Rounds {
		for _, i := range shuffled(len(cases), config.Slices) {
			got, err := slice(&cases[i], runs[i])
			if err != nil {
				return nil, err
			}
			series[i].Rounds[r] = series[i].Rounds[r].faster(got)
		}
		config.Progress(r+1, config.Rounds)
	}
	return series, nil
}

// faster returns the faster of two slices of a case. The first may be missing.
func (r Round) faster(other Round) Round {
	if r.Ops == 0 || other.Time < r.Time {
		return other
	}
	return r
}

// shuffled returns each of the first n numbers several times, in random order.
func shuffled(n, times int) []int {
	order := rand.Perm(n * times)
	for i := range order {
		order[i] %= n
	}
	return order
}

// slice measures a number of runs of a case. It collects garbage before, so that no case pays for the garbage of another.
func slice(c *Case, runs int) (Round, error) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	start := time.Now()
	for range runs {
		if err := c.Run(); err != nil {
			return Round{}, fmt.Errorf("measure: %s by %s: %w", c.Work, c.Variant, err)
		}
	}
	took := time.Since(start)
	runtime.ReadMemStats(&after)
	return Round{Ops: runs * max(c.Items, 1), Time: took, Allocs: after.Mallocs - before.Mallocs, Bytes: after.TotalAlloc - before.TotalAlloc}, nil
}

// countRuns finds the number of runs of a case that take about d. It also warms up the case.
func countRuns(c *Case, d time.Duration) (int, error) {
	for runs := 1; ; runs *= 2 {
		best, err := fastest(c, runs, 1)
		if err != nil {
			return 0, err
		}
		if best.Time < d/2 {
			continue
		}
		// A slice that seems long enough may have been interrupted; a case with too few runs collects less garbage in a
		// slice.
		if best, err = fastest(c, runs, tries); err != nil {
			return 0, err
		}
		if best.Time >= d/2 {
			return max(1, int(float64(runs)*float64(d)/float64(best.Time))), nil
		}
	}
}

// tries is the number of slices that are measured to find their duration.
const tries = 5

func fastest(c *Case, runs, times int) (best Round, err error) {
	for range times {
		r, err := slice(c, runs)
		if err != nil {
			return Round{}, err
		}
		best = best.faster(r)
	}
	return best, nil
}
