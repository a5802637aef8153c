package reconciling

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"runtime/metrics"
	"strings"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"

	"github.com/cassaml/cassaml/integration/bench/copies"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/migrate/folder"
)

// Config configures a measurement.
type Config struct {
	Sizes     []int     // numbers of roots, ascending
	Processes []int     // that share a run of the smallest number of roots whose redundant tables are elsewhere
	Rounds    int       // the fastest counts
	Progress  io.Writer // gets a line for each step
}

// Result is a measured run of Reconcile.
type Result struct {
	Work      string  `json:"work"`
	Roots     int     `json:"roots"`
	Processes int     `json:"processes"`
	Rows      int     `json:"rows"`                 // rows of the root and of its redundant tables
	Scan      float64 `json:"scan_s"`               // the time of the scan by gocql
	Reconcile float64 `json:"reconcile_s"`          // the time of the run
	Heap      uint64  `json:"heap_bytes,omitempty"` // the largest, of one process
}

// Ratio returns the time of the run divided by the time of the scan.
func (r *Result) Ratio() float64 { return r.Reconcile / r.Scan }

// runner measures on a session.
type runner struct {
	config  Config
	cluster *gocql.ClusterConfig
	session gocqlx.Session
	store   *copies.Store
}

// Run creates the tables, fills them, and measures runs of Reconcile.
func Run(ctx context.Context, cluster *gocql.ClusterConfig, config Config) (results []Result, err error) {
	session, err := gocqlx.WrapSession(cluster.CreateSession())
	if err != nil {
		return nil, fmt.Errorf("reconciling: %w", err)
	}
	defer session.Close()
	r := &runner{config: config, cluster: cluster, session: session}
	if r.store, err = open(ctx, session, true); err != nil {
		return nil, err
	}
	filled := 0
	for _, size := range config.Sizes {
		for i := range works {
			w := &works[i]
			r.printf("fill %s up to %d roots", w.name, size)
			if err := w.fill(ctx, session.Session, filled, size); err != nil {
				return nil, err
			}
			result, err := r.measure(ctx, w, size)
			if err != nil {
				return nil, err
			}
			results = append(results, result)
		}
		if filled == 0 {
			if results, err = r.measureShared(ctx, results); err != nil {
				return nil, err
			}
		}
		filled = size
	}
	return results, nil
}

func (r *runner) printf(format string, values ...any) {
	fmt.Fprintf(r.config.Progress, format+"\n", values...)
}

// open opens the store, after it has created the tables if create is true.
func open(ctx context.Context, session gocqlx.Session, create bool) (*copies.Store, error) {
	if create {
		statements, err := folder.Split(copies.Schema)
		if err != nil {
			return nil, err
		}
		for _, s := range statements {
			if err := session.ContextQuery(ctx, s.Text, nil).ExecRelease(); err != nil {
				return nil, fmt.Errorf("reconciling: %w", err)
			}
		}
	}
	return copies.Open(ctx, session, mapper.Config{Logger: slog.New(slog.DiscardHandler)})
}

// runConfig returns the configuration of a run.
func runConfig(w *work, share string) mapper.ReconcileConfig {
	return mapper.ReconcileConfig{Tables: []string{w.root}, Parallel: parallelScan, Slices: scanSlices, Job: share}
}

// measure measures runs of one process.
func (r *runner) measure(ctx context.Context, w *work, size int) (Result, error) {
	out := Result{Work: w.name, Roots: size, Processes: 1}
	for n := range r.config.Rounds {
		runtime.GC()
		began := time.Now()
		rows, err := w.scan(ctx, r.session.Session)
		if err != nil {
			return out, err
		}
		scanned := time.Since(began)
		heap := WatchHeap()
		began = time.Now()
		report, err := r.store.Reconcile(ctx, runConfig(w, ""))
		took := time.Since(began)
		peak := heap()
		if err != nil {
			return out, err
		}
		if report.Total() > 0 || report.TooRecent > 0 || rows != size*len(w.tables) {
			return out, fmt.Errorf("reconciling: %s has %d rows, and the run has found %+v", w.name, rows, report)
		}
		out.Rows, out.Heap = rows, max(out.Heap, peak)
		out.add(n, scanned, took)
		r.printf("%s, %d roots: scan %.2f s, reconcile %.2f s", w.name, size, scanned.Seconds(), took.Seconds())
	}
	return out, nil
}

// add adds a round.
func (r *Result) add(n int, scanned, took time.Duration) {
	if n == 0 || scanned.Seconds() < r.Scan {
		r.Scan = scanned.Seconds()
	}
	if n == 0 || took.Seconds() < r.Reconcile {
		r.Reconcile = took.Seconds()
	}
}

// heapPause is the time between two readings of the size of the heap.
const heapPause = 5 * time.Millisecond

// WatchHeap reads the size of the heap until the returned function is called, which returns the largest.
func WatchHeap() func() uint64 {
	runtime.GC()
	stop, peak := make(chan struct{}), make(chan uint64)
	go func() {
		var largest uint64
		sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		for tick := time.Tick(heapPause); ; {
			metrics.Read(sample)
			largest = max(largest, sample[0].Value.Uint64())
			select {
			case <-stop:
				peak <- largest
				return
			case <-tick:
			}
		}
	}()
	return func() uint64 {
		close(stop)
		return <-peak
	}
}

// Table returns the results as a table in Markdown.
func Table(results []Result) string {
	var b strings.Builder
	b.WriteString("| work | roots | processes | rows | scan s | reconcile s | ratio | heap MB |\n|---|--:|--:|--:|--:|--:|--:|--:|\n")
	for i := range results {
		r := &results[i]
		heap := ""
		if r.Heap > 0 {
			heap = fmt.Sprintf("%.1f", float64(r.Heap)/1e6)
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %.2f | %.2f | %.2f | %s |\n", r.Work, r.Roots, r.Processes, r.Rows, r.Scan, r.Reconcile, r.Ratio(), heap)
	}
	return b.String()
}
