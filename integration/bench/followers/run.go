package followers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/migrate/folder"
)

// Config configures a run.
type Config struct {
	Holders  int   // invoices of the customer
	Stores   []int // the numbers of stores, each with a session, that share a fan-out; the hand-written code has one session
	Rounds   int
	Progress io.Writer // gets a line for each round
}

// Result is the median of the rounds.
type Result struct {
	Holders int     `json:"holders"`
	Stores  int     `json:"stores"`
	Rate    float64 `json:"per_second"`      // invoices
	Hand    float64 `json:"hand_per_second"` // invoices of the hand-written code
	Ratio   float64 `json:"ratio"`
	Heap    uint64  `json:"heap_bytes"`  // the largest live heap during FanOut
	Early   uint64  `json:"early_bytes"` // the largest live heap in the first quarter of a run
}

const (
	buckets  = 4  // the number in the schema
	inFlight = 16 // invoices of a bucket that are saved at the same time, by both
	customer = 1
	lease    = mapper.DefaultLease

	// WarmHolders is the number of invoices of a round for which it does not matter that the server compiles its code during its first seconds.
	WarmHolders = 200_000
)

// Run measures in an empty keyspace.
func Run(ctx context.Context, cluster *gocql.ClusterConfig, c Config) (results []Result, err error) {
	var stores []*Store
	for range slices.Max(c.Stores) {
		session, err := gocqlx.WrapSession(cluster.CreateSession())
		if err != nil {
			return nil, fmt.Errorf("followers: %w", err)
		}
		defer session.Close()
		if stores == nil {
			if err := load(ctx, session, c.Holders); err != nil {
				return nil, fmt.Errorf("followers: load: %w", err)
			}
		}
		s, err := Open(ctx, session, mapper.Config{FanOutInline: -1})
		if err != nil {
			return nil, err
		}
		stores = append(stores, s)
	}
	if c.Holders < WarmHolders {
		warm := c
		warm.Rounds = 1
		if _, err := measure(ctx, warm, stores[:1]); err != nil {
			return nil, fmt.Errorf("followers: %w", err)
		}
	}
	for _, n := range c.Stores {
		r, err := measure(ctx, c, stores[:n])
		if err != nil {
			return nil, fmt.Errorf("followers: %w", err)
		}
		results = append(results, r)
	}
	return results, nil
}

// load creates the tables, and writes the invoices with a row in a bucket each: they follow an unknown version of their customer.
func load(ctx context.Context, session gocqlx.Session, n int) error {
	list, err := folder.Split(Schema)
	if err != nil {
		return err
	}
	for _, s := range list {
		if err := session.ExecStmt(s.Text); err != nil {
			return err
		}
	}
	insert := func(statement string, args ...any) error {
		return session.Session.Query(statement, args...).WithContext(ctx).Consistency(gocql.LocalQuorum).Exec()
	}
	if err := insert("INSERT INTO customers (id, name, version, aml_attempts) VALUES (?, 'a', 1, [])", customer); err != nil {
		return err
	}
	return inParallel(buckets*inFlight, n, func(i int) error {
		if err := insert("INSERT INTO invoices (id, payer, payer_name, version, aml_attempts) VALUES (?, ?, 'a', 1, [])", i, customer); err != nil {
			return err
		}
		return insert("INSERT INTO invoices__payer_holders (target_id, aml_bucket, holder_id, aml_ver) VALUES (?, ?, ?, 1)", customer, i%buckets, i)
	})
}

// inParallel calls do for the numbers below n, and returns the first error.
func inParallel(workers, n int, do func(i int) error) error {
	numbers := make(chan int)
	errs := make([]error, workers)
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			for i := range numbers {
				if errs[w] == nil {
					errs[w] = do(i)
				}
			}
		})
	}
	for i := range n {
		numbers <- i
	}
	close(numbers)
	all.Wait()
	return errors.Join(errs...)
}

// measure compares a fan-out of stores with the hand-written code.
func measure(ctx context.Context, c Config, stores []*Store) (Result, error) {
	var rates, hand []float64
	r := Result{Holders: c.Holders, Stores: len(stores)}
	for round := range c.Rounds {
		took, err := byHand(ctx, stores[0], fmt.Sprint("hand ", round))
		if err != nil {
			return r, err
		}
		hand = append(hand, float64(c.Holders)/took.Seconds())
		h := watchHeap()
		took, err = fanOut(ctx, stores, fmt.Sprint("store ", round))
		early, most := h.end()
		if err != nil {
			return r, err
		}
		rates = append(rates, float64(c.Holders)/took.Seconds())
		r.Heap, r.Early = max(r.Heap, most), max(r.Early, early)
		fmt.Fprintf(c.Progress, "%d stores, round %d: %.0f invoices per second, by hand %.0f\n", len(stores), round+1, rates[round], hand[round])
	}
	r.Rate, r.Hand = median(rates), median(hand)
	r.Ratio = r.Rate / r.Hand
	return r, nil
}

func median(of []float64) float64 {
	slices.Sort(of)
	return of[len(of)/2]
}

// rename changes the name of the customer, and waits until FanOut serves it.
func rename(ctx context.Context, s *Store, name string) (*Customer, error) {
	c, err := s.Customers.Update(ctx, customer, func(c *Customer) error { c.Name = name; return nil })
	time.Sleep(lease + 10*time.Millisecond)
	return c, err
}

// fanOut lets all invoices follow by FanOut of stores. It returns the time until the first one finds that nothing is left; the others look later.
func fanOut(ctx context.Context, stores []*Store, name string) (time.Duration, error) {
	if _, err := rename(ctx, stores[0], name); err != nil {
		return 0, err
	}
	began := time.Now()
	took := make([]time.Duration, len(stores))
	err := inParallel(len(stores), len(stores), func(i int) error {
		defer func() { took[i] = time.Since(began) }()
		return stores[i].FanOut(ctx, mapper.FanOutConfig{Parallel: buckets})
	})
	return slices.Min(took), err
}

// heap samples the live heap.
type heap struct {
	samples []uint64
	stop    chan struct{}
	stopped chan struct{}
}

func watchHeap() *heap {
	h := &heap{stop: make(chan struct{}), stopped: make(chan struct{})}
	go func() {
		defer close(h.stopped)
		for {
			select {
			case <-h.stop:
				return
			case <-time.After(time.Second):
			}
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			h.samples = append(h.samples, m.HeapAlloc)
		}
	}()
	return h
}

// end returns the largest sample of the first quarter, and of all.
func (h *heap) end() (early, most uint64) {
	close(h.stop)
	<-h.stopped
	for i, n := range h.samples {
		if most = max(most, n); i <= len(h.samples)/4 {
			early = max(early, n)
		}
	}
	return early, most
}

// Table returns the results as a table in Markdown.
func Table(results []Result) string {
	var b strings.Builder
	b.WriteString("| invoices | stores | invoices per second | by hand | ratio | largest heap | in the first quarter |\n|---:|---:|---:|---:|---:|---:|---:|\n")
	for _, r := range results {
		fmt.Fprintf(&b, "| %d | %d | %.0f | %.0f | %.2f | %.1f MB | %.1f MB |\n", r.Holders, r.Stores, r.Rate, r.Hand, r.Ratio, float64(r.Heap)/1e6, float64(r.Early)/1e6)
	}
	return b.String()
}
