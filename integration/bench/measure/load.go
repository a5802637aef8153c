package measure

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"time"
)

// Load is an operation on a server that is measured.
type Load struct {
	Work     string
	Variant  string
	InFlight int                        // number of concurrent operations
	Worker   func(i int) (Op, error)    // returns the operation of one worker
	Counter  func() (roundTrips uint64) // total since the start
}

// Op does the work once. One goroutine calls it.
type Op func() error

// LoadResult is the result of a load: the medians of its rounds, and percentiles over all operations.
type LoadResult struct {
	Work       string  `json:"work"`
	Variant    string  `json:"variant"`
	InFlight   int     `json:"inflight"`
	CPU        float64 `json:"cpu_ns"` // nanoseconds of this process for one operation
	Allocs     float64 `json:"allocs"` // allocations of one operation
	Bytes      float64 `json:"bytes"`  // allocated for one operation
	RoundTrips float64 `json:"round_trips"`
	P50        float64 `json:"p50_ns"`
	P99        float64 `json:"p99_ns"`
	Throughput float64 `json:"ops_s"`
	Spread     float64 `json:"spread"` // spread of CPU, as in [Result]
}

// loadRound is a slice of a load.
type loadRound struct {
	ops        float64
	took, cpu  time.Duration
	allocs     uint64
	bytes      uint64
	roundTrips uint64
}

// loaded is a load with its workers and measurements.
type loaded struct {
	Load
	ops       []Op
	each      int // operations of a worker in a slice
	rounds    []loadRound
	latencies []time.Duration
}

// RunLoads measures the loads: in each round one slice of each, in random order. The CPU time includes the garbage
// collector, but not other processes.
func RunLoads(loads []Load, config Config) ([]LoadResult, error) {
	config = config.withDefaults()
	all := make([]loaded, len(loads))
	for i := range loads {
		all[i].Load = loads[i]
		if err := all[i].prepare(config.Slice); err != nil {
			return nil, err
		}
	}
	for r := range config.Rounds {
		for _, i := range shuffled(len(all), 1) {
			if err := all[i].round(); err != nil {
				return nil, err
			}
		}
		config.Progress(r+1, config.Rounds)
	}
	results := make([]LoadResult, len(all))
	for i := range all {
		results[i] = all[i].result()
	}
	return results, nil
}

// prepare creates the workers and finds the number of operations that take about d.
func (l *loaded) prepare(d time.Duration) error {
	for i := range l.InFlight {
		op, err := l.Worker(i)
		if err != nil {
			return l.wrap(err)
		}
		l.ops = append(l.ops, op)
	}
	for l.each = 1; ; l.each *= 2 {
		if err := l.round(); err != nil {
			return err
		}
		took := l.rounds[len(l.rounds)-1].took
		l.rounds, l.latencies = l.rounds[:0], l.latencies[:0]
		if took >= d/2 {
			l.each = max(1, int(float64(l.each)*float64(d)/float64(took)))
			return nil
		}
	}
}

func (l *loaded) wrap(err error) error {
	return fmt.Errorf("measure: %s by %s, %d in flight: %w", l.Work, l.Variant, l.InFlight, err)
}

// round measures one slice.
func (l *loaded) round() error {
	latencies, failed := make([][]time.Duration, len(l.ops)), make([]error, len(l.ops))
	for i := range latencies {
		latencies[i] = make([]time.Duration, 0, l.each)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	cpu, err := processCPU()
	if err != nil {
		return err
	}
	trips, start := l.Counter(), time.Now()
	var workers sync.WaitGroup
	for i, op := range l.ops {
		workers.Go(func() { latencies[i], failed[i] = repeat(op, l.each, latencies[i]) })
	}
	workers.Wait()
	r := loadRound{ops: float64(l.each * len(l.ops)), took: time.Since(start), roundTrips: l.Counter() - trips}
	spent, err := processCPU()
	if err != nil {
		return err
	}
	r.cpu = spent - cpu
	runtime.ReadMemStats(&after)
	r.allocs, r.bytes = after.Mallocs-before.Mallocs, after.TotalAlloc-before.TotalAlloc
	for i := range failed {
		if failed[i] != nil {
			return l.wrap(failed[i])
		}
		l.latencies = append(l.latencies, latencies[i]...)
	}
	l.rounds = append(l.rounds, r)
	return nil
}

// repeat runs an operation n times and adds the duration of each.
func repeat(op Op, n int, latencies []time.Duration) ([]time.Duration, error) {
	for range n {
		start := time.Now()
		if err := op(); err != nil {
			return latencies, err
		}
		latencies = append(latencies, time.Since(start))
	}
	return latencies, nil
}

func (l *loaded) result() LoadResult {
	cpu := l.sorted(func(r loadRound) float64 { return float64(r.cpu) / r.ops })
	slices.Sort(l.latencies)
	return LoadResult{Work: l.Work, Variant: l.Variant, InFlight: l.InFlight,
		CPU:        math.Round(percentile(cpu, 0.5)),
		Allocs:     round(l.median(func(r loadRound) float64 { return float64(r.allocs) / r.ops }), 1),
		Bytes:      math.Round(l.median(func(r loadRound) float64 { return float64(r.bytes) / r.ops })),
		RoundTrips: round(l.median(func(r loadRound) float64 { return float64(r.roundTrips) / r.ops }), 2),
		P50:        l.latency(0.5), P99: l.latency(0.99),
		Throughput: math.Round(l.median(func(r loadRound) float64 { return r.ops / r.took.Seconds() })),
		Spread:     round((percentile(cpu, 0.9)-percentile(cpu, 0.1))/2/percentile(cpu, 0.5), 4)}
}

// latency returns a percentile of the sorted latencies, in nanoseconds.
func (l *loaded) latency(p float64) float64 {
	return float64(l.latencies[int(p*float64(len(l.latencies)-1))])
}

func (l *loaded) median(f func(loadRound) float64) float64 { return percentile(l.sorted(f), 0.5) }

func (l *loaded) sorted(f func(loadRound) float64) []float64 {
	all := make([]float64, len(l.rounds))
	for i, r := range l.rounds {
		all[i] = f(r)
	}
	slices.Sort(all)
	return all
}
