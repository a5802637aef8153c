package alternatives

import (
	"errors"
	"fmt"
	"math/rand" // the generators of YCSB take it
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pingcap/go-ycsb/pkg/generator"
	"github.com/pingcap/go-ycsb/pkg/ycsb"

	"github.com/cassaml/cassaml/mapper"
)

// Workload is a mix of operations, shaped as a workload of YCSB (Cooper et al., 2010).
type Workload struct {
	Name    string
	Text    string
	Choices []Choice
	Newest  bool // roots that were inserted lately are chosen most often; otherwise the same few roots, by a Zipfian distribution
}

// Choice has operations that are made one after the other.
type Choice struct {
	Percent    int
	Operations []string
}

// Workloads returns the workloads A to F.
func Workloads() []Workload {
	const read, element, change, insert = "read by root", "read by element", "change", "insert"
	return []Workload{
		{"A", "half reads by root, half changes", []Choice{{50, []string{read}}, {50, []string{change}}}, false},
		{"B", "95 % reads by root, 5 % changes", []Choice{{95, []string{read}}, {5, []string{change}}}, false},
		{"C", "reads by root", []Choice{{100, []string{read}}}, false},
		{"D", "95 % reads by element, of the newest roots, 5 % new roots", []Choice{{95, []string{element}}, {5, []string{insert}}}, true},
		{"E", "95 % reads by root, 5 % new roots", []Choice{{95, []string{read}}, {5, []string{insert}}}, false},
		{"F", "half reads by element, half a read and a change", []Choice{{50, []string{element}}, {50, []string{element, change}}}, false},
	}
}

// MixResult is the cost of a workload with a design, for each operation.
type MixResult struct {
	Design    string    `json:"design"`
	Workload  string    `json:"workload"`
	Elements  int       `json:"elements"`
	P50       float64   `json:"p50_us"`
	P99       float64   `json:"p99_us"`
	CPU       float64   `json:"client_cpu_us"`
	ServerCPU float64   `json:"server_cpu_us"`
	Rounds    []float64 `json:"rounds_cpu_us"` // the processor time of the client and the servers in each round
	PerSecond float64   `json:"per_second"`
	Conflicts int       `json:"conflicts"` // the calls that have ended with one
}

// Processor returns the processor time of the client and the servers together.
func (m *MixResult) Processor() float64 { return m.CPU + m.ServerCPU }

// The number of roots before a mix begins, and the operations of a round for each call of the configuration.
const (
	mixRoots = 100
	mixCalls = 10
)

// load is a workload with a design.
type load struct {
	*subject
	Workload
	lock    sync.Mutex // the fields that choose, and the roots
	source  *rand.Rand
	choices *generator.Discrete
	root    ycsb.Generator
	roots   []*caller
	took    []time.Duration
	samples []sample
	failed  atomic.Int64
}

// mixes measures the workloads with all designs that have their operations, in rounds, as measure.
func mixes(subjects []*subject, c Config) ([]MixResult, error) {
	var all []*load
	for _, s := range subjects {
		for _, w := range Workloads() {
			if !s.executes(w) || c.Designs != nil && !slices.Contains(c.Designs, s.name) {
				continue
			}
			l, err := newLoad(s, w, c)
			if err != nil {
				return nil, fmt.Errorf("%s: %s: %w", s.name, w.Name, err)
			}
			all = append(all, l)
		}
	}
	random := rand.New(rand.NewSource(1))
	for round := range c.Warm + c.Rounds {
		for _, i := range random.Perm(len(all)) {
			if err := all[i].round(c, round >= c.Warm); err != nil {
				return nil, fmt.Errorf("%s: %s: %w", all[i].name, all[i].Name, err)
			}
		}
		fmt.Fprintf(os.Stderr, "round %d of %d of the mixes\n", round+1, c.Warm+c.Rounds)
	}
	out := make([]MixResult, len(all))
	for i, l := range all {
		out[i] = l.result(c)
	}
	return out, nil
}

// executes reports whether a design has all operations of a workload.
func (s *subject) executes(w Workload) bool {
	for _, c := range w.Choices {
		for _, o := range c.Operations {
			if s.Operations[o] == nil {
				return false
			}
		}
	}
	return true
}

// newLoad inserts the roots of a load.
func newLoad(s *subject, w Workload, c Config) (*load, error) {
	l := &load{subject: s, Workload: w, source: rand.New(rand.NewSource(1)), choices: generator.NewDiscrete()}
	for i, x := range w.Choices {
		l.choices.Add(float64(x.Percent)/100, int64(i))
	}
	l.root = generator.NewScrambledZipfian(0, mixRoots-1, generator.ZipfianConstant)
	if w.Newest {
		l.root = generator.NewZipfianWithItems(mixRoots, generator.ZipfianConstant)
	}
	return l, inParallel(mixRoots, c.InFlight, func(int) error { return l.insert(c.Elements[0]) })
}

// insert inserts a root, which is then one of the roots of the load.
func (l *load) insert(elements int) error {
	l.lock.Lock()
	x := l.caller("insert", elements)
	l.lock.Unlock()
	x.there = elements
	if err := x.operate(); err != nil {
		return err
	}
	l.lock.Lock()
	defer l.lock.Unlock()
	l.roots = append(l.roots, x)
	return nil
}

// choose returns operations, and a root for them.
func (l *load) choose() ([]string, *caller) {
	l.lock.Lock()
	defer l.lock.Unlock()
	n := int(l.root.Next(l.source))
	if l.Newest {
		n = len(l.roots) - 1 - n
	}
	return l.Choices[l.choices.Next(l.source)].Operations, l.roots[n]
}

// round measures one slice of operations.
func (l *load) round(c Config, counts bool) error {
	took := make([]time.Duration, mixCalls*c.Calls)
	x, err := slice(c, l.traffic, len(took), func(i int) error {
		begun := time.Now()
		err := l.next(c.Elements[0])
		took[i] = time.Since(begun)
		return err
	})
	if err != nil || !counts {
		return err
	}
	l.took, l.samples = append(l.took, took...), append(l.samples, x)
	return nil
}

// next makes the operations of a choice. A conflict of two calls that change a root is counted.
func (l *load) next(elements int) error {
	operations, root := l.choose()
	for _, o := range operations {
		if o == "insert" {
			return l.insert(elements)
		}
		x := *root
		x.operation = o
		if err := x.operate(); errors.Is(err, mapper.ErrConflict) {
			l.failed.Add(1)
		} else if err != nil {
			return err
		}
	}
	return nil
}

// result returns the results of all rounds.
func (l *load) result(c Config) MixResult {
	m := MixResult{Design: l.name, Workload: l.Name, Elements: c.Elements[0], P50: percentile(l.took, 50), P99: percentile(l.took, 99), Conflicts: int(l.failed.Load())}
	m.CPU, m.ServerCPU, m.Rounds = processorTimes(l.samples)
	m.PerSecond = median(l.samples, func(x sample) float64 { return x.PerSecond })
	return m
}
